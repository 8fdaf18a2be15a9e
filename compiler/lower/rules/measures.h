// Emits the code that records measures at their moments. Measures that were not requested are not lowered.
#pragma once

#include "compiler/lower/context/function_context.h"
#include "compiler/lower/offers/offers.h"

namespace cardwright::lower {

// Assigns numbers to the requested measures.
void declare_measures(ProgramContext& unit);
// Returns whether a measure records a moment before or after the event.
bool is_measured(const ProgramContext& unit, std::size_t event);
bool is_measured_landing(const ProgramContext& unit, std::size_t action);
bool is_measured_end(const ProgramContext& unit);
// Records the measures of this moment. `arguments` are the parameters of the event. For an action, they are `me`, the
// card that carries the action, and its own parameters.
void note_event(const FunctionContext& code, std::size_t event, model::MomentKind when,
                const std::vector<Register>& arguments);
void note_landing(const FunctionContext& code, std::size_t action, model::MomentKind when,
                  const std::vector<Register>& arguments);
void note_end(const FunctionContext& code);
// Records the offered options after the decision.
void note_offered(const FunctionContext& code, Offers& offers);
// Records that this rule or statement takes effect.
void note_reached(const FunctionContext& code, Range what);
// Marks the moment before an action, turn, round or phase begins.
void mark_flow(const FunctionContext& code);
// Records the beginning of a turn.
void note_turn(const FunctionContext& code, Register number, Register player);

}   // namespace cardwright::lower
