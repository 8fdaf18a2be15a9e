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
std::vector<const Expr*> arguments(RuleContext& rule, const Node* node, const Node* list, const Callable& callable,
                                   const std::vector<const Expr*>& initial, std::string_view what, bool lenient = false,
                                   const std::set<const Node*>& but = {});
const Expr* open_window(RuleContext& rule, const Node* node, bool as_truth);
const Expr* proceed(RuleContext& rule, const Node* node, bool statement);
const Expr* may_expr(RuleContext& rule, const Node* node);
const Expr* knows_expr(RuleContext& rule, const Node* node);
bool effect(RuleContext& rule, Range range, std::string_view what);
// Reports a call that does not match the declaration: too many arguments, or an unknown parameter name. If the callable
// replaces another one, the error is reported only once, at the name of the callable, because calls in the base game
// were written for the original one.
void used_otherwise(SemaContext& sema, const Callable& callable, Code code, Range use, std::string message,
                    std::string help = {});

}   // namespace cardwright::sema
