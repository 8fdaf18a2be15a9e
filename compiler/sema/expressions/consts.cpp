// Evaluates consts whose values depend on cards, or that are sets or lists.
#include "compiler/sema/expressions/consts.h"

#include <fmt/format.h>

#include "compiler/sema/operations/convert.h"
#include "compiler/sema/expressions/evaluate.h"
#include "compiler/sema/expressions/expressions.h"
#include "compiler/sema/expressions/type_names.h"
#include "compiler/sema/operations/lists.h"
#include "compiler/sema/operations/records.h"
#include "compiler/sema/symbols/errors.h"
#include "compiler/sema/symbols/make.h"

namespace cardwright::sema {

static const Expr* const_value(SemaContext& sema, const Node* declared, const Expr* e) {
  auto v = evaluate(sema, *e);
  if (!v) {
    not_known(sema, view::const_decl(declared).value()->range,
              fmt::format("the const `{}` must be known before the game starts", declared->text),
              "for a value that can change, use `value x(): int = …`");
    return poison(sema, declared->range);
  }
  if (e->type.kind == TypeKind::list) return const_list(sema, declared->text, e, *v);
  Expr* c =
      make(sema, e->type.kind == TypeKind::set ? ExprKind::set_constant : ExprKind::constant, e->type, declared->range);
  c->value = v->value;
  c->values = v->values;
  if (v->value != kNone) c->type.optional = false;
  return c;
}

const Expr* computed_const(SemaContext& sema, const Node* node) {
  const std::string name(node->text);
  auto it = sema.constants.declared.find(name);
  if (it == sema.constants.declared.end()) return poison(sema, node->range);
  auto made = sema.constants.exprs.find(name);
  if (made == sema.constants.exprs.end()) {
    if (!sema.constants.deciding.insert(name).second) {
      error(sema, "circular"_code, node->range, fmt::format("circular definition of `{}`", name));
      return poison(sema, node->range);
    }
    Body& body = sema.scratch.emplace_back();
    RuleContext rule(sema);
    rule.body = &body;
    rule.pure = true;
    rule.constant = true;
    const Node* declared = view::const_decl(it->second).type();
    std::optional<Type> wanted;
    if (declared) wanted = type_or_poison(sema, declared);
    const Expr* e = expr(rule, view::const_decl(it->second).value(), wanted ? &*wanted : nullptr);
    if (wanted) e = convert_in_bounds(rule, e, *wanted, name);
    const Expr* result =
        is_poison(e) ? poison(sema, it->second->range)
                     : fieldwise(sema, {e}, [&](const auto& field) { return const_value(sema, it->second, field[0]); });
    sema.constants.deciding.erase(name);
    made = sema.constants.exprs.emplace(name, result).first;
  }
  if (!made->second || is_poison(made->second)) return poison(sema, node->range);
  Expr* copy = make(sema, made->second->kind, made->second->type, node->range, made->second->args);
  copy->ref = made->second->ref;
  copy->value = made->second->value;
  copy->values = made->second->values;
  return copy;
}

}   // namespace cardwright::sema
