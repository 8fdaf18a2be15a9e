// Cards that lie on a board: a card type says what its cards cover there. They are placed as pieces are, and the board
// is the zone in which they lie then; what moves them elsewhere takes them off it.
#include <algorithm>

#include "compiler/sema/analysis.h"

namespace cardwright::sema {

// What the card says of itself, or else the nearest of its types that says it.
const Node* Analysis::printed_on(std::uint32_t kind, NodeKind what) {
  const KindInfo& info = kinds_[kind];
  if (!info.implicit && info.node && info.node->kind == NodeKind::card)
    if (const Node* found = said_in(view::card(info.node).members(), what)) return found;
  std::optional<model::CardTypeId> type = model_->kinds[kind].type;
  for (std::size_t steps = 0; type && steps <= types_.size(); ++steps) {
    if (const Node* of = types_[type->index].node)
      if (const Node* found = said_in(view::card_type(of).members(), what)) return found;
    type = model_->card_types[type->index].base;
  }
  return nullptr;
}

// The board, the variables that say where and how, and the shapes of all sorts of cards together.
void Analysis::declare_lying_cards() {
  struct Covering {
    std::uint32_t kind;
    const Node* covers;
    const Node* facing;
  };
  std::vector<Covering> covering;
  for (std::uint32_t k = 0; k < kinds_.size(); ++k) {
    const Node* covers = printed_on(k, NodeKind::covers);
    if (covers) covering.push_back({k, covers, printed_on(k, NodeKind::facing_decl)});
    for (const NodeKind only : {NodeKind::facing_decl, NodeKind::shows_decl})
      if (const Node* n = covers ? nullptr : printed_on(k, only))
        error(Code::wrong_type, n->range,
              fmt::format("`{}` covers no cells, so it never lies on a board", model_->kinds[k].name),
              "`covers 1 x 1` lets it lie on one");
  }
  if (covering.empty()) return;
  const Node* first = covering[0].covers;
  if (model_->boards.size() != 1)
    return void(error(Code::unknown_name, first->range,
                      model_->boards.empty() ? "there is no board on which these cards could lie"
                                             : "cards lie on a board only where the game has one board",
                      "`board field: grid 8 x 8`"));
  const model::Board& board = model_->boards[0];
  const Type direction = enum_type(board.dirs.index);
  if (board.graph) return void(graph_has_no(board, "places for cards", first->range));
  model::LyingCards lying;
  lying.sort_of.assign(kinds_.size(), kNone);
  lying.signs.assign(kinds_.size(), "");
  std::optional<model::CardTypeId> root = model_->kinds[covering[0].kind].type;
  std::vector<std::vector<std::pair<Int, Int>>> sorts;
  const Node* faces = nullptr;
  for (const Covering& c : covering) {
    while (root && !is_a(model_->kinds[c.kind].type.index, root->index)) root = model_->card_types[root->index].base;
    const auto offsets = offsets_of({c.covers});
    if (!offsets || !fits_board(board, *offsets, c.covers->range)) return;
    const auto found = std::find(sorts.begin(), sorts.end(), *offsets);
    lying.sort_of[c.kind] = found - sorts.begin();
    if (found == sorts.end()) sorts.push_back(*offsets);
    if (const Node* shows = printed_on(c.kind, NodeKind::shows_decl)) lying.signs[c.kind] = sign_of(shows);
    if (c.facing && faces && first_facing(c.facing, direction) != first_facing(faces, direction))
      return void(error(Code::wrong_type, c.facing->range, "all cards that lie on a board face the same way at first")
                      .notes.push_back({faces->range, "the other"}));
    if (c.facing) faces = c.facing;
  }
  if (root) lying.type = *root;
  const Type key = root ? card_type(root->index) : card_type();
  const std::string name = root ? model_->card_types[root->index].name : "card";
  lying.placing.at = place_variable(name + ".at", with_none(enum_type(board.cells.index)), key, first->range);
  if (faces) {
    lying.placing.facing = place_variable(name + ".facing", direction, key, faces->range);
    model_->variables[lying.placing.facing->index].initial =
        constant(direction, first_facing(faces, direction), faces->range);
  }
  lying.placing.shapes = add_shapes(0, name, sorts, faces != nullptr);
  if (lying.placing.shapes && sorts.size() > 1) lying.placing.sort = attribute_of_cards(lying);
  model::Zone zone;
  zone.name = board.name;
  zone.range = board.range;
  lying.zone = {static_cast<std::uint32_t>(model_->zones.size())};
  model_->zones.push_back(std::move(zone));
  model_->lying = std::move(lying);
}

// Of which sort a card is, as an attribute that nobody can name.
model::AttributeId Analysis::attribute_of_cards(const model::LyingCards& lying) {
  const model::AttributeId id{static_cast<std::uint32_t>(model_->attributes.size())};
  const Int last = *std::max_element(lying.sort_of.begin(), lying.sort_of.end());
  model_->attributes.push_back({.name = "shape on the board",
                                .type = integer_type(0, last),
                                .unprinted = true,
                                .range = model_->boards[0].range});
  std::set<std::uint32_t> tops;
  for (std::uint32_t k = 0; k < kinds_.size(); ++k) {
    std::uint32_t top = model_->kinds[k].type.index;
    while (model_->card_types[top].base && !(lying.type.valid() && top == lying.type.index))
      top = model_->card_types[top].base->index;
    if (lying.type.valid() && top != lying.type.index) continue;
    kinds_[k].attributes[id.index] = std::max<Int>(lying.sort_of[k], 0);
    tops.insert(top);
  }
  for (const std::uint32_t top : tops) types_[top].own.push_back(id);
  return id;
}

// The cards that lie there.
const Expr* Analysis::cards_on_board(Range range) {
  if (!model_->lying) {
    error(Code::wrong_type, range, "no card of this game lies on a board",
          "`covers 1 x 1` in a card type lets its cards lie on one");
    return poison(range);
  }
  Expr* e =
      make(ExprKind::zone, set_type(model_->lying->type.valid() ? card_type(model_->lying->type.index) : card_type()),
           range, {nullptr});
  e->ref = model_->lying->zone.index;
  return e;
}

// Some cards of that type may lie on a board.
bool Analysis::lies_on_board(const Type& t) const {
  if (t.kind != TypeKind::card || !model_->lying) return false;
  for (std::uint32_t k = 0; k < model_->kinds.size(); ++k)
    if (model_->lying->sort_of[k] != kNone && (t.ref >= types_.size() || is_a(model_->kinds[k].type.index, t.ref)))
      return true;
  return false;
}

// `g.at`, `g.cells`, `g.facing`
bool Analysis::has_place_member(const Type& card, std::string_view name) const {
  return lies_on_board(card) &&
         (name == "at" || name == "cells" || (name == "facing" && model_->lying->placing.facing));
}

// All cards of that type may.
bool Analysis::surely_covers(const Type& t) const {
  for (std::uint32_t k = 0; k < model_->kinds.size(); ++k)
    if ((t.ref >= types_.size() || is_a(model_->kinds[k].type.index, t.ref)) && model_->lying->sort_of[k] == kNone)
      return false;
  return true;
}

// In `while on field` the card lies there, and so `this.at` is a cell.
void Analysis::knows_own_place(Rule& rule) {
  const Carrier& carrier = rule.carrier;
  if (carrier.kind != CarrierKind::card || !rule.self.valid() || !model_->lying || !carrier.zone.valid() ||
      carrier.zone.index != model_->lying->zone.index)
    return;
  const Range range = rule.body->locals[rule.self.index].range;
  rule.narrowed.push_back(key_of(place_of(local(rule.self, range), range)));
}

// What is known of a card once it `is` one of those that may lie on the board. (Where others may count as such,
// nothing.)
std::string Analysis::covering_key(const Expr* card) const {
  const std::string key = alsos_.empty() ? key_of(card) : "";
  return key.empty() ? key : "covers " + key;
}

// How what is placed is called in messages.
std::string Analysis::placed_word(const Type& t) const {
  return t.kind == TypeKind::card ? show(without_none(t)) : areas_[t.ref].name;
}

Stmt* Analysis::move_onto_board(const Expr* card, Range range, Block& out) {
  Stmt* s = emit(out, StmtKind::move, range, {card, nullptr, nullptr, nullptr});
  s->ref = model_->lying->zone.index;
  return s;
}

namespace {

// No card of that set lies on the board.
bool lies_elsewhere(const Expr& e, model::ZoneId board) {
  switch (e.kind) {
    case ExprKind::zone: case ExprKind::zone_top: case ExprKind::zone_top_n:
    case ExprKind::zone_bottom: return e.ref != board.index;
    case ExprKind::filter: case ExprKind::random_n:
    case ExprKind::pick_random: return e.args[0] && lies_elsewhere(*e.args[0], board);
    default: return false;
  }
}

}  // namespace

// What is moved, after those of it that lie on the board were taken off it.
const Expr* Analysis::off_board(const Expr* cards, Range range, Block& out) {
  if (is_poison(cards) || !model_->lying) return cards;
  const bool one = cards->type.kind != TypeKind::set;
  if (!lies_on_board(one ? cards->type : element_type(cards->type)) || lies_elsewhere(*cards, model_->lying->zone))
    return cards;
  const std::string places = fmt::format("v{}(", model_->lying->placing.at.index);
  std::erase_if(rule_->narrowed, [&](const std::string& key) { return key.starts_with(places); });
  cards = kept_aside(cards, range, out)[0];
  const auto lies = [&](const Expr* card) {
    return negated(make(ExprKind::is_none, boolean_type(), range, {place_of(card, range)}));
  };
  if (!one) {
    const LocalId card = add_local("", element_type(cards->type), range);
    Block body;
    lift(local(card, range), range, body);
    Stmt* s = emit(out, StmtKind::each, range, {cards, lies(local(card, range)), nullptr});
    s->local = card;
    s->blocks = {std::move(body)};
    return cards;
  }
  const Expr* asked = lies(cards);
  if (cards->type.optional)
    asked = make(ExprKind::logical_and, boolean_type(), range,
                 {negated(make(ExprKind::is_none, boolean_type(), range, {cards})), asked});
  Block body;
  lift(cards, range, body);
  emit(out, StmtKind::if_else, range, {asked})->blocks = {std::move(body), {}};
  return cards;
}

// What a claim calls `Ladder`: all such cards, if they may lie on the board.
const Expr* Analysis::cards_named(const Node* node) {
  if (!model_->lying || (node->kind == NodeKind::name_ref && find_binding(node->text))) return nullptr;
  if (node->kind != NodeKind::name_ref && node->kind != NodeKind::call && node->kind != NodeKind::scenario_card &&
      node->kind != NodeKind::string)
    return nullptr;
  const auto match = card_match(node, false);
  if (!match) return nullptr;
  Expr* cards =
      make(ExprKind::set_constant,
           set_type(model_->lying->type.valid() ? card_type(model_->lying->type.index) : card_type()), node->range);
  cards->values = cards_that_match(*match)->values;
  return cards;
}

// `Ladder at c3 facing E`: that card is taken from wherever it is.
bool Analysis::given_card_at(const Node* node, model::Given& g, model::ScenarioLine& line) {
  const auto match = model_->lying ? card_match(view::given(node).what(), false) : std::nullopt;
  if (!match) return false;
  const model::LyingCards& lying = *model_->lying;
  if (match->kind && lying.sort_of[match->kind->index] == kNone) {
    error(Code::bad_scenario, view::given(node).what()->range,
          fmt::format("`{}` covers no cells, so it never lies on a board", model_->kinds[match->kind->index].name),
          "`covers 1 x 1` lets it lie on one");
    return true;
  }
  const Type cell = enum_type(model_->boards[0].cells.index), direction = enum_type(model_->boards[0].dirs.index);
  if (node->number) error(Code::bad_scenario, node->range, "cards lie face up on a board");
  const auto at = scalar(view::given(node).value(), &cell);
  Int facing = lying.placing.facing ? model_->variables[lying.placing.facing->index].initial->value : 0;
  if (view::given(node).facing()) {
    if (!lying.placing.facing)
      error(Code::bad_scenario, view::given(node).facing()->range, "cards on this board face no way",
            "`facing N` in the card type says that they do, and which way at first");
    const auto way = scalar(view::given(node).facing(), &direction);
    if (!way || !lying.placing.facing) return true;
    facing = *way;
  }
  if (!at) return true;
  if (match->kind && !stays_on_board(lying.placing.shapes, lying.sort_of[match->kind->index], *at, facing)) {
    error(Code::out_of_range, node->range,
          fmt::format("`{}` leaves the board at {}", written(view::given(node).what()),
                      written(view::given(node).value())));
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

}  // namespace cardwright::sema
