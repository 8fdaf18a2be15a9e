// Compares types, and converts expressions to the types that their contexts expect.
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
bool is_none_literal(const Expr* e);
bool same_type(const SemaContext& sema, const Type& a, const Type& b);
bool fits(SemaContext& sema, const Type& from, const Type& to);
std::optional<Type> common(const SemaContext& sema, const Type& a, const Type& b);

}   // namespace cardwright::sema
