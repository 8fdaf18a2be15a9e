// Builds expressions on pieces, such as `tokens at c`, `x is on field` and `footprint(x, c)`, and evaluates `covers`
// declarations.
#include "compiler/sema/expressions/pieces.h"

#include <algorithm>

#include <fmt/format.h>

#include "compiler/sema/operations/board_types.h"
#include "compiler/sema/operations/locals.h"
#include "compiler/sema/operations/type_relations.h"
#include "compiler/sema/expressions/descriptions.h"
#include "compiler/sema/expressions/expressions.h"
#include "compiler/sema/expressions/records.h"
#include "compiler/sema/operations/board_cards.h"
#include "compiler/sema/operations/comparisons.h"
#include "compiler/sema/operations/convert.h"
#include "compiler/sema/operations/graphs.h"
#include "compiler/sema/operations/logic.h"
#include "compiler/sema/operations/pieces.h"
#include "compiler/sema/symbols/areas.h"
#include "compiler/sema/symbols/errors.h"
#include "compiler/sema/symbols/make.h"
#include "compiler/sema/symbols/types.h"

namespace cardwright::sema {

std::optional<std::vector<Int>> numbers_covered(SemaContext& sema, const Covered& covered) {
  Body& body = sema.scratch.emplace_back();
  RuleContext rule(sema);
  rule.body = &body;
  rule.pure = true;
  std::vector<Int> numbers;
  if (covered.of) rule.elements.push_back(*covered.of);
  for (const Node* n : covered.node->children) {
    const Expr* e = integer(rule, n);
    if (!is_poison(e)) e = known(sema, e, "covers");
    if (is_poison(e)) return std::nullopt;
    numbers.push_back(e->value);
  }
  if (numbers.empty()) return std::nullopt;
  return numbers;
}

// Returns the covered cells as offsets from the piece's position, to the east and to the north.
std::optional<std::vector<std::pair<Int, Int>>> offsets_of(SemaContext& sema, const Covered& covered) {
  if (covered.node->number == 2) {
    error(sema, "wrong_type"_code, covered.node->range, "cards can only cover cells",
          "write `covers 2 x 1`, or declare a piece to cover edges: `piece wall x 20 on field { covers 2 edges }`");
    return std::nullopt;
  }
  const auto covered_numbers = numbers_covered(sema, covered);
  if (!covered_numbers || covered_numbers->size() < 2) return std::nullopt;
  const std::vector<Int>& numbers = *covered_numbers;
  std::vector<std::pair<Int, Int>> offsets;
  if (covered.node->number == 1) {
    for (std::size_t i = 0; i + 1 < numbers.size(); i += 2) offsets.emplace_back(numbers[i], numbers[i + 1]);
    std::sort(offsets.begin(), offsets.end());
    offsets.erase(std::unique(offsets.begin(), offsets.end()), offsets.end());
    return offsets;
  }
  for (std::size_t i = 0; i < 2; ++i)
    if (numbers[i] < 1 || numbers[i] > model::kMostCells) {
      error(sema, "out_of_range"_code, view::covers(covered.node).numbers(i)->range,
            fmt::format("size of a piece out of range; expected 1 to {} cells in each direction, found {}",
                        model::kMostCells, numbers[i]));
      return std::nullopt;
    }
  for (Int x = 0; x < numbers[0]; ++x)
    for (Int y = 0; y < numbers[1]; ++y) offsets.emplace_back(x, y);
  return offsets;
}

// Builds `footprint(x, c)` and `footprint(x, c, d)`: the cells that x would cover at cell c, with facing d if given.
const Expr* footprint_call(RuleContext& rule, const std::vector<const Node*>& nodes, Range range) {
  const Expr* x = placed_thing(rule, nodes[0]);
  if (is_poison(x)) return x;
  const model::Board& board = board_of_piece(rule.sema, *placing_of(rule.sema, x->type));
  if (board.graph && nodes.size() > 2) return graph_has_no(rule.sema, board, "directions", nodes[2]->range);
  if (placing_of(rule.sema, x->type)->edges && nodes.size() > 2) {
    error(rule.sema, "wrong_type"_code, nodes[2]->range,
          fmt::format("`{}` covers edges, so it can't have a facing", placed_word(rule.sema, x->type)),
          "write `footprint(x, e)`");
    return poison(rule.sema, range);
  }
  const Type cell = with_none(spot_type(rule.sema, *placing_of(rule.sema, x->type))),
             direction = enum_type(board.dirs.index);
  const Expr* at = convert(rule, expr(rule, nodes[1], &cell), cell);
  const Expr* way =
      nodes.size() > 2 ? convert(rule, expr(rule, nodes[2], &direction), direction) : facing_of(rule, x, range);
  return footprint(rule.sema, x, at, way, false, range);
}

// Builds `thing[book]`: the piece that exists for a constant of an enum.
const Expr* piece_of(RuleContext& rule, std::uint32_t area, const Node* node) {
  const Type type = enum_type(rule.model.areas[area].per->index);
  const Expr* of = convert(rule, expr(rule, view::index(node).keys(0), &type), type, rule.sema.areas.all[area].name);
  if (is_poison(of)) return of;
  if (of->kind == ExprKind::constant)
    return constant(rule.sema, area_type(rule.sema, area), of->value + 1, node->range);
  return make(rule.sema, ExprKind::part_of_constant, area_type(rule.sema, area), node->range, {of});
}

const Expr* placed_thing(RuleContext& rule, const Node* node) {
  const Expr* x = expr(rule, node);
  if (is_poison(x)) return x;
  if (!placing_of(rule.sema, x->type)) {
    error(rule.sema, "wrong_type"_code, node->range,
          fmt::format("expected a piece, found `{}`", show(rule.sema, x->type)),
          x->type.kind == TypeKind::set    ? "use a loop: `each x in … { … }`"
          : x->type.kind == TypeKind::card ? "to place the card on a board, write `covers 1 x 1` in its card type"
                                           : "");
    return poison(rule.sema, node->range);
  }
  if (x->type.optional && !is_soft(rule, x)) {
    error(rule.sema, "may_be_none"_code, node->range,
          fmt::format("this `{}` may be none", placed_word(rule.sema, x->type)), "check first that it `is not none`");
    return poison(rule.sema, node->range);
  }
  return x;
}

// Builds `tokens at c` and `tokens on S`: the tokens that cover the cell c, or any cell of the set S. Assertions of
// scenarios can also use `a.hero at c`.
const Expr* pieces_where(RuleContext& rule, const Node* what, const Node* cells, bool at, Range range) {
  const bool whole =
      !at && cells->kind == NodeKind::name_ref && !find_binding(rule, cells->text) && board_named(rule.sema, cells);
  const bool all_cards = what->kind == NodeKind::name_ref && what->text == "cards" && !find_binding(rule, what->text) &&
                         !rule.sema.names.table_variables.contains(what->text) &&
                         !rule.sema.names.table_zones.contains(what->text) && !area_named(rule.sema, what->text);
  if (whole && all_cards) return cards_on_board(rule.sema, range);
  const Expr* such = at && rule.scenario && !all_cards ? cards_named(rule, what) : nullptr;
  const Expr* of = all_cards ? cards_on_board(rule.sema, range) : such ? such : expr(rule, what);
  if (is_poison(of)) return of;
  const bool one = at && rule.scenario && placing_of(rule.sema, of->type);
  const model::Placing* placing =
      of->type.kind == TypeKind::set ? placing_of(rule.sema, element_type(of->type)) : nullptr;
  const bool counts =
      at && cells->kind == NodeKind::name_ref && !find_binding(rule, cells->text) && !placing_of(rule.sema, of->type);
  if (!placing && !one) {
    error(rule.sema, "wrong_type"_code, what->range,
          fmt::format("expected pieces before `{}`, found `{}`", at ? "at" : "on", show(rule.sema, of->type)),
          placing_of(rule.sema, of->type) ? "for a single piece, write `x.at == c` or `c in x.cells`"
          : counts ? "write the counter of a loop after its condition: `each c in S where C at i { … }`"
                   : "for example, `tokens at c` is the set of tokens that cover cell c");
    return poison(rule.sema, range);
  }
  const auto those = [&](const std::function<const Expr*(const Expr*)>& condition) {
    const LocalId x = add_local(rule, "", element_type(of->type), range);
    Expr* e = make(rule.sema, ExprKind::filter, of->type, range, {of, condition(local(rule, x, range))});
    e->local = x;
    return e;
  };
  const auto compare = [&](ExprKind kind, const Expr* a, const Expr* b) {
    return make(rule.sema, kind, boolean_type(), range, {a, b});
  };
  if (whole && !check_own_board(rule.sema, *placing, cells, range, placed_word(rule.sema, element_type(of->type))))
    return poison(rule.sema, range);
  if (whole)
    return those([&](const Expr* it) {
      return negated(rule.sema, make(rule.sema, ExprKind::is_none, boolean_type(), range, {place_of(rule, it, range)}));
    });
  const model::Placing& own_placing = one ? *placing_of(rule.sema, of->type) : *placing;
  const Type cell = spot_type(rule.sema, own_placing);
  const std::string_view covered = own_placing.edges ? "edges" : "cells";
  const Type wanted = at ? with_none(cell) : set_type(cell);
  const Expr* where = at ? convert(rule, expr(rule, cells, &cell), wanted) : set(rule, cells, &cell);
  if (is_poison(where)) return where;
  if (!at && !same_type(rule.sema, where->type, wanted)) {
    error(rule.sema, "wrong_type"_code, cells->range,
          fmt::format("expected {} after `on`, found `{}`", covered, show(rule.sema, where->type)));
    return poison(rule.sema, range);
  }
  if (!pure_expr(*where)) {
    error(rule.sema, "wrong_kind_of_name"_code, cells->range,
          "this is evaluated for each piece, so it must not have an effect", "store it first: `let c = …`");
    return poison(rule.sema, range);
  }
  if (one) return equals(rule, place_of(rule, of, range), where, range);
  if (such)
    return negated(rule.sema, make(rule.sema, ExprKind::is_empty, boolean_type(), range, {those([&](const Expr* it) {
                                     return equals(rule, place_of(rule, it, range), where, range);
                                   })}));
  return those([&](const Expr* it) -> const Expr* {
    if (!placing->shapes && at && !where->type.optional)
      return compare(ExprKind::equal, place_of(rule, it, range), where);
    if (!placing->shapes)
      return compare(ExprKind::in_set, place_of(rule, it, range),
                     at ? make(rule.sema, ExprKind::set_of_one, set_type(cell), range, {where}) : where);
    if (at) return compare(ExprKind::in_set, where, piece_member(rule, it, covered, range, range, true));
    return negated(rule.sema, compare(ExprKind::disjoint, piece_member(rule, it, covered, range, range, true), where));
  });
}

// Builds `x is on field` and `x is off field`.
const Expr* is_on_board(RuleContext& rule, const Node* node, const Expr* x) {
  const Node* board = view::is_expr(node).what(0);
  if (!board_named(rule.sema, board)) {
    std::vector<std::string> names;
    for (const auto& [n, id] : rule.sema.boards.names) names.push_back(n);
    error(rule.sema, "unknown_name"_code, board->range, fmt::format("unknown board `{}`", board->text),
          did_you_mean_one_of(board->text, names));
    return poison(rule.sema, node->range);
  }
  if (const Expr* such = rule.scenario ? cards_named(rule, view::is_expr(node).subject()) : nullptr) {
    const LocalId card = add_local(rule, "", element_type(such->type), node->range);
    Expr* on_board =
        make(rule.sema, ExprKind::filter, such->type, node->range,
             {such, negated(rule.sema, make(rule.sema, ExprKind::is_none, boolean_type(), node->range,
                                            {place_of(rule, local(rule, card, node->range), node->range)}))});
    on_board->local = card;
    const Expr* none = make(rule.sema, ExprKind::is_empty, boolean_type(), node->range, {on_board});
    return node->text == "off" ? none : negated(rule.sema, none);
  }
  if (!placing_of(rule.sema, x->type)) {
    error(rule.sema, "wrong_type"_code, view::is_expr(node).subject()->range,
          fmt::format("expected a piece before `is on` or `is off`, found `{}`", show(rule.sema, x->type)));
    return poison(rule.sema, node->range);
  }
  if (!check_own_board(rule.sema, *placing_of(rule.sema, x->type), board, node->range, placed_word(rule.sema, x->type)))
    return poison(rule.sema, node->range);
  const Expr* off = make(rule.sema, ExprKind::is_none, boolean_type(), node->range,
                         {place_of(rule, x, view::is_expr(node).subject()->range)});
  return node->text == "off" ? off : negated(rule.sema, off);
}

}   // namespace cardwright::sema
