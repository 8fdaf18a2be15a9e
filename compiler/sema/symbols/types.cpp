// Describes types in messages, and determines which elements fit into a set.
#include "compiler/sema/symbols/types.h"

#include <algorithm>

#include "compiler/sema/symbols/areas.h"
#include "support/decimal.h"

namespace cardwright::sema {

Type element_of_set(const SemaContext& sema, const Type& t) {
  return t.kind == TypeKind::integer && !is_part(sema, t) ? integer_type(0, kMostInSet) : without_none(t);
}

Int greatest_in_set(const SemaContext& sema, const Type& number) {
  return is_part(sema, number) ? number.hi : std::min(number.hi, kMostInSet);
}

bool fits_in_set(const SemaContext& sema, const Type& t) {
  return t.kind != TypeKind::integer || is_part(sema, t) || (t.lo >= 0 && t.hi <= kMostInSet);
}

bool has_wide_sets(const SemaContext& sema, const Type& element) {
  switch (element.kind) {
    case TypeKind::card: return true;
    case TypeKind::enumeration: return sema.model.enums[element.ref].has_wide_sets();
    case TypeKind::kind: return model::has_wide_sets(sema.model.kinds);
    case TypeKind::integer: return is_part(sema, element) && sema.model.areas[element.ref].has_wide_sets();
    case TypeKind::boolean:
    case TypeKind::player:
#include "compiler/model/cases_of_non_scalars.def"
      break;
  }
  return false;
}

std::string show(const SemaContext& sema, const Type& t) { return model::to_string(sema.model, t); }

}   // namespace cardwright::sema
