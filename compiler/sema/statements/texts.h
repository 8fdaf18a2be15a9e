// Builds `log` statements.
#pragma once

#include "compiler/sema/context/context.h"

namespace cardwright::sema {

void log_stmt(RuleContext& rule, const Node* node, Block& out);

}   // namespace cardwright::sema
