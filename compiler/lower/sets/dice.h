// Lowers dice: rolls and faces. Determines which dice are distinguishable.
#pragma once

#include "compiler/lower/context/function_context.h"

namespace cardwright::lower {

void show_faces(const FunctionContext& code, const model::Stmt& s);
Register dice_apart(const FunctionContext& code, Register dice, const model::Type& element, Register player);

}   // namespace cardwright::lower
