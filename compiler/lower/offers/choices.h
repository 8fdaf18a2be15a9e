// Lowers anonymous choices: statements that let a player choose cards, elements or sets without naming the choice.
#pragma once

#include "compiler/lower/context/function_context.h"
#include "compiler/lower/offers/offers.h"
#include "compiler/lower/expressions/unknown_cards.h"

namespace cardwright::lower {

Facts facts_of_choice(const FunctionContext& code, const model::Expr* who, const model::Stmt& here);
void note_asked_in_vain(const FunctionContext& code, BlockIndex nothing, Register player, BlockIndex then);
bool is_unknown(const ProgramContext& unit, const model::Expr* e);
void choose(const FunctionContext& code, const model::Stmt& s);
void choose_one(const FunctionContext& code, const model::Stmt& s);
Register may(const FunctionContext& code, const model::Expr& e);
Register as_cards(const FunctionContext& code, Register picks, const model::Type& element);
Register more_of_set(const FunctionContext& code, Group& group, Level& level, bool flow);
Offered offered_of(const FunctionContext& code, Offered domain, bool cards, model::LocalId element,
                   const model::Expr* where);
Register pick_top(const FunctionContext& code, const model::Stmt& s, Register all);
void arrange(const FunctionContext& code, const model::Stmt& s);

}   // namespace cardwright::lower
