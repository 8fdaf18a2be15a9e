// Builds the statements that move cards onto a board and off it.
#pragma once

#include "compiler/sema/context/context.h"

namespace cardwright::sema {

Stmt* move_onto_board(SemaContext& sema, const Expr* card, Range range, Block& out);
const Expr* off_board(RuleContext& rule, const Expr* cards, Range range, Block& out);

}   // namespace cardwright::sema
