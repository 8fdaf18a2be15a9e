// Looks up the data files of declarations.
#pragma once

#include <optional>

#include "compiler/sema/context/context.h"

namespace cardwright::sema {

// Returns the data file with this path. Reports an error if it can't be used.
std::optional<SourceId> data_file(SemaContext& sema, const Node* path);

}   // namespace cardwright::sema
