// Lowers memoized values. The State stores a value's results until something that the value reads changes.
#pragma once

#include "compiler/lower/context/function_context.h"

namespace cardwright::lower {

void find_kept(ProgramContext& unit);
const Kept* kept(const ProgramContext& unit, std::size_t value);
Register kept_entry(const FunctionContext& code, const Kept& kept, Register place);

}   // namespace cardwright::lower
