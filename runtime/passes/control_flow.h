// Simplifies the control flow graph without regard to the computations in its blocks.
#pragma once

#include <vector>

#include "runtime/ir/ir.h"

namespace cardwright::passes {

// Removes jumps to blocks that only jump, branches with two equal targets and unreachable blocks, and merges a block
// into its only predecessor if that ends with a jump. Returns true if something changed.
bool simplify_control_flow(ir::Function& function);

// By block: the number of incoming edges; the entry has one more.
std::vector<std::size_t> predecessor_counts(const ir::Function& function);

// By block: the number of its loop (loops that share a block are one), or -1. Ignores the blocks in `left_out`.
std::vector<int> strong_components(const ir::Function& function, const std::vector<char>& left_out);
// By block: whether it can be reached from itself.
std::vector<char> blocks_in_loops(const ir::Function& function);

}   // namespace cardwright::passes
