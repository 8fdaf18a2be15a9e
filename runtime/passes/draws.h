// Fuses draws: a card moved from the top of a pile directly into a zone need not be fixed on the pile first.
#pragma once

#include "runtime/ir/ir.h"
#include "runtime/passes/evaluate.h"

namespace cardwright::passes {

// Replaces `zone_top` and the `move_card` of its result by one `draw_card`. The form must have no notes between the
// two.
void fuse_draws(ir::Module& module, const PassContext& context);

}   // namespace cardwright::passes
