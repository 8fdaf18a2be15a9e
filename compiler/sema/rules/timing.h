// Builds the timing of values and actions, and checks that no player has to decide while time runs in a window.
#pragma once

#include "compiler/sema/context/context.h"

namespace cardwright::sema {

void build_timing(SemaContext& sema, std::uint32_t value);
const Expr* timed_by(RuleContext& rule, model::Pattern& pattern, Range range);
void action_timing(RuleContext& rule, const Node* timing, model::Action& action);
void check_landings(SemaContext& sema);

}   // namespace cardwright::sema
