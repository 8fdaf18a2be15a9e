// Builds the statements `turns`, `rounds` and `phase`.
#pragma once

#include "compiler/sema/context/context.h"

namespace cardwright::sema {

void turns_stmt(RuleContext& rule, const Node* node, Block& out);
void rounds_stmt(RuleContext& rule, const Node* node, Block& out);
void phase_stmt(RuleContext& rule, const Node* node, Block& out);

}   // namespace cardwright::sema
