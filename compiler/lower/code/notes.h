// Emits the code that records rule coverage and the start of actions and turns. Also determines which moments are
// measured.
#pragma once

#include "compiler/lower/context/function_context.h"

namespace cardwright::lower {

// Returns whether a measure records the moment before or after the event.
bool is_measured(const ProgramContext& unit, std::size_t event);
bool is_measured_landing(const ProgramContext& unit, std::size_t action);
bool is_measured_end(const ProgramContext& unit);
// Records that this rule or statement takes effect.
void note_reached(const FunctionContext& code, Range what);
// Marks the moment before an action, turn, round or phase begins.
void mark_flow(const FunctionContext& code);
// Records the beginning of a turn.
void note_turn(const FunctionContext& code, Register number, Register player);

}   // namespace cardwright::lower
