// Runs passes, notifies observers and verifies their results.
#include "runtime/passes/pass.h"

#include <cstdio>
#include <cstdlib>
#include <utility>

namespace cardwright::passes {

namespace {

thread_local Observer* observer = nullptr;

std::vector<std::string> problems_of(std::string_view pass, const ir::Module& module, const ir::Bounds& bounds,
                                     bool step) {
  std::vector<std::string> problems = ir::verify(module, bounds, step);
  for (std::string& problem : problems) problem = "after " + std::string(pass) + ": " + problem;
  return problems;
}

[[maybe_unused]] void stop_where_wrong(std::string_view pass, const ir::Module& module, const ir::Bounds& bounds,
                                       bool step) {
  const std::vector<std::string> problems = problems_of(pass, module, bounds, step);
  for (const std::string& problem : problems) std::fprintf(stderr, "%s\n", problem.c_str());
  if (!problems.empty()) std::abort();
}

}   // namespace

void run(const Pass& pass, ir::Module& module, const PassContext& context) {
  pass.run(module, context);
  made(pass.name, module, {.words = context.layout().words});
}

void run(std::span<const Pass> passes, ir::Module& module, const PassContext& context) {
  for (const Pass& pass : passes) run(pass, module, context);
}

void made(std::string_view pass, const ir::Module& module, const ir::Bounds& bounds, bool step) {
  if (observer) return observer->made(pass, module, bounds, step);
#ifndef NDEBUG
  stop_where_wrong(pass, module, bounds, step);
#endif
}

Observer::Observer() : outer_(std::exchange(observer, this)) {}
Observer::~Observer() { observer = outer_; }

void Verified::made(std::string_view pass, const ir::Module& module, const ir::Bounds& bounds, bool step) {
  for (std::string& problem : problems_of(pass, module, bounds, step)) problems_.push_back(std::move(problem));
  ++modules_;
}

}   // namespace cardwright::passes
