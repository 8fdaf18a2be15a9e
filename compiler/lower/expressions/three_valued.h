// Lowers conditions as three-valued logic over the knowledge of the deciding player. analysis/secrecy.h determines
// which expressions may read something that this player does not know.
#pragma once

#include <functional>
#include <initializer_list>

#include "compiler/lower/context/function_context.h"

namespace cardwright::lower {

void branch_asked(const FunctionContext& code, const model::Expr& e, BlockIndex yes, BlockIndex no);
Register knows_all(const FunctionContext& code, Register cards);
void need(const FunctionContext& code, Register known);
void need_seen(const FunctionContext& code, Register cards, Fact fact);
void need_told_apart(const FunctionContext& code, const model::Expr& a, Register x, const model::Expr& c, Register y);
void need_value(const FunctionContext& code, const model::Expr& variable);
void need_whose(const FunctionContext& code, const model::RuleHead& head, Register me);
Register unknown_value(const FunctionContext& code, const model::Expr& e);
Register card_seen(const FunctionContext& code, const model::Expr& card);
// Evaluates a domain, and records the facts about its elements before `uses` are evaluated.
Register looked_through(const FunctionContext& code, const model::Expr& domain, model::LocalId local,
                        std::initializer_list<const model::Expr*> uses);
void look_in_order(const FunctionContext& code, const model::Expr& domain, Register cards, model::LocalId local);
Register call_asked(const FunctionContext& code, const model::Expr& call);
// Returns the value of the expression if the player's knowledge determines it, otherwise the result of `otherwise`.
Register as_known(const FunctionContext& code, const model::Expr& e, const std::function<Register()>& otherwise);
inline bool asking(const FunctionContext& code) { return code.asking.player != ir::kNoRegister; }
inline bool reads(const FunctionContext& code, const model::Expr& e) {
  return code.unit.facts.secrecy.reads(e, code.env().facts);
}
inline bool reads(const FunctionContext& code, const model::Expr* e) { return e && reads(code, *e); }
inline Fact fact(const FunctionContext& code, const model::Expr& e) {
  return code.unit.facts.secrecy.fact(e, code.env().facts);
}

}   // namespace cardwright::lower
