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
  bool add_all(const RegisterSet& other) { return add_all(other.words()); }   // returns true if it grew
  bool add_all(const std::uint64_t* words) {
    bool grew = false;
    for (std::size_t i = 0; i < words_.size(); ++i) {
      const std::uint64_t all = words_[i] | words[i];
      grew |= all != words_[i];
      words_[i] = all;
    }
    return grew;
  }
  const std::uint64_t* words() const { return words_.data(); }
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

// Returns the live registers at the end of each block.
std::vector<RegisterSet> live_out(const Function& function);

}   // namespace cardwright::ir
