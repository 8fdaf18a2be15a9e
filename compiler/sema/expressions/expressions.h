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
// Returns whether effects are allowed; otherwise, reports an error.
bool effect(RuleContext& rule, Range range, std::string_view what);
const Expr* unsupported(SemaContext& sema, const Node* node, std::string what, std::string help = {});
const Expr* collection(RuleContext& rule, const Node* node, const Type* element = nullptr);

}   // namespace cardwright::sema
