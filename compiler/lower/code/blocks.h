// Emits the statements of a block.
#pragma once

#include "compiler/lower/context/function_context.h"

namespace cardwright::lower {

void block(const FunctionContext& code, const model::Block& statements);

}   // namespace cardwright::lower
