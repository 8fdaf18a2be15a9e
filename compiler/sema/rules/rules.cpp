// Builds rules that belong to a card, a character or the game: triggers, modifiers, `whenever`, `is also`, `allow` and
// `forbid`.
#include "compiler/sema/rules/rules.h"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>

#include "compiler/sema/operations/locals.h"
#include "compiler/sema/operations/pieces.h"
#include "compiler/sema/operations/type_relations.h"
#include "compiler/sema/declarations/declarations.h"
#include "compiler/sema/expressions/arguments.h"
#include "compiler/sema/expressions/comparisons.h"
#include "compiler/sema/expressions/expressions.h"
#include "compiler/sema/expressions/sets.h"
#include "compiler/sema/expressions/type_names.h"
#include "compiler/sema/operations/bounds.h"
#include "compiler/sema/operations/convert.h"
#include "compiler/sema/operations/logic.h"
#include "compiler/sema/operations/narrowing.h"
#include "compiler/sema/operations/records.h"
#include "compiler/sema/rules/actions.h"
#include "compiler/sema/rules/callables.h"
#include "compiler/sema/rules/departed_cards.h"
#include "compiler/sema/rules/timing.h"
#include "compiler/sema/statements/statements.h"
#include "compiler/sema/symbols/card_types.h"
#include "compiler/sema/symbols/components.h"
#include "compiler/sema/symbols/errors.h"
#include "compiler/sema/symbols/make.h"
#include "compiler/sema/symbols/types.h"

