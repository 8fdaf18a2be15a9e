// Emits tests of whether a rule matches the arguments of an event, a value or an action.
#pragma once

#include <vector>

#include "compiler/lower/context/function_context.h"

namespace cardwright::lower {

// Binds the names in the patterns. Jumps to `no` unless the patterns match and `when` is true. `code` must use the
// rule's Env.
void guard(const FunctionContext& code, const model::RuleHead& head, const std::vector<model::Pattern>& patterns,
           const std::vector<Register>& arguments, BlockIndex no);

}   // namespace cardwright::lower
