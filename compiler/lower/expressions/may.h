// Lowers `may`, which lets a player answer yes or no.
#pragma once

#include "compiler/lower/context/function_context.h"

namespace cardwright::lower {

Register may(const FunctionContext& code, const model::Expr& e);

}   // namespace cardwright::lower
