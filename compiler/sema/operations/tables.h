// Checks local variables that are tables, such as `var best: int? per cell = none`, and converts the values assigned to
// them.
#pragma once

#include <string_view>

#include "compiler/sema/context/context.h"

namespace cardwright::sema {

bool fits_in_rule(SemaContext& sema, const Type& table, Range range);
bool no_table_here(SemaContext& sema, const Node* node);
const Expr* table_or_entry(RuleContext& rule, const Expr* e, const Type& table, std::string_view name);

}   // namespace cardwright::sema
