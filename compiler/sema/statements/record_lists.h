// Builds the assignments `plan += trip` and `plan -= trip`, which add records to a list or remove one.
#pragma once

#include <string_view>

#include "compiler/sema/context/context.h"

namespace cardwright::sema {

const Expr* records_changed(RuleContext& rule, const Expr* target, const Node* value, std::string_view op, Range range,
                            Block& out);

}   // namespace cardwright::sema
