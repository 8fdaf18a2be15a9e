// Simplifies the control flow graph: threads jumps, drops unreachable blocks and merges chains.
#include "runtime/passes/control_flow.h"

#include <algorithm>
#include <utility>

#include "runtime/ir/shape.h"
#include "runtime/ir/views.h"

namespace cardwright::passes {

namespace view = ir::view;

namespace {

std::size_t index(std::int64_t block) { return static_cast<std::size_t>(block); }

// Returns the final target of a jump to `block`. For a cycle of empty blocks, this is a block of the cycle.
std::int64_t final_target(const ir::Function& function, std::int64_t block) {
  for (std::size_t steps = 0; steps < function.blocks.size(); ++steps) {
    const auto& code = function.blocks[index(block)].code;
    if (code.size() != 1 || code[0].op != ir::Op::jump) return block;
    block = view::jump(code[0]).target();
  }
  return block;
}

bool do_the_same(const ir::Block& a, const ir::Block& b) {
  const auto same = [](const ir::Instruction& one, const ir::Instruction& other) {
    return one.op == other.op && one.result == other.result && one.operands == other.operands &&
           one.where == other.where;
  };
  return a.of == b.of && std::equal(a.code.begin(), a.code.end(), b.code.begin(), b.code.end(), same);
}

void become_jump(ir::Instruction& instruction, std::int64_t target) {
  instruction.op = ir::Op::jump;
  instruction.operands = {target};
}

bool thread_jumps(ir::Function& function) {
  bool changed = false;
  for (ir::Block& block : function.blocks) {
    ir::Instruction& last = block.code.back();
    for_each_target(last, [&](std::int64_t& target) {
      const std::int64_t to = final_target(function, target);
      changed |= to != target;
      target = to;
    });
    if (last.op != ir::Op::branch && last.op != ir::Op::switch_) continue;
    const std::int64_t first = last.op == ir::Op::branch ? view::branch(last).then() : view::switch_(last).otherwise();
    if (last.op == ir::Op::branch &&
        do_the_same(function.blocks[index(first)], function.blocks[view::branch(last).otherwise()]))
      for_each_target(last, [&](std::int64_t& target) { target = first; });
    bool same = true;
    for_each_target(last, [&](std::int64_t& target) { same &= target == first; });
    if (!same) continue;
    become_jump(last, first);
    changed = true;
  }
  return changed;
}

bool drop_unreachable(ir::Function& function) {
  std::vector<std::int64_t> renamed(function.blocks.size(), -1);
  std::vector<std::size_t> work{0};
  renamed[0] = 0;
  while (!work.empty()) {
    const std::size_t b = work.back();
    work.pop_back();
    for_each_target(function.blocks[b].code.back(), [&](std::int64_t target) {
      if (renamed[index(target)] == 0) return;
      renamed[index(target)] = 0;
      work.push_back(index(target));
    });
  }
  std::vector<ir::Block> reachable;
  for (std::size_t b = 0; b < function.blocks.size(); ++b) {
    if (renamed[b] < 0) continue;
    renamed[b] = static_cast<std::int64_t>(reachable.size());
    reachable.push_back(std::move(function.blocks[b]));
  }
  const bool changed = reachable.size() != function.blocks.size();
  function.blocks = std::move(reachable);
  for (ir::Block& block : function.blocks)
    for_each_target(block.code.back(), [&](std::int64_t& target) { target = renamed[index(target)]; });
  return changed;
}

bool merge_chains(ir::Function& function) {
  const std::vector<std::size_t> predecessors = predecessor_counts(function);
  bool changed = false;
  for (std::size_t b = 0; b < function.blocks.size(); ++b) {
    auto& code = function.blocks[b].code;
    while (!code.empty() && code.back().op == ir::Op::jump) {
      const std::size_t next = view::jump(code.back()).target();
      if (next == b || predecessors[next] != 1 || function.blocks[next].of != function.blocks[b].of) break;
      auto tail = std::move(function.blocks[next].code);
      // This block is now unreachable, but drop_unreachable requires a terminator.
      function.blocks[next].code = {
          ir::Instruction{ir::Op::jump, ir::kNoRegister, {static_cast<std::int64_t>(next)}, {}}};
      code.pop_back();
      code.insert(code.end(), std::make_move_iterator(tail.begin()), std::make_move_iterator(tail.end()));
      changed = true;
    }
  }
  return changed;
}

}   // namespace

std::vector<std::size_t> predecessor_counts(const ir::Function& function) {
  std::vector<std::size_t> ways(function.blocks.size(), 0);
  ways[0] = 1;
  for (const ir::Block& block : function.blocks)
    for_each_target(block.code.back(), [&](std::int64_t target) { ++ways[index(target)]; });
  return ways;
}

bool simplify_control_flow(ir::Function& function) {
  bool changed = thread_jumps(function);
  changed |= drop_unreachable(function);
  if (merge_chains(function)) {
    drop_unreachable(function);
    changed = true;
  }
  return changed;
}

std::vector<int> strong_components(const ir::Function& function, const std::vector<char>& left_out) {
  const std::size_t count = function.blocks.size();
  std::vector<std::vector<std::size_t>> into(count);
  std::vector<std::size_t> finished;   // blocks in the order in which a depth-first search completes them
  std::vector<char> seen(left_out);
  std::vector<std::pair<std::size_t, bool>> work;
  for (std::size_t b = count; b-- > 0;) work.emplace_back(b, false);
  while (!work.empty()) {
    const auto [b, done] = work.back();
    work.pop_back();
    if (done) {
      finished.push_back(b);
      continue;
    }
    if (std::exchange(seen[b], 1)) continue;
    work.emplace_back(b, true);
    for_each_target(function.blocks[b].code.back(), [&](std::int64_t target) {
      if (left_out[index(target)]) return;
      into[index(target)].push_back(b);
      work.emplace_back(index(target), false);
    });
  }
  std::vector<int> loop(count, -1);
  std::vector<char> placed(count, 0);
  int loops = 0;
  // Kosaraju's algorithm: the blocks reached along reversed edges form one component.
  for (std::size_t i = finished.size(); i-- > 0;) {
    if (placed[finished[i]]) continue;
    std::vector<std::size_t> together{finished[i]};
    placed[finished[i]] = 1;
    for (std::size_t k = 0; k < together.size(); ++k)
      for (const std::size_t from : into[together[k]])
        if (!placed[from]) placed[from] = 1, together.push_back(from);
    if (together.size() == 1 && std::count(into[together[0]].begin(), into[together[0]].end(), together[0]) == 0)
      continue;
    for (const std::size_t b : together) loop[b] = loops;
    ++loops;
  }
  return loop;
}

std::vector<char> blocks_in_loops(const ir::Function& function) {
  std::vector<char> in_loop;
  for (const int loop : strong_components(function, std::vector<char>(function.blocks.size(), 0)))
    in_loop.push_back(loop >= 0);
  return in_loop;
}

}   // namespace cardwright::passes
