// Runs lowering and the IR passes on a Model.
#include "compiler/driver/driver.h"

#include <utility>

#include <fmt/format.h>

#include "compiler/analysis/information_leaks.h"
#include "compiler/lower/lower.h"
#include "runtime/passes/passes.h"
#include "runtime/knowledge/knowledge.h"

namespace cardwright::driver {

namespace {

// Checks that the data of the passes fits into memory. Some passes store data for each register of each block.
bool functions_fit(const Program& program, Diagnostics& diagnostics) {
  constexpr std::size_t kMost = 800'000'000;
  for (const ir::Function& function : program.playout.functions)
    if (function.blocks.size() * function.registers.size() > kMost) {
      diagnostics.report("game_too_large"_code, function.where,
                         fmt::format("`{}` is too large to compile", function.name),
                         "split it into several events, or offer fewer options at a time");
      return false;
    }
  return true;
}

// Checks the limits of the frame format.
bool frames_fit(const Program& program, Diagnostics& diagnostics) {
  const auto refuse = [&](Range where, std::string what) {
    diagnostics.report("game_too_large"_code, where, std::move(what));
    return false;
  };
  if (program.waits.size() > kMaxWaits)
    return refuse({},
                  fmt::format("the rules have {} suspend points; the limit is {}", program.waits.size(), kMaxWaits));
  for (std::size_t f = 0; f < program.frames.size(); ++f)
    if (program.frames[f].size > kMaxFrame)
      return refuse(program.playout.functions[f].where,
                    fmt::format("this rule stores {} bytes while it waits for a decision; the limit is {}",
                                program.frames[f].size, kMaxFrame));
  return true;
}

}   // namespace

std::unique_ptr<Program> make_program(const model::Model& model, Diagnostics& diagnostics, bool plain) {
  const std::size_t errors = diagnostics.errors();
  analysis::report_policy_leaks(model, diagnostics);
  if (diagnostics.errors() != errors) return nullptr;
  std::unique_ptr<Program> program = lower::lower(model, diagnostics, plain);
  if (!program) return nullptr;
  passes::made(
      "lower", program->playout,
      {program->layout.words, static_cast<Int>(program->variables.size()), static_cast<Int>(program->zones.size())});
  if (program->figures) passes::count_figures(program->playout);
  if (!functions_fit(*program, diagnostics)) return nullptr;
  passes::run_on_lowered(*program);
  program->knowledge_in_playout = passes::queries_knowledge(*program);
  if (program->knowledge_in_playout)
    passes::find_asked_zones(passes::as_playout(*program, false), program->layout, program->zones);
  const ir::Module joined = passes::inline_suspending(*program);
  passes::finish_state(*program, joined);
  forget_all(*program, program->initial.data());
  passes::split(joined, program->layout, *program);
  if (!frames_fit(*program, diagnostics)) return nullptr;
  return program;
}

std::unique_ptr<Program> make_explaining(const model::Model& model, Diagnostics& diagnostics, bool plain) {
  std::unique_ptr<Program> program = lower::explain(model, diagnostics, plain);
  if (!program) return nullptr;
  program->plain = true;   // the explaining Program is lowered without optimizations
  std::vector<ir::FunctionIndex> called;
  for (const Int function : program->explanations.actions)
    if (function >= 0) called.push_back(static_cast<ir::FunctionIndex>(function));
  for (const ExplainedChoice& choice : program->explanations.choices)
    for (const Int function : choice.functions) called.push_back(static_cast<ir::FunctionIndex>(function));
  passes::run_on_explaining(*program, called);
  program->step = program->playout;   // copied unchanged, because it has no suspend points
  program->frames.resize(program->step.functions.size());
  return program;
}

std::vector<lower::Planned> plans(const model::Model& model, Diagnostics& diagnostics) {
  return lower::plans(model, diagnostics);
}

void report_offer_leaks(const model::Model& model, Diagnostics& diagnostics) {
  analysis::report_offer_leaks(model, diagnostics);
}

}   // namespace cardwright::driver
