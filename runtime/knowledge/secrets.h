// Redraws the secret variables of a State that an observer does not know.
#pragma once

#include "runtime/knowledge/exchange.h"

namespace cardwright {

// Redraws the secrets independently of their previous values, with random numbers from `stream` (8 bytes,
// ops/random.h). If `few` is true, changes only some of them, for a step from one world to a similar one.
void draw_secrets(const Program& program, const HiddenThings& things, Byte* s, Int observer, Byte* stream, bool few);

}   // namespace cardwright
