// Checks the use of cards on a board. A card type declares which cells its cards cover. These cards are placed like
// pieces. While a card is placed, the board is its zone; moving it to another zone takes it off the board.
#include "compiler/sema/expressions/board_cards.h"

#include <algorithm>

#include <fmt/format.h>

#include "compiler/sema/statements/assign.h"
#include "compiler/sema/declarations/components.h"
#include "compiler/sema/expressions/descriptions.h"
#include "compiler/sema/expressions/graphs.h"
#include "compiler/sema/statements/moves.h"
#include "compiler/sema/expressions/names.h"
#include "compiler/sema/expressions/narrowing.h"
#include "compiler/sema/expressions/operators.h"
#include "compiler/sema/options/options.h"
#include "compiler/sema/expressions/pieces.h"
#include "compiler/sema/expressions/sets.h"
#include "compiler/sema/declarations/state.h"
#include "compiler/sema/statements/statements.h"

namespace cardwright::sema {

static model::AttributeId attribute_of_cards(SemaContext& sema, const model::LyingCards& lying);

// Declares the zone of the board, the variables for position and direction, and the shapes of all kinds of cards.
void declare_lying_cards(SemaContext& sema) {
  struct Covering {
    std::uint32_t kind;
    const Node* covers;
    const Node* facing;
  };
  std::vector<Covering> covering;
  for (std::uint32_t k = 0; k < sema.types.kinds.size(); ++k) {
    const Node* covers = said_by_kind(sema, k, NodeKind::covers);
    if (covers) covering.push_back({k, covers, said_by_kind(sema, k, NodeKind::facing_decl)});
    for (const NodeKind only : {NodeKind::facing_decl, NodeKind::shows_decl})
      if (const Node* n = covers ? nullptr : said_by_kind(sema, k, only))
        error(sema, Code::wrong_type, n->range,
              fmt::format("`{}` covers no cells, so it can't be on a board", sema.model.kinds[k].name),
              "declare the cells that it covers: `covers 1 x 1`");
  }
  if (covering.empty()) return;
  const Node* first = covering[0].covers;
  if (sema.model.boards.size() != 1)
    return void(error(sema, Code::unknown_name, first->range,
                      sema.model.boards.empty() ? "`covers` needs a board, but the game has none"
                                                : "`covers` needs a game with exactly one board",
                      "declare one board: `board field: grid 8 x 8`"));
  const model::Board& board = sema.model.boards[0];
  const Type direction = enum_type(board.dirs.index);
  if (board.graph) return void(graph_has_no(sema, board, "positions for cards", first->range));
  model::LyingCards lying;
  lying.sort_of.assign(sema.types.kinds.size(), kNone);
  lying.signs.assign(sema.types.kinds.size(), "");
  std::optional<model::CardTypeId> root = sema.model.kinds[covering[0].kind].type;
  std::vector<std::vector<std::pair<Int, Int>>> sorts;
  const Node* faces = nullptr;
  for (const Covering& c : covering) {
    while (root && !is_a(sema, sema.model.kinds[c.kind].type.index, root->index))
      root = sema.model.card_types[root->index].base;
    const auto offsets = offsets_of(sema, {c.covers});
    if (!offsets || !fits_board(sema, board, *offsets, c.covers->range)) return;
    const auto found = std::find(sorts.begin(), sorts.end(), *offsets);
    lying.sort_of[c.kind] = found - sorts.begin();
    if (found == sorts.end()) sorts.push_back(*offsets);
    if (const Node* shows = said_by_kind(sema, c.kind, NodeKind::shows_decl))
      lying.signs[c.kind] = sign_of(sema, shows);
    if (c.facing && faces && first_facing(sema, c.facing, direction) != first_facing(sema, faces, direction))
      return void(
          error(sema, Code::wrong_type, c.facing->range, "all cards on a board must have the same initial direction")
              .notes.push_back({faces->range, "the other declaration"}));
    if (c.facing) faces = c.facing;
  }
  if (root) lying.type = *root;
  const Type key = root ? card_type(root->index) : card_type();
  const std::string name = root ? sema.model.card_types[root->index].name : "card";
  lying.placing.at = place_variable(sema, name + ".at", with_none(enum_type(board.cells.index)), key, first->range);
  if (faces) {
    lying.placing.facing = place_variable(sema, name + ".facing", direction, key, faces->range);
    sema.model.variables[lying.placing.facing->index].initial =
        constant(sema, direction, first_facing(sema, faces, direction), faces->range);
  }
  lying.placing.shapes = add_shapes(sema, 0, name, sorts, faces != nullptr);
  if (lying.placing.shapes && sorts.size() > 1) lying.placing.sort = attribute_of_cards(sema, lying);
  model::Zone zone;
  zone.name = board.name;
  zone.range = board.range;
  lying.zone = {static_cast<std::uint32_t>(sema.model.zones.size())};
  sema.model.zones.push_back(std::move(zone));
  sema.model.lying = std::move(lying);
}

// Adds a hidden attribute that stores the shape of a card. Rules can't refer to it.
static model::AttributeId attribute_of_cards(SemaContext& sema, const model::LyingCards& lying) {
  const model::AttributeId id{static_cast<std::uint32_t>(sema.model.attributes.size())};
  const Int last = *std::max_element(lying.sort_of.begin(), lying.sort_of.end());
  sema.model.attributes.push_back({.name = "shape on the board",
                                   .type = integer_type(0, last),
                                   .unprinted = true,
                                   .range = sema.model.boards[0].range});
  std::set<std::uint32_t> tops;
  for (std::uint32_t k = 0; k < sema.types.kinds.size(); ++k) {
    std::uint32_t top = sema.model.kinds[k].type.index;
    while (sema.model.card_types[top].base && !(lying.type.valid() && top == lying.type.index))
      top = sema.model.card_types[top].base->index;
    if (lying.type.valid() && top != lying.type.index) continue;
    sema.types.kinds[k].attributes[id.index] = std::max<Int>(lying.sort_of[k], 0);
    tops.insert(top);
  }
  for (const std::uint32_t top : tops) sema.types.cards[top].own.push_back(id);
  return id;
}

// Returns the set of cards on the board.
const Expr* cards_on_board(SemaContext& sema, Range range) {
  if (!sema.model.lying) {
    error(sema, Code::wrong_type, range, "no card of this game can be on a board",
          "declare `covers 1 x 1` in a card type");
    return poison(sema, range);
  }
  Expr* e = make(sema, ExprKind::zone,
                 set_type(sema.model.lying->type.valid() ? card_type(sema.model.lying->type.index) : card_type()),
                 range, {nullptr});
  e->ref = sema.model.lying->zone.index;
  return e;
}

// Returns whether some cards of this type may be on a board.
bool lies_on_board(const SemaContext& sema, const Type& t) {
  if (t.kind != TypeKind::card || !sema.model.lying) return false;
  for (std::uint32_t k = 0; k < sema.model.kinds.size(); ++k)
    if (sema.model.lying->sort_of[k] != kNone &&
        (t.ref >= sema.types.cards.size() || is_a(sema, sema.model.kinds[k].type.index, t.ref)))
      return true;
  return false;
}

// Returns whether cards on a board have a member with this name: `g.at`, `g.cells`, `g.facing`.
bool has_place_member(const SemaContext& sema, const Type& card, std::string_view name) {
  return lies_on_board(sema, card) &&
         (name == "at" || name == "cells" || (name == "facing" && sema.model.lying->placing.facing));
}

// Returns whether all cards of this type may be on a board.
bool surely_covers(const SemaContext& sema, const Type& t) {
  for (std::uint32_t k = 0; k < sema.model.kinds.size(); ++k)
    if ((t.ref >= sema.types.cards.size() || is_a(sema, sema.model.kinds[k].type.index, t.ref)) &&
        sema.model.lying->sort_of[k] == kNone)
      return false;
  return true;
}

// Records that `this.at` is not none. In `while on field`, the card is on the board.
void knows_own_place(RuleContext& rule) {
  const Carrier& carrier = rule.carrier;
  if (carrier.kind != CarrierKind::card || !rule.self.valid() || !rule.model.lying || !carrier.zone.valid() ||
      carrier.zone.index != rule.model.lying->zone.index)
    return;
  const Range range = rule.body->locals[rule.self.index].range;
  rule.narrowed.push_back(key_of(place_of(rule, local(rule, rule.self, range), range)));
}

// Returns the narrowing key for a card that a test with `is` has identified as one that can be on the board. Returns an
// empty string if other cards can count as such a card, because the test then proves nothing.
std::string covering_key(const SemaContext& sema, const Expr* card) {
  const std::string key = sema.rules.alsos.empty() ? key_of(card) : "";
  return key.empty() ? key : "covers " + key;
}

// Returns the name of a placed card or piece for messages.
std::string placed_word(const SemaContext& sema, const Type& t) {
  return t.kind == TypeKind::card ? show(sema, without_none(t)) : sema.areas.all[t.ref].name;
}

Stmt* move_onto_board(SemaContext& sema, const Expr* card, Range range, Block& out) {
  Stmt* s = emit(sema, out, StmtKind::move, range, {card, nullptr, nullptr, nullptr});
  s->ref = sema.model.lying->zone.index;
  return s;
}

namespace {

// Returns true if no card in this set can be on the board.
bool is_never_on_board(const Expr& e, model::ZoneId board) {
  switch (e.kind) {
    case ExprKind::zone:
    case ExprKind::zone_top:
    case ExprKind::zone_top_n:
    case ExprKind::zone_bottom: return e.ref != board.index;
    case ExprKind::filter: return is_never_on_board(*model::view::filter(e).domain(), board);
    case ExprKind::random_n: return is_never_on_board(*model::view::random_n(e).set(), board);
    case ExprKind::pick_random: return is_never_on_board(*model::view::pick_random(e).set(), board);
    default: return false;
  }
}

}   // namespace

// Emits statements that take those of the cards that are on the board off it. Returns the cards to move.
const Expr* off_board(RuleContext& rule, const Expr* cards, Range range, Block& out) {
  if (is_poison(cards) || !rule.model.lying) return cards;
  const bool one = cards->type.kind != TypeKind::set;
  if (!lies_on_board(rule.sema, one ? cards->type : element_type(cards->type)) ||
      is_never_on_board(*cards, rule.model.lying->zone))
    return cards;
  forget_variable(rule, rule.model.lying->placing.at.index);
  cards = kept_aside(rule, cards, range, out)[0];
  const auto lies = [&](const Expr* card) {
    return negated(rule.sema, make(rule.sema, ExprKind::is_none, boolean_type(), range, {place_of(rule, card, range)}));
  };
  if (!one) {
    const LocalId card = add_local(rule, "", element_type(cards->type), range);
    Block body;
    lift(rule.sema, local(rule, card, range), range, body);
    Stmt* s = emit(rule.sema, out, StmtKind::each, range, {cards, lies(local(rule, card, range)), nullptr});
    s->local = card;
    s->blocks = {std::move(body)};
    return cards;
  }
  const Expr* asked = lies(cards);
  if (cards->type.optional)
    asked = make(rule.sema, ExprKind::logical_and, boolean_type(), range,
                 {negated(rule.sema, make(rule.sema, ExprKind::is_none, boolean_type(), range, {cards})), asked});
  Block body;
  lift(rule.sema, cards, range, body);
  emit(rule.sema, out, StmtKind::if_else, range, {asked})->blocks = {std::move(body), {}};
  return cards;
}

// Returns all cards that a name such as `Ladder` denotes in a claim, if they can be on the board.
const Expr* cards_named(RuleContext& rule, const Node* node) {
  if (!rule.model.lying || (node->kind == NodeKind::name_ref && find_binding(rule, node->text))) return nullptr;
  if (node->kind != NodeKind::name_ref && node->kind != NodeKind::call && node->kind != NodeKind::scenario_card &&
      node->kind != NodeKind::string)
    return nullptr;
  const auto match = card_match(rule, node, false);
  if (!match) return nullptr;
  Expr* cards = make(rule.sema, ExprKind::set_constant,
                     set_type(rule.model.lying->type.valid() ? card_type(rule.model.lying->type.index) : card_type()),
                     node->range);
  cards->values = cards_that_match(rule.sema, *match)->values;
  return cards;
}

// Handles the scenario setup `Ladder at c3 facing E`, which moves the card from any other zone.
bool given_card_at(RuleContext& rule, const Node* node, model::Given& g, model::ScenarioLine& line) {
  const auto match = rule.model.lying ? card_match(rule, view::given(node).what(), false) : std::nullopt;
  if (!match) return false;
  const model::LyingCards& lying = *rule.model.lying;
  if (match->kind && lying.sort_of[match->kind->index] == kNone) {
    error(rule.sema, Code::bad_scenario, view::given(node).what()->range,
          fmt::format("`{}` covers no cells, so it can't be on a board", rule.model.kinds[match->kind->index].name),
          "declare the cells that it covers: `covers 1 x 1`");
    return true;
  }
  const Type cell = enum_type(rule.model.boards[0].cells.index), direction = enum_type(rule.model.boards[0].dirs.index);
  if (node->number) error(rule.sema, Code::bad_scenario, node->range, "cards on a board are always faceup");
  const auto at = scalar(rule.sema, view::given(node).value(), &cell);
  Int facing = lying.placing.facing ? rule.model.variables[lying.placing.facing->index].initial->value : 0;
  if (view::given(node).facing()) {
    if (!lying.placing.facing)
      error(rule.sema, Code::bad_scenario, view::given(node).facing()->range, "cards on this board have no direction",
            "declare an initial direction in the card type: `facing N`");
    const auto way = scalar(rule.sema, view::given(node).facing(), &direction);
    if (!way || !lying.placing.facing) return true;
    facing = *way;
  }
  if (!at) return true;
  if (match->kind && !stays_on_board(rule.sema, lying.placing.shapes, lying.sort_of[match->kind->index], *at, facing)) {
    error(rule.sema, Code::out_of_range, node->range,
          fmt::format("`{}` extends beyond the board at {}", written(rule.sema, view::given(node).what()),
                      written(rule.sema, view::given(node).value())));
    return true;
  }
  g.kind = model::Given::Kind::lies;
  g.zone = lying.zone;
  g.cards = {*match};
  g.variable = lying.placing.at;
  g.values = {*at};
  if (lying.placing.facing) g.indices = {static_cast<Int>(lying.placing.facing->index), facing};
  line.givens.push_back(g);
  return true;
}

}   // namespace cardwright::sema
