// Makes the graph of blocks smaller without looking at what is computed in them.
#pragma once

#include <vector>

#include "runtime/ir/ir.h"

namespace cardwright::passes {

// Jumps to blocks that only jump, branches with two equal targets, blocks nobody reaches, blocks with one way in
// from a plain jump. Whether something changed.
bool simplify_control_flow(ir::Function& function);

// By block: how many edges lead to it; the entry has one more.
std::vector<std::size_t> predecessor_counts(const ir::Function& function);

// By block: the number of the loop that it is in (loops that share a block are one), or -1. As if the blocks `left_out`
// were not there.
std::vector<int> strong_components(const ir::Function& function, const std::vector<char>& left_out);
// By block: can it be reached from itself?
std::vector<char> blocks_in_loops(const ir::Function& function);

}   // namespace cardwright::passes
