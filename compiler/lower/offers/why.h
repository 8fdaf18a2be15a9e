// Emits the reasons why an action is not offered.
#pragma once

#include "compiler/lower/context/function_context.h"

namespace cardwright::lower {

void lower_why(ProgramContext& unit, std::size_t action);

}   // namespace cardwright::lower
