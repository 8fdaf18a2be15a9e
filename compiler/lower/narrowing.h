// What is left of a domain by the parts of a condition that need no loop: plan/ says how, here it is written.
#pragma once

#include <optional>
#include <vector>

#include "compiler/lower/function_context.h"

namespace cardwright::lower {

// What is left of the domain by the first of the parts that need no loop; they are taken off.
Register narrowed(const FunctionContext& code, Register domain, bool cards, model::LocalId local,
                  std::vector<const model::Expr*>& parts);
// A sum, the most or the least of what is printed on cards; nothing where it takes a loop.
std::optional<Register> printed_total(const FunctionContext& code, const model::Expr& aggregate, Register domain);

}   // namespace cardwright::lower
