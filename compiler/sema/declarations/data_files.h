// Reads data files beside the rules.
#pragma once

#include <optional>

#include "compiler/sema/context/context.h"

namespace cardwright::sema {

std::optional<SourceId> read_beside(SemaContext& sema, const Node* path, std::uint32_t unit);

}   // namespace cardwright::sema
