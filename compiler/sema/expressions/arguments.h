// Matches the arguments of a call with the parameters of the callable.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/sema/context/context.h"

namespace cardwright::sema {

std::vector<const Expr*> arguments(RuleContext& rule, const Node* node, const Node* list, const Callable& callable,
                                   const std::vector<const Expr*>& initial, std::string_view what, bool lenient = false,
                                   const std::set<const Node*>& but = {});
// Reports a call that does not match the declaration: too many arguments, or an unknown parameter name. If the callable
// replaces another one, the error is reported only once, at the name of the callable, because calls in the base game
// were written for the original one.
void used_otherwise(SemaContext& sema, const Callable& callable, Code code, Range use, std::string message,
                    std::string help = {});

}   // namespace cardwright::sema
