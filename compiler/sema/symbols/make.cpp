// Creates simple expressions, statements and locals of the Model.
#include "compiler/sema/symbols/make.h"

#include "support/filled.h"

namespace cardwright::sema {

Expr* make(SemaContext& sema, ExprKind kind, Type type, Range range, std::vector<const Expr*> args) {
  assert(args.size() <= model::kMostArgs[static_cast<std::size_t>(kind)]);
  Expr& e = sema.model.exprs.emplace_back();
  e.kind = kind;
  e.type = std::move(type);
  e.range = range;
  e.args = std::move(args);
  return &e;
}

const Expr* poison(SemaContext& sema, Range range) {
  return make(sema, ExprKind::poison, plain_type(TypeKind::poison), range);
}

const Expr* constant(SemaContext& sema, Type type, Int value, Range range) {
  Expr* e = make(sema, ExprKind::constant, std::move(type), range);
  e->value = value;
  return e;
}

const Expr* integer_constant(SemaContext& sema, Int value, Range range) {
  if (value >= kUnlimited) return make(sema, ExprKind::unlimited, integer_type(kUnlimited, kUnlimited), range);
  return constant(sema, integer_type(value, value), value, range);
}

const Expr* boolean_constant(SemaContext& sema, bool value, Range range) {
  return constant(sema, boolean_type(), value, range);
}

LocalId add_local(RuleContext& rule, std::string_view name, Type type, Range range) {
  const LocalId id{static_cast<std::uint32_t>(rule.body->locals.size())};
  rule.body->locals.push_back({std::string(name), std::move(type), range});
  return id;
}

LocalId bind(RuleContext& rule, std::string_view name, Type type, Range range) {
  const LocalId id = add_local(rule, name, std::move(type), range);
  if (!name.empty() && name != "_") rule.bindings.push_back({name, id, nullptr});
  return id;
}

const Binding* find_binding(const RuleContext& rule, std::string_view name) {
  for (auto it = rule.bindings.rbegin(); it != rule.bindings.rend(); ++it)
    if (it->name == name) return &*it;
  return nullptr;
}

Stmt* emit(SemaContext& sema, Block& out, StmtKind kind, Range range, std::vector<const Expr*> exprs) {
  assert(exprs.size() <= model::kMostExprs[static_cast<std::size_t>(kind)]);
  Stmt& s = sema.model.stmts.emplace_back();
  s.kind = kind;
  s.range = range;
  s.exprs = std::move(exprs);
  out.push_back(&s);
  return &s;
}

}   // namespace cardwright::sema
