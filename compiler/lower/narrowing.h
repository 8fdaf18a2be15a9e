// Narrows a domain by the parts of a condition that need no loop. plan/ plans each part; this unit emits the code.
#pragma once

#include <optional>
#include <vector>

#include "compiler/lower/function_context.h"

namespace cardwright::lower {

// Narrows the domain by the leading parts that need no loop, and removes them from `parts`.
Register narrowed(const FunctionContext& code, Register domain, bool cards, model::LocalId local,
                  std::vector<const model::Expr*>& parts);
// A sum, maximum or minimum of a number printed on cards; nullopt if it requires a loop.
std::optional<Register> printed_total(const FunctionContext& code, const model::Expr& aggregate, Register domain);

}   // namespace cardwright::lower
