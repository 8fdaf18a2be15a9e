// Resolves the values of all options.
#pragma once

#include <optional>

#include "compiler/sema/context/context.h"

namespace cardwright::sema {

bool resolve_options(SemaContext& sema);
std::optional<Int> count_of_teams(SemaContext& sema);

}   // namespace cardwright::sema
