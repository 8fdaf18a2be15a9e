// Checks expressions on pieces, which are areas whose parts are placed on a board. Position and facing are variables;
// the covered cells or edges are computed from them.
#include "compiler/sema/operations/pieces.h"

#include <algorithm>

#include <fmt/format.h>

#include "compiler/sema/operations/board_cards.h"
#include "compiler/sema/operations/boards.h"
#include "compiler/sema/expressions/comparisons.h"
#include "compiler/sema/operations/convert.h"
#include "compiler/sema/expressions/expressions.h"
#include "compiler/sema/operations/graphs.h"
#include "compiler/sema/operations/names.h"
#include "compiler/sema/operations/narrowing.h"
#include "compiler/sema/expressions/operators.h"
#include "compiler/sema/expressions/records.h"
#include "compiler/sema/expressions/sets.h"
#include "compiler/sema/expressions/texts.h"
#include "compiler/sema/symbols/areas.h"
#include "compiler/sema/symbols/errors.h"
#include "compiler/sema/symbols/make.h"
#include "compiler/sema/symbols/types.h"

namespace cardwright::sema {

static const Expr* constant_of_part(SemaContext& sema, const Expr* part, Range range);

// Reads the text of `shows "@"`.
std::string sign_of(SemaContext& sema, const Node* shows) {
  const Node* sign = view::shows_decl(shows).what();
  if (sign->kind == NodeKind::string) return plain_words(sema, sign);
  error(sema, Code::wrong_type, sign->range, "expected a text after `shows`",
        "write `shows \"@\"`; the body of a board declares the text of empty cells");
  return {};
}

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
    error(sema, Code::wrong_type, covered.node->range, "cards can only cover cells",
          "write `covers 2 x 1`, or declare a piece to cover edges: `piece wall x 20 on field { covers 2 edges }`");
    return std::nullopt;
  }
  const auto said = numbers_covered(sema, covered);
  if (!said || said->size() < 2) return std::nullopt;
  const std::vector<Int>& numbers = *said;
  std::vector<std::pair<Int, Int>> offsets;
  if (covered.node->number == 1) {
    for (std::size_t i = 0; i + 1 < numbers.size(); i += 2) offsets.emplace_back(numbers[i], numbers[i + 1]);
    std::sort(offsets.begin(), offsets.end());
    offsets.erase(std::unique(offsets.begin(), offsets.end()), offsets.end());
    return offsets;
  }
  for (std::size_t i = 0; i < 2; ++i)
    if (numbers[i] < 1 || numbers[i] > model::kMostCells) {
      error(sema, Code::out_of_range, view::covers(covered.node).numbers(i)->range,
            fmt::format("size of a piece out of range; expected 1 to {} cells in each direction, found {}",
                        model::kMostCells, numbers[i]));
      return std::nullopt;
    }
  for (Int x = 0; x < numbers[0]; ++x)
    for (Int y = 0; y < numbers[1]; ++y) offsets.emplace_back(x, y);
  return offsets;
}

std::pair<Int, Int> extent(const std::vector<std::pair<Int, Int>>& offsets, bool across) {
  const auto part = [&](const auto& o) { return across ? o.first : o.second; };
  const auto [least, most] = std::minmax_element(offsets.begin(), offsets.end(),
                                                 [&](const auto& a, const auto& b) { return part(a) < part(b); });
  return {part(*least), part(*most)};
}

bool fits_board(SemaContext& sema, const model::Board& board, const std::vector<std::pair<Int, Int>>& offsets,
                Range range) {
  const auto [left, right] = extent(offsets, true);
  const auto [low, high] = extent(offsets, false);
  const bool turned = right - left < board.height && high - low < board.width;
  if ((right - left < board.width && high - low < board.height) || turned) return true;
  error(sema, Code::out_of_range, range,
        fmt::format("this covers {} x {} cells, but `{}` has only {} x {}", right - left + 1, high - low + 1,
                    board.name, board.width, board.height));
  return false;
}

const model::Placing* placing_of(const SemaContext& sema, const Type& t) {
  if (lies_on_board(sema, t)) return &sema.model.lying->placing;
  if (t.kind == TypeKind::integer && t.ref < sema.model.areas.size() && sema.model.areas[t.ref].piece)
    return &*sema.model.areas[t.ref].piece;
  return nullptr;
}

