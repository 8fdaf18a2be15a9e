// Lowers `may`, which lets a player answer yes or no.
#pragma once

#include "compiler/lower/context/function_context.h"

namespace cardwright::lower {

Register may(const FunctionContext& code, const model::Expr& e);
void note_without_options(const FunctionContext& code, BlockIndex nothing, Register player, BlockIndex then);
// Logs the question although the player has no options. Otherwise, other players would notice that there are none.
void note_without_options(const FunctionContext& code, BlockIndex nothing, Register player, BlockIndex then);

}   // namespace cardwright::lower
