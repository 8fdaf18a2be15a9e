// Checks operations on boards. Cells, edges and directions are constants of enums, so they support everything that
// enums support. An offset is a record. In a game with several boards, the names of a board are prefixed with the
// board's name.
#include "compiler/sema/operations/boards.h"

#include <algorithm>

#include <fmt/format.h>

#include "compiler/sema/operations/board_types.h"
#include "compiler/sema/operations/locals.h"
#include "compiler/sema/operations/convert.h"
#include "compiler/sema/operations/graphs.h"
#include "compiler/sema/operations/lists.h"
#include "compiler/sema/operations/names.h"
#include "compiler/sema/operations/records.h"
#include "compiler/sema/symbols/errors.h"
#include "compiler/sema/symbols/make.h"

namespace cardwright::sema {

static const Expr* apart(RuleContext& rule, const Expr* to, const Expr* from, Range range);
static const Expr* moved_by(RuleContext& rule, const Expr* cell, const Expr* east, const Expr* north, Range range);
static const Expr* shifted(RuleContext& rule, const Expr* cells, const Expr* east, const Expr* north, Range range);

const Expr* board_member(SemaContext& sema, std::uint32_t index, const Node* node, Range at) {
  const model::Board& board = sema.model.boards[index];
  if (node->text == "cells") return universe(sema, enum_type(board.cells.index), node->range);
  if (board.graph && (node->text == "edges" || node->text == "width" || node->text == "height"))
    return graph_has_no(sema, board, fmt::format("`{}`", node->text), at);
  if (node->text == "edges") return universe(sema, enum_type(board.edges.index), node->range);
  if (node->text == "width") return integer_constant(sema, board.width, node->range);
  if (node->text == "height") return integer_constant(sema, board.height, node->range);
  error(sema, "unknown_member"_code, at, fmt::format("a board has no member `{}`", node->text),
        did_you_mean(node->text, {"cells", "edges", "width", "height"}));
  return poison(sema, node->range);
}

// In a game with several boards, returns the type of N in `c + N`: the directions of the board that contains c.
std::optional<Type> direction_on(const RuleContext& rule, const Type& cells, const Node* added) {
  const auto board = rule.sema.ruleset.several_boards && added && added->kind == NodeKind::name_ref
                         ? board_of(rule.sema, cells.elem ? *cells.elem : cells)
                         : std::nullopt;
  if (!board || rule.model.boards[*board].graph || find_binding(rule, added->text)) return std::nullopt;
  const Type way = enum_type(rule.model.boards[*board].dirs.index);
  const auto named = rule.sema.names.constants.find(added->text);
  const bool is_way =
      named != rule.sema.names.constants.end() &&
      std::any_of(named->second.begin(), named->second.end(), [&](const auto& c) { return c.first == way.ref; });
  return is_way ? std::optional(way) : std::nullopt;
}

// Returns help text for a name such as `field.cell` that is not a type.
std::string of_one_board(const SemaContext& sema, std::string_view board, std::string_view name) {
  const auto known = sema.boards.names.find(board);
  if (known == sema.boards.names.end())
    return did_you_mean_one_of(board, [&] {
      std::vector<std::string> names;
      for (const auto& [n, id] : sema.boards.names) names.push_back(n);
      return names;
    }());
  const model::Board& b = sema.model.boards[known->second];
  if (b.graph)
    return fmt::format("`{}` is a graph; the type of its cells is `{}`", board, sema.model.enums[b.cells.index].name);
  if (!sema.ruleset.several_boards && (name == "cell" || name == "dir" || name == "edge"))
    return fmt::format("with one board, write `{}`", name);
  return fmt::format("`{}`, `{}` and `{}` are the types of that board", name_on(sema, b, "cell"),
                     name_on(sema, b, "dir"), name_on(sema, b, "edge"));
}

// ---------------------------------------------------------------- offsets

// These functions return the two components of an offset.
static const Expr* east(const Expr* offset) { return model::view::record(offset).fields(0); }
static const Expr* north(const Expr* offset) { return model::view::record(offset).fields(1); }

// Handles `+`, `-` and `*` of cells, sets of cells, offsets and directions. Returns null for other operands.
const Expr* offset_arithmetic(RuleContext& rule, std::string_view op, const Expr* a, const Expr* b, Range range) {
  if (rule.model.boards.empty()) return nullptr;
  const auto is_cell = [&](const Expr* e) { return board_of(rule.sema, e->type).has_value(); };
  if (op == "-" && is_cell(a) && is_cell(b)) return apart(rule, a, b, range);
  const auto about = [&](const Expr* e) { return is_offset(rule.sema, e->type) || is_direction(rule.sema, e->type); };
  const auto numbers = [&](char sign, const Expr* x, const Expr* y) {
    return make(rule.sema,
                sign == '*'   ? ExprKind::multiply
                : sign == '+' ? ExprKind::add
                              : ExprKind::subtract,
                integer_type(), range, {x, y});
  };
  if (op == "*" && (about(a) || about(b))) {
    const Expr* by = about(a) ? b : a;
    const Expr* of = about(a) ? a : b;
    if (is_poison(by = to_int(rule, by)) || is_poison(of = as_offset(rule, of)) || !has_no_effects(rule.sema, by))
      return poison(rule.sema, range);
    return offset(rule.sema, numbers('*', by, east(of)), numbers('*', by, north(of)), range);
  }
  if ((op != "+" && op != "-") || !about(b)) return nullptr;
  const Expr* by = as_offset(rule, b);
  if (is_poison(by)) return by;
  const auto sum = [&](const Expr* x, const Expr* y) { return numbers(op[0], x, y); };
  if (about(a)) {
    const Expr* from = as_offset(rule, a);
    return is_poison(from) ? from : offset(rule.sema, sum(east(from), east(by)), sum(north(from), north(by)), range);
  }
  const bool set = a->type.kind == TypeKind::set;
  if (!set && !is_cell(a)) return nullptr;
  if (set && !board_of(rule.sema, element_type(a->type))) return nullptr;
  const auto turned = [&](const Expr* x) {
    return op == "-" ? make(rule.sema, ExprKind::negate, integer_type(), range, {x}) : x;
  };
  return set ? shifted(rule, a, turned(east(by)), turned(north(by)), range)
             : moved_by(rule, a, turned(east(by)), turned(north(by)), range);
}

// Handles `c - b`: the offset from cell b to cell c.
static const Expr* apart(RuleContext& rule, const Expr* to, const Expr* from, Range range) {
  const model::Board& board = rule.model.boards[*board_of(rule.sema, to->type)];
  if (board.graph) return graph_has_no(rule.sema, board, "directions", range);
  const Type cell = enum_type(board.cells.index);
  to = convert(rule, to, cell);
  from = convert(rule, from, cell);
  if (is_poison(to) || is_poison(from) || !has_no_effects(rule.sema, to) || !has_no_effects(rule.sema, from))
    return poison(rule.sema, range);
  const auto difference = [&](std::string_view axis) {
    const Expr *x = member_of(rule, to, axis, range, range), *y = member_of(rule, from, axis, range, range);
    return make(rule.sema, ExprKind::subtract, integer_type(-x->type.hi, x->type.hi), range, {x, y});
  };
  return offset(rule.sema, difference("x"), difference("y"), range);
}

// Handles `c + o`: the cell at offset o from c.
static const Expr* moved_by(RuleContext& rule, const Expr* cell, const Expr* east, const Expr* north, Range range) {
  const model::Board& board = rule.model.boards[*board_of(rule.sema, cell->type)];
  if (board.graph) return graph_has_no(rule.sema, board, "directions", range);
  if (!has_no_effects(rule.sema, cell) || !has_no_effects(rule.sema, east) || !has_no_effects(rule.sema, north))
    return poison(rule.sema, range);
  const bool may_be_none = cell->type.optional && !is_soft(rule, cell);
  const auto place = [&](std::string_view axis, const Expr* by, Int size, bool wraps) {
    const Expr* on_axis = member_of(rule, cell, axis, range, range);
    Expr* from = make(rule.sema, on_axis->kind, without_none(on_axis->type), range, on_axis->args);
    from->ref = on_axis->ref;
    from->value = on_axis->value;
    const Expr* at = make(rule.sema, ExprKind::add, integer_type(), range, {from, by});
    return wraps ? make(rule.sema, ExprKind::modulo, integer_type(0, size - 1), range,
                        {at, integer_constant(rule.sema, size, range)})
                 : at;
  };
  const Type type = enum_type(board.cells.index);
  const bool surely = board.across && board.down && !may_be_none;
  Expr* e = make(rule.sema, ExprKind::cell_at, surely ? type : with_none(type), range,
                 {place("x", east, board.width, board.across), place("y", north, board.height, board.down)});
  if (may_be_none) {
    const Expr* none = make(rule.sema, ExprKind::is_none, boolean_type(), range, {cell});
    e = make(rule.sema, ExprKind::conditional, with_none(type), range,
             {none, constant(rule.sema, with_none(type), kNone, range), e});
  }
  refine(rule, e);
  return e;
}

// Handles `S + o`: the set of cells S moved by the offset o. On a board that wraps around, each cell is moved
// separately.
static const Expr* shifted(RuleContext& rule, const Expr* cells, const Expr* east, const Expr* north, Range range) {
  const model::Board& board = rule.model.boards[*board_of(rule.sema, element_type(cells->type))];
  if (board.graph) return graph_has_no(rule.sema, board, "directions", range);
  if (!board.across && !board.down)
    return make(rule.sema, ExprKind::shift_by, cells->type, range, {cells, east, north});
  const LocalId it = add_local(rule, "", enum_type(board.cells.index), range);
  const Expr* to = moved_by(rule, local(rule, it, range), east, north, range);
  if (is_poison(to)) return to;
  Expr* all = make(rule.sema, ExprKind::aggregate, cells->type, range,
                   {cells, nullptr, make(rule.sema, ExprKind::set_of_one, cells->type, range, {to})});
  all->value = Int(model::Aggregate::set_union);
  all->local = it;
  return all;
}

// ---------------------------------------------------------------- cells

// Handles a cell or a set of cells plus or minus a direction: `c + d`, `S - d`.
const Expr* moved(RuleContext& rule, const Expr* of, const Expr* direction, bool back, Range range) {
  const model::Board& board =
      rule.model.boards[*board_of(rule.sema, of->type.kind == TypeKind::set ? element_type(of->type) : of->type)];
  if (board.graph) return graph_has_no(rule.sema, board, "directions", range);
  direction = convert(rule, direction, enum_type(board.dirs.index));
  if (is_poison(of) || is_poison(direction)) return poison(rule.sema, range);
  if (back) direction = rotated(rule, direction, integer_constant(rule.sema, board.directions() / 2, range), range);
  if (of->type.kind == TypeKind::set) return make(rule.sema, ExprKind::shift, of->type, range, {of, direction});
  Expr* e = make(rule.sema, ExprKind::step, board.across && board.down ? of->type : with_none(of->type), range,
                 {of, direction});
  refine(rule, e);
  return e;
}

const Expr* rotated(RuleContext& rule, const Expr* direction, const Expr* by, Range range) {
  if (is_poison(direction) || is_poison(by)) return poison(rule.sema, range);
  direction = convert(rule, direction,
                      enum_type((is_direction(rule.sema, direction->type) ? board_with(rule.sema, direction->type)
                                                                          : first_grid(rule.sema))
                                    .dirs.index));
  if (is_poison(direction)) return direction;
  if (direction->kind == ExprKind::constant && by->kind == ExprKind::constant) {
    const Int all = board_with(rule.sema, direction->type).directions();
    return constant(rule.sema, direction->type, ((direction->value + by->value) % all + all) % all, range);
  }
  return make(rule.sema, ExprKind::rotated, direction->type, range, {direction, by});
}

}   // namespace cardwright::sema