// Returns the piece or card whose `at` or `facing` is this variable, and its name.
std::optional<std::pair<const model::Placing*, std::string>> placed_by(const SemaContext& sema,
                                                                       std::uint32_t variable) {
  const auto is_of = [&](const model::Placing& p) {
    return p.at.index == variable || (p.facing && p.facing->index == variable);
  };
  for (std::uint32_t a = 0; a < sema.areas.all.size(); ++a)
    if (const auto& piece = sema.model.areas[a].piece; piece && is_of(*piece))
      return std::pair{&*piece, sema.areas.all[a].name};
  if (sema.model.lying && is_of(sema.model.lying->placing))
    return std::pair{&sema.model.lying->placing, std::string("card")};
  return std::nullopt;
}

// Returns whether every element of the set is certainly on the board, as in `cards at c` and `tokens on field`.
bool surely_lie(RuleContext& rule, const Expr& set) {
  if (set.type.kind != TypeKind::set || !placing_of(rule.sema, element_type(set.type))) return false;
  if (set.kind == ExprKind::zone) return rule.model.lying && set.ref == rule.model.lying->zone.index;
  if (set.kind != ExprKind::filter || is_poison(model::view::filter(set).condition())) return false;
  Scoped scope(rule);
  narrow(rule, model::view::filter(set).condition(), true);
  return is_narrowed(rule, place_of(rule, local(rule, set.local, set.range), set.range)) ||
         surely_lie(rule, *model::view::filter(set).domain());
}

const Expr* place_of(RuleContext& rule, const Expr* x, Range range) {
  return variable_of(rule, placing_of(rule.sema, x->type)->at.index, range, {x});
}

const Expr* facing_of(RuleContext& rule, const Expr* x, Range range) {
  const model::Placing& placing = *placing_of(rule.sema, x->type);
  if (placing.facing) return variable_of(rule, placing.facing->index, range, {x});
  return constant(rule.sema, enum_type(board_of_piece(rule.sema, placing).dirs.index), 0, range);
}

const Expr* shape_of(SemaContext& sema, const Expr* x, const Expr* facing, Range range) {
  const model::Shapes& shapes = sema.model.shapes[*placing_of(sema, x->type)->shapes];
  const Int sorts = static_cast<Int>(shapes.offsets.size()) / shapes.facings;
  const Expr* sort = integer_constant(sema, 0, range);
  if (placing_of(sema, x->type)->sort) {
    Expr* of = make(sema, ExprKind::attribute, integer_type(0, sorts - 1), range,
                    {x->type.kind == TypeKind::card ? x : constant_of_part(sema, x, range)});
    of->ref = placing_of(sema, x->type)->sort->index;
    sort = of;
  }
  if (shapes.facings == 1) return sort;
  const Expr* way = make(sema, ExprKind::number_of, integer_type(0, shapes.facings - 1), range, {facing});
  if (!placing_of(sema, x->type)->sort) return way;
  const Expr* first = make(sema, ExprKind::multiply, integer_type(0, (sorts - 1) * shapes.facings), range,
                           {sort, integer_constant(sema, shapes.facings, range)});
  return make(sema, ExprKind::add, integer_type(0, sorts * shapes.facings - 1), range, {first, way});
}

static const Expr* footprint(SemaContext& sema, const Expr* x, const Expr* cell, const Expr* facing, bool surely,
                             Range range) {
  if (is_poison(cell) || is_poison(facing)) return poison(sema, range);
  const model::Placing& placing = *placing_of(sema, x->type);
  const Type cells = set_type(spot_type(sema, placing));
  if (!placing.shapes) return make(sema, ExprKind::set_of_one, cells, range, {cell});
  Expr* e = make(sema, ExprKind::footprint, cells, range, {shape_of(sema, x, facing, range), cell});
  e->ref = *placing.shapes;
  e->value = surely;
  return e;
}

