// Checks random numbers, durations and timers in expressions.
#pragma once

#include "compiler/sema/context/context.h"

namespace cardwright::sema {

const Expr* draw(RuleContext& rule, const Node* node);
const Expr* timer_running(RuleContext& rule, const Node* node, Range range);
struct TimerPlace {
  std::uint32_t timer;
  const Expr* owner;
};
const Expr* duration(RuleContext& rule, const Node* node);
// Evaluates a duration that the host needs before the game.
const Expr* constant_duration(RuleContext& rule, const Node* node);
const Expr* latency(RuleContext& rule, const Node* node);
// Resolves `p.doom`, or the name of a timer of the table.
std::optional<TimerPlace> timer_place(RuleContext& rule, const Node* node);

}   // namespace cardwright::sema
