// Resolves the types that declarations name.
#pragma once

#include <optional>

#include "compiler/sema/context/context.h"

namespace cardwright::sema {

std::optional<Type> type(SemaContext& sema, const Node* node, bool report = true);
Type type_or_poison(SemaContext& sema, const Node* node);
// Builds the fields of a record when it is first used, because their types can be declared anywhere.
void build_record(SemaContext& sema, std::uint32_t id);

}   // namespace cardwright::sema
