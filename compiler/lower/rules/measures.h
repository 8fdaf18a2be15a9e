// Emits the code that records measures at their moments. Measures that were not requested are not lowered.
#pragma once

#include <vector>

#include "compiler/lower/context/function_context.h"

namespace cardwright::lower {

// Assigns numbers to the requested measures.
void declare_measures(ProgramContext& unit);
// Records the measures of this moment. `arguments` contains the parameters of the event. For an action, it contains
// `me`, the card that carries the action, and the action's own parameters.
void note_event(const FunctionContext& code, std::size_t event, model::MomentKind when,
                const std::vector<Register>& arguments);
void note_landing(const FunctionContext& code, std::size_t action, model::MomentKind when,
                  const std::vector<Register>& arguments);
void note_end(const FunctionContext& code);

}   // namespace cardwright::lower
