// Emits the settling of `whenever` rules and endings, and lowers `afterwards` blocks.
#pragma once

#include <string>

#include "compiler/lower/context/function_context.h"

namespace cardwright::lower {

void settle(const FunctionContext& code);
void settle_one(const FunctionContext& code, Register player);
void lower_settle(ProgramContext& unit);
void lower_deferred(ProgramContext& unit);
// Returns the index in Program::endings of this reason for the end of the game. Adds the reason if it is new.
Int ending_index(ProgramContext& unit, const std::string& text, const std::string& words, Range where);

}   // namespace cardwright::lower
