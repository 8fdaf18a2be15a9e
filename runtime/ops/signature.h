// Maps a signature of ops.def to the C++ type of `op_<name>` at compile time. Each C++ parameter after the implicit
// ones occupies one cell of the interpreter's bytecode. The letters `a` and `T` each represent two parameters: a
// pointer, and its length, which gets the letter `#`.
#pragma once

#include <cstddef>
#include <type_traits>

#include "runtime/ir/shape.h"
#include "runtime/ops/game.h"

namespace cardwright {

struct CellLetters {
  char letter[16] = {};
  std::size_t size = 0;
};
constexpr CellLetters cells_of(ir::Op op) {
  CellLetters cells;
  for (const char letter : ir::shape_of(op).operands()) {
    cells.letter[cells.size++] = letter;
    if (letter == 'a' || letter == 'T') cells.letter[cells.size++] = '#';
  }
  return cells;
}

template <char letter>
struct CellType {
  using type = Int;
};   // for i K F #, and for letters that only engines use
template <>
struct CellType<'s'> {
  using type = const Word*;
};
template <>
struct CellType<'C'> {
  using type = const Word*;
};
template <>
struct CellType<'a'> {
  using type = Int*;
};
template <>
struct CellType<'T'> {
  using type = const Int*;
};
template <>
struct CellType<'V'> {
  using type = const VariableSlot&;
};
template <>
struct CellType<'Z'> {
  using type = const ZoneSlot&;
};

template <ir::Op op, std::size_t... I>
auto op_type(std::index_sequence<I...>) {
  constexpr ir::OpShape shape = ir::shape_of(op);
  constexpr CellLetters cells = cells_of(op);
  if constexpr (shape.result() == 's' && shape.has('T')) {
    return std::type_identity<Trap(Game&, Byte*, const Layout&, typename CellType<cells.letter[I]>::type..., Word*)>{};
  } else if constexpr (shape.result() == 's') {
    return std::type_identity<void(Game&, Byte*, const Layout&, typename CellType<cells.letter[I]>::type..., Word*)>{};
  } else if constexpr (shape.result() == 'i' && shape.has('T')) {
    return std::type_identity<Trap(Game&, Byte*, const Layout&, typename CellType<cells.letter[I]>::type..., Int&)>{};
  } else if constexpr (shape.result() == 'i') {
    return std::type_identity<Int(Game&, Byte*, const Layout&, typename CellType<cells.letter[I]>::type...)>{};
  } else if constexpr (shape.has('T')) {
    return std::type_identity<Trap(Game&, Byte*, const Layout&, typename CellType<cells.letter[I]>::type...)>{};
  } else {
    return std::type_identity<void(Game&, Byte*, const Layout&, typename CellType<cells.letter[I]>::type...)>{};
  }
}
// The type that op_<name> must have.
template <ir::Op op>
using OpType = typename decltype(op_type<op>(std::make_index_sequence<cells_of(op).size>{}))::type;

}   // namespace cardwright
