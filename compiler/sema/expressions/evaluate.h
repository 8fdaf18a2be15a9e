// Evaluates checked expressions whose values are known before the game.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "compiler/sema/context/context.h"

namespace cardwright::sema {

using Frame = std::map<std::uint32_t, Computed>;

std::optional<Computed> evaluate(SemaContext& sema, const Expr& e, Frame& frame, int depth = 0);
void not_known(SemaContext& sema, Range range, std::string message, std::string help = {});

}   // namespace cardwright::sema
