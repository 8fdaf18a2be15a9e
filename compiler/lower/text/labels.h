// Lowers the labels of actions.
#pragma once

#include <string>
#include <vector>

#include "compiler/lower/context/function_context.h"

namespace cardwright::lower {

// The label of an action: one string, and an expression for each `{}` in it. If label_of() is called with `picked`, the
// label shows all picked elements of a set, otherwise only the first one.
struct Label {
  std::string pattern;
  std::vector<const model::Expr*> parts;
};

Label label_of(ProgramContext& unit, const model::Action& action, bool picked);
void lower_label(ProgramContext& unit, std::size_t action);

}   // namespace cardwright::lower
