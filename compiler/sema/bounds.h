// Checks declared ranges: `n: 0..3`, `: 0..3` of a result, `set of 0..9`. A number that may be out of range is checked
// when the game runs; a number that is always out of range is an error.
#pragma once

#include <string>
#include <string_view>

#include "compiler/sema/context.h"

namespace cardwright::sema {

// Returns `e` with a check against the range of `to`, unless its own type already fits. `what` names the variable,
// parameter or result in the message: "`n` of `score`".
const Expr* in_bounds(SemaContext& sema, const Expr* e, const Type& to, std::string_view what);
// Checks that a number can be an element of a set of numbers, whose elements are 0 to 61.
const Expr* in_bounds_of_sets(SemaContext& sema, const Expr* number);
// Applies convert(), then in_bounds(). `name` is the name of the target for convert(), `what` is as above; if `what` is
// empty, in_bounds() uses `name` in quotes.
const Expr* convert_in_bounds(RuleContext& rule, const Expr* e, const Type& to, std::string_view name,
                              std::string_view what = {});
// Returns the type of a variable without a declared type: its numbers, or its elements that are numbers, have no range.
Type with_any_numbers(Type t);
// Returns "the result of `score`", for messages.
std::string result_name(std::string_view of);

}   // namespace cardwright::sema
