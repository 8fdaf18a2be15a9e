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

// Finds the registers that some block reads before it sets them. All others are never live at the end of a block.
void LiveOut::find_shared(const Function& function) {
  constexpr std::size_t kNever = ~std::size_t{0};
  place_.assign(function.registers.size(), kLocal);
  std::vector<std::size_t> set_in(function.registers.size(), kNever);   // the last block that set the register
  for (std::size_t b = 0; b < function.blocks.size(); ++b) {
    bool has_site = false;   // a site sets all site-local registers
    for (const Instruction& instruction : function.blocks[b].code) {
      for_each_use(instruction, [&](Register r) {
        if (set_in[r] == b || place_[r] != kLocal || (has_site && function.registers[r].site_local)) return;
        place_[r] = static_cast<std::uint32_t>(shared_.size());
        shared_.push_back(r);
      });
      if (const Register r = set_by(instruction); r != kNoRegister) set_in[r] = b;
      has_site |= instruction.op == Op::site;
    }
  }
  words_ = (shared_.size() + 63) / 64;
}

LiveOut::LiveOut(const Function& function) {
  find_shared(function);
  const std::size_t blocks = function.blocks.size();
  out_.assign(blocks * words_, 0);
  if (words_ == 0) return;
  // By block: the shared registers that it sets, and those that are live at its start.
  std::vector<std::uint64_t> set(blocks * words_), in(blocks * words_);
  std::vector<std::uint64_t> of_sites(words_);
  for (std::size_t i = 0; i < shared_.size(); ++i)
    if (function.registers[shared_[i]].site_local) of_sites[i / 64] |= std::uint64_t{1} << (i % 64);
  for (std::size_t b = 0; b < blocks; ++b) {
    std::uint64_t* const sets = set.data() + b * words_;
    std::uint64_t* const reads = in.data() + b * words_;
    const auto& code = function.blocks[b].code;
    for (auto i = code.rbegin(); i != code.rend(); ++i) {
      for (std::size_t w = 0; i->op == Op::site && w < words_; ++w) sets[w] |= of_sites[w], reads[w] &= ~of_sites[w];
      if (const Register r = set_by(*i); r != kNoRegister && place_[r] != kLocal) {
        sets[place_[r] / 64] |= std::uint64_t{1} << (place_[r] % 64);
        reads[place_[r] / 64] &= ~(std::uint64_t{1} << (place_[r] % 64));
      }
      for_each_use(*i, [&](Register r) {
        if (place_[r] != kLocal) reads[place_[r] / 64] |= std::uint64_t{1} << (place_[r] % 64);
      });
    }
  }

  const Predecessors ways(function);
  std::vector<std::size_t> work;
  std::vector<char> waiting(blocks, 1);
  // Blocks are taken from the back, so later blocks are processed first.
  for (std::size_t b = 0; b < blocks; ++b) work.push_back(b);
  while (!work.empty()) {
    const std::size_t b = work.back();
    work.pop_back();
    waiting[b] = 0;
    std::uint64_t* const reads = in.data() + b * words_;
    for (std::size_t w = 0; w < words_; ++w) reads[w] |= out_[b * words_ + w] & ~set[b * words_ + w];
    for (const std::size_t from : ways.into(b)) {
      bool grew = false;
      for (std::size_t w = 0; w < words_; ++w) {
        std::uint64_t& there = out_[from * words_ + w];
        grew |= (reads[w] & ~there) != 0;
        there |= reads[w];
      }
      if (!grew || waiting[from]) continue;
      waiting[from] = 1;
      work.push_back(from);
    }
  }
}

RegisterSet LiveOut::of(std::size_t block) const {
  RegisterSet live(place_.size());
  for (std::size_t w = 0; w < words_; ++w)
    for (std::uint64_t rest = out_[block * words_ + w]; rest != 0; rest &= rest - 1)
      live.add(shared_[64 * w + static_cast<std::size_t>(__builtin_ctzll(rest))]);
  return live;
}

RegisterSet live_at_entry(const Function& function) {
  RegisterSet live = LiveOut(function).of(0);
  const auto& code = function.blocks[0].code;
  for (auto i = code.rbegin(); i != code.rend(); ++i) transfer(function, *i, live);
  return live;
}

}   // namespace cardwright::ir
