// Sets and choices without a name.
#pragma once

#include "compiler/lower/function_context.h"
#include "compiler/lower/offers.h"

namespace cardwright::lower {

Facts facts_of_choice(FunctionContext& code, const model::Expr* who, const model::Stmt& here);
void note_asked_in_vain(FunctionContext& code, BlockIndex nothing, Register player, BlockIndex then);
bool is_unseen(const ProgramContext& unit, const model::Expr* e);
void choose(FunctionContext& code, const model::Stmt& s);
void choose_one(FunctionContext& code, const model::Stmt& s);
Register may(FunctionContext& code, const model::Expr& e);
Register as_cards(FunctionContext& code, Register picks, const model::Type& element);
Register more_of_set(FunctionContext& code, Group& group, Level& level, bool flow);
Offered offered_of(FunctionContext& code, Offered domain, bool cards, model::LocalId element, const model::Expr* where);
Register pick_top(FunctionContext& code, const model::Stmt& s, Register all);
void arrange(FunctionContext& code, const model::Stmt& s);

}  // namespace cardwright::lower
