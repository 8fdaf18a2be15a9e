// Decides whether two types are the same, whether a value of one type is allowed where another type is declared, and
// which type can represent the values of both.
#pragma once

#include <optional>

#include "compiler/sema/context/context.h"

namespace cardwright::sema {

bool is_none_literal(const Expr* e);
bool same_type(const SemaContext& sema, const Type& a, const Type& b);
bool fits(SemaContext& sema, const Type& from, const Type& to);
std::optional<Type> common(const SemaContext& sema, const Type& a, const Type& b);
// Returns whether a value of type `from` is allowed where type `to` is declared. Ignores none and the bounds of
// numbers. In the first pass, also accepts related card types, because the cards of zones are not known yet.
bool may_flow(SemaContext& sema, const Type& from, const Type& to);

}   // namespace cardwright::sema
