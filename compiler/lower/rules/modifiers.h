// Emits modifiers of values.
#pragma once

#include <vector>

#include "compiler/lower/context/function_context.h"

namespace cardwright::lower {

void apply_modifier(const FunctionContext& code, const model::Modifier& m, Op op, Register result,
                    const std::vector<Register>& arguments, Facts facts = {});

}   // namespace cardwright::lower
