// Lowers windows in real time (races).
#pragma once

#include "compiler/lower/context/function_context.h"

namespace cardwright::lower {

void declare_race(ProgramContext& unit);
void ask_in_real_time(const FunctionContext& code, const model::Stmt& s);
void delay(const FunctionContext& code, const model::Stmt& s);
void pause(const FunctionContext& code, const model::Stmt& s);
void start_timer(const FunctionContext& code, const model::Stmt& s);
void stop_timer(const FunctionContext& code, const model::Stmt& s);

}   // namespace cardwright::lower
