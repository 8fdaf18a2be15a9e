// Lowers the game flow: turns, rounds, phases, and the main function.
#pragma once

#include <set>

#include "compiler/lower/context/function_context.h"

namespace cardwright::lower {

void declare_flow(ProgramContext& unit);
void lower_main(ProgramContext& unit);
void turns(const FunctionContext& code, const model::Stmt& s);
void rounds(const FunctionContext& code, const model::Stmt& s);
void phase(const FunctionContext& code, const model::Stmt& s);
void flow_block(const FunctionContext& code, const model::Block& statements);
std::set<std::uint32_t> flow_in(const ProgramContext& unit, const model::Stmt& s);
std::set<std::uint32_t> flow_in(const ProgramContext& unit, const model::Block& block);
void inner_block(const FunctionContext& code, const model::Block& statements);
Register start(const FunctionContext& code);
void branch_in_flow(const FunctionContext& code, const model::Expr& condition, const model::Block& then, BlockIndex yes,
                    BlockIndex no);
void enter_in_flow(const FunctionContext& code, Register element, BlockIndex body, BlockIndex next);
void winners(const FunctionContext& code, const model::Stmt& s);
void lower_claims(ProgramContext& unit);

}   // namespace cardwright::lower
