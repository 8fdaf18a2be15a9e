// The intermediate representation: functions of basic blocks over mutable typed registers, operations from ops.def.
// Made by lower/, transformed by passes/, executed by runtime/interp and compiled by llvm/.
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

// Writes its first operand, an array, as a whole.
inline bool fills_array(Op op) {
  return op == Op::array_fill || op == Op::list_load || op == Op::list_load_sets || op == Op::list_load_lists ||
         op == Op::list_copy || op == Op::list_list_at;
}

using Register = std::uint32_t;
using BlockIndex = std::uint32_t;
using FunctionIndex = std::uint32_t;
inline constexpr Register kNoRegister = ~Register{0};
inline constexpr FunctionIndex kItself = ~FunctionIndex{0};

inline constexpr std::uint32_t kMostInArray = 32'769;   // of a register: a length, and an int for each cell of a board
enum class RegisterKind : std::uint8_t { integer, set, array };
struct RegisterType {
  RegisterKind kind = RegisterKind::integer;
  // integer: bytes that hold every value it takes (in frames); none is the least value
  std::uint8_t bytes = 8;
  std::uint32_t length = 0;   // array
  // What resample must map when it permutes hidden cards: ids of cards live in it.
  bool holds_card = false;   // integer that is a card id or none; set of cards (other sets are of cells)
  // Computed between a `site` and its `decide`, where the options it belongs to exist, and read only right after the
  // decide: never live at a site or across a call that suspends, whatever the blocks look like.
  bool site_local = false;
  // Of an array that is a list: so many ints are one element. A set is its words, a list its length and its elements.
  std::uint32_t each = 1;
  bool holds_sets = false;

  // Of an array: is what stands there the id of a card?
  bool card_at(std::uint32_t i) const {
    return holds_card && !holds_sets && i > 0 && (each == 1 || (i - 1) % each != 0);
  }
};

struct Instruction {
  Op op;
  Register result = kNoRegister;
  std::vector<std::int64_t> operands;   // registers, literals, indices, blocks: by ops.def's signature
  Range where;   // the source it comes from, for traps and rule stacks
};

struct Block {
  std::vector<Instruction> code;   // ends with an X op
  FunctionIndex of = kItself;   // of which function it was, if of another one (Module::joined)
};

enum class Returns : std::uint8_t { nothing, integer, set };
struct Function {
  std::string name;   // "event lose", "window incoming", "play Splash": shown in rule stacks
  std::vector<Register> parameters;
  Returns returns = Returns::nothing;
  std::vector<RegisterType> registers;
  std::vector<Block> blocks;   // block 0 is the entry
  Range where;
  bool shown = true;   // appears in rule stacks (false: compiler-made helpers)
  bool suspends = false;   // set by passes: has a decide or calls one that has
};

// Where a function was called before it became part of the one that did.
struct Joined {
  FunctionIndex caller = kItself;   // kItself: it is still a function of its own
  Range where;
};

struct Module {
  std::vector<Function> functions;
  std::vector<std::vector<std::uint64_t>> sets;   // constant card sets, Layout::words words each
  std::vector<std::vector<std::int64_t>> tables;   // constant int tables
  std::vector<std::string> texts;   // for log_text
  std::vector<Joined> joined;   // by function; empty if none was
};

}   // namespace cardwright::ir
