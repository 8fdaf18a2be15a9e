// Lowers board expressions: cells, edges, directions, and sets of cells.
#pragma once

#include <initializer_list>

#include "compiler/lower/context/function_context.h"

namespace cardwright::lower {

Register edge_of(const FunctionContext& code, const model::Expr& e);
Register cells_beside(const FunctionContext& code, const model::Expr& e);
Register shift_by(const FunctionContext& code, const model::Expr& e);
void for_each_crossing(const FunctionContext& code, const model::Function& f);
Register cell_at(const FunctionContext& code, const model::Expr& e);
Register step(const FunctionContext& code, const model::Expr& e);
Register shift(const FunctionContext& code, Register cells, const model::Board& board, const model::Expr& direction,
               bool back);
// Returns whether a loop over a few directions is unrolled. It is unrolled if its body shifts sets in these directions,
// because the distance of each shift is then a constant.
bool writes_out(const FunctionContext& code, const model::Expr& domain, model::LocalId local,
                std::initializer_list<const model::Expr*> bodies, const model::Block* block);

}   // namespace cardwright::lower
