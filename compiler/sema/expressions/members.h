// Resolves `x.name` and `x[i]`: members of players, cards, constants, windows and events, and entries of tables.
#pragma once

#include <string_view>

#include "compiler/sema/context/context.h"

namespace cardwright::sema {

const Expr* window_member(RuleContext& rule, std::uint32_t window, std::string_view name, Range range);
const Expr* picked(RuleContext& rule, const Expr* of, const Expr* at, Range range);
const Expr* member(RuleContext& rule, const Node* node, const Type* expected);
const Expr* index(RuleContext& rule, const Node* node);

}   // namespace cardwright::sema
