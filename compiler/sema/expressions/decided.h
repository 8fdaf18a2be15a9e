// Evaluates conditions in rules that depend only on options. Does not evaluate a condition in which a name has another
// meaning in its scope.
#pragma once

#include <optional>

#include "compiler/sema/context/context.h"

namespace cardwright::sema {

// Returns the value of a condition, if it depends only on the options.
std::optional<TreeConstant> decided(SemaContext& sema, RuleContext* rule, const Node* condition);
bool is_decided_by_options(SemaContext& sema, const Node* node);

}   // namespace cardwright::sema
