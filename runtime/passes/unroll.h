// Unrolls loops over few elements whose bodies have no side effects; unroll.cpp contains an example.
#pragma once

#include <functional>

#include "runtime/ir/ir.h"

namespace cardwright::passes {

// `most` returns the maximum value of a register, or -1 if the register can be negative or none. Returns true if a loop
// was unrolled.
bool unroll_loops(ir::Function& function, const std::function<std::int64_t(ir::Register)>& most);

}   // namespace cardwright::passes
