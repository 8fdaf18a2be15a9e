// Narrows a domain by those parts of a condition that can be evaluated without a loop. plan/ plans each part; this file
// emits the code.
#pragma once

#include <optional>
#include <vector>

#include "compiler/lower/context/function_context.h"

namespace cardwright::lower {

// Returns the elements of the domain that satisfy the leading parts that need no loop, and removes these parts from
// `parts`.
Register narrowed(const FunctionContext& code, Register domain, bool cards, model::LocalId local,
                  std::vector<const model::Expr*>& parts);
// Returns the sum, maximum or minimum of a number printed on cards, or nullopt if it requires a loop.
std::optional<Register> printed_total(const FunctionContext& code, const model::Expr& aggregate, Register domain);
// Returns the elements of `domain` (a register with a set or mask) that satisfy `where`, or all elements if `where` is
// null.
Register filtered(const FunctionContext& code, Register domain, bool cards, model::LocalId local,
                  const model::Expr* where);

}   // namespace cardwright::lower
