// Loops over few numbers that only work something out: see unroll.cpp.
#pragma once

#include <functional>

#include "runtime/ir/ir.h"

namespace cardwright::passes {

// `most`: the largest number that a register can be, where it can't be below 0 or none; else -1. Whether there were
// any.
bool unroll_loops(ir::Function& function, const std::function<std::int64_t(ir::Register)>& most);

}   // namespace cardwright::passes
