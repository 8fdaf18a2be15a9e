// Checks expressions on graphs, which are boards whose cells are points connected by lines.
#include "compiler/sema/operations/graphs.h"

#include <algorithm>

#include <fmt/format.h>

#include "compiler/sema/operations/board_types.h"
#include "compiler/sema/operations/convert.h"
#include "compiler/sema/symbols/errors.h"
#include "compiler/sema/symbols/make.h"
#include "support/decimal.h"

namespace cardwright::sema {

using loading::Csv;
using loading::CsvField;
using loading::CsvRow;

bool is_next_of_graph(const SemaContext& sema, const Type& t, std::string_view member) {
  const auto board = member == "next" ? board_of(sema, t) : std::nullopt;
  return board && sema.model.boards[*board].graph;
}

// Returns whether the name exists only on boards of squares or hexagons, but all boards of this game are graphs.
bool is_word_of_grids(const SemaContext& sema, std::string_view name) {
  if (sema.model.boards.empty() ||
      std::any_of(sema.model.boards.begin(), sema.model.boards.end(), [](const model::Board& b) { return !b.graph; }))
    return false;
  const auto is_way = [&](const model::Direction& way) { return way.name == name; };
  return name == "dirs" || name == "dir" || name == "edge" || name == "offset" ||
         std::any_of(std::begin(model::kOfSquares), std::end(model::kOfSquares), is_way);
}

// Handles `c.next`: the neighbors of cell c.
const Expr* cells_next_to(RuleContext& rule, const Expr* cell, Range range) {
  const Type type = enum_type(cell->type.ref);
  cell = convert(rule, cell, type);
  return is_poison(cell) ? cell : make(rule.sema, ExprKind::cells_beside, set_type(type), range, {cell});
}

const Expr* graph_has_no(SemaContext& sema, const model::Board& board, std::string_view what, Range range) {
  error(sema, "unknown_member"_code, range, fmt::format("`{}` is a graph, which has no {}", board.name, what),
        "use `c.next` for the cells connected to c");
  return poison(sema, range);
}

// Handles `e.cells`: the cells on both sides of edge e.
const Expr* cells_of_edge(RuleContext& rule, std::uint32_t board, const Expr* edge, Range range) {
  const Type cell = enum_type(rule.model.boards[board].cells.index);
  edge = convert(rule, edge, enum_type(rule.model.boards[board].edges.index));
  return is_poison(edge) ? edge : make(rule.sema, ExprKind::cells_beside, set_type(cell), range, {edge});
}

}   // namespace cardwright::sema
