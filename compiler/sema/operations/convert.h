// Converts expressions to the types that their contexts expect, or reports that this is impossible.
#pragma once

#include <optional>
#include <string_view>

#include "compiler/sema/context/context.h"

namespace cardwright::sema {

const Expr* convert(RuleContext& rule, const Expr* e, const Type& to, std::string_view what = {});
const Expr* to_compare(RuleContext& rule, const Expr* e, const Type& with, std::string_view what = {});
const Expr* to_int(RuleContext& rule, const Expr* e);
// Converts to a number or a duration.
const Expr* to_amount(RuleContext& rule, const Expr* e);
const Expr* as_set(SemaContext& sema, const Expr* e);
const Expr* as_list(RuleContext& rule, const Expr* e, const Type& to);

const Expr* as_offset(RuleContext& rule, const Expr* e);
// Applies convert(), then in_bounds(). `name` names the target in messages of convert(), and `what` names it in
// messages of in_bounds(). If `what` is empty, in_bounds() uses `name` in quotes.
const Expr* convert_in_bounds(RuleContext& rule, const Expr* e, const Type& to, std::string_view name,
                              std::string_view what = {});

}   // namespace cardwright::sema
