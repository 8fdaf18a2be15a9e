// Emits functions that explain why an action is not allowed, or why an element cannot be chosen.
#pragma once

#include <functional>

#include "compiler/lower/context/function_context.h"

namespace cardwright::lower {

std::function<void()> name_logger(const FunctionContext& code, const model::Stmt& s);
void lower_explanations(ProgramContext& unit);

}   // namespace cardwright::lower
