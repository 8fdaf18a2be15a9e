// Computes operations on numbers that are known before the game.
#pragma once

#include <optional>
#include <string_view>

#include "compiler/sema/context/context.h"

namespace cardwright::sema {

std::optional<Int> compute(SemaContext& sema, ExprKind kind, Int a, Int b, Range range);
std::string_view trap_message(Trap trap);

}   // namespace cardwright::sema
