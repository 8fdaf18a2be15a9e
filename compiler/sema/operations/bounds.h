// Checks declared ranges: `n: 0..3`, a result `: 0..3`, `set of 0..9`. A number that is always out of range is an
// error. A number that may be out of range is checked when the game runs.
#pragma once

#include <string>
#include <string_view>

#include "compiler/sema/context/context.h"

namespace cardwright::sema {

// Returns `e` with a run-time check against the range of `to`, or `e` itself if its type already fits. In messages,
// `what` names the variable, parameter or result: "`n` of `score`".
const Expr* in_bounds(SemaContext& sema, const Expr* e, const Type& to, std::string_view what);
// Adds a run-time check that a number can be an element of a set of numbers, which can contain only 0 to kMostInSet.
// Reports an error if the number can never be one.
const Expr* in_bounds_of_sets(SemaContext& sema, const Expr* number);
// Returns the type of a variable that has no declared type. Its numbers, or the numbers in its set or list, have no
// range.
Type with_any_numbers(Type t);
// Returns "the result of `score`", for messages.
std::string result_name(std::string_view of);

}   // namespace cardwright::sema
