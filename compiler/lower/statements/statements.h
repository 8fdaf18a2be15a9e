// Lowers statements.
#pragma once

#include "compiler/lower/context/function_context.h"

namespace cardwright::lower {

void lower_statement(const FunctionContext& code, const model::Stmt& s);

}   // namespace cardwright::lower
