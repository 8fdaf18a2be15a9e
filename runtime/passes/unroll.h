// Unrolls loops over few elements that only compute something; unroll.cpp has an example.
#pragma once

#include <functional>

#include "runtime/ir/ir.h"

namespace cardwright::passes {

// `most` returns the largest value of a register that cannot be negative or none, else -1. Returns true if a loop was
// unrolled.
bool unroll_loops(ir::Function& function, const std::function<std::int64_t(ir::Register)>& most);

}   // namespace cardwright::passes
