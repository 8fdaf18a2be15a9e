// Builds `measure` declarations. Like a trigger, a measure observes events or actions, but it has no effect on the
// game.
#include "compiler/sema/rules/measures.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "compiler/sema/operations/locals.h"
#include "compiler/sema/operations/type_relations.h"
#include "compiler/analysis/causes.h"
#include "compiler/analysis/effects.h"
#include "compiler/analysis/orders.h"
#include "compiler/model/views.h"
#include "compiler/sema/declarations/declarations.h"
#include "compiler/sema/expressions/expressions.h"
#include "compiler/sema/operations/convert.h"
#include "compiler/sema/rules/rules.h"
#include "compiler/sema/symbols/errors.h"
#include "compiler/sema/symbols/make.h"
#include "compiler/sema/symbols/types.h"

namespace cardwright::sema {

using model::Measure;
using model::Measured;
using model::MeasureKey;
using model::Moment;
using model::MomentKind;
using model::Span;

namespace {

enum : std::int64_t { kBefore = 1, kAfter, kLate, kWrong, kEach, kAtEnd };
std::int64_t moment_in(const Node* n) { return n->number >> 3; }
Measured measured_in(const Node* n) { return static_cast<Measured>(n->number & 7); }

MomentKind moment_kind(const Node* n) {
  constexpr MomentKind kinds[] = {MomentKind::after, MomentKind::before, MomentKind::after, MomentKind::late,
                                  MomentKind::wrong, MomentKind::after,  MomentKind::end};
  return kinds[moment_in(n)];
}

// Returns whether the measure is declared in one of the author's files rather than in the standard library.
bool is_own(const SemaContext& sema, const Decl& d) { return !sema.ruleset.units[d.unit].standard; }

}   // namespace

const Node* watched_by(const Decl& measure) { return view::measure_decl(measure.node).watched(); }

bool makes_events(const Decl& measure) {
  return moment_in(measure.node) == kBefore || moment_in(measure.node) == kAfter;
}

bool is_asked_for(const SemaContext& sema, const Decl& measure) {
  return std::any_of(
      sema.configuration.measures.begin(), sema.configuration.measures.end(), [&](const std::string& asked) {
        return asked == measure.node->text || asked == "all" || (asked == "own" && is_own(sema, measure));
      });
}

// ---- keys

// Returns a key of this type, with its label and number of cells. If the type can't be a key, reports an error and
// returns nullopt.
static std::optional<MeasureKey> key_of_type(SemaContext& sema, const Node* node, const Type& type) {
  MeasureKey key{.name = std::string(sema.diagnostics.sources().text(node->range)), .type = type};
  const auto refuse = [&](std::string message, std::string help) {
    error(sema, "bad_measure_key"_code, node->range, std::move(message), std::move(help));
    return std::nullopt;
  };
  if (type.kind == TypeKind::poison) return std::nullopt;
  switch (type.kind) {
    case TypeKind::player: key.count = sema.players; break;
    case TypeKind::enumeration: key.count = static_cast<Int>(sema.model.enums[type.ref].constants.size()); break;
    case TypeKind::boolean: key.count = 2; break;
    case TypeKind::card:
    case TypeKind::kind: key.count = static_cast<Int>(sema.model.kinds.size()); break;
    case TypeKind::integer:
      if (type.hi - type.lo >= model::kMostMeasureCells)
        return refuse(fmt::format("`{}` can be {}, but a measure has at most {} cells", key.name,
                                  type.hi >= kUnlimited || type.lo <= -kUnlimited
                                      ? "any integer"
                                      : fmt::format("one of {} integers", type.hi - type.lo + 1),
                                  model::kMostMeasureCells),
                      "declare a range for the variable or parameter: `n: 0..20`; or measure its `mean`");
      key.first = type.lo;
      key.count = type.hi - type.lo + 1;
      break;
#include "compiler/model/cases_of_non_scalars.def"
      return refuse(
          fmt::format("`{}` has type `{}`, which can't be a key; a key is a player, an enum constant, a kind of card, "
                      "a bool or an integer in a small range",
                      key.name, show(sema, type)),
          type.kind == TypeKind::set ? fmt::format("write `per p in {}` to count each element", key.name) : "");
  }
  if (type.optional) ++key.count;
  return key;
}

// Returns the span that `turn` or `round` denotes, unless a local variable has that name.
static Span span_of(const RuleContext& rule, const Node* key) {
  if (key->kind != NodeKind::name_ref || find_binding(rule, key->text)) return Span::game;
  return key->text == "turn" ? Span::turn : key->text == "round" ? Span::round : Span::game;
}

static bool is_generator(const Node* key) {
  return key->kind == NodeKind::binary && key->text == "in" && view::binary(key).left() &&
         view::binary(key).left()->kind == NodeKind::name_ref;
}

static bool has_span(SemaContext& sema, Span span, const Node* at) {
  const bool there = !events_named(sema, span == Span::turn ? "turn" : "round", false).empty();
  if (!there && !sema.collected.absent.contains(at->text))
    error(sema, "unknown_name"_code, at->range, fmt::format("unknown key `{0}`: the game has no {0}s", at->text));
  return there;
}

// A moment whose keys and value are being read.
struct Reading {
  RuleContext& rule;
  const Node* node;
  Moment& moment;
  std::vector<std::optional<MeasureKey>> keys;   // in source order; unset for `turn`, for `round`, and after an error
};

// Reads the keys of the form `p in S`. They are read first, because the other keys and the condition can use p.
static void read_generators(Reading& of) {
  RuleContext& rule = of.rule;
  const auto written = view::measure_decl(of.node).keys()->children;
  of.keys.resize(written.size());
  of.moment.keys.resize(written.size());
  for (std::size_t i = 0; i < written.size(); ++i) {
    if (!written[i] || !is_generator(written[i])) continue;
    const view::binary in(written[i]);
    const Expr* domain = set(rule, in.right());
    if (is_poison(domain)) continue;
    const Type element = element_type(domain->type);
    of.keys[i] = key_of_type(rule.sema, in.left(), element);
    model::KeyValue& key = of.moment.keys[i];
    key.domain = domain;
    key.each = bind(rule, in.left()->text, element, in.left()->range);
    key.value = local(rule, key.each, in.left()->range);
  }
}

static void read_keys(Reading& of) {
  RuleContext& rule = of.rule;
  const auto written = view::measure_decl(of.node).keys()->children;
  for (std::size_t i = 0; i < written.size(); ++i) {
    if (!written[i] || is_generator(written[i]) || span_of(rule, written[i]) != Span::game) continue;
    const Expr* value = expr(rule, written[i]);
    if (is_poison(value)) continue;
    const bool is_some = value->type.optional && is_narrowed(rule, value);
    of.keys[i] = key_of_type(rule.sema, written[i], is_some ? without_none(value->type) : value->type);
    of.moment.keys[i].value = value;
  }
}

// Reads the expression that is summed or averaged, and its unit.
static void read_value(Reading& of, Measure& measure) {
  const Node* value = view::measure_decl(of.node).value();
  if (!value) return;
  if (measure.what == Measured::share) {
    of.moment.value = condition(of.rule, value);
    return;
  }
  of.moment.value = to_amount(of.rule, expr(of.rule, value));
  if (!is_poison(of.moment.value)) measure.duration = is_duration(of.moment.value->type);
}

// ---- moments

// Returns the parameters of an action, in the order of the event that the action becomes: `me`, `this`, then the
// action's own parameters.
static Callable callable_of(const model::Action& action) {
  Callable c;
  c.hidden_me = true;
  const auto add = [&](std::string_view name, LocalId local) {
    c.names.emplace_back(name);
    c.types.push_back(action.body.locals[local.index].type);
  };
  add("me", action.head.me);
  if (action.head.self.valid()) add("this", action.head.self), c.hidden_this = true;
  for (const model::ActionParameter& p : action.parameters)
    if (p.local != action.head.self) add(p.name, p.local);
  return c;
}

struct Target {
  std::optional<std::uint32_t> event, action;
};

// Returns the events or actions that the measure observes. Reports an error if there are none.
static std::vector<Target> targets(SemaContext& sema, const Node* n) {
  const Node* of = view::measure_decl(n).watched();
  const std::int64_t when = moment_in(n);
  const bool landing = when == kLate || when == kWrong;
  std::vector<Target> found;
  const auto add_actions = [&](const std::vector<std::uint32_t>& actions) {
    for (const std::uint32_t a : actions) {
      const auto event = sema.actions.wrapped.find(a);
      if (event == sema.actions.wrapped.end() || landing)
        found.push_back({.action = a});
      else
        found.push_back({.event = event->second});
    }
  };
  if (of->number & 24) {
    add_actions(actions_meant(sema, of));
    return found;
  }
  const auto actions = sema.names.actions.find(of->text);
  const bool phase = of->number & 4;
  const bool is_action = !phase && actions != sema.names.actions.end();
  if (landing) {
    if (is_action)
      add_actions(actions->second);
    else if (!sema.collected.absent.contains(of->text)) {
      std::vector<std::string> names;
      for (const auto& [name, ids] : sema.names.actions) names.push_back(name);
      error(sema, "unknown_name"_code, name_range(sema, of),
            sema.names.events.contains(of->text)
                ? fmt::format("`{}` is not an action, so it can't be late or wrong", of->text)
                : fmt::format("unknown action `{}`", of->text),
            did_you_mean(of->text, names));
    }
    return found;
  }
  if (!phase && is_action && !sema.names.events.contains(of->text)) {
    add_actions(actions->second);
    return found;
  }
  for (const std::uint32_t e : events_named(sema, of->text, phase)) found.push_back({.event = e});
  if (found.empty()) no_such_event(sema, of);
  return found;
}

// Returns whether the action can be late (because it takes time) or wrong (because it can be tried when it is not
// allowed). The result can depend on the options.
static bool can_fail(const SemaContext& sema, std::uint32_t action) {
  const model::Action& a = sema.model.actions[action];
  if (a.has_late || a.has_wrong || a.takes) return true;
  for (std::uint32_t w = 0; w < sema.model.windows.size(); ++w)
    if ((sema.model.windows[w].race || sema.model.windows[w].at_once) && model::is_in(a, model::WindowId{w}))
      return true;
  return false;
}

static std::optional<Moment> read_moment(SemaContext& sema, const Decl& d, const Target& at, Measure& measure,
                                         std::vector<std::optional<MeasureKey>>& keys) {
  const Node* n = d.node;
  const Node* of = view::measure_decl(n).watched();
  Moment moment;
  RuleContext rule(sema);
  start_rule(rule, d, moment.body, moment.head, rule_name(sema, "measure " + measure.name, d));
  rule.pure = true;
  rule.late = measure.when != MomentKind::before;
  if (at.event) {
    moment.event = model::EventId{*at.event};
    const model::EventKind kind = sema.model.events[*at.event].kind;
    rule.event = at.event;
    rule.in_turn = kind == model::EventKind::turn || kind == model::EventKind::phase;
    moment.patterns = patterns(rule, view::trigger_decl(of).patterns(), sema.rules.events[*at.event], of, of->text,
                               view::trigger_decl(of).by());
  } else if (at.action) {
    moment.action = model::ActionId{*at.action};
    moment.patterns = patterns(rule, view::trigger_decl(of).patterns(), callable_of(sema.model.actions[*at.action]), of,
                               of->text, view::trigger_decl(of).by());
  }
  moment.head.me = rule.me;
  moment.head.self = rule.self;
  Reading reading{rule, n, moment, {}};
  read_generators(reading);
  moment.head.when = rule_condition(rule, view::measure_decl(n).when());
  read_keys(reading);
  read_value(reading, measure);
  if (rule.dropped) return std::nullopt;
  keys = std::move(reading.keys);
  if ((moment.head.when && is_poison(moment.head.when)) || (view::measure_decl(n).value() && is_poison(moment.value)))
    return std::nullopt;
  return moment;
}

// Checks that the keys have the same types as for the first event or action. Otherwise, the cells of the measure would
// differ.
static bool same_keys(SemaContext& sema, const Node* n, const std::vector<MeasureKey>& first,
                      const std::vector<MeasureKey>& others) {
  for (std::size_t i = 0; i < first.size(); ++i) {
    if (same_type(sema, without_none(first[i].type), without_none(others[i].type)) &&
        first[i].first == others[i].first && first[i].count == others[i].count)
      continue;
    error(sema, "bad_measure_key"_code, n->range,
          fmt::format("`{}` has type `{}` in one of the observed actions or events and `{}` in another", first[i].name,
                      show(sema, first[i].type), show(sema, others[i].type)),
          "declare one measure for each");
    return false;
  }
  return true;
}

// Reads `turn` and `round` among the keys, and the clause `each turn`.
static bool read_span(SemaContext& sema, const Node* n, Measure& measure) {
  const RuleContext no_rule(sema);
  bool right = true;
  const Node* first = nullptr;
  for (const Node* key : view::measure_decl(n).keys()->children) {
    const Span span = key ? span_of(no_rule, key) : Span::game;
    if (span == Span::game) continue;
    if (std::exchange(first, key)) {
      error(sema, "bad_measure_key"_code, key->range, "a measure can have only one `turn` or `round` key",
            "declare two measures");
      right = false;
    }
    right = has_span(sema, span, key) && right;
    measure.along = span;
    measure.per_span = true;
  }
  if (moment_in(n) != kEach) return right;
  const Node* each = view::measure_decl(n).watched();
  if (each->text != "turn" && each->text != "round") {
    error(sema, "bad_measure_key"_code, each->range,
          fmt::format("expected `each turn` or `each round`, found `each {}`", each->text),
          "for an event, write `after`");
    return false;
  }
  const Span span = each->text == "turn" ? Span::turn : Span::round;
  if (!has_span(sema, span, each)) return false;
  if (!measure.per_span) measure.along = span;
  return right;
}

static void build_measure(SemaContext& sema, const Decl& d) {
  const Node* n = d.node;
  Measure measure;
  measure.name = n->text;
  if (const Node* label = view::measure_decl(n).label()) measure.label = label->text;
  measure.what = measured_in(n);
  measure.when = moment_kind(n);
  measure.asked = is_asked_for(sema, d);
  measure.range = name_range(sema, n);
  if (!read_span(sema, n, measure)) return;
  const std::vector<Target> at = watched_by(d) ? targets(sema, n) : std::vector<Target>{{}};
  if ((measure.when == MomentKind::late || measure.when == MomentKind::wrong) && !at.empty() &&
      std::none_of(at.begin(), at.end(), [&](const Target& t) { return can_fail(sema, *t.action); })) {
    error(sema, "never_lands"_code, watched_by(d)->range,
          fmt::format("`{}` is only offered to one player at a time, so it is never {}", watched_by(d)->text,
                      measure.when == MomentKind::late ? "late" : "wrong"),
          "`late` and `wrong` need a window with `in real time` or `at once`");
    return;
  }
  for (const Target& target : at) {
    std::vector<std::optional<MeasureKey>> keys;
    const std::size_t errors = sema.errors;
    auto moment = read_moment(sema, d, target, measure, keys);
    if (sema.errors > errors) return;
    if (!moment) continue;
    std::vector<MeasureKey> whole;
    std::vector<model::KeyValue> values;
    for (std::size_t i = 0; i < keys.size(); ++i)
      if (keys[i]) whole.push_back(*keys[i]), values.push_back(moment->keys[i]);
    moment->keys = std::move(values);
    if (measure.moments.empty())
      measure.keys = std::move(whole);
    else if (!same_keys(sema, n, measure.keys, whole))
      return;
    measure.moments.push_back(std::move(*moment));
  }
  if (measure.cells() > model::kMostMeasureCells)
    return void(error(
        sema, "bad_measure_key"_code, measure.range,
        fmt::format("`{}` has {} cells; the limit is {}", measure.name, measure.cells(), model::kMostMeasureCells),
        "remove a key, or use one with fewer values"));
  if (measure.moments.empty()) return;
  sema.model.measures.push_back(std::move(measure));
}

void build_measures(SemaContext& sema) {
  std::swap(sema.model.exprs, sema.model.measure_exprs);
  for (std::size_t i = 0; i < sema.rules.measures.size(); ++i) {
    const Decl& d = sema.rules.measures[i];
    const auto other = std::find_if(sema.rules.measures.begin(), sema.rules.measures.begin() + std::ptrdiff_t(i),
                                    [&](const Decl& x) { return x.node->text == d.node->text; });
    if (other != sema.rules.measures.begin() + std::ptrdiff_t(i))
      twice(sema, d.node, "measure", name_range(sema, other->node));
    else
      build_measure(sema, d);
  }
  std::swap(sema.model.exprs, sema.model.measure_exprs);
}

// ---- the state that measures can read

namespace {

// The data that the State must store because of the rules alone. Checks that expressions of measures read nothing else,
// so that a game runs in the same way with and without measures.
struct StoredState {
  explicit StoredState(const model::Model& of)
      : model(of),
        orders(analysis::orders_in(of)),
        known(analysis::zones_in_known_order(of)),
        attributes(analysis::attributes_read(of)) {}

