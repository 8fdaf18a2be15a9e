// Lowers memoized values: the State stores their results until something they depend on changes.
#pragma once

#include "compiler/lower/context/function_context.h"

namespace cardwright::lower {

void find_kept(ProgramContext& unit);
const Kept* kept(const ProgramContext& unit, std::size_t value);
Register kept_entry(const FunctionContext& code, const Kept& kept, Register place);

}   // namespace cardwright::lower
