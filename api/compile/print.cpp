// Prints the output of the compiler stages as text.
#include <algorithm>
#include <sstream>

#include <fmt/format.h>

#include "api/compile/compile.h"
#include "api/compile/engines.h"
#include "cardwright/tools.hpp"
#include "compiler/ast/ast.h"
#include "compiler/driver/driver.h"
#include "runtime/ir/print.h"
#include "runtime/passes/passes.h"

namespace cardwright::api {

namespace {

// Stores the output of one pass as text, and the names of all passes that run.
class Printer : public passes::Observer {
 public:
  explicit Printer(std::string pass) : pass_(std::move(pass)) {}
  std::string text;
  std::vector<std::string> passes;

 private:
  void made(std::string_view pass, const ir::Module& module, const ir::Bounds&, bool) override {
    if (std::find(passes.begin(), passes.end(), pass) == passes.end()) passes.emplace_back(pass);
    if (pass != pass_) return;
    text +=
        fmt::format("// after {}{}\n{}", pass, runs_++ == 0 ? "" : fmt::format(", run {}", runs_), ir::print(module));
  }
  const std::string pass_;
  int runs_ = 0;
};

}   // namespace

// Lists the conditions that are evaluated without a loop, each with its source text and its plan.
static std::string print_plans(const std::vector<lower::Planned>& plans, const SourceMap& sources) {
  std::string text;
  std::string_view function;
  constexpr std::size_t kLongest = 100;
  for (const lower::Planned& planned : plans) {
    if (planned.function != function) text += fmt::format("{}\n", function = planned.function);
    std::string condition = one_line(sources.text(planned.condition));
    if (condition.size() > kLongest) {   // for a play, the text includes its complete effect
      std::size_t end = kLongest;
      while ((condition[end] & 0xc0) == 0x80) --end;   // do not split a UTF-8 character
      condition = condition.substr(0, end) + " …";
    }
    text += fmt::format("  {}   // {}\n", condition, sources.describe(planned.condition));
    std::istringstream lines(planned.plan);
    for (std::string line; std::getline(lines, line);) text += fmt::format("    {}\n", line);
  }
  return text.empty() ? "// no condition over a set can be evaluated without a loop\n" : text;
}

std::string print(const Ruleset& rules, const Configuration& configuration, Stage stage, Form form) {
  const auto& data = rules.data();
  if (stage == Stage::ast) {
    std::string text;
    for (const loading::Unit& unit : data->parsed().units)
      if (unit.root) {
        if (data->parsed().units.size() > 1)
          text += fmt::format("// {}\n", data->sources.name(unit.root->range.source));
        text += ast::print(*unit.root);
      }
    return text;
  }
  const auto compiled = detail::compile(data, detail::complete(*data, configuration));
  if (stage == Stage::model) return model::print(compiled->model());
  if (stage == Stage::plan) {
    Diagnostics diagnostics(data->sources);
    return print_plans(driver::plans(compiled->model(), diagnostics), data->sources);
  }
  if (stage == Stage::ir) return ir::print(form == Form::step ? compiled->program->step : compiled->program->playout);
  return print_llvm(*compiled->program, form == Form::step);
}

std::string print_after(const Ruleset& rules, const Configuration& configuration, const std::string& pass) {
  const auto& data = rules.data();
  const auto compiled = detail::compile(data, detail::complete(*data, configuration));
  Diagnostics diagnostics(data->sources);
  Printer printer(pass);
  const auto program = driver::make_program(compiled->model(), diagnostics, configuration.plain);
  passes::as_playout(*program, false);
  passes::as_finishing(*program);
  if (printer.text.empty())
    throw Error(Blame::caller, fmt::format("unknown pass `{}`; passes that run: {}", printable(pass),
                                           fmt::join(printer.passes, ", ")));
  return printer.text;
}

}   // namespace cardwright::api
