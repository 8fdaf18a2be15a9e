// Declared ranges: `n: 0..3`, `: 0..3` of a result, `set of 0..9`. A number that may lie outside is checked when the
// game runs; one that always does is an error.
#pragma once

#include <string>
#include <string_view>

#include "compiler/sema/context.h"

namespace cardwright::sema {

// `e`, checked against the range of `to` unless its own type already fits. `what` names the variable, parameter or
// result in the message: "`n` of `score`".
const Expr* in_bounds(SemaContext& sema, const Expr* e, const Type& to, std::string_view what);
// The element of a set of numbers, which holds 0 to 61.
const Expr* in_bounds_of_sets(SemaContext& sema, const Expr* number);
// convert(), then in_bounds(). `name` is what convert() calls the place, `what` as above; without it, `name` in quotes.
const Expr* convert_in_bounds(RuleContext& rule, const Expr* e, const Type& to, std::string_view name,
                              std::string_view what = {});
// The type of a variable without a declared one: its numbers, or those that it holds, have no range.
Type with_any_numbers(Type t);
// "the result of `score`"
std::string result_name(std::string_view of);

}   // namespace cardwright::sema
