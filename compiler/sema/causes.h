// Walks through all that a piece of code may cause: the events that it makes happen with every rule that watches them, the
// values that it reads with every rule that bends them, functions. Each once; windows are not gone into.
#pragma once

#include <functional>
#include <set>

#include "compiler/model/model.h"

namespace cardwright::sema {

class Causes {
 public:
  using OnStmt = std::function<void(const model::Stmt&)>;
  using OnExpr = std::function<void(const model::Expr&)>;
  Causes(const model::Model& model, OnStmt on_stmt, OnExpr on_expr) : model_(model), on_stmt_(std::move(on_stmt)), on_expr_(std::move(on_expr)) {}

  void block(const model::Block& statements) {
    for (const model::Stmt* s : statements) {
      on_stmt_(*s);
      for (const model::Expr* e : s->exprs) expr(e);
      for (const model::Block& inner : s->blocks) block(inner);
    }
  }
  void expr(const model::Expr* e) {
    if (!e) return;
    on_expr_(*e);
    for (const model::Expr* a : e->args) expr(a);
    if (e->kind == model::ExprKind::call_event) event(e->ref);
    if (e->kind == model::ExprKind::call_value) value(e->ref);
    if (e->kind == model::ExprKind::call_function && functions_.insert(e->ref).second) block(model_.functions[e->ref].body.block);
  }
  void event(std::uint32_t id) {
    if (!events_.insert(id).second) return;
    block(model_.events[id].body.block);
    for (const model::Handler& h : model_.events[id].handlers) {
      rule(h.head, h.patterns);
      block(h.body.block);
    }
  }

 private:
  void value(std::uint32_t id) {
    if (!values_.insert(id).second) return;
    const model::Value& v = model_.values[id];
    for (const model::Expr* e : {v.base, v.at_least, v.at_most}) expr(e);
    block(v.body.block);
    for (const model::Modifier& m : v.modifiers) {
      rule(m.head, m.patterns);
      expr(m.amount);
    }
  }
  void rule(const model::RuleHead& head, const std::vector<model::Pattern>& patterns) {
    expr(head.when);
    for (const model::Pattern& p : patterns) expr(p.value);
  }

  const model::Model& model_;
  OnStmt on_stmt_;
  OnExpr on_expr_;
  std::set<std::uint32_t> events_, values_, functions_;
};

}  // namespace cardwright::sema
