// Builds everything that concerns time: durations, latencies, the clauses of windows with `at once` or `in real time`,
// timers, and the clauses of actions that take time. docs/reference/language, "Time", describes the semantics.
#include "compiler/sema/rules/timing.h"

#include <algorithm>

#include <fmt/format.h>

#include "compiler/analysis/causes.h"
#include "compiler/sema/rules/actions.h"
#include "compiler/sema/expressions/calls.h"
#include "compiler/sema/declarations/components.h"
#include "compiler/sema/expressions/convert.h"
#include "compiler/sema/expressions/evaluate.h"
#include "compiler/sema/expressions/expressions.h"
#include "compiler/sema/options/fixed.h"
#include "compiler/sema/expressions/members.h"
#include "compiler/sema/expressions/names.h"
#include "compiler/sema/expressions/narrowing.h"
#include "compiler/sema/expressions/sets.h"
#include "compiler/sema/declarations/state.h"
#include "compiler/sema/statements/statements.h"
#include "compiler/sema/expressions/texts.h"
#include "compiler/sema/options/units.h"
#include "compiler/sema/checks/warnings.h"

namespace cardwright::sema {

struct TimerPlace {
  std::uint32_t timer;
  const Expr* owner;
};

static void missing_answer(RuleContext& rule, const Node* name, model::AtOnce& ask);
static std::vector<model::ActionId> actions_in_window(SemaContext& sema, const Node* name, std::uint32_t window);
static bool fits_window(const model::Action& action, std::uint32_t window);
static Body race_body(RuleContext& rule, const Node* list, std::uint32_t window, std::vector<Held>* held = nullptr);

// ---------------------------------------------------------------- durations

std::optional<Int> microseconds(SemaContext& sema, const Node* node) {
  const Int unit = node->text == "ms" ? 1'000 : node->text == "s" ? 1'000'000 : 60'000'000;
  const auto us = in_parts(sema, node, unit, true);
  if (us && *us > model::kLongest) {
    error(sema, Code::out_of_range, node->range, "the time is too long; the limit is 71 minutes");
    return std::nullopt;
  }
  return us;
}

static const Expr* duration(RuleContext& rule, const Node* node) {
  Type wanted = duration_type();
  return convert(rule, expr(rule, node, &wanted), wanted);
}

// Evaluates a duration that the host needs before the game.
static const Expr* constant_duration(RuleContext& rule, const Node* node) {
  const Expr* e = duration(rule, node);
  if (is_poison(e)) return nullptr;
  Frame frame;
  auto value = evaluate(rule.sema, *e, frame);
  if (value) return constant(rule.sema, duration_type(value->value, value->value), value->value, node->range);
  not_known(rule.sema, node->range, "this time must be constant");
  return nullptr;
}

// Builds `a..b`, `m spread 30%` and `m ± d`. They draw a number from the random stream of the player whose latency is
// computed.
const Expr* draw(RuleContext& rule, const Node* node) {
  if (!rule.timed) {
    error(rule.sema, Code::misplaced, node->range, "a random time is not allowed here",
          "it is allowed in `think`, `patience`, `sight`, `takes` and `then busy`");
    return poison(rule.sema, node->range);
  }
  const bool spread = node->text == "spread", uniform = node->kind == NodeKind::range_lit;
  const Node* first = uniform ? view::range_lit(node).lo() : view::binary(node).left();
  const Node* second = uniform ? view::range_lit(node).hi() : view::binary(node).right();
  const Expr* a = duration(rule, first);
  const Expr* b = spread ? integer(rule, second) : duration(rule, second);
  if (is_poison(a) || is_poison(b)) return poison(rule.sema, node->range);
  Expr* e = make(rule.sema, ExprKind::latency, duration_type(), node->range, {rule.timed, a, b});
  e->value = uniform ? 0 : spread ? 1 : 2;
  return e;
}

static const Expr* latency(RuleContext& rule, const Node* node) {
  const view::latency its(node);
  const Expr* e = duration(rule, its.time());
  if (const Node* later = its.later()) {
    const Expr* then = duration(rule, later);
    if (is_poison(e) || is_poison(then)) return poison(rule.sema, node->range);
    Expr* first = make(rule.sema, ExprKind::at_first, boolean_type(), node->range, {rule.timed});
    e = make(rule.sema, ExprKind::conditional, duration_type(), node->range, {first, e, then});
  }
  if (const Node* least = its.at_least()) {
    const Expr* bound = duration(rule, least);
    if (is_poison(e) || is_poison(bound)) return poison(rule.sema, node->range);
    e = make(rule.sema, ExprKind::maximum, duration_type(), node->range, {e, bound});
  }
  return e;
}

// ---------------------------------------------------------------- windows

// Visits the clauses and `ask`s of a window that exist under the chosen options.
static void timing_in(SemaContext& sema, const Node* node, const std::function<void(const Node*)>& found) {
  if (!node) return;
  switch (node->kind) {
    case NodeKind::ask_stmt:
    case NodeKind::race_clause: found(node); return;
    case NodeKind::phase_stmt:
    case NodeKind::turns_stmt:
    case NodeKind::rounds_stmt: return;
    case NodeKind::with_stmt: {
      auto c = fixed(sema, view::with_stmt(node).condition(), false);
      const view::with_stmt its(node);
      if (c) timing_in(sema, (c->value != 0) == !its.without() ? its.then() : its.otherwise(), found);
      return;
    }
    default:
      for (const Node* c : node->children) timing_in(sema, c, found);
  }
}

// Declares the latencies of real-time windows as values. Runs before any rule is built, because rules can modify them:
// `modify race.think(p) to …`.
void declare_timing(SemaContext& sema, std::uint32_t window, const Node* body) {
  enum : std::int64_t { at_once = 2, real_time = 4 };
  const Node* timed = nullptr;
  std::vector<const Node*> asks;
  std::map<std::string_view, const Node*> clauses;
  timing_in(sema, body, [&](const Node* n) {
    if (n->kind == NodeKind::ask_stmt) {
      asks.push_back(n);
      if (n->number & (at_once | real_time)) timed = n;
    } else if (n->text == "sight" || n->text == "think" || n->text == "patience") {
      if (!clauses.emplace(n->text, n).second)
        error(sema, Code::twice, n->range, fmt::format("duplicate `{}`", n->text))
            .notes.push_back({clauses[n->text]->range, "first declared here"});
    }
  });
  if (!timed) return;
  model::Window& w = sema.model.windows[window];
  if (asks.size() > 1)
    error(sema, Code::bad_ask, asks[0] == timed ? asks[1]->range : asks[0]->range,
          "a window with `at once` or `in real time` can't have a second `ask`", "use a separate window for this")
        .notes.push_back({timed->range, "the other `ask`"});
  if (timed->number & at_once) {
    w.at_once.emplace();
    return;
  }
  w.race.emplace();
  const auto value = [&](std::string_view what) {
    const auto clause = clauses.find(what);
    const Node* node = clause == clauses.end() ? nullptr : clause->second;
    const model::ValueId id{static_cast<std::uint32_t>(sema.model.values.size())};
    model::Value v;
    v.name = fmt::format("{}.{}", w.name, what);
    v.parameters.push_back({LocalId{0}, nullptr});
    v.body.locals.push_back({"me", player_type(), timed->range});
    v.result = duration_type();
    v.timing = true;
    v.range = node ? node->range : timed->range;
    sema.names.values.emplace(v.name, id.index);
    sema.used.insert(v.name);
    sema.model.values.push_back(std::move(v));
    Callable c;
    c.node = node;
    c.names = {"p"};
    c.types = {player_type()};
    sema.rules.values.push_back(std::move(c));
    sema.rules.value_modifiers.emplace_back();
    sema.rules.modifiers_built.push_back(0);
    return id;
  };
  w.race->sight = value("sight");
  w.race->think = value("think");
  w.race->patience = value("patience");
}

void build_timing(SemaContext& sema, std::uint32_t index) {
  const Node* clause = sema.rules.values[index].node;
  RuleContext rule(sema);
  rule.body = &sema.model.values[index].body;
  rule.pure = true;
  rule.me = LocalId{0};
  rule.timed = local(rule, rule.me, sema.model.values[index].range);
  const Int otherwise = sema.model.values[index].name.ends_with(".patience") ? 1'000'000 : 0;
  const Expr* base =
      clause ? latency(rule, view::race_clause(clause).time())
             : constant(sema, duration_type(otherwise, otherwise), otherwise, sema.model.values[index].range);
  sema.model.values[index].base = base;
}

// Returns the player whose latency a modifier changes. The pattern of the modifier either binds or names that player.
const Expr* timed_by(RuleContext& rule, model::Pattern& pattern, Range range) {
  if (pattern.kind == model::Pattern::Kind::equals) return pattern.value;
  if (pattern.kind == model::Pattern::Kind::any) {
    pattern.kind = model::Pattern::Kind::binds;
    pattern.local = add_local(rule, "p", player_type(), range);
  }
  return local(rule, pattern.local, range);
}

void timed_ask(RuleContext& rule, const Node* node, Block& out) {
  enum : std::int64_t { at_once = 2, or_pass = 8 };
  const bool once = node->number & at_once;
  model::Window& w = rule.model.windows[*rule.window];
  if (once ? !w.at_once : !w.race) return;   // already reported
  const std::int64_t allowed = once ? at_once | or_pass : 4;
  if ((node->number & ~allowed) || view::ask_stmt(node).from() || view::ask_stmt(node).pass_when() ||
      (once && view::ask_stmt(node).until())) {
    error(rule.sema, Code::bad_ask, node->range,
          once ? "this clause can't be combined with `at once`, where each player is asked once"
               : "this clause can't be combined with `in real time`, where players act until a condition is true",
          once ? "write `ask all of players at once or pass`" : "write `ask all of players in real time until C`");
    return;
  }
  const Expr* whom = set(rule, view::ask_stmt(node).whom());
  const Expr* until = nullptr;
  if (view::ask_stmt(node).until()) {
    Pure pure(rule);
    until = condition(rule, view::ask_stmt(node).until());
  }
  if (is_poison(whom) || (until && is_poison(until))) return;
  if (element_type(whom->type).kind != TypeKind::player) {
    error(rule.sema, Code::wrong_type, view::ask_stmt(node).whom()->range,
          fmt::format("expected players, found `{}`", show(rule.sema, whom->type)));
    return;
  }
  const Node *within = view::ask_stmt(node).within(), *otherwise = view::ask_stmt(node).otherwise();
  if (!once && (within || otherwise)) {
    error(rule.sema, Code::bad_ask, (within ? within : otherwise)->range,
          "a window with `in real time` can't have a time limit for answers",
          "to end the window, write `after D { … }`");
    return;
  }
  if (within) w.at_once->within = constant_duration(rule, within);
  if (otherwise) missing_answer(rule, otherwise, *w.at_once);
  Stmt* s = emit(rule.sema, out, StmtKind::ask, node->range,
                 {whom, until, nullptr, nullptr, question_text(rule, view::ask_stmt(node).prompt())});
  s->ref = *rule.window;
  s->value = node->number;
  forget_stored_cards(rule);
}

static void missing_answer(RuleContext& rule, const Node* name, model::AtOnce& ask) {
  using Missing = model::AtOnce::Missing;
  if (name->text == "random") return void(ask.missing = Missing::random);
  if (name->text == "pass") return void(ask.missing = Missing::pass);
  const std::vector<model::ActionId> named = actions_in_window(rule.sema, name, *rule.window);
  if (named.empty()) return;
  ask.missing = Missing::action;
  ask.action = named.front();
}

static std::vector<model::ActionId> actions_in_window(SemaContext& sema, const Node* name, std::uint32_t window) {
  std::vector<model::ActionId> out;
  auto it = sema.names.actions.find(name->text);
  if (it == sema.names.actions.end()) {
    if (sema.collected.absent.contains(name->text)) return out;
    std::vector<std::string> names;
    for (const auto& [n, ids] : sema.names.actions) names.push_back(n);
    error(sema, Code::unknown_name, name->range, fmt::format("unknown action `{}`", name->text),
          did_you_mean(name->text, names));
    return out;
  }
  for (std::uint32_t id : it->second)
    if (fits_window(sema.model.actions[id], window)) out.push_back({id});
  if (out.empty() && !sema.actions.dropped.contains(it->second.front()))
    error(sema, Code::unknown_name, name->range,
          fmt::format("`{}` is not an action of window `{}`", name->text, sema.model.windows[window].name));
  return out;
}

static bool fits_window(const model::Action& action, std::uint32_t window) {
  return action.any_window || std::any_of(action.windows.begin(), action.windows.end(),
                                          [&](model::WindowId w) { return w.index == window; });
}

void race_clause(RuleContext& rule, const Node* node) {
  const view::race_clause its(node);
  const std::string_view clause = node->text;
  model::Window* w = rule.window ? &rule.model.windows[*rule.window] : nullptr;
  if (clause == "together") {
    if (!w || !w->at_once) {
      error(rule.sema, Code::misplaced, node->range, "`together` needs a window with `at once`");
      return;
    }
    w->at_once->together = constant_duration(rule, its.time());
    return;
  }
  if (!w || !w->race) {
    error(rule.sema, Code::misplaced, node->range,
          fmt::format("`{}` needs a window with `in real time`", clause == "quiet" ? "after" : clause),
          "write `ask all of players in real time until C`");
    return;
  }
  if (clause == "sight" || clause == "think" || clause == "patience") return;   // build_timing builds these clauses
  const std::uint32_t window = *rule.window;
  model::Race& race = *w->race;
  const Expr* time = nullptr;
  if (its.time()) {
    Pure pure(rule);
    time = duration(rule, its.time());
    if (is_poison(time)) return;
  }
  if (clause == "countdown") {
    if (race.countdown) error(rule.sema, Code::twice, node->range, "duplicate `countdown`");
    race.countdown = time;
    if (its.body()) {
      race.countdown_then = race.resumes.size();
      race.resumes.push_back({race_body(rule, its.body(), window), {}});
    }
  } else if (clause == "stalemate") {
    if (race.has_stalemate) error(rule.sema, Code::twice, node->range, "duplicate `stalemate`");
    race.has_stalemate = true;
    if (its.actions())
      for (const Node* name : its.actions()->children)
        for (model::ActionId id : actions_in_window(rule.sema, name, window)) race.stalemate.push_back(id);
    race.stalemate_body = race_body(rule, its.body(), window);
  } else {
    race.has_after = race.has_after || clause == "after";
    race.timers.push_back({clause == "quiet", plain_words(rule.sema, its.words()), time,
                           race_body(rule, its.body(), window), node->range});
  }
}

// Builds a separate body for a part of a race. The body reads the window's variables and parameters from the open
// window.
static Body race_body(RuleContext& rule, const Node* list, std::uint32_t window, std::vector<Held>* held) {
  Body body;
  RuleContext inner(rule.sema);
  inner.body = &body;
  const RuleContext& outer = rule;
  const model::Window& w = rule.model.windows[window];
  const auto field = [&](std::string_view name, const Type& type, Int index) {
    Expr* e = make(rule.sema, ExprKind::window_field, type, list->range);
    e->ref = window;
    e->value = index;
    inner.bindings.push_back({name, LocalId{}, e});
  };
  for (std::size_t i = 0; i < rule.sema.rules.windows[window].names.size(); ++i)
    field(rule.sema.rules.windows[window].names[i], rule.sema.rules.windows[window].types[i], -1 - static_cast<Int>(i));
  for (std::size_t i = 0; i < w.variables.size(); ++i) {
    const model::Local& l = w.body.locals[w.variables[i].index];
    field(l.name, l.type, static_cast<Int>(i));
  }
  for (const auto& [name, type] : rule.sema.rules.windows[window].composed)
    if (const Expr* whole = window_member(inner, window, name, list->range))
      inner.bindings.push_back({name, LocalId{}, whole});
  for (std::size_t i = 0; held && i < held->size(); ++i) {
    Held& h = (*held)[i];
    const model::Local& from = outer.body->locals[h.outer.index];
    h.inner = add_local(inner, from.name, raw_local(rule, h.outer, from.range)->type, from.range);
    if (h.name == "me")
      inner.me = h.inner;
    else if (h.name == "this")
      inner.self = h.inner;
    else
      inner.bindings.push_back({h.name, h.inner, nullptr});
  }
  statements(inner, list, body.block);
  body.present = true;
  if (held) std::erase_if(*held, [&](const Held& h) { return !mentions(body.block, h.inner); });
  return body;
}

static std::vector<Held> names_to_hold(const RuleContext& rule) {
  std::vector<Held> all;
  if (rule.me.valid()) all.push_back({"me", rule.me, {}});
  if (rule.self.valid()) all.push_back({"this", rule.self, {}});
  for (const Binding& b : rule.bindings)
    if (!b.value && b.local.valid()) all.push_back({b.name, b.local, {}});
  return all;
}

// ---------------------------------------------------------------- statements

void delay_stmt(RuleContext& rule, const Node* node, Block& out) {
  if (!effect(rule, node->range, "`delay`")) return;
  const Expr* whom = set(rule, view::delay_stmt(node).whom());
  const Expr* time = duration(rule, view::delay_stmt(node).time());
  if (is_poison(whom) || is_poison(time)) return;
  if (element_type(whom->type).kind != TypeKind::player) {
    error(rule.sema, Code::wrong_type, view::delay_stmt(node).whom()->range,
          fmt::format("expected players, found `{}`", show(rule.sema, whom->type)));
    return;
  }
  Stmt* s = emit(rule.sema, out, StmtKind::delay, node->range, {whom, time});
  if (!view::delay_stmt(node).actions()) return;
  std::vector<model::ActionId> group;
  for (const Node* name : view::delay_stmt(node).actions()->children) {
    auto it = rule.sema.names.actions.find(name->text);
    if (it != rule.sema.names.actions.end()) {
      for (std::uint32_t id : it->second) group.push_back({id});
    } else if (!rule.sema.collected.absent.contains(name->text)) {
      std::vector<std::string> names;
      for (const auto& [n, ids] : rule.sema.names.actions) names.push_back(n);
      error(rule.sema, Code::unknown_name, name->range, fmt::format("unknown action `{}`", name->text),
            did_you_mean(name->text, names));
    }
  }
  auto& groups = rule.model.delay_groups;
  auto same = std::find(groups.begin(), groups.end(), group);
  s->ref = static_cast<std::uint32_t>(same - groups.begin());
  if (same == groups.end()) groups.push_back(std::move(group));
}

void pause_stmt(RuleContext& rule, const Node* node, Block& out) {
  const view::pause_stmt its(node);
  if (!effect(rule, node->range, "`pause`")) return;
  auto it = rule.sema.names.windows.find(node->text);
  if (it == rule.sema.names.windows.end() || !rule.model.windows[it->second].race) {
    if (silent_if_absent(rule, node)) return;
    std::vector<std::string> names;
    for (const auto& [n, id] : rule.sema.names.windows)
      if (rule.model.windows[id].race) names.push_back(n);
    error(rule.sema, Code::unknown_name, node->range, fmt::format("unknown real-time window `{}`", node->text),
          did_you_mean(node->text, names));
    return;
  }
  const Expr* time = duration(rule, its.time());
  std::vector<const Expr*> values{time};
  std::size_t then = 0;
  if (its.body()) {
    std::vector<Held> held = names_to_hold(rule);
    model::Resume resume{race_body(rule, its.body(), it->second, &held), {}};
    for (const Held& h : held) {
      resume.held.push_back(h.inner);
      values.push_back(raw_local(rule, h.outer, node->range));
    }
    std::vector<model::Resume>& all = rule.model.windows[it->second].race->resumes;
    all.push_back(std::move(resume));
    then = all.size();
  }
  if (is_poison(time)) return;
  Stmt* s = emit(rule.sema, out, StmtKind::pause, node->range, std::move(values));
  s->ref = it->second;
  s->value = static_cast<Int>(then);
}

// ---------------------------------------------------------------- timers

void declare_timer(SemaContext& sema, const Node* node, bool per_player) {
  const view::timer_decl its(node);
  const std::string name(node->text);
  Table& table = per_player ? sema.names.player_timers : sema.names.table_timers;
  const bool taken = table.contains(name) || sema.names.events.contains(name) ||
                     (per_player ? sema.names.player_variables.contains(name) || sema.names.player_zones.contains(name)
                                 : sema.names.table_variables.contains(name) || sema.names.table_zones.contains(name));
  if (taken) {
    error(sema, Code::declared_twice, node->range, fmt::format("duplicate declaration of `{}`", name),
          "a timer also declares an event of this name, which happens when the time is over");
    return;
  }
  const model::EventId rings{static_cast<std::uint32_t>(sema.model.events.size())};
  model::Event& e = sema.model.events.emplace_back();
  e.name = name;
  e.range = node->range;
  Callable c;
  c.state = Callable::State::done;
  if (per_player) {
    e.body.locals.push_back({"owner", player_type(), node->range});
    e.parameters.push_back({LocalId{0}, nullptr});
    e.subject = 0;
    c.names = {"owner"};
    c.types = {player_type()};
  }
  sema.rules.events.push_back(std::move(c));
  sema.names.events[name].push_back(rings.index);
  table.emplace(name, static_cast<std::uint32_t>(sema.model.timers.size()));
  sema.model.timers.push_back(
      {name, its.label() ? plain_words(sema, its.label()) : split_words(name), per_player, rings, node->range});
}

// Resolves `p.doom`, or the name of a timer of the table.
static std::optional<TimerPlace> timer_place(RuleContext& rule, const Node* node) {
  const bool of_player = node->kind == NodeKind::member;
  const Table& table = of_player ? rule.sema.names.player_timers : rule.sema.names.table_timers;
  auto it = of_player || node->kind == NodeKind::name_ref ? table.find(node->text) : table.end();
  if (it == table.end()) {
    if (silent_if_absent(rule, node)) return std::nullopt;
    std::vector<std::string> names;
    for (const auto& [n, id] : table) names.push_back(n);
    error(rule.sema, Code::unknown_name, node->range,
          fmt::format("unknown timer `{}`", rule.sema.diagnostics.sources().text(node->range)),
          rule.sema.names.player_timers.contains(node->text)
              ? fmt::format("it belongs to a player: write `me.{}`", node->text)
              : did_you_mean(node->text, names));
    return std::nullopt;
  }
  const Expr* owner = of_player ? player(rule, view::member(node).of()) : nullptr;
  if (owner && is_poison(owner)) return std::nullopt;
  return TimerPlace{it->second, owner};
}

const Expr* timer_running(RuleContext& rule, const Node* node, Range range) {
  auto place = timer_place(rule, node);
  if (!place) return poison(rule.sema, range);
  Expr* e = make(rule.sema, ExprKind::timer_running, boolean_type(), range, {place->owner});
  e->ref = place->timer;
  return e;
}

void timer_stmt(RuleContext& rule, const Node* node, Block& out) {
  const view::timer_stmt its(node);
  if (!effect(rule, node->range, "setting a timer")) return;
  auto place = timer_place(rule, its.timer());
  const Expr* time = its.time() ? duration(rule, its.time()) : nullptr;
  if (!place || (time && is_poison(time))) return;
  Stmt* s = time ? emit(rule.sema, out, StmtKind::start_timer, node->range, {place->owner, time})
                 : emit(rule.sema, out, StmtKind::stop_timer, node->range, {place->owner});
  s->ref = place->timer;
}

// ---------------------------------------------------------------- actions

void action_timing(RuleContext& rule, const Node* timing, model::Action& action) {
  if (!timing) return;
  enum : std::int64_t { by_hand = 1, must = 2 };
  action.by_hand = timing->number & by_hand;
  action.must = timing->number & must;
  const auto time = [&](const Node* node) -> const Expr* {
    if (!node) return nullptr;
    Pure pure(rule);
    rule.timed = local(rule, action.head.me, node->range);
    const Expr* e = latency(rule, node);
    rule.timed = nullptr;
    return is_poison(e) ? nullptr : e;
  };
  const auto when = [&](const Node* node) -> const Expr* {
    if (!node) return nullptr;
    Pure pure(rule);
    const Expr* e = condition(rule, node);
    return is_poison(e) ? nullptr : e;
  };
  action.takes = time(view::timing(timing).takes());
  action.busy = time(view::timing(timing).busy());
  action.sensible = when(view::timing(timing).sensible());
  action.must_if = when(view::timing(timing).must_if());
  for (const model::ActionParameter& p : action.parameters)
    if (mentions(action.must_if, p.local) || mentions(action.must_if, p.element)) {
      error(rule.sema, Code::bad_choice, action.must_if->range,
            fmt::format("`must if` can't depend on parameter `{}`", p.name), "use only `me` and the state of the game");
      break;
    }
  const auto then = [&](const Node* list, Block& block, bool& has) {
    if (!list) return;
    scoped(rule, list, block);
    has = true;
  };
  then(view::timing(timing).late(), action.late, action.has_late);
  then(view::timing(timing).wrong(), action.wrong, action.has_wrong);
  const Node* first = view::timing(timing).takes() ? view::timing(timing).takes() : view::timing(timing).busy();
  if (!first) return;
  bool races = false;
  for (std::uint32_t w = 0; w < rule.model.windows.size(); ++w)
    races = races || (rule.model.windows[w].race && fits_window(action, w));
  suspect(rule.sema, Code::without_effect, first->range, !races,
          fmt::format("`{}` is not offered in any real-time window, so its time has no effect", action.name), "");
}

// ---------------------------------------------------------------- decisions while time runs

// Returns whether the statement asks a player to order the replacements of an event.
static bool orders_replacements(const model::Model& model, const Stmt& s) {
  return std::ranges::any_of(model.events, [&](const model::Event& e) {
    return e.order && model.events[e.order->asks.index].body.block.front() == &s;
  });
}

// Reports decisions that can occur while time runs in a real-time window. An action that takes effect must not suspend
// the game or open a second window.
void check_landings(SemaContext& sema) {
  std::set<std::pair<std::uint32_t, std::uint32_t>> told;
  std::string what;
  Range because;
  const auto asks = [&](Range range, bool order = false) {
    if (!told.insert({range.source, range.begin}).second) return;
    error(sema, Code::asks_while_time_runs, range, fmt::format("{} while time runs, so no player can be asked", what),
          order ? "remove `orders replacements`: then the strongest rule applies first"
                : "use a separate action, or ask after the window has closed")
        .notes.push_back({because, "triggered here"});
  };
  analysis::Causes causes(
      sema.model,
      [&](const Stmt& s) {
        const bool picks = s.kind == StmtKind::move && (s.value & 4);
        if (s.kind == StmtKind::ask || s.kind == StmtKind::choose || s.kind == StmtKind::choose_one ||
            s.kind == StmtKind::arrange || picks)
          asks(s.range, orders_replacements(sema.model, s));
      },
      [&](const Expr& e) {
        if (e.kind == ExprKind::may || e.kind == ExprKind::open_window) asks(e.range);
      });
  const auto look = [&](std::string why, Range range, const Block& block) {
    what = std::move(why);
    because = range;
    causes.block(block);
  };
  bool races = false;
  for (std::uint32_t w = 0; w < sema.model.windows.size(); ++w) {
    const model::Window& window = sema.model.windows[w];
    if (!window.race) continue;
    races = true;
    for (const model::Action& a : sema.model.actions) {
      if (!fits_window(a, w)) continue;
      for (const Block* block : {&a.body.block, &a.late, &a.wrong})
        look(fmt::format("`{}` happens", a.name), a.head.range, *block);
    }
    for (const model::RaceTimer& t : window.race->timers) look("this happens", t.range, t.body.block);
    for (const model::Resume& resume : window.race->resumes) look("this happens", window.range, resume.body.block);
    look("this happens", window.range, window.race->stalemate_body.block);
  }
  if (!races) return;
  for (const model::Timer& t : sema.model.timers) {
    what = fmt::format("`{}` expires", t.name);
    because = t.range;
    causes.event(t.rings.index);
  }
  for (const model::Whenever& w : sema.model.whenevers) look("a `whenever` is evaluated", w.head.range, w.body.block);
}

}   // namespace cardwright::sema
