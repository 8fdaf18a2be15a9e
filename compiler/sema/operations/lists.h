// Builds operations on sets and lists, and limits their sizes.
#pragma once

#include <string_view>
#include <vector>

#include "compiler/sema/context/context.h"

namespace cardwright::sema {

Type added_to(const Type& list, const Node* what);
const Expr* joined(RuleContext& rule, const Expr* a, const Expr* b, Range range);
const Expr* const_list(SemaContext& sema, std::string_view name, const Expr* e, const ConstantValue& value);
const Expr* size_of(RuleContext& rule, const Expr* of, Range range);
Expr* zone_expr(SemaContext& sema, ExprKind kind, const Where& w, Type type, std::vector<const Expr*> more = {});
const Expr* universe(SemaContext& sema, const Type& element, Range range);

const Expr* list_with(RuleContext& rule, const Expr* list, const Expr* element, Range range);

}   // namespace cardwright::sema
