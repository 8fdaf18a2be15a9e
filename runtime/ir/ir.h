// The intermediate representation: functions of basic blocks over mutable typed registers, with the operations of
// ops.def. Created by compiler/lower, transformed by runtime/passes, executed by runtime/interp and compiled by
// runtime/jit.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "support/source.h"

namespace cardwright::ir {

enum class Op : std::uint8_t {
#define OP(name, signature, flags) name,
#include "runtime/ir/ops.def"
#undef OP
};

// Returns whether the operation overwrites its first operand, an array, completely.
inline bool fills_array(Op op) {
  return op == Op::array_fill || op == Op::list_load || op == Op::list_load_sets || op == Op::list_load_lists ||
         op == Op::list_copy || op == Op::list_list_at;
}

using Register = std::uint32_t;
using BlockIndex = std::uint32_t;
using FunctionIndex = std::uint32_t;
inline constexpr Register kNoRegister = ~Register{0};
inline constexpr FunctionIndex kItself = ~FunctionIndex{0};

// limit for an array register: a length, and an int for each cell of a board
inline constexpr std::uint32_t kMostInArray = 32'769;
enum class RegisterKind : std::uint8_t { integer, set, array };
struct RegisterType {
  RegisterKind kind = RegisterKind::integer;
  // integer: number of bytes that hold every value it takes (in frames); none is the least value
  std::uint8_t bytes = 8;
  std::uint32_t length = 0;   // array
  // Holds card ids, which resample must map when it permutes hidden cards.
  bool holds_card = false;   // integer: a card id or none; set: cards (other sets hold cells)
  // Computed between a `site` and its `decide`, where its options exist, and read only directly after the decide. Never
  // live at a site or across a call that suspends, even if the control flow graph suggests it.
  bool site_local = false;
  // For an array that is a list: ints per element. A set takes its words; a list takes its length and its elements.
  std::uint32_t each = 1;
  bool holds_sets = false;

  // Returns whether entry `i` of an array is a card id.
  bool card_at(std::uint32_t i) const {
    return holds_card && !holds_sets && i > 0 && (each == 1 || (i - 1) % each != 0);
  }
};

struct Instruction {
  Op op;
  Register result = kNoRegister;
  // registers, literals, indices and blocks, in the order of the signature in ops.def
  std::vector<std::int64_t> operands;
  Range where;   // source range, for traps and rule stacks
};

struct Block {
  std::vector<Instruction> code;   // ends with an operation that has flag X
  FunctionIndex of = kItself;   // the function it came from, if it was joined (Module::joined)
};

enum class Returns : std::uint8_t { nothing, integer, set };
struct Function {
  std::string name;   // "event lose", "window incoming", "play Splash": shown in rule stacks
  std::vector<Register> parameters;
  Returns returns = Returns::nothing;
  std::vector<RegisterType> registers;
  std::vector<Block> blocks;   // block 0 is the entry
  Range where;
  bool shown = true;   // appears in rule stacks (false for helpers made by the compiler)
  bool suspends = false;   // set by passes: contains a decide or calls a function that does
};

// The call site of a function that was joined to its caller.
struct Joined {
  FunctionIndex caller = kItself;   // kItself: still a separate function
  Range where;
};

struct Module {
  std::vector<Function> functions;
  std::vector<std::vector<std::uint64_t>> sets;   // constant card sets, Layout::words words each
  std::vector<std::vector<std::int64_t>> tables;   // constant int tables
  std::vector<std::string> texts;   // for log_text
  std::vector<Joined> joined;   // by function; empty if none was joined
};

}   // namespace cardwright::ir
