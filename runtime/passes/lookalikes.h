// Eliminates common subexpressions in code that computes the look-alike representatives of many kinds of cards.
#pragma once

#include "runtime/ir/ir.h"
#include "runtime/program/layout.h"

namespace cardwright::passes {

// Rules search a hand kind by kind: set_lookalikes of (hand and kind). A kind consists of whole classes of look-alikes,
// so this equals (set_lookalikes of the hand) and kind, and the first part is computed only once.
void cse_lookalikes(const ir::Module& module, ir::Function& function, const Layout& layout);

}   // namespace cardwright::passes
