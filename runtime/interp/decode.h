// Bytecode: a flat array of 8-byte cells. An instruction is the address of its handler, the place of its result if
// it has one, and a cell for each C++ parameter of the operation (runtime/ops/signature.h): the place of a register,
// a literal, or the address of a slot, table or set.
//
// A register's place is a word of the host's arena, and always the same one: constants first, each once, so that what
// sets them is not run; then the functions' registers, a callee's above those of all its callers. Of functions that
// call each other in a circle one may be under way already, so a call inside such a circle keeps the callee's registers
// aside.
#pragma once

#include <vector>

#include "runtime/program/program.h"
#include "runtime/ops/signature.h"

namespace cardwright::interp {

enum class Form : std::uint8_t {
  playout,   // no knowledge, log or trace, unless a rule asks who knows what
  traced_playout,
  step,
};

// Handlers of an operation: alone, and followed by a branch on its result; the same two for variables of one byte, and
// for those of four.
constexpr bool has_function(const ir::OpShape& op) { return !op.has('E'); }
constexpr bool can_be_fused(const ir::OpShape& op) { return has_function(op) && op.result() == 'i'; }
constexpr bool has_width(const ir::OpShape& op) {
  return has_function(op) && op.operands().starts_with('V') &&
         op.operands().find_first_of("Ks") == std::string_view::npos;
}
enum Variant : std::size_t { kFused = 1, kOneByte = 2, kFourBytes = 4, kVariants = 6 };
// [0, ir::kOpCount) of the first variant, and so on; then these.
enum class Special : std::uint8_t {
  const_int,
  copy_int,
  copy_set,
  array_fill,
  listing,
  list,
  listed,
  to_host,
  trap,
  jump,
  branch,
  switch_table,
  switch_list,
  decide_playout,
  decide_step,
  call,
  call_again,
  restore,
  ret,
  ret_int,
  ret_set,
  exit,
  count
};
inline constexpr std::size_t kSpecial = kVariants * ir::kOpCount;
inline constexpr std::size_t kHandlers = kSpecial + static_cast<std::size_t>(Special::count);

// the place where what the host called leaves its result, and others what nobody wants
inline constexpr std::size_t kResult = 0;

struct Place {
  Range where;
  ir::FunctionIndex of;   // Block::of, or the function itself
  bool operator==(const Place&) const = default;
};
struct FunctionCode {
  const Word* start = nullptr;
  std::size_t base = 0, words = 0;   // its registers
  std::vector<std::size_t> place_of;   // by register
  std::vector<std::pair<std::uint32_t, Place>> places;   // cell (from `start`) -> where it comes from, ascending
  Place place_at(const Word* ip) const;
};

struct Code {
  std::vector<Word> cells;
  std::vector<FunctionCode> functions;
  std::vector<std::vector<std::int64_t>> tables;   // own copies: their addresses are in the cells
  std::vector<Word> constants;   // what the arena begins with
  std::size_t words = 0;   // of the arena
  std::size_t size = 0;   // instructions that it was decoded from
  std::uint64_t id = 0;   // no other code has it

  // The function that has this cell.
  std::size_t function_at(const Word* ip) const;
};

// `handlers`: address by handler index.
void decode(const Program& program, const ir::Module& module, Form form, const void* const* handlers, Code& out);

}   // namespace cardwright::interp
