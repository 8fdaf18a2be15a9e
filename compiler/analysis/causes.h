// Visits all rules that a piece of code may execute or evaluate: events with all their handlers, values with all their
// modifiers, `also` rules by which a card counts as another, and functions. Visits each rule once, and does not visit
// the rules of windows.
#pragma once

#include <functional>
#include <set>

#include "compiler/model/visit.h"

namespace cardwright::analysis {

class Causes {
 public:
  using OnStmt = std::function<void(const model::Stmt&)>;
  using OnExpr = std::function<void(const model::Expr&)>;
  using OnRule = std::function<void(const model::RuleHead&)>;   // called before the parts of the rule are visited
  using OnModifier = std::function<void(const model::Modifier&)>;
  Causes(const model::Model& model, OnStmt on_stmt, OnExpr on_expr, OnRule on_rule = {}, OnModifier on_modifier = {})
      : model_(model),
        on_stmt_(std::move(on_stmt)),
        on_expr_(std::move(on_expr)),
        on_rule_(std::move(on_rule)),
        on_modifier_(std::move(on_modifier)) {}

  void block(const model::Block& statements) {
    model::for_each_stmt(statements, [&](const model::Stmt& s) {
      if (on_stmt_) on_stmt_(s);
      for (const model::Expr* e : s.exprs) expr(e);
    });
  }
  void expr(const model::Expr* e) {
    if (!e) return;
    on_expr_(*e);
    for (const model::Expr* a : e->args) expr(a);
    switch (e->kind) {
      case model::ExprKind::call_event: return event(e->ref);
      case model::ExprKind::call_value: return value(model_.values[e->ref]);
      case model::ExprKind::call_function:
        if (const model::Function& f = model_.functions[e->ref]; is_first(&f)) block(f.body.block);
        return;
      case model::ExprKind::counts_as:
        for (const model::Also& also : model_.alsos)
          if (is_first(&also)) rule(also.head);
        return;
      case model::ExprKind::constant:
      case model::ExprKind::set_constant:
      case model::ExprKind::local:
      case model::ExprKind::variable:
      case model::ExprKind::window_field:
      case model::ExprKind::window_left:
      case model::ExprKind::event_field:
      case model::ExprKind::zone:
      case model::ExprKind::zone_top:
      case model::ExprKind::zone_top_n:
      case model::ExprKind::zone_bottom:
      case model::ExprKind::card_of_slot:
      case model::ExprKind::attribute:
      case model::ExprKind::part_of:
      case model::ExprKind::faces:
      case model::ExprKind::kind_of:
      case model::ExprKind::equal:
      case model::ExprKind::not_equal:
      case model::ExprKind::set_equal:
      case model::ExprKind::in_set:
      case model::ExprKind::within:
      case model::ExprKind::disjoint:
      case model::ExprKind::set_union:
      case model::ExprKind::set_minus:
      case model::ExprKind::set_and:
      case model::ExprKind::set_of_one:
      case model::ExprKind::conditional:
      case model::ExprKind::or_else:
      case model::ExprKind::size:
      case model::ExprKind::exists:
      case model::ExprKind::filter:
      case model::ExprKind::aggregate:
      case model::ExprKind::best:
      case model::ExprKind::pick_first:
      case model::ExprKind::pick_last:
      case model::ExprKind::pick_only:
      case model::ExprKind::pick_random:
      case model::ExprKind::random_n:
      case model::ExprKind::players_in:
      case model::ExprKind::is_in_game:
      case model::ExprKind::active_player:
      case model::ExprKind::turn_number:
      case model::ExprKind::round_number:
      case model::ExprKind::steps:
      case model::ExprKind::next_player:
      case model::ExprKind::previous_player:
      case model::ExprKind::seat_of:
      case model::ExprKind::open_window:
      case model::ExprKind::proceed:
      case model::ExprKind::knows:
      case model::ExprKind::knows_top:
      case model::ExprKind::pool_values:
      case model::ExprKind::element_at:
      case model::ExprKind::list_literal:
      case model::ExprKind::list_end:
      case model::ExprKind::list_add:
      case model::ExprKind::list_drop:
      case model::ExprKind::list_as:
      case model::ExprKind::list_equal:
      case model::ExprKind::in_list:
      case model::ExprKind::set_list:
      case model::ExprKind::listed_set:
      case model::ExprKind::list_of:
      case model::ExprKind::joined:
      case model::ExprKind::subsets:
      case model::ExprKind::during_event:
      case model::ExprKind::during_window:
      case model::ExprKind::play_is_over:
      case model::ExprKind::supposing:
      case model::ExprKind::at_first:
      case model::ExprKind::timer_running:
      case model::ExprKind::race_clock:
      case model::ExprKind::race_busy:
#include "compiler/model/cases_of_parts.def"
        return;
    }
  }
  void event(std::uint32_t id) {
    const model::Event& event = model_.events[id];
    if (!is_first(&event)) return;
    block(event.body.block);
    if (event.order) expr(event.order->player), this->event(event.order->asks.index);
    for (const model::Handler& h : event.handlers) {
      rule(h.head, h.patterns);
      block(h.body.block);
    }
  }
  void value(const model::Value& v) {
    if (!is_first(&v)) return;
    for (const model::Expr* e : {v.base, v.at_least, v.at_most}) expr(e);
    block(v.body.block);
    for (const model::Modifier& m : v.modifiers) {
      if (on_modifier_) on_modifier_(m);
      rule(m.head, m.patterns);
      expr(m.amount);
    }
  }
  void rule(const model::RuleHead& head, const std::vector<model::Pattern>& patterns = {}) {
    if (on_rule_) on_rule_(head);
    expr(head.when);
    for (const model::Pattern& p : patterns) expr(p.value);
  }

 private:
  bool is_first(const void* thing) { return seen_.insert(thing).second; }

  const model::Model& model_;
  OnStmt on_stmt_;
  OnExpr on_expr_;
  OnRule on_rule_;
  OnModifier on_modifier_;
  std::set<const void*> seen_;
};

}   // namespace cardwright::analysis
