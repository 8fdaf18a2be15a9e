// Bytecode: a flat array of 8-byte cells. An instruction is the address of its handler, the register of its result if
// it has one, and a cell for each C++ parameter of the operation (runtime/ops/signature.h): a register's place in the
// frame, a literal, or the address of a slot, table or set.
#pragma once

#include <vector>

#include "runtime/ops/signature.h"
#include "runtime/program.h"

namespace cardwright::interp {

enum class Form : std::uint8_t {
  playout,          // no knowledge, log or trace, unless a rule asks who knows what
  traced_playout,
  step,
};

// Handlers: [0, kOpCount) an operation; [kOpCount, 2 kOpCount) the same followed by a branch on its result; then these.
enum class Special : std::uint8_t {
  const_int, copy_int, const_set, copy_set, array_fill, listing, list, listed, to_host, trap, jump, branch,
  switch_table, switch_list, decide_playout, decide_step, call, ret, ret_int, ret_set, exit, count
};
inline constexpr std::size_t kFused = kOpCount;
inline constexpr std::size_t kSpecial = 2 * kOpCount;
inline constexpr std::size_t kHandlers = kSpecial + static_cast<std::size_t>(Special::count);

struct FunctionCode {
  const Word* start = nullptr;
  std::size_t words = 0;                  // of its registers
  std::vector<std::size_t> place_of;      // register -> word
  std::vector<std::pair<std::uint32_t, Range>> places;   // cell (from `start`) -> where it comes from, ascending
  Range where_is(const Word* ip) const;
};

struct Code {
  std::vector<Word> cells;
  std::vector<FunctionCode> functions;
  std::vector<std::vector<Word>> sets;    // own copies: addresses of these and of the tables are in the cells
  std::vector<std::vector<std::int64_t>> tables;
};

// `handlers`: address by handler index.
void decode(const Program& program, const ir::Module& module, Form form, const void* const* handlers, Code& out);

}  // namespace cardwright::interp
