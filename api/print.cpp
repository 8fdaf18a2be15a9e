// The compiler's stages as text.
#include <fmt/format.h>

#include "api/compile.h"
#include "api/engines.h"
#include "cardwright/tools.hpp"
#include "compiler/ast/ast.h"
#include "compiler/ir/print.h"

namespace cardwright::api {

std::string print(const Ruleset& rules, const Configuration& configuration, Stage stage, Form form) {
  const auto& data = rules.data();
  if (stage == Stage::ast) {
    std::string text;
    for (const sema::Unit& unit : data->parsed().units)
      if (unit.root) {
        if (data->parsed().units.size() > 1) text += fmt::format("// {}\n", data->sources.name(unit.root->range.source));
        text += ast::print(*unit.root);
      }
    return text;
  }
  const auto compiled = detail::compile(data, detail::complete(*data, configuration));
  if (stage == Stage::model) return model::print(compiled->model());
  if (stage == Stage::ir) return ir::print(form == Form::step ? compiled->program->step : compiled->program->playout);
  return print_llvm(*compiled->program, form == Form::step);
}

}  // namespace cardwright::api
