// Computes the live registers of each block.
#include "runtime/ir/liveness.h"

#include <span>

#include "runtime/ir/shape.h"

namespace cardwright::ir {

void transfer(const Function& function, const Instruction& instruction, RegisterSet& live) {
  if (instruction.op == Op::site)
    for (std::size_t r = 0; r < function.registers.size(); ++r)
      if (function.registers[r].site_local) live.remove(static_cast<Register>(r));
  if (const Register set = set_by(instruction); set != kNoRegister) live.remove(set);
  for_each_use(instruction, [&](Register r) { live.add(r); });
}

namespace {

// Summarizes a block for backward analysis: the registers it sets, and those it reads before setting them.
void walk_back(const Function& function, const Block& block, std::uint64_t* set, std::uint64_t* read) {
  const auto add = [](std::uint64_t* to, Register r) { to[r / 64] |= std::uint64_t{1} << (r % 64); };
  const auto remove = [](std::uint64_t* from, Register r) { from[r / 64] &= ~(std::uint64_t{1} << (r % 64)); };
  const auto forget = [&](Register r) { add(set, r), remove(read, r); };
  for (auto i = block.code.rbegin(); i != block.code.rend(); ++i) {
    for (Register r = 0; i->op == Op::site && r < function.registers.size(); ++r)
      if (function.registers[r].site_local) forget(r);
    if (const Register r = set_by(*i); r != kNoRegister) forget(r);
    for_each_use(*i, [&](Register r) { add(read, r); });
  }
}

// Stores the predecessors of each block.
class Predecessors {
 public:
  explicit Predecessors(const Function& function) : begins_(function.blocks.size() + 1) {
    const auto each = [&](auto&& f) {
      for (std::size_t b = 0; b < function.blocks.size(); ++b)
        if (const auto& code = function.blocks[b].code; !code.empty())
          for_each_target(code.back(), [&](std::int64_t to) { f(b, static_cast<std::size_t>(to)); });
    };
    each([&](std::size_t, std::size_t to) { ++begins_[to + 1]; });
    for (std::size_t b = 1; b < begins_.size(); ++b) begins_[b] += begins_[b - 1];
    from_.resize(begins_.back());
    std::vector<std::size_t> next = begins_;
    each([&](std::size_t from, std::size_t to) { from_[next[to]++] = from; });
  }
  std::span<const std::size_t> into(std::size_t block) const {
    return {from_.data() + begins_[block], from_.data() + begins_[block + 1]};
  }

 private:
  std::vector<std::size_t> begins_, from_;
};

}   // namespace

std::vector<RegisterSet> live_out(const Function& function) {
  const std::size_t blocks = function.blocks.size(), words = (function.registers.size() + 63) / 64;
  std::vector<RegisterSet> out(blocks, RegisterSet(function.registers.size()));
  // By block: the registers that it sets, and the registers that are live at its start.
  std::vector<std::uint64_t> set(blocks * words), in(blocks * words);
  for (std::size_t b = 0; b < blocks; ++b)
    walk_back(function, function.blocks[b], set.data() + b * words, in.data() + b * words);

  const Predecessors ways(function);
  std::vector<std::size_t> work;
  std::vector<char> waiting(blocks, 1);
  // Blocks are taken from the back, so later blocks are processed first.
  for (std::size_t b = 0; b < blocks; ++b) work.push_back(b);
  while (!work.empty()) {
    const std::size_t b = work.back();
    work.pop_back();
    waiting[b] = 0;
    for (std::size_t w = 0; w < words; ++w) in[b * words + w] |= out[b].words()[w] & ~set[b * words + w];
    for (const std::size_t from : ways.into(b))
      if (out[from].add_all(in.data() + b * words) && !waiting[from]) {
        waiting[from] = 1;
        work.push_back(from);
      }
  }
  return out;
}

}   // namespace cardwright::ir
