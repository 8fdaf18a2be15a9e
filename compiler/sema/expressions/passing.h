// Builds calls of functions with rules as arguments: `reachable(me.at, 3, step_cost(me, _, _))`.
#pragma once

#include <string_view>

#include "compiler/sema/context/context.h"

namespace cardwright::sema {

const Callable& signature_of(const SemaContext& sema, bool is_value, std::uint32_t id);
const Expr* call_with_rules(RuleContext& rule, const Node* node, const Decl& of);
const Expr* call_passed(RuleContext& rule, const Node* node, std::string_view name, const PassedIn& handed);

}   // namespace cardwright::sema
