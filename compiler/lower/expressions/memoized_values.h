// Lowers memoized values: the State stores their results until something they depend on changes.
#pragma once

#include "compiler/lower/context/function_context.h"

namespace cardwright::lower {

void find_kept(ProgramContext& unit);
const Kept* kept(const ProgramContext& unit, std::size_t value);
void lower_kept(ProgramContext& unit, const Kept& kept, ir::FunctionIndex work);
void lower_kept_table(ProgramContext& unit, const Kept& kept);
Register kept_entry(const FunctionContext& code, const Kept& kept, Register place);

}   // namespace cardwright::lower
