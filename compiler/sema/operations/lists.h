// Builds operations on sets and lists, and limits their sizes.
#pragma once

#include <string_view>
#include <vector>

#include "compiler/sema/context/context.h"

namespace cardwright::sema {

inline constexpr Int kMostInList = 1000;
inline constexpr Int kMostNumbers = 65536;   // size of the largest range from which a number can be chosen
Int most_in(const SemaContext& sema, const Type& list);
bool has_room(SemaContext& sema, const Type& list, Range range, bool report = true);
Type added_to(const Type& list, const Node* what);
bool is_sequence(const RuleContext& rule, const Expr* e);
const Expr* not_a_value(SemaContext& sema, const Expr* sequence);
const Expr* as_plain_list(RuleContext& rule, const Expr* e);
const Expr* joined(RuleContext& rule, const Expr* a, const Expr* b, Range range);
const Expr* const_list(SemaContext& sema, std::string_view name, const Expr* e, const ConstantValue& value);
const Expr* size_of(RuleContext& rule, const Expr* of, Range range);
Expr* zone_expr(SemaContext& sema, ExprKind kind, const Where& w, Type type, std::vector<const Expr*> more = {});
const Expr* universe(SemaContext& sema, const Type& element, Range range);
// Returns the set or list that a filter is applied to.
const Expr* filtered(const Expr* e);

}   // namespace cardwright::sema