// Builds `footprint(x, c)` and `footprint(x, c, d)`: the cells that x would cover there.
const Expr* footprint_call(RuleContext& rule, const std::vector<const Node*>& nodes, Range range) {
  const Expr* x = placed_thing(rule, nodes[0]);
  if (is_poison(x)) return x;
  const model::Board& board = board_of_piece(rule.sema, *placing_of(rule.sema, x->type));
  if (board.graph && nodes.size() > 2) return graph_has_no(rule.sema, board, "directions", nodes[2]->range);
  if (placing_of(rule.sema, x->type)->edges && nodes.size() > 2) {
    error(rule.sema, Code::wrong_type, nodes[2]->range,
          fmt::format("a `{}` covers edges, so it can't have a facing", placed_word(rule.sema, x->type)),
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

static const Expr* constant_of_part(SemaContext& sema, const Expr* part, Range range) {
  const Type type = enum_type(sema.model.areas[part->type.ref].per->index);
  if (part->kind == ExprKind::constant) return constant(sema, type, part->value - 1, range);
  return make(sema, ExprKind::constant_of_part, type, range, {part});
}

// Builds `thing[book]`.
const Expr* piece_of(RuleContext& rule, std::uint32_t area, const Node* node) {
  const Type type = enum_type(rule.model.areas[area].per->index);
  const Expr* of = convert(rule, expr(rule, view::index(node).keys(0), &type), type, rule.sema.areas.all[area].name);
  if (is_poison(of)) return of;
  if (of->kind == ExprKind::constant)
    return constant(rule.sema, area_type(rule.sema, area), of->value + 1, node->range);
  return make(rule.sema, ExprKind::part_of_constant, area_type(rule.sema, area), node->range, {of});
}

bool has_piece_member(const SemaContext& sema, std::uint32_t area, std::string_view name) {
  if (!sema.areas.all[area].piece) return false;
  const auto per = sema.model.areas[area].per;
  return name == (sema.model.areas[area].piece->edges ? "edges" : "cells") ||
         (per && (name == sema.areas.all[area].constant || has_member(sema, enum_type(per->index), name)));
}

// Builds a member of a piece other than its variables and zones, or returns null if the name is unknown.
const Expr* piece_member(RuleContext& rule, const Expr* of, std::string_view name, Range range, Range whole,
                         bool report) {
  if (of->type.kind == TypeKind::card && name == "at") return place_of(rule, of, whole);
  if (of->type.kind == TypeKind::card && name == "facing" && placing_of(rule.sema, of->type)->facing)
    return facing_of(rule, of, whole);
  const bool edges = placing_of(rule.sema, of->type)->edges;
  if (name == (edges ? "edges" : "cells"))
    return footprint(rule.sema, of, place_of(rule, of, whole), facing_of(rule, of, whole), true, whole);
  if (name == (edges ? "cells" : "edges") && report) {
    error(rule.sema, Code::unknown_member, range,
          edges ? fmt::format("`{}` covers edges, so it has no member `cells`", placed_word(rule.sema, of->type))
                : fmt::format("`{}` covers cells, so it has no member `edges`", placed_word(rule.sema, of->type)),
          edges ? "write `x.edges`" : "write `x.cells`, or `covers 2 edges` in its declaration to place it on edges");
    return poison(rule.sema, whole);
  }
  if (of->type.kind == TypeKind::card) return nullptr;
  const model::Area& kind = rule.model.areas[of->type.ref];
  if (!kind.per) return nullptr;
  if (name == rule.sema.areas.all[of->type.ref].constant) return constant_of_part(rule.sema, of, whole);
  if (!has_member(rule.sema, enum_type(kind.per->index), name)) return nullptr;
  return member_of(rule, constant_of_part(rule.sema, of, whole), name, range, whole, report);
}

const Expr* placed_thing(RuleContext& rule, const Node* node) {
  const Expr* x = expr(rule, node);
  if (is_poison(x)) return x;
  if (!placing_of(rule.sema, x->type)) {
    error(rule.sema, Code::wrong_type, node->range,
          fmt::format("expected a piece, found `{}`", show(rule.sema, x->type)),
          x->type.kind == TypeKind::set    ? "use a loop: `each x in … { … }`"
          : x->type.kind == TypeKind::card ? "to place the card on a board, write `covers 1 x 1` in its card type"
                                           : "");
    return poison(rule.sema, node->range);
  }
  if (x->type.optional && !is_soft(rule, x)) {
    error(rule.sema, Code::may_be_none, node->range,
          fmt::format("this `{}` may be none", placed_word(rule.sema, x->type)), "check first that it `is not none`");
    return poison(rule.sema, node->range);
  }
  return x;
}

// Builds `tokens at c` and `tokens on S`: the tokens that cover the cell c, or a cell of the set S. Claims of scenarios
// can also use `a.hero at c`.
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
    error(rule.sema, Code::wrong_type, what->range,
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
  if (whole && !lies_on_this(rule.sema, *placing, cells, range, placed_word(rule.sema, element_type(of->type))))
    return poison(rule.sema, range);
  if (whole)
    return those([&](const Expr* it) {
      return negated(rule.sema, make(rule.sema, ExprKind::is_none, boolean_type(), range, {place_of(rule, it, range)}));
    });
  const model::Placing& lying = one ? *placing_of(rule.sema, of->type) : *placing;
  const Type cell = spot_type(rule.sema, lying);
  const std::string_view covered = lying.edges ? "edges" : "cells";
  const Type wanted = at ? with_none(cell) : set_type(cell);
  const Expr* where = at ? convert(rule, expr(rule, cells, &cell), wanted) : set(rule, cells, &cell);
  if (is_poison(where)) return where;
  if (!at && !same_type(rule.sema, where->type, wanted)) {
    error(rule.sema, Code::wrong_type, cells->range,
          fmt::format("expected {} after `on`, found `{}`", covered, show(rule.sema, where->type)));
    return poison(rule.sema, range);
  }
  if (!pure_expr(*where)) {
    error(rule.sema, Code::not_this_here, cells->range,
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
const Expr* lies_on(RuleContext& rule, const Node* node, const Expr* x) {
  const Node* board = view::is_expr(node).what(0);
  if (!board_named(rule.sema, board)) {
    std::vector<std::string> names;
    for (const auto& [n, id] : rule.sema.boards.names) names.push_back(n);
    error(rule.sema, Code::unknown_name, board->range, fmt::format("unknown board `{}`", board->text),
          did_you_mean_one_of(board->text, names));
    return poison(rule.sema, node->range);
  }
  if (const Expr* such = rule.scenario ? cards_named(rule, view::is_expr(node).subject()) : nullptr) {
    const LocalId card = add_local(rule, "", element_type(such->type), node->range);
    Expr* lying = make(rule.sema, ExprKind::filter, such->type, node->range,
                       {such, negated(rule.sema, make(rule.sema, ExprKind::is_none, boolean_type(), node->range,
                                                      {place_of(rule, local(rule, card, node->range), node->range)}))});
    lying->local = card;
    const Expr* none = make(rule.sema, ExprKind::is_empty, boolean_type(), node->range, {lying});
    return node->text == "off" ? none : negated(rule.sema, none);
  }
  if (!placing_of(rule.sema, x->type)) {
    error(rule.sema, Code::wrong_type, view::is_expr(node).subject()->range,
          fmt::format("expected a piece before `is on` or `is off`, found `{}`", show(rule.sema, x->type)));
    return poison(rule.sema, node->range);
  }
  if (!lies_on_this(rule.sema, *placing_of(rule.sema, x->type), board, node->range, placed_word(rule.sema, x->type)))
    return poison(rule.sema, node->range);
  const Expr* off = make(rule.sema, ExprKind::is_none, boolean_type(), node->range,
                         {place_of(rule, x, view::is_expr(node).subject()->range)});
  return node->text == "off" ? off : negated(rule.sema, off);
}

// Checks that the named board is the board of the piece.
bool lies_on_this(SemaContext& sema, const model::Placing& placing, const Node* board, Range range,
                  std::string_view name) {
  const model::Board& own = board_of_piece(sema, placing);
  if (own.name == sema.model.boards[*board_named(sema, board)].name) return true;
  error(sema, Code::wrong_type, range,
        fmt::format("a `{}` belongs to board `{}`, not `{}`", name, own.name, board->text),
        fmt::format("write `{}`", own.name));
  return false;
}

// Returns the index of the size of a constant's piece.
Int sort_of_part(const SemaContext& sema, std::uint32_t area, Int part) {
  const model::Area& kind = sema.model.areas[area];
  if (!kind.piece->sort) return 0;
  const model::Enum& of = sema.model.enums[kind.per->index];
  const auto at = std::find(of.attributes.begin(), of.attributes.end(), *kind.piece->sort) - of.attributes.begin();
  return of.constants[static_cast<std::size_t>(part - 1)].attributes[static_cast<std::size_t>(at)];
}

bool stays_on_board(const SemaContext& sema, const std::optional<std::uint32_t>& index, Int sort, Int cell,
                    Int facing) {
  if (!index) return true;
  const model::Shapes& shapes = sema.model.shapes[*index];
  const model::Board& board = sema.model.boards[shapes.board];
  if (!shapes.lengths.empty())
    return static_cast<Int>(board.in_a_row(cell, shapes.lengths[static_cast<std::size_t>(sort)]).size()) ==
           shapes.lengths[static_cast<std::size_t>(sort)];
  const auto& offsets =
      shapes.offsets[static_cast<std::size_t>(sort * shapes.facings + (shapes.facings > 1 ? facing : 0))];
  return std::all_of(offsets.begin(), offsets.end(), [&](const auto& o) {
    const Int x = cell % board.width + o.first, y = cell / board.width + o.second;
    return (board.across || (x >= 0 && x < board.width)) && (board.down || (y >= 0 && y < board.height));
  });
}

const model::Board& board_of_piece(const SemaContext& sema, const model::Placing& placing) {
  return sema.model.boards[placing.edges ? *board_of_edge(sema, sema.model.variables[placing.at.index].type)
                                         : *board_of(sema, sema.model.variables[placing.at.index].type)];
}

// Returns the type of the position of a piece.
Type spot_type(const SemaContext& sema, const model::Placing& placing) {
  return enum_type(placing.edges ? board_of_piece(sema, placing).edges.index
                                 : board_of_piece(sema, placing).cells.index);
}

}   // namespace cardwright::sema
