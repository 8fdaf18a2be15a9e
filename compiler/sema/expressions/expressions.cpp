// Builds expressions for a context that expects a condition, a number, a player or a set.
#include "compiler/sema/expressions/expressions.h"

#include <fmt/format.h>

#include "compiler/sema/operations/convert.h"
#include "compiler/sema/symbols/errors.h"
#include "compiler/sema/symbols/make.h"
#include "compiler/sema/symbols/types.h"

namespace cardwright::sema {

const Expr* expr(RuleContext& rule, const Node* node, const Type* expected) {
  if (!node) return poison(rule.sema, {});
  if (++rule.sema.depth > 450) {
    --rule.sema.depth;
    error(rule.sema, "limit_exceeded"_code, node->range, "expression is nested too deeply");
    return poison(rule.sema, node->range);
  }
  const Expr* e = rule.sema.builders.expression(rule, node, expected);
  --rule.sema.depth;
  return e ? e : poison(rule.sema, node->range);
}

const Expr* condition(RuleContext& rule, const Node* node) {
  const Type b = boolean_type();
  const Expr* e = expr(rule, node, &b);
  if (is_poison(e)) return e;
  if (e->type.kind != TypeKind::boolean) {
    error(rule.sema, "wrong_type"_code, node->range,
          fmt::format("expected a condition, found `{}`", show(rule.sema, e->type)),
          e->type.kind == TypeKind::set ? "use `is empty` or `is not empty`" : "");
    return poison(rule.sema, node->range);
  }
  return e;
}

const Expr* integer(RuleContext& rule, const Node* node) { return to_int(rule, expr(rule, node)); }

const Expr* player(RuleContext& rule, const Node* node, bool may_be_none) {
  const Expr* e = expr(rule, node);
  if (is_poison(e)) return e;
  return convert(rule, e, player_type(may_be_none));
}

const Expr* set(RuleContext& rule, const Node* node, const Type* element) {
  std::optional<Type> wanted;
  if (element) wanted = set_type(*element);
  return as_set(rule.sema, expr(rule, node, wanted ? &*wanted : nullptr));
}

// Builds an expression that must be a set, or a list to loop over.
const Expr* collection(RuleContext& rule, const Node* node, const Type* element) {
  std::optional<Type> wanted;
  if (element) wanted = set_type(*element);
  rule.walked = node;
  const Expr* e = expr(rule, node, wanted ? &*wanted : nullptr);
  return is_poison(e) || e->type.kind == TypeKind::list ? e : as_set(rule.sema, e);
}

bool effect(RuleContext& rule, Range range, std::string_view what) {
  if (!rule.pure) return true;
  error(rule.sema, "side_effect"_code, range,
        fmt::format("{} has an effect, which is not allowed in a condition or value", what),
        "use a separate statement, and store its result with `let x = …` or in a variable");
  return false;
}

const Expr* unsupported(SemaContext& sema, const Node* node, std::string what, std::string help) {
  error(sema, "unsupported"_code, node->range, std::move(what), std::move(help));
  return poison(sema, node->range);
}

}   // namespace cardwright::sema
