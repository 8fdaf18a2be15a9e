// Lowers statements.
#pragma once

#include "compiler/lower/context/function_context.h"

namespace cardwright::lower {

void block(const FunctionContext& code, const model::Block& statements);
void statement(const FunctionContext& code, const model::Stmt& s);
void room_in_slot(const FunctionContext& code, std::uint32_t zone, Register instance, Register what);
// Ends `target`. The variable `running` counts how many events or windows of that kind are running. If it is 0, only
// the current rule is left.
void end_of(const FunctionContext& code, Int target, Int running = -1);
void check_unwind(const FunctionContext& code, ir::FunctionIndex callee);
void leave_function(const FunctionContext& code, Register value);

}   // namespace cardwright::lower
