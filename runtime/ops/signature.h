// From a signature of ops.def to the C++ type of `op_<name>`, at compile time.
// Every C++ parameter after the implicit ones is one *cell*: a and T take two, the pointer and the length (#).
#pragma once

#include <cstddef>
#include <string_view>
#include <type_traits>

#include "compiler/ir/ir.h"
#include "runtime/game.h"

namespace cardwright {

struct OpShape {
  std::string_view name;
  std::string_view signature;
  std::string_view flags;
  constexpr char result() const { return signature[0]; }
  constexpr std::string_view operands() const { return signature.substr(2); }
  constexpr bool has(char flag) const { return flags.find(flag) != std::string_view::npos; }
};
inline constexpr OpShape kOpShapes[] = {
#define OP(name, signature, flags) {#name, signature, flags},
#include "compiler/ir/ops.def"
#undef OP
};
inline constexpr std::size_t kOpCount = sizeof kOpShapes / sizeof kOpShapes[0];
constexpr const OpShape& shape_of_op(ir::Op op) { return kOpShapes[static_cast<std::size_t>(op)]; }

struct CellLetters {
  char letter[16] = {};
  std::size_t size = 0;
};
constexpr CellLetters cells_of(ir::Op op) {
  CellLetters cells;
  for (const char letter : shape_of_op(op).operands()) {
    cells.letter[cells.size++] = letter;
    if (letter == 'a' || letter == 'T') cells.letter[cells.size++] = '#';
  }
  return cells;
}

template <char letter> struct CellType { using type = Int; };               // i K F #, and what only engines see
template <> struct CellType<'s'> { using type = const Word*; };
template <> struct CellType<'C'> { using type = const Word*; };
template <> struct CellType<'a'> { using type = Int*; };
template <> struct CellType<'T'> { using type = const Int*; };
template <> struct CellType<'V'> { using type = const VariableSlot&; };
template <> struct CellType<'Z'> { using type = const ZoneSlot&; };

template <ir::Op op, std::size_t... I>
auto op_type(std::index_sequence<I...>) {
  constexpr OpShape shape = shape_of_op(op);
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

}  // namespace cardwright
