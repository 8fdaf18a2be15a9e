// Resolves the types that declarations name.
#pragma once

#include <optional>

#include "compiler/sema/context/context.h"

namespace cardwright::sema {

std::optional<Type> type(SemaContext& sema, const Node* node, bool report = true);
Type type_or_poison(SemaContext& sema, const Node* node);

}   // namespace cardwright::sema
