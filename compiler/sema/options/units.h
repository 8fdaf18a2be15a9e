// Evaluates numbers with a unit: after `unit CL = 2`, the number `1.5 CL` is 3.
#pragma once

#include <optional>
#include <string_view>

#include "compiler/sema/context/context.h"

namespace cardwright::sema {

std::optional<Int> in_parts(SemaContext& sema, const Node* number, Int unit, bool report);
std::string_view unit_of_type(const SemaContext& sema, const Node* type);
void check_units(SemaContext& sema);
std::optional<Int> in_units(SemaContext& sema, const Node* number, bool report = true);
std::optional<Int> microseconds(SemaContext& sema, const Node* number);

}   // namespace cardwright::sema
