// Builds assignments to local tables, such as `best = other` and `best = none`.
#include "compiler/sema/statements/tables.h"

#include <fmt/format.h>

#include "compiler/sema/expressions/expressions.h"
#include "compiler/sema/operations/tables.h"
#include "compiler/sema/statements/assign.h"
#include "compiler/sema/symbols/errors.h"

namespace cardwright::sema {

void assign_table(RuleContext& rule, const Expr* target, const Node* value, std::string_view op, Range range,
                  Block& out) {
  const std::string name = rule.body->locals[target->local.index].name;
  if (op != "=")
    return void(error(rule.sema, "wrong_type"_code, range,
                      fmt::format("a table can only be assigned with `=`: `{}`", name),
                      fmt::format("to change entries, write `each k in … {{ {}[k] {} … }}`", name, op)));
  const Expr* e = table_or_entry(rule, expr(rule, value, target->type.elem.get()), target->type, name);
  if (is_poison(e)) return;
  store(rule, target, e, target->range, range, out);
}

}   // namespace cardwright::sema
