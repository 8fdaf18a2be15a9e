#include "compiler/analysis/kept.h"

#include "compiler/analysis/causes.h"
#include "compiler/analysis/effects.h"
#include "compiler/analysis/orders.h"

namespace cardwright::analysis {

using model::ExprKind;

namespace {

bool is_unwatched(const model::Expr& e, const std::vector<bool>& ordered) {
  switch (e.kind) {
    case ExprKind::zone_top: case ExprKind::zone_top_n: case ExprKind::zone_bottom: return !ordered[e.ref];
    case ExprKind::active_player: case ExprKind::turn_number: case ExprKind::round_number: case ExprKind::window_field:
    case ExprKind::window_left: case ExprKind::event_field: case ExprKind::during_event: case ExprKind::during_window:
    case ExprKind::play_is_over: case ExprKind::pool_values: case ExprKind::knows: case ExprKind::knows_top:
    case ExprKind::supposing:
    case ExprKind::at_first: case ExprKind::timer_running: case ExprKind::race_clock: case ExprKind::race_busy:
    case ExprKind::latency:
      return true;
    default: return false;
  }
}

}  // namespace

const model::Expr* unwatched(const model::Model& model, const model::Value& value) {
  const std::vector<bool> ordered = zones_in_known_order(model);
  const model::Expr* found = nullptr;
  const auto on_expr = [&](const model::Expr& e) {
    if (!found && is_unwatched(e, ordered)) found = &e;
  };
  const auto on_modifier = [&](const model::Modifier& m) {
    if (!found && hangs_on_turn(model, m)) found = m.amount;
  };
  Causes(model, {}, on_expr, {}, on_modifier).value(value);
  return found;
}

}  // namespace cardwright::analysis
