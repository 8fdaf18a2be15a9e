// Provides visitors for the code of a Model: the subexpressions of an expression, the statements of a block, and the
// code of all rules. Also contains small queries.
#pragma once

#include <algorithm>

#include "compiler/model/model.h"

namespace cardwright::model {

// Returns whether the type is a card, or a set, list or table of cards.
inline bool holds_cards(const Type& t) {
  if (t.kind == TypeKind::card) return true;
  return (t.kind == TypeKind::set || t.kind == TypeKind::list || t.kind == TypeKind::map) && t.elem &&
         holds_cards(*t.elem);
}

inline bool is_in(const Action& action, WindowId window) {
  return action.any_window || std::find(action.windows.begin(), action.windows.end(), window) != action.windows.end();
}

// `announced.n` is the value that a parameter had when the event was called. It is stored as the field number of `E.n`
// minus kAnnounced.
inline constexpr std::int64_t kAnnounced = 1 << 16;
inline bool is_announced(std::int64_t field) { return field < -kAnnounced; }

// Returns the local that stores `W.x` of a window or `E.x` of an event. Variables have the field numbers 0, 1, …;
// parameters have the field numbers -1, -2, …
template <class Declared>
LocalId local_of_field(const Declared& of, std::int64_t field) {
  if (is_announced(field)) field += kAnnounced;
  return field >= 0 ? of.variables[static_cast<std::size_t>(field)]
                    : of.parameters[static_cast<std::size_t>(-1 - field)].local;
}

// Calls f(const Expr&) for `e` and its subexpressions, outermost first. `e` may be null.
template <class F>
void for_each_expr(const Expr* e, const F& f) {
  if (!e) return;
  f(*e);
  for (const Expr* a : e->args) for_each_expr(a, f);
}

// Calls f(const Stmt&) for each statement, before those in its blocks.
template <class F>
void for_each_stmt(const Block& block, const F& f) {
  for (const Stmt* s : block) {
    f(*s);
    for (const Block& inner : s->blocks) for_each_stmt(inner, f);
  }
}
template <class F>
void for_each_expr(const Block& block, const F& f) {
  for_each_stmt(block, [&](const Stmt& s) {
    for (const Expr* e : s.exprs) for_each_expr(e, f);
  });
}

// Calls f(const Body&) for the body of a window and for the bodies of its pauses, timers and stalemate.
template <class F>
void for_each_body(const Window& window, const F& f) {
  f(window.body);
  if (!window.race) return;
  for (const Resume& resume : window.race->resumes) f(resume.body);
  for (const RaceTimer& timer : window.race->timers) f(timer.body);
  f(window.race->stalemate_body);
}

// Calls f(const Body&, const Block&) for each block of statements of a rule. The Body contains the locals of the block.
template <class F>
void for_each_rule_block(const Model& model, const F& f) {
  const auto all = [&](const Body& body) { f(body, body.block); };
  for (const Value& v : model.values) all(v.body);
  for (const Function& function : model.functions) all(function.body);
  for (const Event& e : model.events) {
    all(e.body);
    for (const Handler& h : e.handlers) all(h.body);
  }
  for (const Window& w : model.windows) for_each_body(w, all);
  for (const Action& a : model.actions)
    for (const Block* block : {&a.body.block, &a.wrong, &a.late}) f(a.body, *block);
  for (const Whenever& w : model.whenevers) all(w.body);
  for (const EndWhen& e : model.endings) all(e.body);
  all(model.setup);
  all(model.play);
}

// Calls f(const RuleHead* rule, const Expr*) for each top-level expression and f(const RuleHead* rule, const Block&)
// for each block of a value and its modifiers. `rule` is the head of the rule that contains the code, or null.
template <class F>
void for_each_piece(const Value& v, const F& f) {
  const RuleHead* const no_head = nullptr;
  for (const Expr* e : {v.base, v.at_least, v.at_most}) f(no_head, e);
  f(no_head, v.body.block);
  for (const Modifier& m : v.modifiers) {
    f(&m.head, m.head.when);
    for (const Pattern& p : m.patterns) f(&m.head, p.value);
    f(&m.head, m.amount);
  }
}
// Calls `f` in the same way for the code of all rules of the game. Excludes scenarios and code that is evaluated before
// the game or only displayed.
template <class F>
void for_each_piece(const Model& model, const F& f) {
  const RuleHead* const no_head = nullptr;
  const auto head = [&](const RuleHead& rule) { f(&rule, rule.when); };
  const auto patterns = [&](const RuleHead& rule, const std::vector<Pattern>& all) {
    for (const Pattern& p : all) f(&rule, p.value);
  };
  for (const Value& v : model.values) for_each_piece(v, f);
  for (const Function& function : model.functions) f(no_head, function.body.block);
  for (const Event& e : model.events) {
    f(no_head, e.body.block);
    if (e.order) f(no_head, e.order->player);
    for (const Handler& h : e.handlers) head(h.head), patterns(h.head, h.patterns), f(&h.head, h.body.block);
  }
  for (const Window& w : model.windows) {
    for_each_body(w, [&](const Body& body) { f(no_head, body.block); });
    if (!w.race) continue;
    f(no_head, w.race->countdown);
    for (const RaceTimer& timer : w.race->timers) f(no_head, timer.delay);
  }
  for (const Action& a : model.actions) {
    head(a.head);
    if (a.to) f(&a.head, a.to->owner);
    for (const ActionParameter& p : a.parameters)
      for (const Expr* e : {p.domain, p.where, p.amount, p.keeping}) f(&a.head, e);
    for (const Expr* e : {a.takes, a.busy, a.sensible, a.must_if}) f(&a.head, e);
    for (const Block* block : {&a.body.block, &a.wrong, &a.late, &a.label_parts}) f(&a.head, *block);
  }
  for (const Whenever& w : model.whenevers) head(w.head), f(&w.head, w.body.block);
  for (const Also& a : model.alsos) head(a.head);
  for (const Forbid& forbid : model.forbids) head(forbid.head), patterns(forbid.head, forbid.patterns);
  for (const Policy& policy : model.policies)
    for (const PolicyRule& rule : policy.rules)
      if (policy.asked) head(rule.head), patterns(rule.head, rule.patterns), f(&rule.head, rule.weight);
  for (const EndWhen& e : model.endings) f(no_head, e.when), f(no_head, e.body.block);
  f(no_head, model.setup.block);
  f(no_head, model.play.block);
}

// Calls f(const Expr&) for each expression of a measure and its subexpressions, including keys and conditions.
template <class F>
void for_each_expr(const Measure& measure, const F& f) {
  for (const Moment& m : measure.moments) {
    for_each_expr(m.head.when, f);
    for_each_expr(m.value, f);
    for (const Pattern& p : m.patterns) for_each_expr(p.value, f);
    for (const KeyValue& key : m.keys) for_each_expr(key.domain, f), for_each_expr(key.value, f);
  }
}
// Calls f(const Expr*) for each top-level expression of a rule of a policy.
template <class F>
void for_each_expr(const PolicyRule& rule, const F& f) {
  f(rule.head.when);
  f(rule.weight);
  for (const Pattern& p : rule.patterns) f(p.value);
}

// Calls f(const Body&) for code that is evaluated only for display: symbols of cells and pieces, and strings for
// players and the table.
template <class F>
void for_each_shown(const Model& model, const F& f) {
  for (const Board& board : model.boards)
    for (const auto* shown : {&board.shows, &board.edges_show})
      if (*shown) f((*shown)->body);
  for (const Area& area : model.areas)
    if (area.drawn) f(area.drawn->body);
  for (const ShownText& text : model.shown) f(text.body);
}

}   // namespace cardwright::model
