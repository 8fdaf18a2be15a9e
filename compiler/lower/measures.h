// Notes of what is measured, where it happens. What nobody asks for is not lowered.
#pragma once

#include "compiler/lower/function_context.h"
#include "compiler/lower/offers.h"

namespace cardwright::lower {

// What is asked for gets its number.
void declare_measures(ProgramContext& unit);
// Something is noted before or after it.
bool is_measured(const ProgramContext& unit, std::size_t event);
bool is_measured_landing(const ProgramContext& unit, std::size_t action);
bool is_measured_end(const ProgramContext& unit);
// Notes what is measured there; `arguments` are the parameters of the event, or those of an action: me, the card that
// carries it, and its own.
void note_event(const FunctionContext& code, std::size_t event, model::MomentKind when,
                const std::vector<Register>& arguments);
void note_landing(const FunctionContext& code, std::size_t action, model::MomentKind when,
                  const std::vector<Register>& arguments);
void note_end(const FunctionContext& code);
// What was offered, behind the decision.
void note_offered(const FunctionContext& code, Offers& offers);
// Notes that this rule or statement takes effect.
void note_reached(const FunctionContext& code, Range what);
// Marks the moment at which an action is done, or a turn, round or phase is about to begin.
void mark_flow(const FunctionContext& code);
// A turn begins.
void note_turn(const FunctionContext& code, Register number, Register player);

}   // namespace cardwright::lower
