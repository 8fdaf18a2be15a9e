// Lowers the evaluation of a value with its modifiers.
#pragma once

#include <vector>

#include "compiler/lower/context/function_context.h"

namespace cardwright::lower {

Register value_settled(const FunctionContext& code, const model::Value& value, const std::vector<Register>& arguments);
Register settled_and_modified(const FunctionContext& code, const model::Value& value,
                              const std::vector<Register>& arguments);

}   // namespace cardwright::lower
