// Lowers pieces that cover several cells, and cards on boards.
#pragma once

#include "compiler/lower/context/function_context.h"

namespace cardwright::lower {

Register footprint(const FunctionContext& code, const model::Expr& e);
Register fitting(const FunctionContext& code, const model::Expr& e);
void describe_pieces(ProgramContext& unit);
void describe_board_cards(ProgramContext& unit);

}   // namespace cardwright::lower
