// Builds the statements that move cards (`move`, `deal`, `turn`) and those that show them (`reveal`, `peek`).
#pragma once

#include <functional>

#include "compiler/sema/context/context.h"

namespace cardwright::sema {

void facing(RuleContext& rule, const Node* way, Block& out, const std::function<void(bool up, Block&)>& statement);
void turn_over(RuleContext& rule, const Node* node, Block& out);
void move_stmt(RuleContext& rule, const Node* node, Block& out);
void deal_stmt(RuleContext& rule, const Node* node, Block& out);
void reveal_stmt(RuleContext& rule, const Node* node, Block& out);
void peek_stmt(RuleContext& rule, const Node* node, Block& out);

}   // namespace cardwright::sema
