// Builds the assignments `plan += trip` and `plan -= trip`, which add records to a list or remove one.
#include "compiler/sema/statements/record_lists.h"

#include "compiler/sema/expressions/calls.h"
#include "compiler/sema/operations/convert.h"
#include "compiler/sema/operations/lists.h"
#include "compiler/sema/operations/record_lists.h"
#include "compiler/sema/operations/records.h"
#include "compiler/sema/statements/assign.h"
#include "compiler/sema/symbols/errors.h"
#include "compiler/sema/symbols/make.h"

namespace cardwright::sema {

// Returns the list after `plan += trip` or `plan -= trip`.
const Expr* records_changed(RuleContext& rule, const Expr* target, const Node* value, std::string_view op, Range range,
                            Block& out) {
  const Type added = added_to(target->type, value), element = element_type(target->type);
  const Expr* change = value_in_statement(rule, value, &added, out);
  if (is_poison(change)) return change;
  const bool lists = change->type.kind == TypeKind::list;
  if (!lists) change = convert(rule, change, element, "an element");
  if (is_poison(change)) return change;
  const std::vector<const Expr*> fields = fields_in_locals(rule, change, range, out);
  std::size_t at = 0;
  change = spread(rule.sema, "", change->type, range, [&](const std::string&, const Type&) { return fields[at++]; });
  if (op == "-=" && lists) {
    error(rule.sema, "wrong_type"_code, range, "`-=` removes a single element, not a list",
          "write `each r in … { l -= r }`");
    return poison(rule.sema, range);
  }
  if (op == "-=") return without_record(rule, target, change, range, &out);
  return lists ? joined(rule, target, change, range) : list_with(rule, target, change, range);
}

}   // namespace cardwright::sema
