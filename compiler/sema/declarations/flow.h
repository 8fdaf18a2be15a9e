// Declares the events and windows of the game flow.
#pragma once

#include "compiler/sema/context/context.h"

namespace cardwright::sema {

void declare_flow(SemaContext& sema);
bool asks(const Node* node);

}   // namespace cardwright::sema
