// Builds everything that concerns time: durations and latencies, windows `at once` and `in real time`, timers, and
// actions that take time.
#pragma once

#include <optional>

#include "compiler/sema/context/context.h"

namespace cardwright::sema {

std::optional<Int> microseconds(SemaContext& sema, const Node* number);
const Expr* draw(RuleContext& rule, const Node* node);
void declare_timing(SemaContext& sema, std::uint32_t window, const Node* body);
void build_timing(SemaContext& sema, std::uint32_t value);
const Expr* timed_by(RuleContext& rule, model::Pattern& pattern, Range range);
void timed_ask(RuleContext& rule, const Node* node, Block& out);
void race_clause(RuleContext& rule, const Node* node);
void delay_stmt(RuleContext& rule, const Node* node, Block& out);
void pause_stmt(RuleContext& rule, const Node* node, Block& out);
void declare_timer(SemaContext& sema, const Node* node, bool per_player);
const Expr* timer_running(RuleContext& rule, const Node* node, Range range);
void timer_stmt(RuleContext& rule, const Node* node, Block& out);
void action_timing(RuleContext& rule, const Node* timing, model::Action& action);
void check_landings(SemaContext& sema);

}   // namespace cardwright::sema
