// Creates simple expressions, statements and locals of the Model.
#pragma once

#include <string_view>
#include <vector>

#include "compiler/sema/context/context.h"

namespace cardwright::sema {

Expr* make(SemaContext& sema, ExprKind kind, Type type, Range range, std::vector<const Expr*> args = {});
const Expr* poison(SemaContext& sema, Range range);
const Expr* constant(SemaContext& sema, Type type, Int value, Range range);
const Expr* integer_constant(SemaContext& sema, Int value, Range range);
const Expr* boolean_constant(SemaContext& sema, bool value, Range range);
LocalId add_local(RuleContext& rule, std::string_view name, Type type, Range range);
LocalId bind(RuleContext& rule, std::string_view name, Type type, Range range);
const Binding* find_binding(const RuleContext& rule, std::string_view name);
Stmt* emit(SemaContext& sema, Block& out, StmtKind kind, Range range, std::vector<const Expr*> exprs = {});

}   // namespace cardwright::sema
