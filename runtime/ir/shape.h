// Describes the shape of each operation: its signature and flags, the registers that it uses and sets, and its target
// blocks. All of this is generated from ops.def, so a new operation needs no change here.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>

#include "runtime/ir/ir.h"

namespace cardwright::ir {

struct OpShape {
  std::string_view name;   // the name in ops.def: "and_"
  std::string_view signature;
  std::uint64_t flags;   // one bit per flag, because passes test flags very often
  constexpr char result() const { return signature[0]; }   // 'i', 's' or '-'
  constexpr std::string_view operands() const { return signature.substr(2); }   // one letter each
  constexpr bool has(char flag) const { return (flags & bit_of(flag)) != 0; }
  static constexpr std::uint64_t bit_of(char flag) { return std::uint64_t{1} << (flag - 'A'); }
  static constexpr std::uint64_t bits_of(std::string_view letters) {
    std::uint64_t bits = 0;
    for (const char letter : letters) bits |= bit_of(letter);
    return bits;
  }
};
inline constexpr OpShape kOpShapes[] = {
#define OP(name, signature, flags) {#name, signature, OpShape::bits_of(flags)},
#include "runtime/ir/ops.def"
#undef OP
};
inline constexpr std::size_t kOpCount = sizeof kOpShapes / sizeof kOpShapes[0];
constexpr const OpShape& shape_of(Op op) { return kOpShapes[static_cast<std::size_t>(op)]; }

inline bool ends_block(Op op) { return shape_of(op).has('X'); }
// Returns true if an instruction with this operation can be removed when its result is unused.
inline bool is_trivially_dead(Op op) {
  const OpShape& shape = shape_of(op);
  if (shape.result() == '-') return false;
  if (op == Op::listing) return true;
  return (shape.has('P') || shape.has('R')) && !shape.has('T') && !shape.has('W') && !shape.has('C') && !shape.has('X');
}

// Calls f(std::int64_t& operand, char letter) for every register operand. Registers of the variable-length rest have
// the letter 'R'.
template <class Code, class F>
void for_each_register(Code& instruction, F f) {
  const std::string_view letters = shape_of(instruction.op).operands();
  for (std::size_t i = 0; i < letters.size(); ++i) {
    const char letter = letters[i];
    if (letter == 'R') {
      if (instruction.op == Op::switch_) return;
      for (std::size_t rest = i; rest < instruction.operands.size(); ++rest) f(instruction.operands[rest], 'R');
      return;
    }
    if (letter == 'i' || letter == 's' || letter == 'a') f(instruction.operands[i], letter);
  }
}

// Calls f(Register) for every register that the instruction reads. An instruction that fills an array reads only the
// operands after it.
template <class F>
void for_each_use(const Instruction& instruction, F f) {
  bool filled = !fills_array(instruction.op);
  for_each_register(instruction, [&](std::int64_t r, char) {
    if (std::exchange(filled, true)) f(static_cast<Register>(r));
  });
}

// Returns the register that the instruction overwrites completely, or kNoRegister. array_set changes only one entry, so
// its array counts as used, not as set.
inline Register set_by(const Instruction& instruction) {
  if (fills_array(instruction.op)) return static_cast<Register>(instruction.operands[0]);
  return instruction.result;
}

// Calls f(std::int64_t& operand) for every possible target of a block-ending instruction.
template <class Code, class F>
void for_each_target(Code& instruction, F f) {
  if (!ends_block(instruction.op)) return;
  const std::string_view letters = shape_of(instruction.op).operands();
  for (std::size_t i = 0; i < letters.size(); ++i)
    if (letters[i] == 'B') f(instruction.operands[i]);
  if (instruction.op == Op::switch_)
    for (std::size_t i = 3; i < instruction.operands.size(); i += 2) f(instruction.operands[i]);
}

// Returns true if `which` returns true for some instruction of the module.
template <class F>
bool has_instruction(const Module& module, F which) {
  for (const Function& function : module.functions)
    for (const Block& block : function.blocks)
      for (const Instruction& instruction : block.code)
        if (which(instruction)) return true;
  return false;
}
inline bool may_eliminate(const Module& module) {
  return has_instruction(module, [](const Instruction& i) { return i.op == Op::eliminate; });
}

inline bool is_call(Op op) { return op == Op::call || op == Op::call_set; }

}   // namespace cardwright::ir
