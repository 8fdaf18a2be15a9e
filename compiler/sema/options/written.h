// Returns the source text of a node.
#pragma once

#include <string>

#include "compiler/sema/context/context.h"

namespace cardwright::sema {

std::string written(SemaContext& sema, const Node* node);

}   // namespace cardwright::sema
