// Windows in real time.
#pragma once

#include "compiler/lower/function_context.h"

namespace cardwright::lower {

void declare_race(ProgramContext& unit);
Register race_load(FunctionContext& code, Int variable, Register index = ir::kNoRegister);
void ask_in_real_time(FunctionContext& code, const model::Stmt& s);
Register latency(FunctionContext& code, const model::Expr& e);
void delay(FunctionContext& code, const model::Stmt& s);
void pause(FunctionContext& code, const model::Stmt& s);
void start_timer(FunctionContext& code, const model::Stmt& s);
void stop_timer(FunctionContext& code, const model::Stmt& s);

}  // namespace cardwright::lower
