// Checks the cells and edges that rules name.
#pragma once

#include "compiler/sema/context/context.h"

namespace cardwright::sema {

const Expr* edge_of(RuleContext& rule, const Expr* cell, const Node* call);
const Expr* cell_at(RuleContext& rule, std::uint32_t board, const Node* node);

}   // namespace cardwright::sema
