// Builds the statements that move cards (`move`, `deal`, `turn`) and those that show them (`reveal`, `peek`).
#include "compiler/sema/statements/moves.h"

#include <functional>

#include <fmt/format.h>

#include "compiler/sema/operations/locals.h"
#include "compiler/sema/operations/type_relations.h"
#include "compiler/sema/expressions/calls.h"
#include "compiler/sema/expressions/decided.h"
#include "compiler/sema/expressions/expressions.h"
#include "compiler/sema/expressions/players.h"
#include "compiler/sema/expressions/sets.h"
#include "compiler/sema/operations/convert.h"
#include "compiler/sema/operations/lists.h"
#include "compiler/sema/operations/records.h"
#include "compiler/sema/options/tree_constants.h"
#include "compiler/sema/statements/assign.h"
#include "compiler/sema/statements/board_cards.h"
#include "compiler/sema/statements/dice.h"
#include "compiler/sema/statements/statements.h"
#include "compiler/sema/symbols/card_types.h"
#include "compiler/sema/symbols/errors.h"
#include "compiler/sema/symbols/make.h"
#include "compiler/sema/symbols/types.h"

namespace cardwright::sema {

static void move_cards(RuleContext& rule, const Node* node, std::int64_t bits, Block& out);
static void picks_top(SemaContext& sema, const Expr* picker, model::ZoneId to, bool together);
static void deal_to_all(RuleContext& rule, const Node* node, Block& out);
static void deal_constants(RuleContext& rule, const Node* node, Block& out);
static void deal_cards(RuleContext& rule, const Node* node, std::int64_t bits, Block& out);
static bool show_variables(RuleContext& rule, const Expr* e, Range range, Block& out,
                           const std::function<void(const Expr*, Block&)>& show_one);

// Returns the side that cards show in the target zone: 0 for the zone's default, 1 for faceup, 2 for facedown.
static std::int64_t facing_in(SemaContext& sema, model::ZoneId zone, bool faceup, bool facedown, Range range) {
  if (!faceup && !facedown) return 0;
  const model::Zone& to = sema.model.zones[zone.index];
  if (to.visibility != model::Visibility::hidden) return faceup ? 1 : 2;
  if (faceup)
    error(sema, "bad_zone"_code, range,
          fmt::format("cards can't be faceup in `{}`, because the zone is hidden", to.name));
  return 0;
}

// Builds `facing if C then facedown else faceup`. Both versions of the statement are built, and the condition selects
// one at run time.
void facing(RuleContext& rule, const Node* way, Block& out, const std::function<void(bool up, Block&)>& statement) {
  if (way->kind == NodeKind::name_ref && (way->text == "faceup" || way->text == "facedown"))
    return statement(way->text == "faceup", out);
  if (way->kind != NodeKind::if_expr) {
    error(rule.sema, "wrong_type"_code, way->range, "expected `faceup` or `facedown`",
          "to make the facing conditional, write `facing (if night then facedown else faceup)`");
    return;
  }
  if (auto f = decided(rule.sema, &rule, view::if_expr(way).condition()); f && f->kind == TreeConstant::Kind::boolean)
    return facing(rule, f->value ? view::if_expr(way).then() : view::if_expr(way).otherwise(), out, statement);
  const Expr* c = condition(rule, view::if_expr(way).condition());
  std::vector<Block> blocks(2);
  facing(rule, view::if_expr(way).then(), blocks[0], statement);
  facing(rule, view::if_expr(way).otherwise(), blocks[1], statement);
  if (!is_poison(c)) emit(rule.sema, out, StmtKind::if_else, way->range, {c})->blocks = std::move(blocks);
}

// Turns an entire pile over, so that the top card becomes the bottom card.
void turn_over(RuleContext& rule, const Node* node, Block& out) {
  const view::turn_over_stmt its(node);
  if (!effect(rule, node->range, "turning a pile over")) return;
  auto from = zone_place(rule, its.pile(), true);
  auto to = zone_place(rule, its.onto(), true);
  if (!from || !to) return;
  for (const auto& [place, n] : {std::pair{from, its.pile()}, std::pair{to, its.onto()}})
    if (rule.model.zones[place->place.zone.index].shape != model::ZoneShape::pile) {
      error(rule.sema, "bad_zone"_code, n->range,
            fmt::format("`{}` is not a pile", rule.model.zones[place->place.zone.index].name));
      return;
    }
  const Expr* cards = zone_expr(rule.sema, ExprKind::zone, *from, cards_in(rule.sema, from->place.zone.index));
  const Expr* all = size_of(rule, cards, node->range);
  Stmt* s = emit(rule.sema, out, StmtKind::draw_to, node->range,
                 {from->place.owner, from->place.copy, all, to->place.owner, to->place.copy});
  s->ref = from->place.zone.index;
  s->value = to->place.zone.index;
}

// Reports an error if more than one card would move into a slot.
static void fits_slot(SemaContext& sema, model::ZoneId to, const Expr* n) {
  if (n && sema.model.zones[to.index].shape == model::ZoneShape::slot && n->type.lo > 1)
    error(sema, "bad_zone"_code, n->range, fmt::format("a slot can contain one card, not {}", n->type.lo),
          "declare the zone as a `row`");
}

void move_stmt(RuleContext& rule, const Node* node, Block& out) {
  const view::move_stmt its(node);
  if (!effect(rule, node->range, "`move`")) return;
  if (its.facing())
    return facing(rule, its.facing(), out, [&](bool up, Block& into) { move_cards(rule, node, up ? 2 : 4, into); });
  move_cards(rule, node, node->number & 6, out);
}

static void move_cards(RuleContext& rule, const Node* node, std::int64_t bits, Block& out) {
  const view::move_stmt its(node);
  const Node* things = its.things();
  auto to = zone_place(rule, its.place(), true);
  const Expr* picker = its.picker() ? player(rule, its.picker(), true) : nullptr;
  if (!things) return;
  const std::int64_t facing_bits =
      to ? facing_in(rule.sema, to->place.zone, (bits & 2) != 0, (bits & 4) != 0, node->range) : 0;
  const std::int64_t bottom = node->number & 1;
  std::vector<const Expr*> sets;
  const auto move = [&](const Expr* what) {
    if (!to || is_poison(what)) return;
    picks_top(rule.sema, picker, to->place.zone, what->type.kind == TypeKind::set);
    Stmt* s = emit(rule.sema, out, StmtKind::move, node->range,
                   {off_board(rule, what, node->range, out), to->place.owner, to->place.copy, picker});
    s->ref = to->place.zone.index;
    s->value = bottom | (picker ? 4 : 0) | facing_bits << 3;
  };
  for (const Node* thing : things->children) {
    if (!thing) continue;
    const bool top = thing->kind == NodeKind::top_expr && thing->text == "top";
    const bool some = thing->kind == NodeKind::random_cards && thing->number == 1;
    if ((top || some) && !bottom) {
      auto from = zone_place(rule, view::from_zone(thing).zone(), true);
      if (!from) continue;
      const model::Zone& zone = rule.model.zones[from->place.zone.index];
      if (zone.shape == model::ZoneShape::pile || zone.shape == model::ZoneShape::row) {
        const Expr* n = view::from_zone(thing).count() ? integer(rule, view::from_zone(thing).count()) : nullptr;
        if (!to || (n && is_poison(n))) continue;
        fits_slot(rule.sema, to->place.zone, n);
        picks_top(rule.sema, picker, to->place.zone, false);
        Stmt* s = emit(rule.sema, out, StmtKind::draw_to, node->range,
                       {from->place.owner, from->place.copy, n, to->place.owner, to->place.copy});
        s->ref = from->place.zone.index;
        s->value = to->place.zone.index | facing_bits << 32;
        continue;
      }
    }
    const Expr* e = expr(rule, thing);
    if (is_poison(e)) continue;
    const Type elem = e->type.kind == TypeKind::set ? element_type(e->type) : e->type;
    if (elem.kind != TypeKind::card) {
      error(rule.sema, "wrong_type"_code, thing->range,
            fmt::format("expected cards, found `{}`", show(rule.sema, e->type)),
            e->type.kind == TypeKind::kind
                ? fmt::format("select one card: `first of (me.hand where it is {})`", thing->text)
                : "");
      continue;
    }
    if (things->children.size() > 1 && e->type.kind == TypeKind::set && e->kind == ExprKind::zone)
      sets.push_back(e);
    else
      move(e);
  }
  if (sets.empty()) return;
  const Expr* all = sets[0];
  for (std::size_t i = 1; i < sets.size(); ++i)
    all = make(rule.sema, ExprKind::set_union, all->type, things->range, {all, sets[i]});
  move(all);
}

// Checks that `p picks the top` is used only with an ordered zone and cards that move together.
static void picks_top(SemaContext& sema, const Expr* picker, model::ZoneId to, bool together) {
  if (!picker || is_poison(picker)) return;
  const model::Zone& zone = sema.model.zones[to.index];
  const bool keeps_order = zone.shape == model::ZoneShape::pile || zone.shape == model::ZoneShape::row;
  warn_if(sema, "without_effect"_code, picker->range, !keeps_order || !together,
          keeps_order ? "`picks the top` needs several cards that move together"
                      : fmt::format("`picks the top` needs a pile or a row, and `{}` is neither", zone.name),
          "remove the part after the comma");
}

void deal_stmt(RuleContext& rule, const Node* node, Block& out) {
  if (!effect(rule, node->range, "`deal`")) return;
  if ((node->number & 1) && view::deal_stmt(node).to() && view::deal_stmt(node).to()->kind == NodeKind::member)
    return node->number & 2 ? deal_to_all(rule, node, out) : deal_constants(rule, node, out);
  if (view::deal_stmt(node).facing())
    return facing(rule, view::deal_stmt(node).facing(), out,
                  [&](bool up, Block& into) { deal_cards(rule, node, up ? 4 : 8, into); });
  deal_cards(rule, node, node->number & 12, out);
}

static void each_player(RuleContext& rule, LocalId player, Block body, Range range, Block& out) {
  Stmt* s = emit(
      rule.sema, out, StmtKind::each, range,
      {make(rule.sema, ExprKind::players_in, set_type(player_type()), range), nullptr, start_of(rule, nullptr, range)});
  s->local = player;
  s->value = 1;
  s->blocks = {std::move(body)};
}

// Builds `deal 1 of Roles to each p.role`.
static void deal_to_all(RuleContext& rule, const Node* node, Block& out) {
  Scoped scope(rule);
  const Node* named = view::member(view::deal_stmt(node).to()).of();
  const LocalId p = bind(rule, named->text, player_type(), named->range);
  Block body;
  deal_cards(rule, node, 0, body);
  each_player(rule, p, std::move(body), node->range, out);
}

// Builds `deal Colour to each p.colour`. Each player gets a different constant.
static void deal_constants(RuleContext& rule, const Node* node, Block& out) {
  const view::deal_stmt its(node);
  const Node *what = its.what(), *to = its.to();
  const auto e =
      what->kind == NodeKind::name_ref ? rule.sema.names.enums.find(what->text) : rule.sema.names.enums.end();
  if (e == rule.sema.names.enums.end()) {
    const bool deck = what->kind == NodeKind::name_ref && rule.sema.cards.decks.contains(what->text);
    error(rule.sema, "wrong_type"_code, what->range,
          deck ? "the number to deal from this deck is missing" : "expected an enum",
          deck ? fmt::format("`deal 1 of {} to each {}.{}`", what->text, view::member(to).of()->text, to->text)
               : "`deal Colour to each p.colour`");
    return;
  }
  const Type element = enum_type(e->second);
  if (static_cast<Int>(rule.model.enums[e->second].constants.size()) < rule.sema.players) {
    error(rule.sema, "wrong_arguments"_code, what->range,
          fmt::format("`{}` has {} constants for {} players", what->text, rule.model.enums[e->second].constants.size(),
                      rule.sema.players));
    return;
  }
  Scoped scope(rule);
  const Expr* left_first = universe(rule.sema, element, what->range);
  const LocalId left = add_local(rule, "", set_type(element), what->range);
  emit(rule.sema, out, StmtKind::let, node->range, {left_first})->local = left;
  const LocalId p = bind(rule, view::member(to).of()->text, player_type(), view::member(to).of()->range);
  const Expr* variable = expr(rule, to);
  if (is_poison(variable)) return;
  if (variable->kind != ExprKind::variable || variable->args.size() != 1 ||
      !same_type(rule.sema, variable->type, element)) {
    error(rule.sema, "wrong_type"_code, to->range, fmt::format("expected a player variable of type `{}`", what->text),
          "`deal Colour to each p.colour`");
    return;
  }
  if (rule.model.variables[variable->ref].visibility != model::Visibility::open) {
    error(rule.sema, "wrong_type"_code, to->range,
          "a secret variable must be dealt from a deck, so that other players know the possible values",
          fmt::format("`deck Box: {} {{ … }}`, `deal 1 of Box to p.{}`", what->text, to->text));
    return;
  }
  Block body;
  const LocalId x = add_local(rule, "", element, what->range);
  emit(rule.sema, body, StmtKind::let, node->range,
       {make(rule.sema, ExprKind::pick_random, element, node->range, {local(rule, left, node->range)})})
      ->local = x;
  emit(rule.sema, body, StmtKind::assign_variable, node->range,
       {local(rule, p, node->range), local(rule, x, node->range)})
      ->ref = variable->ref;
  emit(rule.sema, body, StmtKind::assign_local, node->range,
       {make(rule.sema, ExprKind::set_minus, set_type(element), node->range,
             {local(rule, left, node->range),
              make(rule.sema, ExprKind::set_of_one, set_type(element), node->range, {local(rule, x, node->range)})})})
      ->local = left;
  each_player(rule, p, std::move(body), node->range, out);
}

// Builds `deal 7 from stock to each hand`.
static void deal_to_each(RuleContext& rule, const Node* node, std::int64_t bits, Block& out) {
  const Node *what = view::deal_stmt(node).what(), *from = view::deal_stmt(node).from(),
             *to = view::deal_stmt(node).to();
  const Expr* n = integer(rule, what);
  auto source = from ? zone_place(rule, from, true) : std::nullopt;
  if (!from)
    error(rule.sema, "wrong_arguments"_code, node->range, "the pile to deal from is missing",
          "`deal 7 from stock to each hand`");
  auto z = rule.sema.names.player_zones.find(to->text);
  if (z == rule.sema.names.player_zones.end()) {
    std::vector<std::string> names;
    for (const auto& [k, id] : rule.sema.names.player_zones) names.push_back(k);
    error(rule.sema, "unknown_name"_code, to->range, fmt::format("unknown player zone `{}`", to->text),
          did_you_mean(to->text, names));
    return;
  }
  if (!source || is_poison(n)) return;
  fits_slot(rule.sema, model::ZoneId{z->second}, n);
  Stmt* s = emit(rule.sema, out, StmtKind::deal_each, node->range,
                 {source->place.owner, n, make(rule.sema, ExprKind::players_in, set_type(player_type()), node->range),
                  start_of(rule, nullptr, node->range)});
  s->ref = source->place.zone.index;
  s->value = z->second | facing_in(rule.sema, model::ZoneId{static_cast<std::uint32_t>(z->second)}, (bits & 4) != 0,
                                   (bits & 8) != 0, node->range)
                             << 32;
}

static void deal_from_pile(RuleContext& rule, const Node* node, std::int64_t bits, Block& out) {
  const Node *what = view::deal_stmt(node).what(), *from = view::deal_stmt(node).from(),
             *to = view::deal_stmt(node).to();
  auto source = zone_place(rule, from, true);
  auto target = zone_place(rule, to, true);
  const Expr* n = integer(rule, what);
  if (!source || !target || is_poison(n)) return;
  if (rule.model.zones[source->place.zone.index].shape != model::ZoneShape::pile) {
    error(rule.sema, "bad_zone"_code, from->range, "expected a pile to deal from");
    return;
  }
  fits_slot(rule.sema, target->place.zone, n);
  Stmt* s = emit(rule.sema, out, StmtKind::draw_to, node->range,
                 {source->place.owner, source->place.copy, n, target->place.owner, target->place.copy});
  s->ref = source->place.zone.index;
  s->value = target->place.zone.index |
             facing_in(rule.sema, target->place.zone, (bits & 4) != 0, (bits & 8) != 0, node->range) << 32;
}

// Returns the only deck that contains constants of this enum. Reports an error if there is no such deck, or several.
static std::optional<std::uint32_t> pool_of(RuleContext& rule, const Node* node, std::uint32_t element) {
  std::optional<std::uint32_t> id;
  for (std::uint32_t p = 0; p < rule.model.pools.size(); ++p)
    if (rule.model.pools[p].element.index == element) id = id ? ~0u : p;
  if (!id || *id == ~0u) {
    error(rule.sema, "wrong_arguments"_code, node->range,
          id ? "ambiguous deck: several decks contain this enum"
             : fmt::format("no deck contains `{}`", rule.model.enums[element].name),
          "`deal 1 of Roles to p.role`");
    return std::nullopt;
  }
  return id;
}

// Deals a role or character from the deck that contains it. It is either drawn at random or named in the statement.
static void deal_from_pool(RuleContext& rule, const Node* node, bool pool, Block& out) {
  const Node *what = view::deal_stmt(node).what(), *from = view::deal_stmt(node).from(),
             *to = view::deal_stmt(node).to();
  const Expr* variable = expr(rule, to);
  if (is_poison(variable)) return;
  if (variable->kind != ExprKind::variable || variable->type.kind != TypeKind::enumeration) {
    error(rule.sema, "wrong_type"_code, to->range, "expected a variable to deal the role or character to",
          "`deal 1 of Roles to p.role`");
    return;
  }
  std::optional<std::uint32_t> id;
  const Expr* value = nullptr;
  if (pool) {
    id = rule.sema.cards.decks.find(from->text)->second.pool->index;
    auto n = tree_int(rule.sema, what, false);
    if (!n || *n != 1)
      error(rule.sema, "wrong_arguments"_code, what->range, "only one role or character is dealt at a time");
  } else {
    const Type wanted = variable->type;
    value = expr(rule, what, &wanted);
    if (is_poison(value)) return;
    Type lenient = wanted;
    lenient.optional = true;
    value = convert(rule, value, lenient);
    if (is_poison(value)) return;
    id = pool_of(rule, node, wanted.ref);
    if (!id) return;
  }
  if (rule.model.pools[*id].element.index != variable->type.ref) {
    error(rule.sema, "wrong_type"_code, node->range,
          fmt::format("deck `{}` contains `{}`, but the variable has type `{}`", rule.model.pools[*id].name,
                      rule.model.enums[rule.model.pools[*id].element.index].name, show(rule.sema, variable->type)));
    return;
  }
  model::Variable& target = rule.model.variables[variable->ref];
  if (target.dealt_from && target.dealt_from->index != *id)
    error(rule.sema, "wrong_arguments"_code, node->range,
          fmt::format("`{}` is already dealt from `{}`, and a variable can be dealt from one deck only", to->text,
                      rule.model.pools[target.dealt_from->index].name),
          "use one deck for all constants, or a separate variable for each deck");
  target.dealt_from = model::PoolId{*id};
  std::vector<const Expr*> exprs{value};
  exprs.insert(exprs.end(), variable->args.begin(), variable->args.end());
  Stmt* s = emit(rule.sema, out, StmtKind::deal_pool, node->range, std::move(exprs));
  s->ref = *id;
  s->value = variable->ref;
}

static void deal_cards(RuleContext& rule, const Node* node, std::int64_t bits, Block& out) {
  const Node *what = view::deal_stmt(node).what(), *from = view::deal_stmt(node).from(),
             *to = view::deal_stmt(node).to();
  if (!what || !to) return;
  if ((node->number & 1) && to->kind != NodeKind::member) return deal_to_each(rule, node, bits, out);
  const bool pool = from && (node->number & 2) && from->kind == NodeKind::name_ref &&
                    rule.sema.cards.decks.contains(from->text) && rule.sema.cards.decks.find(from->text)->second.pool;
  if (from && !pool) return deal_from_pile(rule, node, bits, out);
  deal_from_pool(rule, node, pool, out);
}

void reveal_stmt(RuleContext& rule, const Node* node, Block& out) {
  if (!effect(rule, node->range, "`reveal`")) return;
  const Expr* e = expr(rule, view::reveal_stmt(node).what());
  if (is_poison(e)) return;
  const Type elem = e->type.kind == TypeKind::set ? element_type(e->type) : e->type;
  if (elem.kind == TypeKind::card) {
    emit(rule.sema, out, StmtKind::reveal_cards, node->range, {e});
    return;
  }
  const auto revealed = [&](const Expr* one, Block& into) {
    emit(rule.sema, into, StmtKind::reveal_variable, node->range, one->args)->ref = one->ref;
  };
  if (show_dice(rule, e, node->range, out, revealed) || show_variables(rule, e, node->range, out, revealed)) return;
  error(rule.sema, "wrong_type"_code, view::reveal_stmt(node).what()->range,
        fmt::format("expected a card or a secret variable to reveal, found `{}`", show(rule.sema, e->type)));
}

// Shows a variable, all fields of a record or all entries of a table. Returns false if `e` is not a variable.
static bool show_variables(RuleContext& rule, const Expr* e, Range range, Block& out,
                           const std::function<void(const Expr*, Block&)>& show_one) {
  const std::vector<const Expr*> fields = fields_of(e);
  if (fields.empty() || fields[0]->kind != ExprKind::variable) return false;
  if (!can_walk_entries(rule.sema, {fields[0]})) {
    error(rule.sema, "wrong_type"_code, e->range, "this table is too large to show; show one entry",
          "write an index: `table[key]`");
    return true;
  }
  for (const Expr* f : fields) {
    if (rule.model.variables[f->ref].visibility == model::Visibility::open)
      warn_if(rule.sema, "without_effect"_code, range, true,
              fmt::format("`{}` is already public", rule.model.variables[f->ref].name));
    each_entry(rule, {f}, range, out, [&](const auto& entry, Block& into) { show_one(entry[0], into); });
  }
  return true;
}

void peek_stmt(RuleContext& rule, const Node* node, Block& out) {
  if (!effect(rule, node->range, "`peek`")) return;
  std::span<Node* const> things = view::peek_stmt(node).things();
  const Expr* who = nullptr;
  if (view::peek_stmt(node).by() && !things.empty()) {
    who = player(rule, things.back(), true);
    things = things.first(things.size() - 1);
  } else {
    who = decider(rule, nullptr, node->range);
  }
  for (const Node* thing : things) {
    const Expr* e = expr(rule, thing);
    if (is_poison(e) || is_poison(who)) continue;
    const Type elem = e->type.kind == TypeKind::set ? element_type(e->type) : e->type;
    const auto peeked = [&](const Expr* one, Block& into) {
      std::vector<const Expr*> exprs{who};
      exprs.insert(exprs.end(), one->args.begin(), one->args.end());
      emit(rule.sema, into, StmtKind::peek_variable, node->range, std::move(exprs))->ref = one->ref;
    };
    if (elem.kind != TypeKind::card &&
        (show_dice(rule, e, node->range, out, peeked) || show_variables(rule, e, node->range, out, peeked)))
      continue;
    if (elem.kind != TypeKind::card) {
      error(rule.sema, "wrong_type"_code, thing->range,
            fmt::format("expected a card or a secret variable to peek at, found `{}`", show(rule.sema, e->type)));
      continue;
    }
    emit(rule.sema, out, StmtKind::peek_cards, node->range, {who, e});
  }
}

}   // namespace cardwright::sema
