// Resolves the values of all options.
#pragma once

#include <optional>
#include <string>

#include "compiler/sema/context/context.h"
#include "compiler/sema/options/relations.h"

namespace cardwright::sema {

bool resolve_options(SemaContext& sema);
std::optional<Int> count_of_teams(SemaContext& sema);
std::string written(SemaContext& sema, const Node* node);

}   // namespace cardwright::sema
