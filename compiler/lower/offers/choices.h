// Lowers choices that are not actions: statements in which a player chooses elements or orders cards, and the choice of
// the remaining elements of a set parameter.
#pragma once

#include "compiler/lower/context/function_context.h"
#include "compiler/lower/offers/group.h"

namespace cardwright::lower {

Facts facts_of_choice(const FunctionContext& code, const model::Expr* who, const model::Stmt& here);
void choose(const FunctionContext& code, const model::Stmt& s);
void choose_one(const FunctionContext& code, const model::Stmt& s);
Register more_of_set(const FunctionContext& code, Group& group, Level& level, bool flow);
Register pick_top(const FunctionContext& code, const model::Stmt& s, Register all);
void arrange(const FunctionContext& code, const model::Stmt& s);

}   // namespace cardwright::lower
