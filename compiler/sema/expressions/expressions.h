// Checks expressions for a context that expects a condition, a number, a player or a set.
#pragma once

#include <string>

#include "compiler/sema/context/context.h"

namespace cardwright::sema {

const Expr* expr(RuleContext& rule, const Node* node, const Type* expected = nullptr);
const Expr* condition(RuleContext& rule, const Node* node);
const Expr* integer(RuleContext& rule, const Node* node);
const Expr* player(RuleContext& rule, const Node* node, bool may_be_none = false);
const Expr* set(RuleContext& rule, const Node* node, const Type* element = nullptr);
const Expr* name_ref(RuleContext& rule, const Node* node, const Type* expected);
const Expr* unsupported(SemaContext& sema, const Node* node, std::string what, std::string help = {});
const Expr* collection(RuleContext& rule, const Node* node, const Type* element = nullptr);
const Expr* number(SemaContext& sema, const Node* node);

}   // namespace cardwright::sema
