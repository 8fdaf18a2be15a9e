// Builds statements that concern time: timed questions, races, delays, pauses and timers.
#include "compiler/sema/statements/timing.h"

#include <algorithm>

#include <fmt/format.h>

#include "compiler/sema/operations/locals.h"
#include "compiler/sema/expressions/calls.h"
#include "compiler/sema/expressions/durations.h"
#include "compiler/sema/expressions/expressions.h"
#include "compiler/sema/expressions/texts.h"
#include "compiler/sema/operations/members.h"
#include "compiler/sema/operations/narrowing.h"
#include "compiler/sema/statements/statements.h"
#include "compiler/sema/symbols/errors.h"
#include "compiler/sema/symbols/make.h"
#include "compiler/sema/symbols/mentions.h"
#include "compiler/sema/symbols/texts.h"
#include "compiler/sema/symbols/types.h"

namespace cardwright::sema {

static void missing_answer(RuleContext& rule, const Node* name, model::AtOnce& ask);

static std::vector<model::ActionId> actions_in_window(SemaContext& sema, const Node* name, std::uint32_t window);

static Body race_body(RuleContext& rule, const Node* list, std::uint32_t window, std::vector<Held>* held = nullptr);

void timed_ask(RuleContext& rule, const Node* node, Block& out) {
  enum : std::int64_t { at_once = 2, or_pass = 8 };
  const bool once = node->number & at_once;
  model::Window& w = rule.model.windows[*rule.window];
  if (once ? !w.at_once : !w.race) return;   // already reported
  const std::int64_t allowed = once ? at_once | or_pass : 4;
  if ((node->number & ~allowed) || view::ask_stmt(node).from() || view::ask_stmt(node).pass_when() ||
      (once && view::ask_stmt(node).until())) {
    error(rule.sema, "bad_ask"_code, node->range,
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
    error(rule.sema, "wrong_type"_code, view::ask_stmt(node).whom()->range,
          fmt::format("expected players, found `{}`", show(rule.sema, whom->type)));
    return;
  }
  const Node *within = view::ask_stmt(node).within(), *otherwise = view::ask_stmt(node).otherwise();
  if (!once && (within || otherwise)) {
    error(rule.sema, "bad_ask"_code, (within ? within : otherwise)->range,
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
    error(sema, "unknown_name"_code, name->range, fmt::format("unknown action `{}`", name->text),
          did_you_mean(name->text, names));
    return out;
  }
  for (std::uint32_t id : it->second)
    if (fits_window(sema.model.actions[id], window)) out.push_back({id});
  if (out.empty() && !sema.actions.dropped.contains(it->second.front()))
    error(sema, "unknown_name"_code, name->range,
          fmt::format("`{}` is not an action of window `{}`", name->text, sema.model.windows[window].name));
  return out;
}

bool fits_window(const model::Action& action, std::uint32_t window) {
  return action.any_window || std::any_of(action.windows.begin(), action.windows.end(),
                                          [&](model::WindowId w) { return w.index == window; });
}

void race_clause(RuleContext& rule, const Node* node) {
  const view::race_clause its(node);
  const std::string_view clause = node->text;
  model::Window* w = rule.window ? &rule.model.windows[*rule.window] : nullptr;
  if (clause == "together") {
    if (!w || !w->at_once) {
      error(rule.sema, "misplaced"_code, node->range, "`together` needs a window with `at once`");
      return;
    }
    w->at_once->together = constant_duration(rule, its.time());
    return;
  }
  if (!w || !w->race) {
    error(rule.sema, "misplaced"_code, node->range,
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
    if (race.countdown) error(rule.sema, "duplicate_clause"_code, node->range, "duplicate `countdown`");
    race.countdown = time;
    if (its.body()) {
      race.countdown_then = race.resumes.size();
      race.resumes.push_back({race_body(rule, its.body(), window), {}});
    }
  } else if (clause == "stalemate") {
    if (race.has_stalemate) error(rule.sema, "duplicate_clause"_code, node->range, "duplicate `stalemate`");
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

// Builds a separate body for a clause of a race. The body accesses the variables and parameters of the window through
// the open window. If `held` is set, the body also has copies of these locals of the rule.
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

static std::vector<Held> captured_names(const RuleContext& rule) {
  std::vector<Held> all;
  if (rule.me.valid()) all.push_back({"me", rule.me, {}});
  if (rule.self.valid()) all.push_back({"this", rule.self, {}});
  for (const Binding& b : rule.bindings)
    if (!b.value && b.local.valid()) all.push_back({b.name, b.local, {}});
  return all;
}

void delay_stmt(RuleContext& rule, const Node* node, Block& out) {
  if (!effect(rule, node->range, "`delay`")) return;
  const Expr* whom = set(rule, view::delay_stmt(node).whom());
  const Expr* time = duration(rule, view::delay_stmt(node).time());
  if (is_poison(whom) || is_poison(time)) return;
  if (element_type(whom->type).kind != TypeKind::player) {
    error(rule.sema, "wrong_type"_code, view::delay_stmt(node).whom()->range,
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
      error(rule.sema, "unknown_name"_code, name->range, fmt::format("unknown action `{}`", name->text),
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
    error(rule.sema, "unknown_name"_code, node->range, fmt::format("unknown real-time window `{}`", node->text),
          did_you_mean(node->text, names));
    return;
  }
  const Expr* time = duration(rule, its.time());
  std::vector<const Expr*> values{time};
  std::size_t then = 0;
  if (its.body()) {
    std::vector<Held> held = captured_names(rule);
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

}   // namespace cardwright::sema
