// Simplifies the control flow graph without regard to the computations in its blocks.
#pragma once

#include <vector>

#include "runtime/ir/ir.h"

namespace cardwright::passes {

// Removes jumps to blocks that only jump, branches with two equal targets and unreachable blocks, and merges a block
// into its only predecessor if that ends with a jump. Returns true if something changed.
bool simplify_control_flow(ir::Function& function);

// Returns the number of incoming edges of each block, plus one for the entry block.
std::vector<std::size_t> predecessor_counts(const ir::Function& function);

// Returns the number of the loop that contains each block, or -1. Loops that share a block have the same number.
// Ignores the blocks in `left_out`.
std::vector<int> strong_components(const ir::Function& function, const std::vector<char>& left_out);
// Returns a flag for each block that is set if the block can be reached from itself.
std::vector<char> blocks_in_loops(const ir::Function& function);

}   // namespace cardwright::passes
