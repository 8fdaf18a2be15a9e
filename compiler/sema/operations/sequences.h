// Distinguishes sequences from lists, and limits the lengths of lists.
#pragma once

#include "compiler/sema/context/context.h"

namespace cardwright::sema {

inline constexpr Int kMostInList = 1000;
inline constexpr Int kMostNumbers = 65536;   // size of the largest range from which a number can be chosen

Int most_in(const SemaContext& sema, const Type& list);
bool has_room(SemaContext& sema, const Type& list, Range range, bool report = true);
bool is_sequence(const RuleContext& rule, const Expr* e);
const Expr* not_a_value(SemaContext& sema, const Expr* sequence);
const Expr* as_plain_list(RuleContext& rule, const Expr* e);
// Returns the set or list that a filter is applied to.
const Expr* filtered(const Expr* e);

}   // namespace cardwright::sema
