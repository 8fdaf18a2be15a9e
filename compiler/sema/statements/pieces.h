// Builds the statements `place`, which puts a piece or card on a board or turns it, and `lift`, which takes pieces off
// the board.
#pragma once

#include "compiler/sema/context/context.h"

namespace cardwright::sema {

bool may_be_lifted(SemaContext& sema, const Type& piece, Range range);
void place_stmt(RuleContext& rule, const Node* node, Block& out);
void lift_stmt(RuleContext& rule, const Node* node, Block& out);
void lift(SemaContext& sema, const Expr* x, Range range, Block& out);

}   // namespace cardwright::sema
