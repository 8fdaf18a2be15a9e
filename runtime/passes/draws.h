// A card that goes from the top of a pile straight into a zone need not be fixed on the pile first.
#pragma once

#include "runtime/ir/ir.h"
#include "runtime/passes/evaluate.h"

namespace cardwright::passes {

// `zone_top` and the `move_card` of what it found become one `draw_card`. For forms in which nothing is noted in
// between.
void fuse_draws(ir::Module& module, const PassContext& context);

}   // namespace cardwright::passes
