// Walks through all that a piece of code may cause: the events that it makes happen with every rule that watches them,
// the values that it reads with every rule that bends them, the rules by which a card counts as another, functions.
// Each once; windows are not gone into.
#pragma once

#include <functional>
#include <set>

#include "compiler/model/visit.h"

namespace cardwright::analysis {

class Causes {
 public:
  using OnStmt = std::function<void(const model::Stmt&)>;
  using OnExpr = std::function<void(const model::Expr&)>;
  using OnRule = std::function<void(const model::RuleHead&)>;   // before what it says
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
      default: return;
    }
  }
  void event(std::uint32_t id) {
    const model::Event& event = model_.events[id];
    if (!is_first(&event)) return;
    block(event.body.block);
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

}  // namespace cardwright::analysis
