// Emits code that performs the chosen option of a group.
#pragma once

#include "compiler/lower/context/function_context.h"
#include "compiler/lower/offers/group.h"

namespace cardwright::lower {

Chosen pick_arguments(const FunctionContext& code, Group& group, Register k, bool flow);
void do_group(const FunctionContext& code, Group& group, Register k, bool flow);

}   // namespace cardwright::lower