namespace cardwright::sema {

static void record_pattern(RuleContext& rule, const Node* e, const Callable::Whole& whole, model::Pattern* fields);

static bool mentions_me(const Node* node) {
  return node &&
         ((node->kind == NodeKind::name_ref && (node->text == "me" || node->text == "others")) ||
          std::any_of(node->children.begin(), node->children.end(), [](const Node* c) { return mentions_me(c); }));
}

// Returns the type of the card that carries this rule.
static Type carrying_type(const SemaContext& sema, const Decl& d) {
  if (d.carrier.kinds.empty()) return card_type();
  if (d.owner && d.owner->kind == NodeKind::card_type)
    return card_type(sema.names.card_types.find(d.owner->text)->second);
  std::vector<Int> kinds;
  for (const model::KindId k : d.carrier.kinds) kinds.push_back(Int{k.index});
  return card_of_kinds(sema, kinds);
}

void start_rule(RuleContext& rule, const Decl& d, Body& body, model::RuleHead& head, std::string name) {
  rule.body = &body;
  rule.droppable = true;
  rule.borrowed = d.borrowed;
  rule.carrier = d.carrier;
  rule.owner = d.owner;
  head.carrier = d.carrier;
  head.precedence = d.precedence;
  head.name = std::move(name);
  head.range = name_range(rule.sema, d.node);
  rule.force = d.force;
  const bool of_player = d.carrier.kind == CarrierKind::character || (d.force && mentions_me(d.force)) ||
                         (d.carrier.kind == CarrierKind::card && d.carrier.zone.valid() &&
                          rule.model.zones[d.carrier.zone.index].has_owner());
  if (of_player) head.me = rule.me = add_local(rule, "me", player_type(), d.node->range);
  if (d.carrier.kind == CarrierKind::card) {
    head.self = rule.self = add_local(rule, "this", carrying_type(rule.sema, d), d.node->range);
    if (!may_have_left(rule.sema, d.node)) narrow_own_place(rule);
  }
}

// Builds the condition of a rule, combined with the conditions of its patterns.
const Expr* rule_condition(RuleContext& rule, const Node* when) {
  const Expr* all = nullptr;
  for (const Expr* c : rule.pattern_conditions) all = all ? both(rule.sema, all, c) : c;
  rule.pattern_conditions.clear();
  if (rule.force) {
    Pure pure(rule);
    const Expr* c = condition(rule, rule.force);
    if (is_poison(c)) return c;
    all = all ? both(rule.sema, c, all) : c;
  }
  if (all) narrow(rule, all, true);
  if (!when) return all;
  Pure pure(rule);
  const Expr* c = condition(rule, when);
  narrow(rule, c, true);
  if (!all) return c;
  Expr* e = make(rule.sema, ExprKind::logical_and, boolean_type(), when->range, {all, c});
  return is_poison(c) ? c : e;
}

// Returns whether a name in a pattern refers to an existing value. If not, the pattern binds a new name.
static bool is_known_in_pattern(const RuleContext& rule, std::string_view name, const Type& type) {
  if (name == "me" || name == "this" || name == "active" || name == "here" || name == "true" || name == "false")
    return true;
  if (type.kind == TypeKind::enumeration) {
    auto it = rule.sema.names.constants.find(name);
    if (it != rule.sema.names.constants.end() &&
        std::any_of(it->second.begin(), it->second.end(), [&](const auto& c) { return c.first == type.ref; }))
      return true;
  }
  auto v = rule.sema.names.table_variables.find(name);
  if (v != rule.sema.names.table_variables.end() && same_type(rule.sema, rule.model.variables[v->second].type, type))
    return true;
  return find_binding(rule, name) || rule.sema.constants.declared.contains(name) ||
         rule.sema.options.chosen.contains(name);
}

// Builds the pattern for the player in `after trade(c) by E`. A new name is bound to that player.
static void acted_by(RuleContext& rule, const Node* by, const Callable& callable, std::string_view what,
                     model::Pattern& pattern) {
  if (!callable.hidden_me || callable.node) {
    error(rule.sema, "bad_pattern"_code, by->range, fmt::format("`{}` is not an action, so `by` can't be used", what),
          "to match a parameter, write it as an argument: `lose(by: me)`");
    return;
  }
  const bool named = by->kind == NodeKind::name_ref;
  if (named && by->text == "me" && rule.me.valid()) {
    pattern.kind = model::Pattern::Kind::equals;
    pattern.value = local(rule, rule.me, by->range);
    return;
  }
  pattern.kind = model::Pattern::Kind::binds;
  pattern.local = add_local(rule, "actor", player_type(), by->range);
  if (!rule.me.valid()) rule.me = pattern.local;
  const bool special =
      named && (by->text == "anyone" || by->text == "others" || by->text == "players" || by->text == "everyone");
  if (named && !special && !is_known_in_pattern(rule, by->text, player_type())) {
    rule.bindings.push_back({by->text, pattern.local, nullptr});
    return;
  }
  if (const Expr* c = is_by(rule, pattern.local, by); c && !is_poison(c)) rule.pattern_conditions.push_back(c);
}

// Builds the patterns for the implicit parameters: the acting player, and the card that has the action.
static void match_hidden(RuleContext& rule, const Callable& callable, const Node* whole, std::string_view what,
                         const Node* by, std::vector<model::Pattern>& out) {
  if (by) {
    model::Pattern unused;
    acted_by(rule, by, callable, what, out.empty() ? unused : out[0]);
  } else if (callable.hidden_me) {
    if (rule.me.valid()) {   // the event or action belongs to the rule's own carrier
      out[0].kind = model::Pattern::Kind::equals;
      out[0].value = local(rule, rule.me, whole->range);
    } else {   // any player can act; `me` is the acting player
      out[0].kind = model::Pattern::Kind::binds;
      out[0].local = rule.me = add_local(rule, "me", player_type(), whole->range);
    }
  }
  if (callable.hidden_this && !rule.self.valid() && !rule.borrowed) {
    out[1].kind = model::Pattern::Kind::binds;
    out[1].local = rule.self = add_local(rule, "this", callable.types[1], whole->range);
  }
}

// Handles a name that is not a value: a card kind, the name of a set of players, `_`, or a new name, which is bound.
static bool binds_name(RuleContext& rule, const Node* e, const Type& t, std::string_view parameter,
                       model::Pattern& pattern) {
  const std::string_view name = e->text;
  if (name == "_") return true;
  const bool kind_word =
      t.kind == TypeKind::card && (rule.sema.names.kinds.contains(name) || rule.sema.names.card_types.contains(name));
  const bool player_word = t.kind == TypeKind::player && rule.sema.names.constants.contains(name) &&
                           !rule.sema.names.table_variables.contains(name);
  if (kind_word || player_word) {
    pattern.kind = model::Pattern::Kind::binds;
    pattern.local = add_local(rule, fmt::format("{} ", parameter), without_none(t), e->range);
    const Expr* l = local(rule, pattern.local, e->range);
    if (t.optional)
      rule.pattern_conditions.push_back(
          negated(rule.sema, make(rule.sema, ExprKind::is_none, boolean_type(), e->range, {l})));
    const Expr* is = is_kind(rule, l, {e}, e->range);
    if (!is_poison(is)) rule.pattern_conditions.push_back(is);
    return true;
  }
  if (!is_known_in_pattern(rule, name, t)) {
    pattern.kind = model::Pattern::Kind::binds;
    if (rule.sema.collected.absent.contains(name) && !std::islower(static_cast<unsigned char>(name[0]))) {
      rule.dropped = true;
      return true;
    }
    pattern.local = bind(rule, name, t, e->range);
    return true;
  }
  return false;
}

static void matches_value(RuleContext& rule, const Node* e, const Type& t, const std::string& parameter,
                          model::Pattern& pattern) {
  const Expr* value = expr(rule, e, &t);
  if (is_poison(value)) return;
  pattern.kind = model::Pattern::Kind::equals;
  Type wanted = t;
  wanted.optional = true;
  if (t.kind == TypeKind::set || t.kind == TypeKind::list) {
    error(rule.sema, "bad_pattern"_code, e->range,
          fmt::format("a {} can't be matched", t.kind == TypeKind::set ? "set" : "list"),
          "bind it to a name and write a condition after `when`");
    return;
  }
  pattern.value = to_compare(rule, value, wanted, parameter);
  if (is_poison(pattern.value)) {
    pattern = {};
  } else if (!t.optional && pattern.value->type.optional) {
    if (std::string key = key_of(pattern.value); !key.empty()) rule.narrowed.push_back(std::move(key));
  }
}

std::vector<model::Pattern> patterns(RuleContext& rule, const Node* list, const Callable& callable, const Node* whole,
                                     std::string_view what, const Node* by) {
  const std::size_t hidden = callable.hidden();
  std::vector<model::Pattern> out(callable.names.size());
  rule.pattern_conditions.clear();
  match_hidden(rule, callable, whole, what, by, out);
  if (!list) return out;
  std::size_t at = hidden;
  for (const Node* p : list->children) {
    if (!p || !view::pattern(p).value()) continue;
    std::size_t i = at;
    if (!p->text.empty()) {
      i = callable.find(p->text, hidden);
      if (i == callable.names.size()) {
        used_otherwise(rule.sema, callable, "bad_pattern"_code, p->range,
                       fmt::format("`{}` has no parameter `{}`", what, p->text), did_you_mean(p->text, callable.names));
        continue;
      }
    } else if (i >= callable.names.size()) {
      const std::size_t all = callable.count() - hidden;
      used_otherwise(rule.sema, callable, "bad_pattern"_code, p->range,
                     fmt::format("`{}` has {} parameter{}", what, all, all == 1 ? "" : "s"));
      // Binds the name, because the rest of the rule may use it.
      if (const Node* e = view::pattern(p).value(); e->kind == NodeKind::name_ref && e->text != "_")
        bind(rule, e->text, plain_type(TypeKind::poison), e->range);
      continue;
    }
    const Callable::Whole whole = callable.at(i);
    at = i + whole.fields;
    const Node* e = view::pattern(p).value();
    if (record_in(rule.sema, whole.type)) {
      record_pattern(rule, e, whole, &out[i]);
      continue;
    }
    const Type& t = callable.types[i];
    if (e->kind == NodeKind::name_ref && binds_name(rule, e, t, callable.names[i], out[i])) continue;
    matches_value(rule, e, t, callable.names[i], out[i]);
  }
  return out;
}

// Builds the patterns for a record parameter. A record can only be bound to a name or ignored.
static void record_pattern(RuleContext& rule, const Node* e, const Callable::Whole& whole, model::Pattern* fields) {
  const bool named = e->kind == NodeKind::name_ref;
  if (named && e->text == "_") return;
  if (!named || is_known_in_pattern(rule, e->text, whole.type) || rule.sema.records.of_table.contains(e->text)) {
    error(rule.sema, "bad_pattern"_code, e->range, "a record can't be matched",
          "bind it to a name and write a condition after `when`");
    return;
  }
  const Expr* value =
      spread(rule.sema, whole.name, whole.type, e->range, [&](const std::string& name, const Type& type) {
        fields->kind = model::Pattern::Kind::binds;
        fields->local = add_local(rule, name, type, e->range);
        return local(rule, (fields++)->local, e->range);
      });
  rule.bindings.push_back({e->text, LocalId{}, value});
}

static void build_modifier(SemaContext& sema, const Decl& d, std::uint32_t value) {
  const Node* n = d.node;
  model::Modifier m;
  m.how = static_cast<model::ModifyHow>(n->number);
  RuleContext rule(sema);
  start_rule(rule, d, m.body, m.head, rule_name(sema, fmt::format("modify {}", n->text), d));
  rule.pure = true;
  m.patterns = patterns(rule, view::modify_decl(n).patterns(), sema.rules.values[value], n, n->text);
  m.head.when = rule_condition(rule, view::modify_decl(n).when());
  build_value(sema, value);
  const Callable& of = sema.rules.values[value];
  const Type t = of.part.empty() ? sema.model.values[value].result : of.gives;
  if (t.kind == TypeKind::poison || t.kind == TypeKind::nothing) return;
  if (m.how != model::ModifyHow::to && t.kind != TypeKind::integer) {
    error(sema, "wrong_type"_code, name_range(sema, n),
          fmt::format("`{}` has type `{}`, but `by`, `at least` and `at most` only apply to integers", n->text,
                      show(sema, t)),
          "write `to`");
    return;
  }
  if (sema.model.values[value].timing && m.how == model::ModifyHow::to)
    rule.timed = timed_by(rule, m.patterns[0], n->range);
  // The amount of `by` need not be in the range of the result.
  const Type amount = m.how == model::ModifyHow::to ? t : of_any_size(t);
  const Expr* e = convert_in_bounds(rule, expr(rule, view::modify_decl(n).amount(), &amount), amount, n->text,
                                    result_name(n->text));
  m.amount = field_at(sema, e, of.part);
  if (m.how == model::ModifyHow::by && m.amount && m.amount->kind == ExprKind::constant && m.amount->value == 0)
    warn_if(sema, "without_effect"_code, n->range, true, fmt::format("adding 0 to `{}` has no effect", n->text));

  if (rule.dropped || is_poison(m.amount)) return;
  if (m.head.when && is_poison(m.head.when)) return;
  sema.model.values[value].modifiers.push_back(std::move(m));
}

void ensure_modifiers(SemaContext& sema, std::uint32_t value) {
  if (sema.rules.modifiers_built[value]) return;
  sema.rules.modifiers_built[value] = 1;
  for (const Decl& d : sema.rules.value_modifiers[value]) build_modifier(sema, d, value);
}

std::vector<std::uint32_t> events_named(const SemaContext& sema, std::string_view name, bool phase) {
  if (!phase)
    if (auto it = sema.names.events.find(name); it != sema.names.events.end()) return it->second;
  if (auto it = sema.names.phases.find(name); phase && it != sema.names.phases.end()) return it->second;
  if (auto it = sema.actions.events.find(name); !phase && it != sema.actions.events.end()) return it->second;
  return {};
}

static void build_trigger(SemaContext& sema, const Decl& d, std::uint32_t event) {
  const Node* n = d.node;
  model::Handler h;
  const int hook = n->number & 3;
  h.hook = hook == 0 ? model::Hook::before : hook == 1 ? model::Hook::after : model::Hook::instead;
  const char* words[] = {"before ", "after ", "instead of "};
  RuleContext rule(sema);
  start_rule(rule, d, h.body, h.head, rule_name(sema, std::string(words[hook]) + std::string(n->text), d));
  rule.event = event;
  rule.late = hook == 1;
  rule.instead = hook == 2;
  rule.result = hook == 2 ? sema.model.events[event].result : Type{};
  rule.result_of = n->text;
  rule.in_turn = sema.model.events[event].kind == model::EventKind::turn ||
                 sema.model.events[event].kind == model::EventKind::phase;
  h.patterns = patterns(rule, view::trigger_decl(n).patterns(), sema.rules.events[event], n, n->text,
                        view::trigger_decl(n).by());
  h.head.when = rule_condition(rule, view::trigger_decl(n).when());
  h.body.block = effect_of(rule, [&](Block& block) { statements(rule, view::trigger_decl(n).effect(), block); });
  h.body.present = true;
  if (rule.dropped) return;
  if (hook == 2 && (!view::trigger_decl(n).effect() || view::trigger_decl(n).effect()->children.empty())) {
    error(sema, "empty_instead"_code, first_word(sema, n), fmt::format("empty `instead of {}`", n->text),
          "to prevent the event, write `cancel`");
    return;
  }
  if (hook == 2) {
    const Type& t = sema.model.events[event].result;
    if (t.kind != TypeKind::nothing && t.kind != TypeKind::poison && !t.optional && t.kind != TypeKind::set &&
        sema.model.events[event].kind == model::EventKind::plain && !leaves(h.body.block))
      error(sema, "no_result"_code, name_range(sema, n),
            fmt::format("`{}` returns `{}`, but this can end without a `return`", n->text, show(sema, t)));
  }
  if (h.head.when && is_poison(h.head.when)) return;
  h.own_card_parameter = own_card_parameter(h);
  sema.model.events[event].handlers.push_back(std::move(h));
}

// Reports an unknown card kind, as in `after play Wsap { }`.
static void no_such_play(SemaContext& sema, const Node* trigger) {
  std::vector<std::string> names;
  for (const Table* t : {&sema.names.kinds, &sema.names.card_types})
    for (const auto& [name, id] : *t) names.push_back(name);
  const bool known = sema.names.kinds.contains(trigger->text) || sema.names.card_types.contains(trigger->text);
  error(sema, "unknown_name"_code, name_range(sema, trigger),
        known ? fmt::format("`{}` is never played", trigger->text)
              : fmt::format("unknown card or card type `{}`", trigger->text),
        known ? "declare the window in which it is played: `play in main { … }`" : did_you_mean(trigger->text, names));
}

std::vector<std::uint32_t> actions_meant(SemaContext& sema, const Node* n) {
  if ((n->number & 8) && view::trigger_decl(n).windows())
    for (const Node* w : view::trigger_decl(n).windows()->children)
      if (w && w->text != "any window" && !sema.names.windows.contains(w->text) &&
          !sema.collected.absent.contains(w->text)) {
        std::vector<std::string> names;
        for (const auto& [name, id] : sema.names.windows) names.push_back(name);
        error(sema, "unknown_name"_code, w->range, fmt::format("unknown window `{}`", w->text),
              did_you_mean(w->text, names));
      }
  std::vector<std::uint32_t> found = actions_watched(sema, n);
  if ((n->number & 16) && found.empty() && !sema.collected.absent.contains(n->text)) no_such_play(sema, n);
  return found;
}

void no_such_event(SemaContext& sema, const Node* n) {
  if (sema.collected.absent.contains(n->text)) return;
  const bool phase = n->number & 4;
  std::vector<std::string> names{"turn", "round"};
  for (const auto& [name, ids] : phase ? sema.names.phases : sema.names.events) names.push_back(name);
  std::string help = did_you_mean(n->text, names);
  if (!phase && sema.names.phases.contains(n->text)) help = fmt::format("it is a phase: write `phase {}`", n->text);
  if (phase && sema.names.events.contains(n->text)) help = fmt::format("it is an event: remove `phase`");
  const std::string message = n->text == "turn" || n->text == "round"
                                  ? fmt::format("unknown event `{0}`: the game has no {0}s", n->text)
                              : phase ? fmt::format("unknown phase `{}`", n->text)
                                      : fmt::format("unknown event `{}`", n->text);
  error(sema, "unknown_name"_code, name_range(sema, n), message, help);
}

void build_triggers(SemaContext& sema) {
  for (const Decl& d : sema.rules.triggers) {
    const Node* n = d.node;
    if (n->number & 24) {
      for (std::uint32_t a : actions_meant(sema, n)) build_trigger(sema, d, sema.actions.wrapped.at(a));
      continue;
    }
    const std::vector<std::uint32_t> events = events_named(sema, n->text, n->number & 4);
    if (events.empty()) {
      no_such_event(sema, n);
      continue;
    }
    sema.used.insert(std::string(n->text));
    for (std::uint32_t e : events) build_trigger(sema, d, e);
  }
}

void build_whenever(SemaContext& sema, const Decl& d) {
  const Node* n = d.node;
  model::Whenever w;
  RuleContext rule(sema);
  start_rule(rule, d, w.body, w.head, rule_name(sema, "whenever", d));
  if (!n->text.empty()) {
    const Type t = type_or_poison(sema, view::whenever_decl(n).type());
    if (t.kind != TypeKind::player && t.kind != TypeKind::enumeration && t.kind != TypeKind::poison)
      error(sema, "unsupported"_code, name_range(sema, n), "the parameter of a `whenever` must be a player or an enum");
    w.subject = bind(rule, n->text, t, n->range);
  }
  {
    Pure pure(rule);
    w.head.when = condition(rule, view::whenever_decl(n).condition());
    if (rule.force) w.head.when = both(sema, condition(rule, rule.force), w.head.when);
    narrow(rule, w.head.when, true);
  }
  w.body.block = effect_of(rule, [&](Block& block) { statements(rule, view::whenever_decl(n).effect(), block); });
  w.body.present = true;
  if (!rule.dropped && !is_poison(w.head.when)) sema.model.whenevers.push_back(std::move(w));
}

void build_also(SemaContext& sema, const Decl& d) {
  const Node* n = d.node;
  model::Also a;
  Body body;
  RuleContext rule(sema);
  start_rule(rule, d, body, a.head,
             rule_name(sema,
                       fmt::format("{} is also {}", n->text,
                                   view::also_decl(n).counts_as() ? view::also_decl(n).counts_as()->text : ""),
                       d));
  rule.pure = true;
  const auto missing = [&](std::string_view name, Range range) {
    if (sema.collected.absent.contains(name)) return;
    std::vector<std::string> names;
    for (const auto& [k, id] : sema.names.kinds) names.push_back(k);
    error(sema, "unknown_name"_code, range, fmt::format("unknown card `{}`", name), did_you_mean(name, names));
  };
  if (auto k = sema.names.kinds.find(n->text); k != sema.names.kinds.end() && k->second != ~0u)
    a.kinds = {model::KindId{k->second}};
  else if (auto t = sema.names.card_types.find(n->text); t != sema.names.card_types.end())
    for (Int kind : kinds_of_type(sema, t->second)) a.kinds.push_back({static_cast<std::uint32_t>(kind)});
  else
    return missing(n->text, n->range);
  const Node* other = view::also_decl(n).counts_as();
  auto k = other ? sema.names.kinds.find(other->text) : sema.names.kinds.end();
  if (k == sema.names.kinds.end() || k->second == ~0u)
    return missing(other ? other->text : "", other ? other->range : n->range);
  a.counts_as = model::KindId{k->second};
  if (!rule.me.valid() || rule.force) {
    error(sema, "no_subject_in_scope"_code, first_word(sema, n), "no player in scope for `is also`",
          "move it into a character, or into a card in a player's zone");
    return;
  }
  auto w = zone_place(rule, view::also_decl(n).place(), true);
  if (!w) return;
  if (!w->place.owner || w->place.owner->kind != ExprKind::local || w->place.owner->local != rule.me) {
    error(sema, "bad_zone"_code, view::also_decl(n).place()->range, "expected a zone of `me`",
          "write `Miss in me.hand is also Splash`");
    return;
  }
  a.zone = w->place.zone;

  if (!rule.dropped) sema.model.alsos.push_back(std::move(a));
}

std::optional<model::GroupId> named_group(SemaContext& sema, const Node* named) {
  const auto of = group(sema, named->text, false);
  sema.used.insert("group " + std::string(named->text));
  if (!of) {
    if (!sema.collected.absent.contains(named->text)) {
      std::vector<std::string> names;
      for (const auto& [g, id] : sema.names.groups) names.push_back(g);
      error(sema, "unknown_name"_code, named->range, fmt::format("unknown action group `{}`", named->text),
            did_you_mean(named->text, names));
    }
    return std::nullopt;
  }
  return of;
}

std::vector<std::uint32_t> named_actions(SemaContext& sema, std::string_view named, const Node* what,
                                         const std::optional<model::GroupId>& of) {
  std::vector<std::uint32_t> found;
  for (std::uint32_t i = 0; i < sema.model.actions.size(); ++i) {
    const model::Action& a = sema.model.actions[i];
    if (of && std::find(a.groups.begin(), a.groups.end(), *of) == a.groups.end()) continue;
    if (named == "any action") {
      found.push_back(i);
    } else if (named == "play") {
      if (!a.play) continue;
      if (what) {
        auto k = sema.names.kinds.find(what->text);
        auto t = sema.names.card_types.find(what->text);
        const bool is =
            (k != sema.names.kinds.end() && a.kind.index == k->second) ||
            (t != sema.names.card_types.end() && is_a(sema, sema.model.kinds[a.kind.index].type.index, t->second));
        if (!is) continue;
      }
      found.push_back(i);
    } else if (!a.play && a.name == named) {
      found.push_back(i);
    }
  }
  if (named == "play" && found.empty() && sema.names.actions.contains("play"))
    found = sema.names.actions.find("play")->second;
  return found;
}

void report_no_action(SemaContext& sema, const Node* n, const Node* what) {
  const bool play = n->text == "play" && what;
  const std::string_view name = play ? what->text : n->text;
  if (sema.collected.absent.contains(name)) return;
  std::vector<std::string> names;
  if (play)
    for (const auto& [kind, id] : sema.names.kinds) names.push_back(kind);
  else
    for (const auto& [a, ids] : sema.names.actions) names.push_back(a);
  error(sema, "unknown_name"_code, what ? what->range : n->range,
        n->text == "any action" || (play && sema.names.kinds.contains(name))
            ? "this matches no action"
            : fmt::format("unknown {} `{}`", play ? "card" : "action", name),
        did_you_mean(name, names));
}

std::vector<model::Pattern> argument_patterns(RuleContext& rule, const Node* n, const Node* list,
                                              const model::Action& a) {
  Callable c;
  std::optional<std::size_t> self;   // index of the parameter for the card that has the play or action
  for (std::size_t i = 0; i < a.parameters.size(); ++i) {
    const model::ActionParameter& p = a.parameters[i];
    if (p.local == a.head.self) {
      self = i;
      continue;
    }
    c.names.push_back(p.name);
    c.types.push_back(p.count == model::PickCount::one ? p.type : set_type(p.type));
  }
  std::vector<model::Pattern> all = patterns(rule, list, c, n, n->text);
  if (self) all.insert(all.begin() + static_cast<std::ptrdiff_t>(*self), model::Pattern{});
  return all;
}

// Builds a `forbid` or `allow` of these actions. Patterns are possible only for a single action, because each action
// has its own parameters.
static void build_forbid_of(SemaContext& sema, const Decl& d, const std::vector<std::uint32_t>& actions) {
  const Node* n = d.node;
  const view::forbid_decl its(n);
  model::Forbid f;
  f.allow = n->number == 1;
  RuleContext rule(sema);
  start_rule(rule, d, f.body, f.head, rule_name(sema, f.allow ? "allow" : "forbid", d));
  rule.pure = true;
  const bool of_no_player = d.carrier.kind == CarrierKind::none || d.carrier.zone.valid();
  if (!f.head.me.valid() && of_no_player)   // if no player carries the rule, `me` is the acting player
    f.head.me = rule.me = add_local(rule, "me", player_type(), d.node->range);
  for (std::uint32_t i : actions) f.actions.push_back({i});
  if (its.patterns() && !its.patterns()->children.empty())
    f.patterns = argument_patterns(rule, n, its.patterns(), sema.model.actions[actions[0]]);
  f.head.when = rule_condition(rule, its.when());
  if (!rule.dropped && !(f.head.when && is_poison(f.head.when))) sema.model.forbids.push_back(std::move(f));
}

void build_forbid(SemaContext& sema, const Decl& d) {
  const view::forbid_decl its(d.node);
  std::optional<model::GroupId> of;
  if (its.group() && !(of = named_group(sema, its.group()))) return;
  const std::vector<std::uint32_t> found = named_actions(sema, d.node->text, its.what(), of);
  if (found.empty()) return report_no_action(sema, d.node, its.what());
  if (!its.patterns() || its.patterns()->children.empty()) return build_forbid_of(sema, d, found);
  // A card can have several plays, each with its own parameters.
  const std::size_t before = sema.errors;
  for (const std::uint32_t a : found)
    if (sema.errors == before) build_forbid_of(sema, d, {a});
}

}   // namespace cardwright::sema
