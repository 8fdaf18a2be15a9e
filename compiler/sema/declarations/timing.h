// Declares timers, and the timing of windows.
#pragma once

#include "compiler/sema/context/context.h"

namespace cardwright::sema {

void declare_timing(SemaContext& sema, std::uint32_t window, const Node* body);
void declare_timer(SemaContext& sema, const Node* node, bool per_player);

}   // namespace cardwright::sema
