// One set of representatives for many kinds of cards.
#pragma once

#include "runtime/ir/ir.h"
#include "runtime/program/layout.h"

namespace cardwright::passes {

// A hand is looked through kind by kind: set_lookalikes of (hand and kind). A kind is made of whole classes of
// look-alikes, so that is (set_lookalikes of the hand) and kind, and the former need be computed only once.
void cse_lookalikes(const ir::Module& module, ir::Function& function, const Layout& layout);

}   // namespace cardwright::passes
