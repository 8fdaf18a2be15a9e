// Finds dependencies that prevent a value from being memoized, because their changes are not tracked.
#include "compiler/analysis/memoized_values.h"

#include "compiler/analysis/causes.h"
#include "compiler/analysis/effects.h"
#include "compiler/analysis/orders.h"
#include "support/unreachable.h"

namespace cardwright::analysis {

using model::ExprKind;

namespace {

bool is_unwatched(const model::Expr& e, const std::vector<bool>& ordered) {
  if (e.kind == ExprKind::latency) return true;   // latency draws a random number
  switch (e.kind) {
    case ExprKind::zone_top:
    case ExprKind::zone_top_n:
    case ExprKind::zone_bottom: return !ordered[e.ref];
    case ExprKind::active_player:
    case ExprKind::turn_number:
    case ExprKind::round_number:
    case ExprKind::window_field:
    case ExprKind::window_left:
    case ExprKind::event_field:
    case ExprKind::during_event:
    case ExprKind::during_window:
    case ExprKind::play_is_over:
    case ExprKind::pool_values:
    case ExprKind::knows:
    case ExprKind::knows_top:
    case ExprKind::supposing:
    case ExprKind::at_first:
    case ExprKind::timer_running:
    case ExprKind::race_clock:
    case ExprKind::race_busy: return true;
    case ExprKind::constant:
    case ExprKind::set_constant:
    case ExprKind::local:
    case ExprKind::variable:
    case ExprKind::zone:
    case ExprKind::card_of_slot:
    case ExprKind::attribute:
    case ExprKind::part_of:
    case ExprKind::faces:
    case ExprKind::kind_of:
    case ExprKind::counts_as:
    case ExprKind::equal:
    case ExprKind::not_equal:
    case ExprKind::set_equal:
    case ExprKind::in_set:
    case ExprKind::within:
    case ExprKind::disjoint:
    case ExprKind::set_union:
    case ExprKind::set_minus:
    case ExprKind::set_and:
    case ExprKind::set_of_one:
    case ExprKind::conditional:
    case ExprKind::or_else:
    case ExprKind::size:
    case ExprKind::exists:
    case ExprKind::filter:
    case ExprKind::aggregate:
    case ExprKind::best:
    case ExprKind::pick_first:
    case ExprKind::pick_last:
    case ExprKind::pick_only:
    case ExprKind::pick_random:
    case ExprKind::random_n:
    case ExprKind::players_in:
    case ExprKind::is_in_game:
    case ExprKind::steps:
    case ExprKind::next_player:
    case ExprKind::previous_player:
    case ExprKind::seat_of:
    case ExprKind::call_value:
    case ExprKind::call_function:
    case ExprKind::call_event:
    case ExprKind::open_window:
    case ExprKind::proceed:
    case ExprKind::element_at:
    case ExprKind::list_literal:
    case ExprKind::list_end:
    case ExprKind::list_add:
    case ExprKind::list_drop:
    case ExprKind::list_as:
    case ExprKind::list_equal:
    case ExprKind::in_list:
    case ExprKind::set_list:
    case ExprKind::listed_set:
    case ExprKind::list_of:
    case ExprKind::joined:
    case ExprKind::subsets:
#include "compiler/model/cases_of_parts.def"
      return false;
  }
  unreachable("a kind of expression");
}

}   // namespace

const model::Expr* unwatched(const model::Model& model, const model::Value& value) {
  const std::vector<bool> ordered = zones_in_known_order(model);
  const model::Expr* found = nullptr;
  const auto on_expr = [&](const model::Expr& e) {
    if (!found && is_unwatched(e, ordered)) found = &e;
  };
  const auto on_modifier = [&](const model::Modifier& m) {
    if (!found && depends_on_turn(model, m)) found = m.amount;
  };
  Causes(model, {}, on_expr, {}, on_modifier).value(value);
  return found;
}

}   // namespace cardwright::analysis
