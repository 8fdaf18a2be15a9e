// Emits IR functions for the values and functions of the rules.
#pragma once

#include "compiler/lower/context/function_context.h"

namespace cardwright::lower {

void lower_value(ProgramContext& unit, std::size_t index);
void lower_function(ProgramContext& unit, std::size_t index);

}   // namespace cardwright::lower
