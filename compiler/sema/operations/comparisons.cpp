// Builds `a == b` for operands of any type, or reports that their types can't be compared.
#include "compiler/sema/operations/comparisons.h"

#include <fmt/format.h>

#include "compiler/sema/operations/locals.h"
#include "compiler/sema/operations/sequences.h"
#include "compiler/sema/operations/type_relations.h"
#include "compiler/sema/operations/convert.h"
#include "compiler/sema/operations/records.h"
#include "compiler/sema/symbols/errors.h"
#include "compiler/sema/symbols/make.h"
#include "compiler/sema/symbols/types.h"

namespace cardwright::sema {

const Expr* equals(RuleContext& rule, const Expr* a, const Expr* b, Range range) {
  if (const std::string key = key_of(a);
      a->kind != ExprKind::constant && !key.empty() && key == key_of(b) && !in_library(rule.sema, range))
    warn_if(rule.sema, "constant_condition"_code, range, true, "both sides of the comparison are the same");
  if (a->kind == ExprKind::record && b->kind == ExprKind::record && a->type.kind != TypeKind::map &&
      same_type(rule.sema, a->type, b->type)) {
    if (!has_no_effects(rule.sema, a) || !has_no_effects(rule.sema, b)) return poison(rule.sema, range);
    const Expr* all = nullptr;
    const model::view::Parts left = model::view::record(a).fields(), right = model::view::record(b).fields();
    for (std::size_t i = 0; i < left.size(); ++i) {
      const Expr* one = equals(rule, left[i], right[i], range);
      if (is_poison(one)) return one;
      all = all ? make(rule.sema, ExprKind::logical_and, boolean_type(), range, {all, one}) : one;
    }
    return all;
  }
  if (a->type.kind == TypeKind::set || b->type.kind == TypeKind::set) {
    a = as_set(rule.sema, a);
    b = as_set(rule.sema, b);
    if (is_poison(a) || is_poison(b)) return poison(rule.sema, range);
    auto u = same_type(rule.sema, a->type, b->type) ? common(rule.sema, a->type, b->type) : std::nullopt;
    if (!u) {
      error(rule.sema, "wrong_type"_code, range,
            fmt::format("can't compare `{}` with `{}`", show(rule.sema, a->type), show(rule.sema, b->type)));
      return poison(rule.sema, range);
    }
    return make(rule.sema, ExprKind::set_equal, boolean_type(), range, {convert(rule, a, *u), convert(rule, b, *u)});
  }
  if (a->type.kind == TypeKind::list && b->type.kind == TypeKind::list && same_type(rule.sema, a->type, b->type) &&
      element_type(a->type).kind != TypeKind::listed) {
    for (const Expr* list : {a, b})
      if (is_sequence(rule, list)) return not_a_value(rule.sema, list);
    const Type element = element_type(*common(rule.sema, a->type, b->type));
    return make(
        rule.sema, ExprKind::list_equal, boolean_type(), range,
        {convert(rule, a, list_type(element, a->type.most)), convert(rule, b, list_type(element, b->type.most))});
  }
  if (a->type.kind == TypeKind::integer && b->type.kind == TypeKind::enumeration &&
      rule.model.enums[b->type.ref].numbered)
    b = make(rule.sema, ExprKind::number_of, b->type.optional ? with_none(integer_type()) : integer_type(), b->range,
             {b});
  if (b->type.kind == TypeKind::integer && a->type.kind == TypeKind::enumeration &&
      rule.model.enums[a->type.ref].numbered)
    a = make(rule.sema, ExprKind::number_of, a->type.optional ? with_none(integer_type()) : integer_type(), a->range,
             {a});
  if (!same_type(rule.sema, a->type, b->type) || a->type.kind == TypeKind::text || a->type.kind == TypeKind::list ||
      a->type.kind == TypeKind::map || a->type.kind == TypeKind::record) {
    std::string help;
    if ((a->type.kind == TypeKind::card && b->type.kind == TypeKind::kind) ||
        (a->type.kind == TypeKind::player && b->type.kind == TypeKind::enumeration))
      help = "use `is` instead of `==`";
    const bool tables = same_type(rule.sema, a->type, b->type) && a->type.kind == TypeKind::map;
    if (tables)
      error(rule.sema, "wrong_type"_code, range, "tables can't be compared with `==`",
            "compare their entries: `all k in … have x[k] == y[k]`");
    else
      error(rule.sema, "wrong_type"_code, range,
            fmt::format("can't compare `{}` with `{}`", show(rule.sema, a->type), show(rule.sema, b->type)), help);
    return poison(rule.sema, range);
  }
  return make(rule.sema, ExprKind::equal, boolean_type(), range, {a, b});
}

}   // namespace cardwright::sema
