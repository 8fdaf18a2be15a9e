// Registers each declaration of a rule by kind and name before any rule's code is checked, and resolves the carriers of
// rules inside cards and characters.
#include "compiler/sema/declarations/declarations.h"

#include <fmt/format.h>

#include "compiler/sema/declarations/callables.h"
#include "compiler/sema/declarations/flow.h"
#include "compiler/sema/expressions/card_attributes.h"
#include "compiler/sema/operations/names.h"
#include "compiler/sema/operations/records.h"
#include "compiler/sema/options/collect.h"
#include "compiler/sema/symbols/components.h"
#include "compiler/sema/symbols/errors.h"

namespace cardwright::sema {

std::string rule_name(const SemaContext& sema, std::string_view what, const Decl& d) {
  std::string name(what);
  if (!d.owner) return name;
  if (d.carrier.kind == CarrierKind::character) {
    const model::EnumConst& c = sema.model.enums[d.carrier.character_type.index].constants[d.carrier.character];
    return name + " of " + c.label;
  }
  if (d.owner->kind == NodeKind::card)
    if (auto k = sema.names.kinds.find(d.owner->text); k != sema.names.kinds.end() && k->second != ~0u)
      return name + " of " + sema.model.kinds[k->second].label;
  return name + " of " + std::string(d.owner->text);
}

static std::optional<model::VariableId> carrier_variable(SemaContext& sema, std::uint32_t character_type, Range range) {
  auto v = variable_with_enum(sema, character_type, true);
  if (v) return model::VariableId{*v};
  std::vector<const model::Variable*> all;
  for (const model::Variable& x : sema.model.variables)
    if (x.per_player && x.type.kind == TypeKind::enumeration && x.type.ref == character_type && x.indices.empty())
      all.push_back(&x);
  const std::string& type = sema.model.enums[character_type].name;
  if (all.size() > 1) {   // reported once for all characters, at the variable that was declared last
    error(sema, "wrong_kind_of_name"_code, all[1]->range,
          fmt::format("players have two variables of type `{}`: `{}` and `{}`", type, all[0]->name, all[1]->name),
          fmt::format("the rules of a character need exactly one; keep others in a list: `{}: list of {} up to 1`",
                      all[1]->name, type))
        .notes.push_back({all[0]->range, "the other variable"});
    return std::nullopt;
  }
  error(sema, "wrong_kind_of_name"_code, range,
        fmt::format("expected exactly one variable of type `{}` in `player {{ … }}`",
                    sema.model.enums[character_type].name),
        fmt::format("`player {{ hero: {}, public }}`", sema.model.enums[character_type].name));
  return std::nullopt;
}

static void declare_rule(SemaContext& sema, Decl d) {
  const Node* n = d.node;
  const auto gone = [&](std::string_view word) {
    return sema.collected.removed.erase(std::string(word) + " " + std::string(n->text)) > 0;
  };
  switch (n->kind) {
    case NodeKind::value_decl:
      if (!gone("value")) declare_callable(sema, d);
      return;
    case NodeKind::function_decl:
      if (!gone("function")) declare_callable(sema, d);
      return;
    case NodeKind::sequence_decl:
      if (!gone("sequence")) declare_callable(sema, d);
      return;
    case NodeKind::event_decl:
      if (!gone("event")) declare_callable(sema, d);
      return;
    case NodeKind::window_decl:
      if (!gone("window")) declare_callable(sema, d);
      return;
    case NodeKind::action_decl:
      if (!gone("action")) sema.actions.declared.push_back(std::move(d));
      return;
    case NodeKind::modify_decl: sema.rules.modifiers.push_back(std::move(d)); return;
    case NodeKind::trigger_decl: sema.rules.triggers.push_back(std::move(d)); return;
    case NodeKind::whenever_decl: sema.rules.whenevers.push_back(std::move(d)); return;
    case NodeKind::measure_decl: sema.rules.measures.push_back(std::move(d)); return;
    case NodeKind::also_decl: sema.rules.alsos.push_back(std::move(d)); return;
    case NodeKind::forbid_decl: sema.rules.forbids.push_back(std::move(d)); return;
    default: return;
  }
}

// Returns the kinds of cards that a `card` or `card type` declares.
static std::vector<model::KindId> kinds_of(const SemaContext& sema, const Node* card) {
  if (card->kind == NodeKind::card) return {model::KindId{sema.names.kinds.find(card->text)->second}};
  std::vector<model::KindId> kinds;
  for (Int k : kinds_of_type(sema, sema.names.card_types.find(card->text)->second))
    kinds.push_back({static_cast<std::uint32_t>(k)});
  return kinds;
}

// Returns the condition C of `in force while C` from the card or, if the card has none, from its nearest card type that
// has one.
static const Node* force_of(SemaContext& sema, const Node* card) {
  const bool is_type = card->kind == NodeKind::card_type;
  const std::uint32_t type = is_type ? sema.names.card_types.find(card->text)->second
                                     : sema.model.kinds[sema.names.kinds.find(card->text)->second].type.index;
  const Node* in_force =
      find_card_member(sema, is_type ? nullptr : card, model::CardTypeId{type}, NodeKind::in_force_decl);
  return in_force ? view::in_force_decl(in_force).condition() : nullptr;
}

static void declare_members(SemaContext& sema, const Decl& of, const Node* members, const Carrier& carrier);

// Returns the zone that a `while in` names: a zone of players, of the table or of an area, or the zone of a board.
static std::optional<std::uint32_t> zone_named(SemaContext& sema, const Node* w) {
  std::optional<std::uint32_t> zone;
  for (const Table* table : {&sema.names.player_zones, &sema.names.table_zones})
    if (auto z = table->find(w->text); !zone && z != table->end()) zone = z->second;
  for (const AreaInfo& area : sema.areas.all)
    if (auto z = area.zones.find(w->text); !zone && z != area.zones.end()) zone = z->second;
  if (!zone && sema.boards.names.contains(w->text)) {
    if (sema.model.board_cards)
      zone = sema.model.board_cards->zone.index;
    else
      error(sema, "wrong_type"_code, w->range, fmt::format("no card of this game can be on `{}`", w->text),
            "declare `covers 1 x 1` in a card type");
    if (!zone) return std::nullopt;
  }
  if (!zone) {
    if (sema.collected.absent.contains(w->text)) return std::nullopt;
    std::vector<std::string> names;
    for (const AreaInfo& area : sema.areas.all)
      for (const auto& [name, id] : area.zones) names.push_back(name);
    for (const Table* table : {&sema.names.player_zones, &sema.names.table_zones})
      for (const auto& [name, id] : *table) names.push_back(name);
    error(sema, "unknown_name"_code, w->range, fmt::format("unknown zone `{}`", w->text), did_you_mean(w->text, names));
    return std::nullopt;
  }
  return zone;
}

static void declare_while(SemaContext& sema, const Decl& of, const Node* n) {
  std::vector<const Node*> zones{n};
  if (view::while_decl(n).zones())
    for (const Node* w : view::while_decl(n).zones()->children) zones.push_back(w);
  for (const Node* w : zones) {
    Carrier inner;
    inner.kind = CarrierKind::card;
    inner.kinds = kinds_of(sema, of.node);
    const auto zone = zone_named(sema, w);
    if (!zone) continue;
    sema.used.insert(std::string(w->text));
    inner.zone = model::ZoneId{*zone};
    if (inner.kinds.empty()) continue;
    Decl owner = of;
    owner.owner = of.node;
    declare_members(sema, owner, view::while_decl(n).members(), inner);
  }
}

// Adds the `while in` rules of a card to a character that `has` the card. Returns false if the card has no such rules.
static bool borrow_rules(SemaContext& sema, const Decl& of, std::uint32_t kind, const Node* from,
                         const Carrier& carrier) {
  bool any = false;
  expand(sema, from->kind == NodeKind::card ? view::card(from).members() : view::card_type(from).members(),
         model::RuleKind::card, [&](const Node* m, model::RuleKind) {
           if (m->kind != NodeKind::while_decl) return;
           any = true;
           Decl owner = of;
           owner.owner = of.node;
           owner.borrowed = true;
           sema.rules.borrowed_from = {kind};
           declare_members(sema, owner, view::while_decl(m).members(), carrier);
           sema.rules.borrowed_from.reset();
         });
  return any;
}

// Handles `has Card` in a character.
static void declare_borrowed(SemaContext& sema, const Decl& of, const Node* n, const Carrier& carrier) {
  auto k = sema.names.kinds.find(n->text);
  if (k == sema.names.kinds.end() || k->second == ~0u) {
    if (k == sema.names.kinds.end() && !sema.collected.absent.contains(n->text)) {
      std::vector<std::string> names;
      for (const auto& [name, id] : sema.names.kinds) names.push_back(name);
      error(sema, "unknown_name"_code, name_range(sema, n), fmt::format("unknown card `{}`", n->text),
            did_you_mean(n->text, names));
    }
    return;
  }
  bool any = false;
  std::vector<const Node*> chain{sema.types.kinds[k->second].node};
  for (std::uint32_t t = sema.model.kinds[k->second].type.index, steps = 0;
       t < sema.types.cards.size() && steps <= sema.types.cards.size(); ++steps) {
    if (sema.types.cards[t].node) chain.push_back(sema.types.cards[t].node);
    if (!sema.model.card_types[t].base) break;
    t = sema.model.card_types[t].base->index;
  }
  for (auto it = chain.rbegin(); it != chain.rend(); ++it)
    if (*it) any = borrow_rules(sema, of, k->second, *it, carrier) || any;
  if (!any) warn_if(sema, "without_effect"_code, n->range, true, fmt::format("`{}` has no `while in` rules", n->text));
}

// Declares a rule inside a card or character. A rule of a card must be inside a `while in`, or the card needs an `in
// force while`.
static void declare_rule_of(SemaContext& sema, const Decl& of, Decl d, bool needs_place) {
  const Node* n = d.node;
  const bool scope = n->kind == NodeKind::event_decl || n->kind == NodeKind::window_decl;
  if (needs_place && !scope)
    if (const Node* force = force_of(sema, of.node)) {
      d.force = force;
      sema.used.insert(fmt::format("in force {}:{}", force->range.source, force->range.begin));
      d.carrier.kind = CarrierKind::card;
      d.carrier.kinds = kinds_of(sema, of.node);
      if (!d.carrier.kinds.empty()) declare_rule(sema, std::move(d));
      return;
    }
  if (needs_place && !scope) {
    error(sema, "misplaced"_code, first_word(sema, n), "a rule of a card needs a zone in which it is in force",
          "put it into `while in ZONE { … }`");
    return;
  }
  if (sema.rules.borrowed_from && scope) return;
  d.borrowed_from = sema.rules.borrowed_from;
  declare_rule(sema, std::move(d));
}

static void declare_members(SemaContext& sema, const Decl& of, const Node* members, const Carrier& carrier) {
  expand(sema, members, model::RuleKind::card, [&](const Node* n, model::RuleKind) {
    Decl d{.node = n,
           .unit = of.unit,
           .precedence = next_precedence(sema, model::RuleKind::card, of.unit),
           .carrier = carrier,
           .owner = of.owner ? of.owner : of.node,
           .borrowed = of.borrowed};
    d.precedence.depth = of.precedence.depth;
    const bool card = of.node->kind == NodeKind::card || of.node->kind == NodeKind::card_type;
    switch (n->kind) {
      case NodeKind::play_decl: {
        if (!card || carrier.kind != CarrierKind::none) return;
        if (of.node->kind == NodeKind::card)
          sema.rules.kind_plays[sema.names.kinds.find(of.node->text)->second].push_back(d);
        else
          sema.rules.type_plays[sema.names.card_types.find(of.node->text)->second].push_back(d);
        return;
      }
      case NodeKind::while_decl:
        if (carrier.kind == CarrierKind::none && card) declare_while(sema, of, n);
        return;
      case NodeKind::has_decl:
        if (carrier.kind == CarrierKind::character) declare_borrowed(sema, of, n, carrier);
        return;
      case NodeKind::value_decl:
      case NodeKind::function_decl:
      case NodeKind::sequence_decl:
      case NodeKind::event_decl:
      case NodeKind::window_decl:
      case NodeKind::action_decl:
      case NodeKind::modify_decl:
      case NodeKind::trigger_decl:
      case NodeKind::whenever_decl:
      case NodeKind::also_decl:
      case NodeKind::forbid_decl:
        return declare_rule_of(sema, of, std::move(d), card && carrier.kind == CarrierKind::none);
      default: return;   // handled elsewhere, or rejected in allowed_contexts.cpp
    }
  });
}

static void declare_ending(SemaContext& sema, const Decl& d) {
  for (const Decl& other : sema.rules.endings)
    if (!d.node->text.empty() && other.node->text == d.node->text)
      return void(twice(sema, d.node, "ending", name_range(sema, other.node)));
  sema.rules.endings.push_back(d);
}

static void declare_top(SemaContext& sema, const Decl& d) {
  const Node* n = d.node;
  switch (n->kind) {
    case NodeKind::card_type: {
      auto t = sema.names.card_types.find(n->text);
      if (t != sema.names.card_types.end() && sema.types.cards[t->second].node == n)
        declare_members(sema, d, view::card_type(n).members(), {});
      return;
    }
    case NodeKind::card: {
      auto k = sema.names.kinds.find(n->text);
      if (k != sema.names.kinds.end() && k->second != ~0u && sema.types.kinds[k->second].node == n)
        declare_members(sema, d, view::card(n).members(), {});
      return;
    }
    case NodeKind::character_type: {
      auto e = sema.names.enums.find(n->text);
      if (e == sema.names.enums.end()) return;
      return;   // the characters of the type carry its rules
    }
    case NodeKind::character: {
      for (std::uint32_t e = 0; e < sema.model.enums.size(); ++e)
        if (sema.model.enums[e].character)
          for (std::size_t i = 0; i < sema.model.enums[e].constants.size(); ++i)
            if (sema.model.enums[e].constants[i].range == n->range) {
              Carrier c;
              c.kind = CarrierKind::character;
              c.character_type = {e};
              c.character = static_cast<Int>(i);
              const Decl* type = nullptr;
              for (const Decl& t : sema.collected.decls)
                if (t.node && t.node->kind == NodeKind::character_type && t.node->text == sema.model.enums[e].name)
                  type = &t;
              bool rules = false;
              for (const Node* list :
                   {view::character(n).members(), type ? view::character_type(type->node).members() : nullptr})
                for (const Node* m : list ? list->children : std::span<Node* const>{})
                  rules = rules || (m && m->kind != NodeKind::field && m->kind != NodeKind::text_decl);
              if (rules) {
                auto v = carrier_variable(sema, e, n->range);
                if (!v) return;
                c.character_variable = *v;
              }
              declare_members(sema, d, view::character(n).members(), c);
              if (type) {
                Decl of_type = *type;
                of_type.owner = n;
                declare_members(sema, of_type, view::character_type(type->node).members(), c);
              }
              return;
            }
      return;
    }
    case NodeKind::setup_decl: sema.rules.setups.push_back(d); return;
    case NodeKind::play_flow: sema.rules.plays.push_back(d); return;
    case NodeKind::end_when: return declare_ending(sema, d);
    default: declare_rule(sema, d);
  }
}

void declare_rules(SemaContext& sema) {
  for (const Decl& d : sema.collected.decls) declare_top(sema, d);
  for (const Node* r : sema.collected.removals) {
    const std::string key =
        std::string(view::remove_decl(r).what() ? view::remove_decl(r).what()->text : "") + " " + std::string(r->text);
    if (sema.collected.removed.contains(key) && !r->text.empty())
      error(sema, "nothing_to_replace"_code, name_range(sema, r),
            fmt::format("cannot remove unknown {} `{}`",
                        view::remove_decl(r).what() ? view::remove_decl(r).what()->text : "declaration", r->text),
            did_you_mean(r->text,
                         removable_names(sema, view::remove_decl(r).what() ? view::remove_decl(r).what()->text : "")));
  }
  declare_flow(sema);
  for (const Decl& d : sema.rules.modifiers) {
    const auto record = sema.records.given.find(d.node->text);
    const std::string name = record == sema.records.given.end()
                                 ? std::string(d.node->text)
                                 : leaves_of(sema, record->second, record->first)[0].name;
    auto v = sema.names.values.find(name);
    if (v != sema.names.values.end()) {
      const std::size_t fields = record == sema.records.given.end() ? 1 : leaves_of(sema, record->second, "").size();
      for (std::size_t i = 0; i < fields; ++i) sema.rules.value_modifiers[v->second + i].push_back(d);
      sema.used.insert("modify " + std::string(d.node->text));
      continue;
    }
    if (sema.collected.absent.contains(d.node->text)) continue;
    std::vector<std::string> names;
    for (const auto& [n, id] : sema.names.values) names.push_back(n);
    error(sema, "unknown_name"_code, name_range(sema, d.node), fmt::format("unknown value `{}`", d.node->text),
          sema.names.functions.contains(d.node->text) ? "functions can't be modified; declare it as a `value`"
                                                      : did_you_mean(d.node->text, names));
  }
  finish_callables(sema);
}

}   // namespace cardwright::sema