  const model::Model& model;
  const analysis::Orders orders;
  const std::vector<bool> known, attributes;

  // Returns whether some cards of the same kind have different values of the attribute.
  bool varies_within_kind(std::uint32_t attribute) const {
    std::map<std::uint32_t, Int> first;
    return std::any_of(model.cards.begin(), model.cards.end(), [&](const model::Card& card) {
      return first.emplace(card.kind.index, card.attributes[attribute]).first->second != card.attributes[attribute];
    });
  }
  bool is_set_of_edges(const Type& t) const {
    return t.kind == TypeKind::set && t.elem && t.elem->kind == TypeKind::enumeration &&
           std::any_of(model.boards.begin(), model.boards.end(),
                       [&](const model::Board& b) { return !b.graph && b.edges.index == t.elem->ref; });
  }
  bool has_sets_of_edges() const {
    return std::any_of(model.exprs.begin(), model.exprs.end(), [&](const Expr& e) { return is_set_of_edges(e.type); });
  }
  // Returns the reason why a measure can't read the expression. Returns an empty string if it can.
  std::string refuses(const Expr& e) const {
    const bool looks =
        e.kind == ExprKind::zone_top || e.kind == ExprKind::zone_top_n || e.kind == ExprKind::zone_bottom;
    if (looks && !known[e.ref])
      return fmt::format("reading the top of `{}` draws a random card, so the measure would change the game",
                         model.zones[e.ref].name);
    if (looks && !orders.always.contains(e.ref))
      return fmt::format("no rule depends on the order of `{}`, so the game does not store it",
                         model.zones[e.ref].name);
    if (e.kind == ExprKind::attribute && model::view::attribute(e).of()->type.kind == TypeKind::card &&
        !attributes[e.ref] && varies_within_kind(e.ref))
      return fmt::format("no rule reads `{}`, so the game does not distinguish cards that differ only in it",
                         model.attributes[e.ref].name);
    if (is_set_of_edges(e.type) && !has_sets_of_edges())
      return "no rule uses a set of edges, so the game reserves no memory for one";
    return {};
  }
};

}   // namespace

void check_measures(SemaContext& sema) {
  if (sema.model.measures.empty()) return;
  const StoredState stored(sema.model);
  for (const Measure& measure : sema.model.measures) {
    bool reported = false;
    analysis::Causes causes(sema.model, {}, [&](const Expr& e) {
      if (reported) return;
      const std::string why = stored.refuses(e);
      if (why.empty()) return;
      reported = true;
      error(sema, "measure_of_unstored"_code, measure.range, why, "measure it at a moment when a rule reads it")
          .notes.push_back({e.range, "read here"});
    });
    for (const Moment& m : measure.moments) {
      causes.rule(m.head, m.patterns);
      for (const model::KeyValue& key : m.keys) causes.expr(key.domain), causes.expr(key.value);
      causes.expr(m.value);
    }
  }
}

}   // namespace cardwright::sema
