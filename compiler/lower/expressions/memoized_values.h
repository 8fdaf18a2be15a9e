// Lowers memoized values. The State stores a value's results until something that the value reads changes.
#pragma once

#include "compiler/lower/context/function_context.h"

namespace cardwright::lower {

void find_memoized(ProgramContext& unit);
const MemoizedValue* memoized(const ProgramContext& unit, std::size_t value);
Register memoized_entry(const FunctionContext& code, const MemoizedValue& memoized, Register place);

}   // namespace cardwright::lower
