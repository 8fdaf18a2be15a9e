// Lowers events and their handlers as functions.
#pragma once

#include "compiler/analysis/value_rules.h"
#include "compiler/lower/context/function_context.h"

namespace cardwright::lower {

void declare_events(ProgramContext& unit);
void lower_event(ProgramContext& unit, std::size_t index);

}   // namespace cardwright::lower
