// Builds the statements that roll, turn and show dice.
#pragma once

#include <functional>

#include "compiler/sema/context/context.h"

namespace cardwright::sema {

bool rolls_dice(RuleContext& rule, const Node* roll, Block& out);
void turn_to(RuleContext& rule, const Node* node, Block& out);
bool show_dice(RuleContext& rule, const Expr* e, Range range, Block& out,
               const std::function<void(const Expr*, Block&)>& show_one);

}   // namespace cardwright::sema
