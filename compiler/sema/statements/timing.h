// Builds statements that concern time: timed questions, races, delays, pauses and timers.
#pragma once

#include "compiler/sema/context/context.h"

namespace cardwright::sema {

void timed_ask(RuleContext& rule, const Node* node, Block& out);
void race_clause(RuleContext& rule, const Node* node);
void delay_stmt(RuleContext& rule, const Node* node, Block& out);
void pause_stmt(RuleContext& rule, const Node* node, Block& out);
void timer_stmt(RuleContext& rule, const Node* node, Block& out);
bool fits_window(const model::Action& action, std::uint32_t window);

}   // namespace cardwright::sema
