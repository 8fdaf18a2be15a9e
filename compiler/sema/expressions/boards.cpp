// Builds expressions that name a cell or edge of a board: `field[x, y]` and `c.edge(d)`.
#include "compiler/sema/expressions/boards.h"

#include <fmt/format.h>

#include "compiler/sema/operations/board_types.h"
#include "compiler/sema/operations/locals.h"
#include "compiler/sema/expressions/expressions.h"
#include "compiler/sema/operations/convert.h"
#include "compiler/sema/operations/graphs.h"
#include "compiler/sema/symbols/errors.h"
#include "compiler/sema/symbols/make.h"

namespace cardwright::sema {

// Handles `c.edge(d)`: the edge of cell c in direction d.
const Expr* edge_of(RuleContext& rule, const Expr* cell, const Node* call) {
  const model::Board& board = rule.model.boards[*board_of(rule.sema, cell->type)];
  if (board.graph) return graph_has_no(rule.sema, board, "edges", call->range);
  const auto& given = view::call(call).arguments()->children;
  if (given.size() != 1) {
    error(rule.sema, "wrong_arguments"_code, call->range, "`edge` needs one direction", "`c.edge(N)`");
    return poison(rule.sema, call->range);
  }
  cell = convert(rule, cell, enum_type(board.cells.index));
  const Type directions = enum_type(board.dirs.index);
  const Expr* way = convert(rule, expr(rule, given[0], &directions), directions);
  if (is_poison(cell) || is_poison(way)) return poison(rule.sema, call->range);
  const Type edge = enum_type(board.edges.index);
  if (way->kind != ExprKind::constant) return make(rule.sema, ExprKind::edge_of, edge, call->range, {cell, way});
  if (board.border(0, way->value) == kNone) {
    error(rule.sema, "wrong_arguments"_code, given[0]->range,
          fmt::format("no edge in the direction {}: diagonal cells share only a corner",
                      board.ways()[static_cast<std::size_t>(way->value)].name),
          "use N, E, S or W");
    return poison(rule.sema, call->range);
  }
  if (cell->kind == ExprKind::constant)
    return constant(rule.sema, edge, board.border(cell->value, way->value), call->range);
  return make(rule.sema, ExprKind::edge_of, edge, call->range, {cell, way});
}

// Handles `rack[x, y]`. The type of the result includes none unless x and y are certain to be on the board.
const Expr* cell_at(RuleContext& rule, std::uint32_t index, const Node* node) {
  const view::index its(node);
  const model::Board& board = rule.model.boards[index];
  if (board.graph) {
    error(rule.sema, "wrong_arguments"_code, node->range,
          fmt::format("the cells of the graph `{}` have names, not coordinates", board.name),
          fmt::format("`{}`", rule.model.enums[board.cells.index].constants[0].name));
    return poison(rule.sema, node->range);
  }
  if (node->children.size() != 3) {
    error(rule.sema, "wrong_arguments"_code, node->range, "expected two coordinates",
          fmt::format("`{}[x, y]`, both from 0", board.name));
    return poison(rule.sema, node->range);
  }
  const Expr *x = integer(rule, its.keys(0)), *y = integer(rule, its.keys(1));
  if (is_poison(x) || is_poison(y)) return poison(rule.sema, node->range);
  const Type cell = enum_type(board.cells.index);
  const auto never = [&](const Expr* e, Int size, std::string_view what) {
    if (e->type.hi >= 0 && e->type.lo < size) return false;
    error(rule.sema, "out_of_range"_code, e->range,
          fmt::format("coordinate out of range: `{}` is {} cells {}", board.name, size, what),
          fmt::format("from 0 to {}", size - 1));
    return true;
  };
  if (never(x, board.width, "wide") || never(y, board.height, "high")) return poison(rule.sema, node->range);
  if (x->kind == ExprKind::constant && y->kind == ExprKind::constant)
    return constant(rule.sema, cell, y->value * board.width + x->value, node->range);
  const bool surely = x->type.lo >= 0 && x->type.hi < board.width && y->type.lo >= 0 && y->type.hi < board.height;
  Expr* e = make(rule.sema, ExprKind::cell_at, surely ? cell : with_none(cell), node->range, {x, y});
  refine(rule, e);
  return e;
}

}   // namespace cardwright::sema
