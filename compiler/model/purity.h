// Lists the kinds of expressions that are not pure.
#pragma once

#include "compiler/model/code.h"

namespace cardwright::model {

// Returns whether evaluating such an expression can change the game, ask a player, draw a random number, or refill an
// empty pile.
inline bool can_act(ExprKind kind) {
  switch (kind) {
    case ExprKind::call_event:
    case ExprKind::open_window:
    case ExprKind::proceed:
    case ExprKind::may:
    case ExprKind::roll:
    case ExprKind::pick_random:
    case ExprKind::random_n:
    case ExprKind::latency:
    case ExprKind::zone_top:
    case ExprKind::zone_top_n:
    case ExprKind::zone_bottom: return true;
    default: return false;
  }
}

}   // namespace cardwright::model
