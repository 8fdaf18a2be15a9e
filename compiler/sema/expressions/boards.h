// Builds expressions that name a cell or edge of a board: `field[x, y]` and `c.edge(d)`.
#pragma once

#include "compiler/sema/context/context.h"

namespace cardwright::sema {

const Expr* edge_of(RuleContext& rule, const Expr* cell, const Node* call);
const Expr* cell_at(RuleContext& rule, std::uint32_t board, const Node* node);

}   // namespace cardwright::sema
