// Defines the intermediate representation: functions of basic blocks over mutable typed registers, with the operations
// of ops.def. compiler/lower creates it, runtime/passes transforms it, runtime/interp executes it, and runtime/jit
// compiles it.
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

// Returns true if the operation completely overwrites its first operand, an array.
inline bool fills_array(Op op) {
  return op == Op::array_fill || op == Op::list_load || op == Op::list_load_sets || op == Op::list_load_lists ||
         op == Op::list_copy || op == Op::list_list_at;
}

using Register = std::uint32_t;
using BlockIndex = std::uint32_t;
using FunctionIndex = std::uint32_t;
inline constexpr Register kNoRegister = ~Register{0};
inline constexpr FunctionIndex kItself = ~FunctionIndex{0};

// Maximum length of an array register: one length, and one int for each cell of a board.
inline constexpr std::uint32_t kMostInArray = 32'769;
enum class RegisterKind : std::uint8_t { integer, set, array };
struct RegisterType {
  RegisterKind kind = RegisterKind::integer;
  // For an integer: the number of bytes that its values need in a frame. `none` is stored as the least value of that
  // width.
  std::uint8_t bytes = 8;
  std::uint32_t length = 0;   // length of an array
  bool holds_card = false;   // integer: a card id or none; set: cards (other sets contain cells)
  // The register is computed between a `site` and its `decide`, where the options exist, and read only directly after
  // the `decide`. It is never live at a site or across a call that suspends, even if the control flow graph suggests
  // it.
  bool site_local = false;
  // For an array that is a list: the number of ints per element. An element that is a set takes an int per word; an
  // element that is a list takes an int for its length and one per element.
  std::uint32_t each = 1;
  bool holds_sets = false;

  // Returns true if entry `i` of an array is a card id.
  bool card_at(std::uint32_t i) const {
    return holds_card && !holds_sets && i > 0 && (each == 1 || (i - 1) % each != 0);
  }
};

struct Instruction {
  Op op;
  Register result = kNoRegister;
  // Registers, literals, indices and blocks, in the order of the signature in ops.def.
  std::vector<std::int64_t> operands;
  Range where;   // source range, for traps and rule stacks
};

struct Block {
  std::vector<Instruction> code;   // exactly one operation, the last, has flag X
  // The function to which the block belonged before that function was joined to this one (Module::joined).
  FunctionIndex of = kItself;
};

enum class Returns : std::uint8_t { nothing, integer, set };
struct Function {
  std::string name;   // shown in rule stacks: "event lose", "window incoming", "play Splash"
  std::vector<Register> parameters;
  Returns returns = Returns::nothing;
  std::vector<RegisterType> registers;
  std::vector<Block> blocks;   // block 0 is the entry
  Range where;
  bool shown = true;   // true if it appears in rule stacks; false for helpers that the compiler generates
  bool suspends = false;   // set by passes: true if it contains a `decide` or calls a function that suspends
};

// The call site at which a function was joined to its caller, so that their code is one function.
struct Joined {
  FunctionIndex caller = kItself;   // kItself if it is still a separate function
  Range where;
};

struct Module {
  std::vector<Function> functions;
  std::vector<std::vector<std::uint64_t>> sets;   // constant card sets, Layout::words words each
  std::vector<std::vector<std::int64_t>> tables;   // constant int tables
  std::vector<std::string> texts;   // texts of log_text and other operations
  std::vector<Joined> joined;   // by function; empty if none was joined
};

}   // namespace cardwright::ir
