// Lowers `ask`, and windows and actions as functions.
#pragma once

#include "compiler/lower/context/function_context.h"

namespace cardwright::lower {

bool depends_on_unknown(const ProgramContext& unit, const model::Action& action);
void declare_windows(ProgramContext& unit);
void lower_window(ProgramContext& unit, std::size_t index);
void lower_action(ProgramContext& unit, std::size_t index);
void ask(const FunctionContext& code, const model::Stmt& s);
void note_whether_reached(const FunctionContext& code, const model::Stmt& ask);
void leave_window(const FunctionContext& code);
void settle_after_action(const FunctionContext& code, Register player, bool again, const model::Expr* until = nullptr,
                         BlockIndex reached = 0);
Register limit_used(const FunctionContext& code, const LimitUse& use, Register me);
void use_up_limits_by(const FunctionContext& code, std::size_t action, std::span<const Register> arguments);
Register limit_index(const FunctionContext& code, Register me, Register target);

}   // namespace cardwright::lower
