// Builds local variables that are records.
#include "compiler/sema/statements/records.h"

#include "compiler/sema/operations/locals.h"
#include "compiler/sema/expressions/records.h"
#include "compiler/sema/operations/record_lists.h"
#include "compiler/sema/operations/records.h"
#include "compiler/sema/symbols/make.h"

namespace cardwright::sema {

// Builds `let p = purse`: a local for each field.
const Expr* let_record(RuleContext& rule, const Node* node, const Type& t, const Expr* initial, bool variable,
                       Block& out) {
  const std::string name(node->text);
  if (!initial)
    initial = is_record_list(rule.sema, t) ? no_records(rule.sema, t, node->range) : initial_of(rule.sema, t);
  return spread(rule.sema, name, t, node->range, [&](const std::string& leaf, const Type& type) {
    const Expr* first = field_at(rule.sema, initial, std::string_view(leaf).substr(name.size() + 1));
    const LocalId id = add_local(rule, leaf, type, node->range);
    if (variable) rule.variables.insert(id.index);
    emit(rule.sema, out, StmtKind::let, node->range, {first})->local = id;
    return local(rule, id, node->range);
  });
}

}   // namespace cardwright::sema
