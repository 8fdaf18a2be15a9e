// Emits the notes that explain the result of a condition.
#pragma once

#include <string>

#include "compiler/lower/context/function_context.h"

namespace cardwright::lower {

std::string escaped(std::string_view text);
void note(const FunctionContext& code, std::string_view text);
Int open_notes(const FunctionContext& code);
void close_notes(const FunctionContext& code, Int opened, std::string_view how);
// Returns whether the source range is in the standard library. Conditions in the standard library are not explained
// unless they have an explanation text.
bool is_of_page(const ProgramContext& unit, Range range);
void note_modified(const FunctionContext& code, const model::RuleHead& head);

}   // namespace cardwright::lower
