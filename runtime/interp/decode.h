// Defines the interpreter's bytecode: a flat array of 8-byte cells. An instruction consists of the address of its
// handler, the address of its result if it has one, and one cell for each C++ parameter of the operation
// (runtime/ops/signature.h). Such a cell contains the address of a register, a literal, or the address of a slot, table
// or set.
//
// Each register has a fixed word in the host's arena: first come the constants, stored once so that no instruction has
// to set them, then the registers of the functions. The registers of a callee come after those of all its callers. In a
// recursive component a callee may already be active, so calls inside such a component save and restore the callee's
// registers.
#pragma once

#include <vector>

#include "runtime/program/program.h"
#include "runtime/ops/signature.h"

namespace cardwright::interp {

enum class Form : std::uint8_t {
  playout,   // has no log and no trace; tracks knowledge only if a rule queries it
  traced_playout,
  step,
};

// Each operation has two handlers: one for the operation alone, and one fused with a branch on its result. Operations
// on variables have additional versions of both for one-byte and four-byte variables.
constexpr bool has_function(const ir::OpShape& op) { return !op.has('E'); }
constexpr bool can_be_fused(const ir::OpShape& op) { return has_function(op) && op.result() == 'i'; }
constexpr bool has_width(const ir::OpShape& op) {
  return has_function(op) && op.operands().starts_with('V') &&
         op.operands().find_first_of("Ks") == std::string_view::npos;
}
enum Variant : std::size_t { kFused = 1, kOneByte = 2, kFourBytes = 4, kVariants = 6 };
// Handlers that are not generated from an operation of runtime/ops. Their indices follow those of the operations: all
// operations in the first variant, then all in each other variant.
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

// The register for the result of a function that the host calls, and for unused results.
inline constexpr std::size_t kResult = 0;

struct Place {
  Range where;
  ir::FunctionIndex of;   // the function that contains the place: Block::of, or the decoded function itself
  bool operator==(const Place&) const = default;
};
struct FunctionCode {
  const Word* start = nullptr;
  std::size_t base = 0, words = 0;   // the range of its registers in the arena
  std::vector<std::size_t> place_of;   // register index -> arena word
  // cell (relative to `start`) -> source place, in ascending order
  std::vector<std::pair<std::uint32_t, Place>> places;
  Place place_at(const Word* ip) const;
};

struct Code {
  std::vector<Word> cells;
  std::vector<FunctionCode> functions;
  std::vector<std::vector<std::int64_t>> tables;   // own copies, because cells hold their addresses
  std::vector<Word> constants;   // initial contents of the arena
  std::size_t words = 0;   // size of the arena
  std::size_t size = 0;   // number of instructions decoded
  std::uint64_t id = 0;   // unique for each decoded module

  // Returns the function that contains this cell.
  std::size_t function_at(const Word* ip) const;
};

// Decodes a module into `out`. `handlers` maps each handler index to its address.
void decode(const Program& program, const ir::Module& module, Form form, const void* const* handlers, Code& out);

}   // namespace cardwright::interp
