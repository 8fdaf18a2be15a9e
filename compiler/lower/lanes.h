// A number of each player in a lane of one word, to compare them all at once.
#pragma once

#include <optional>

#include "compiler/lower/function_context.h"

namespace cardwright::lower {

std::optional<Register> compared_lanes(const FunctionContext& code, const model::Expr& condition, model::LocalId local,
                                       Register domain);

}  // namespace cardwright::lower
