// Computes which registers are live, by a backward data-flow analysis over the blocks that is iterated to a fixed
// point.
#pragma once

#include <cstdint>
#include <vector>

#include "runtime/ir/ir.h"

namespace cardwright::ir {

class RegisterSet {
 public:
  explicit RegisterSet(std::size_t registers = 0) : words_((registers + 63) / 64) {}
  bool has(Register r) const { return words_[r / 64] >> (r % 64) & 1; }
  void add(Register r) { words_[r / 64] |= std::uint64_t{1} << (r % 64); }
  void remove(Register r) { words_[r / 64] &= ~(std::uint64_t{1} << (r % 64)); }
  void add_all(const RegisterSet& other) {
    for (std::size_t i = 0; i < words_.size(); ++i) words_[i] |= other.words_[i];
  }
  template <class F>
  void for_each(F f) const {
    for (std::size_t i = 0; i < words_.size(); ++i)
      for (std::uint64_t rest = words_[i]; rest != 0; rest &= rest - 1)
        f(static_cast<Register>(i * 64 + static_cast<std::size_t>(__builtin_ctzll(rest))));
  }

 private:
  std::vector<std::uint64_t> words_;
};

// Computes the registers live before `instruction` from those live after it. At a `site`, registers computed between a
// site and its decide (RegisterType::site_local) are not live, even if the control flow graph has such a path.
void transfer(const Function& function, const Instruction& instruction, RegisterSet& live);

// The live registers at the end of each block. Most registers are set and read in a single block, so only the others
// take space in every block.
class LiveOut {
 public:
  explicit LiveOut(const Function& function);
  RegisterSet of(std::size_t block) const;
  bool has(std::size_t block, Register r) const {
    const std::size_t at = place_[r];
    return at != kLocal && (out_[block * words_ + at / 64] >> (at % 64) & 1) != 0;
  }

 private:
  static constexpr std::uint32_t kLocal = ~std::uint32_t{0};
  void find_shared(const Function& function);

  std::vector<std::uint32_t> place_;   // by register: its bit, or kLocal
  std::vector<Register> shared_;   // by bit: the register
  std::size_t words_ = 0;   // number of words per block
  std::vector<std::uint64_t> out_;
};

// Returns the registers live at the start of the function, such as its parameters.
RegisterSet live_at_entry(const Function& function);

}   // namespace cardwright::ir
