// Lowers windows in real time (races).
#pragma once

#include "compiler/lower/context/function_context.h"

namespace cardwright::lower {

void declare_race(ProgramContext& unit);
Register race_load(const FunctionContext& code, Int variable, Register index = ir::kNoRegister);
void ask_in_real_time(const FunctionContext& code, const model::Stmt& s);
Register latency(const FunctionContext& code, const model::Expr& e);
void delay(const FunctionContext& code, const model::Stmt& s);
void pause(const FunctionContext& code, const model::Stmt& s);
void start_timer(const FunctionContext& code, const model::Stmt& s);
void stop_timer(const FunctionContext& code, const model::Stmt& s);

}   // namespace cardwright::lower
