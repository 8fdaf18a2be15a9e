// Builds assignments to local tables, such as `best = other` and `best = none`.
#pragma once

#include <string_view>

#include "compiler/sema/context/context.h"

namespace cardwright::sema {

void assign_table(RuleContext& rule, const Expr* target, const Node* value, std::string_view op, Range range,
                  Block& out);

}   // namespace cardwright::sema
