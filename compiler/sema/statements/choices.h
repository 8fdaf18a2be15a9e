// Checks statements in which a player decides: `choose`, `may`, `arrange`, and `ask` in windows.
#pragma once

#include "compiler/sema/context/context.h"

namespace cardwright::sema {

void arrange_stmt(RuleContext& rule, const Node* node, Block& out);
void choose_stmt(RuleContext& rule, const Node* node, Block& out);
void choose_one_stmt(RuleContext& rule, const Node* node, Block& out);
void may_stmt(RuleContext& rule, const Node* node, Block& out);
void ask_stmt(RuleContext& rule, const Node* node, Block& out);

}   // namespace cardwright::sema
