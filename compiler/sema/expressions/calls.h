// Checks calls of values, functions, events, windows and built-in functions.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/sema/context/context.h"

namespace cardwright::sema {

const Expr* value_in_statement(RuleContext& rule, const Node* node, const Type* expected, Block& out);
const Expr* call(RuleContext& rule, const Node* node, bool statement);
const Expr* call_named(RuleContext& rule, const Node* node, std::string_view name, bool statement);
const Expr* open_window(RuleContext& rule, const Node* node, bool as_truth);
const Expr* proceed(RuleContext& rule, const Node* node, bool statement);
const Expr* may_expr(RuleContext& rule, const Node* node);
const Expr* knows_expr(RuleContext& rule, const Node* node);

}   // namespace cardwright::sema
