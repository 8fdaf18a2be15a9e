// Secret variables of a State drawn anew, as far as an observer does not know them.
#pragma once

#include "runtime/exchange.h"

namespace cardwright {

// Draws from `stream` (8 bytes, ops/random.h). `few`: only some, for a step from one world to another near it. What
// comes out does not depend on what they were.
void draw_secrets(const Program& program, const HiddenThings& things, Byte* s, Int observer, Byte* stream, bool few);

}   // namespace cardwright
