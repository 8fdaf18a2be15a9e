// Lowers windows in which players are asked one after another, and lowers windows and actions as functions.
#pragma once

#include "compiler/lower/context/function_context.h"

namespace cardwright::lower {

void declare_windows(ProgramContext& unit);
void lower_window(ProgramContext& unit, std::size_t index);
void lower_action(ProgramContext& unit, std::size_t index);
void ask_in_turn(const FunctionContext& code, const model::Stmt& s);
void note_whether_reached(const FunctionContext& code, const model::Stmt& ask);
void settle_after_action(const FunctionContext& code, Register player, bool again, const model::Expr* until = nullptr,
                         BlockIndex reached = 0);

}   // namespace cardwright::lower
