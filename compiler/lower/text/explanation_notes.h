// Emits the notes that explain the result of a condition.
#pragma once

#include "compiler/lower/context/function_context.h"

namespace cardwright::lower {

// Adds a step to the explanation. The values of the step must have been passed before this call.
void note(const FunctionContext& code, ExplanationNode node);
// Notes a name and its value.
void note_value(const FunctionContext& code, ExplanationStep step, model::LocalId local);
Int open_notes(const FunctionContext& code);
void close_notes(const FunctionContext& code, Int opened, ExplanationStep how);
// Returns whether the source range is in the standard library. Conditions in the standard library are not explained
// unless they have an explanation text.
bool is_of_page(const ProgramContext& unit, Range range);
void note_modified(const FunctionContext& code, const model::RuleHead& head);

}   // namespace cardwright::lower
