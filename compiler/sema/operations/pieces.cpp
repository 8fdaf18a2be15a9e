// Checks expressions on pieces, which are areas whose parts are placed on a board. Their position and facing are
// variables, from which the covered cells or edges are computed.
#include "compiler/sema/operations/pieces.h"

#include <algorithm>

#include <fmt/format.h>

#include "compiler/sema/operations/board_types.h"
#include "compiler/sema/operations/locals.h"
#include "compiler/sema/operations/board_cards.h"
#include "compiler/sema/operations/narrowing.h"
#include "compiler/sema/symbols/errors.h"
#include "compiler/sema/symbols/make.h"
#include "compiler/sema/symbols/texts.h"

namespace cardwright::sema {

// Reads the string of `shows "@"`.
std::string sign_of(SemaContext& sema, const Node* shows) {
  const Node* sign = view::shows_decl(shows).what();
  if (sign->kind == NodeKind::string) return plain_words(sema, sign);
  error(sema, "wrong_type"_code, sign->range, "expected a string after `shows`",
        "for example `shows \"@\"`; to show empty cells, write `shows` in the body of the board");
  return {};
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
  error(sema, "out_of_range"_code, range,
        fmt::format("this covers {} x {} cells, but `{}` has only {} x {}", right - left + 1, high - low + 1,
                    board.name, board.width, board.height));
  return false;
}

const model::Placing* placing_of(const SemaContext& sema, const Type& t) {
  if (can_be_on_board(sema, t)) return &sema.model.board_cards->placing;
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
  if (sema.model.board_cards && is_of(sema.model.board_cards->placing))
    return std::pair{&sema.model.board_cards->placing, std::string("card")};
  return std::nullopt;
}

// Returns whether every element of the set is certain to be on the board, as in `cards at c` and `tokens on field`.
bool always_on_board(RuleContext& rule, const Expr& set) {
  if (set.type.kind != TypeKind::set || !placing_of(rule.sema, element_type(set.type))) return false;
  if (set.kind == ExprKind::zone) return rule.model.board_cards && set.ref == rule.model.board_cards->zone.index;
  if (set.kind != ExprKind::filter || is_poison(model::view::filter(set).condition())) return false;
  Scoped scope(rule);
  narrow(rule, model::view::filter(set).condition(), true);
  return is_narrowed(rule, place_of(rule, local(rule, set.local, set.range), set.range)) ||
         always_on_board(rule, *model::view::filter(set).domain());
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

const Expr* footprint(SemaContext& sema, const Expr* x, const Expr* cell, const Expr* facing, bool surely,
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

const Expr* constant_of_part(SemaContext& sema, const Expr* part, Range range) {
  const Type type = enum_type(sema.model.areas[part->type.ref].per->index);
  if (part->kind == ExprKind::constant) return constant(sema, type, part->value - 1, range);
  return make(sema, ExprKind::constant_of_part, type, range, {part});
}

bool has_piece_member(const SemaContext& sema, std::uint32_t area, std::string_view name) {
  if (!sema.areas.all[area].piece) return false;
  return name == (sema.model.areas[area].piece->edges ? "edges" : "cells");
}

// Builds a member of a piece that is neither a variable nor a zone. Returns null if the name is unknown.
const Expr* piece_member(RuleContext& rule, const Expr* of, std::string_view name, Range range, Range whole,
                         bool report) {
  if (of->type.kind == TypeKind::card && name == "at") return place_of(rule, of, whole);
  if (of->type.kind == TypeKind::card && name == "facing" && placing_of(rule.sema, of->type)->facing)
    return facing_of(rule, of, whole);
  const bool edges = placing_of(rule.sema, of->type)->edges;
  if (name == (edges ? "edges" : "cells"))
    return footprint(rule.sema, of, place_of(rule, of, whole), facing_of(rule, of, whole), true, whole);
  if (name == (edges ? "cells" : "edges") && report) {
    error(rule.sema, "unknown_member"_code, range,
          edges ? fmt::format("`{}` covers edges, so it has no member `cells`", placed_word(rule.sema, of->type))
                : fmt::format("`{}` covers cells, so it has no member `edges`", placed_word(rule.sema, of->type)),
          edges ? "write `x.edges`" : "write `x.cells`, or `covers 2 edges` in its declaration to place it on edges");
    return poison(rule.sema, whole);
  }
  return nullptr;
}

// Checks that the named board is the board of the piece.
bool check_own_board(SemaContext& sema, const model::Placing& placing, const Node* board, Range range,
                     std::string_view name) {
  const model::Board& own = board_of_piece(sema, placing);
  if (own.name == sema.model.boards[*board_named(sema, board)].name) return true;
  error(sema, "wrong_type"_code, range,
        fmt::format("`{}` belongs to board `{}`, not `{}`", name, own.name, board->text),
        fmt::format("write `{}`", own.name));
  return false;
}

// Returns the index of the size of a piece, which is 0 unless the size depends on the constant of the piece.
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

// Returns the type of a piece's position: a cell or an edge.
Type spot_type(const SemaContext& sema, const model::Placing& placing) {
  return enum_type(placing.edges ? board_of_piece(sema, placing).edges.index
                                 : board_of_piece(sema, placing).cells.index);
}

// In rules inside `while on field`, records that `this.at` is not none, because the card is on the board.
void narrow_own_place(RuleContext& rule) {
  const Carrier& carrier = rule.carrier;
  if (carrier.kind != CarrierKind::card || !rule.self.valid() || !rule.model.board_cards || !carrier.zone.valid() ||
      carrier.zone.index != rule.model.board_cards->zone.index)
    return;
  const Range range = rule.body->locals[rule.self.index].range;
  rule.narrowed.push_back(key_of(place_of(rule, local(rule, rule.self, range), range)));
}

}   // namespace cardwright::sema
