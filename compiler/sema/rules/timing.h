// Builds everything that concerns time: durations and latencies, windows `at once` and `in real time`, timers, and
// actions that take time.
#pragma once

#include "compiler/sema/context/context.h"

namespace cardwright::sema {

void build_timing(SemaContext& sema, std::uint32_t value);
const Expr* timed_by(RuleContext& rule, model::Pattern& pattern, Range range);
void action_timing(RuleContext& rule, const Node* timing, model::Action& action);
void check_landings(SemaContext& sema);

}   // namespace cardwright::sema
