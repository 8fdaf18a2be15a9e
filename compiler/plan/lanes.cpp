// Plans conditions that compare a number of each player with a number that is the same for all players: `distance(me,
// it) <= reach(me)`. The numbers of all players are computed at once, one byte each in one word (runtime/ops/lanes.h),
// including modifiers. The technique is arithmetic on parts of words: L. Lamport, "Multiple Byte Processing with
// Full-Word Instructions", CACM 18(8), 1975. Numbers that are too large, or that depend on a player in other ways, are
// computed player by player.
#include "runtime/ops/lanes.h"

#include <algorithm>

#include "compiler/plan/make.h"

namespace cardwright::plan {

using model::CarrierKind;
using model::ExprKind;
using model::LocalId;
using model::TypeKind;

namespace {

LanesRef lanes(const Scope& scope, const Expr& e, LocalId player);

LanesRef make_lanes(const Scope& scope, LanesPlan plan) {
  *scope.registers += kRegistersOfStep;
  return std::make_shared<const LanesPlan>(std::move(plan));
}

// Plans the distances from one seat to all others, or from all others to that seat.
LanesRef seats_on(const Scope& scope, const Expr& e, LocalId player) {
  const view::steps its(e);
  const bool back = !mentions(*its.to(), player);   // true for the distances from all others to one seat
  const Expr &each = back ? *its.from() : *its.to(), &other = back ? *its.to() : *its.from();
  if (each.kind != ExprKind::local || mentions(other, player) || !pure(*scope.game, other)) return nullptr;
  const Int players = scope.game->model.players;
  SeatsOn plan{&other, {}};
  for (Int in = 0; in < Int{1} << players; ++in)
    for (Int seat = 0; seat < players; ++seat) {
      Word row = 0;
      for (Int on = 1, ahead = 1; on < players; ++on) {   // counts seats in the same way as op_steps
        const Int there = (back ? seat + players - on : seat + on) % players;
        row |= static_cast<Word>(ahead) << 8 * there;
        ahead += in >> there & 1;
      }
      plan.lines.push_back(static_cast<Int>(row));
    }
  return make_lanes(scope, {std::move(plan), players});
}

LanesRef least_of(const Scope& scope, const Expr& e, LocalId player) {
  const view::minimum its(e);
  const LanesRef left = lanes(scope, *its.left(), player), right = left ? lanes(scope, *its.right(), player) : nullptr;
  if (!right || left->beside || left->bounded || right->beside || right->bounded) return nullptr;
  const Int most = std::min(left->most, right->most);
  const auto *one = std::get_if<SeatsOn>(&left->how), *other = std::get_if<SeatsOn>(&right->how);
  if (one && other && one->seat->kind == ExprKind::local && is_local(*other->seat, one->seat->local)) {
    SeatsOn both = *one;   // both tables are combined into one
    std::transform(one->lines.begin(), one->lines.end(), other->lines.begin(), both.lines.begin(), least_of_lanes);
    return make_lanes(scope, {std::move(both), most});
  }
  return make_lanes(scope, {LeastOf{left, right}, most});
}

bool can_be_added(const LanesPlan& a, const LanesPlan& b) {
  return !a.bounded && !b.bounded && a.most + b.most <= kMostInLane;
}

// Returns the maximum number of carriers of the rule that a player may have, and the cards that carry it.
std::optional<std::pair<Int, std::vector<Int>>> carriers_of(const ProgramFacts& game, const model::RuleHead& head) {
  const model::Carrier& carrier = head.carrier;
  if (carrier.kind == CarrierKind::character) return std::pair{Int{1}, std::vector<Int>{}};
  if (carrier.kind != CarrierKind::card || !carrier.zone.valid() || !analysis::is_of_players(game.model, head))
    return std::nullopt;
  const ZoneSlot& zone = game.laid_out.zones[carrier.zone.index];
  std::vector<Int> cards = cards_of_kinds(game, carrier.kinds);
  if (zone.copies != 1 || zone.owners != game.model.players || static_cast<Int>(cards.size()) > kMostInLane)
    return std::nullopt;
  const auto most = static_cast<Int>(cards.size());
  return std::pair{most, std::move(cards)};
}

// Plans the amount that a modifier adds to each player's number.
LanesRef added_by(const Scope& scope, const model::Modifier& m, std::size_t element) {
  const ProgramFacts& game = *scope.game;
  if (element >= m.patterns.size()) return nullptr;
  const model::Pattern& of_each = m.patterns[element];
  if (me_argument(m.head, m.patterns) != element) {   // the amount is the same for all players
    const auto names_each = [&](const Expr* e) {
      return e && of_each.kind == model::Pattern::Kind::binds && mentions(*e, of_each.local);
    };
    if (of_each.kind == model::Pattern::Kind::equals || names_each(m.head.when) || names_each(m.amount) ||
        !pure(game, *m.amount) || !is_small(game, *m.amount))
      return nullptr;
    return make_lanes(scope, {AddedToAll{&m}, 0, true});
  }
  // If the argument is the rule's `me`, the amount must be constant, and no pattern may restrict another argument.
  const auto amount = static_value(game, scope.names, *m.amount);
  const bool of_anybody = std::all_of(m.patterns.begin(), m.patterns.end(), [&](const model::Pattern& p) {
    return &p == &of_each || p.kind != model::Pattern::Kind::equals;
  });
  if (m.head.when || !of_anybody || !amount || *amount == kNone || std::abs(*amount) > kMostInLane) return nullptr;
  auto carriers = carriers_of(game, m.head);
  if (!carriers || carriers->first * std::abs(*amount) > kMostInLane) return nullptr;
  const Int most = carriers->first * std::abs(*amount);
  return make_lanes(scope, {AddedByCarriers{&m, *amount, most, std::move(carriers->second)}, most, *amount < 0});
}

// Plans the result of a value or function for each player, including modifiers that add an amount.
LanesRef call_of_lanes(const Scope& scope, const Expr& call, LocalId player) {
  const ProgramFacts& game = *scope.game;
  const bool is_value = call.kind == ExprKind::call_value;
  const model::Value* value = is_value ? &game.model.values[call.ref] : nullptr;
  const auto& parameters = is_value ? value->parameters : game.model.functions[call.ref].parameters;
  const Expr* base = is_value ? value->base : plain_body(game, call);
  const auto element = element_argument(game, call, player);
  if (!base || !element || call.type.kind != TypeKind::integer || scope.called_deep >= kDeepestCall ||
      (is_value && game.memoized.contains(call.ref)))
    return nullptr;
  const Names names{is_value ? &value->body : &game.model.functions[call.ref].body, {}, {}};
  const Scope inner = scope.in(names).deeper();
  CalledLanes plan{&call, *element, lanes(inner, *base, parameters[*element].local), {}, nullptr, nullptr};
  const analysis::ValueRules rules = is_value ? possible_rules(game, *value) : analysis::ValueRules{};
  if (!plan.base || !rules.only_by() || (is_value && analysis::is_checked_last(*value))) return nullptr;
  LanesPlan sum{{}, plan.base->most, plan.base->beside, plan.base->bounded};
  for (const model::Modifier* rule : rules.by) {
    const LanesRef added = added_by(inner, *rule, *element);
    if (!added || !can_be_added(sum, *added)) return nullptr;
    sum.most += added->most;
    sum.beside = sum.beside || added->beside;
    plan.added.push_back(added);
  }
  if (is_value && (value->at_least || value->at_most)) {
    if (sum.bounded) return nullptr;
    for (const Expr* bound : {value->at_least, value->at_most})
      if (bound && (mentions(*bound, parameters[*element].local) || !pure(game, *bound))) return nullptr;
    plan.floor = value->at_least;
    plan.ceiling = value->at_most;
    sum.bounded = true;
  }
  sum.how = std::move(plan);
  return make_lanes(scope, std::move(sum));
}

LanesRef lanes(const Scope& scope, const Expr& e, LocalId player) {
  if (!mentions(e, player)) {
    // `unlimited` plus any number is `unlimited`.
    if (!pure(*scope.game, e) || !is_small(*scope.game, e)) return nullptr;
    return make_lanes(scope, {SameForAll{&e}, 0, true});
  }
  switch (e.kind) {
    case ExprKind::steps: return seats_on(scope, e, player);
    case ExprKind::minimum: return least_of(scope, e, player);
    case ExprKind::call_value:
    case ExprKind::call_function: return call_of_lanes(scope, e, player);
    case ExprKind::add: {
      const view::add its(e);
      const LanesRef left = lanes(scope, *its.left(), player),
                     right = left ? lanes(scope, *its.right(), player) : nullptr;
      if (!right || !can_be_added(*left, *right)) return nullptr;
      return make_lanes(scope, {SumOf{left, right}, left->most + right->most, left->beside || right->beside});
    }
    default: return nullptr;
  }
}

}   // namespace

PlanRef plan_lanes(const Scope& scope, const Expr& condition, LocalId player) {
  const ProgramFacts& game = *scope.game;
  if (scope.names->type(player).kind != TypeKind::player || game.model.players > kMostLanes) return nullptr;
  const auto [mine, other, swapped] = Sides(condition, player);
  const bool equality = condition.kind == ExprKind::equal || condition.kind == ExprKind::not_equal;
  const bool ordered = condition.kind == ExprKind::less || condition.kind == ExprKind::less_equal;
  if ((!equality && !ordered) || other.type.kind != TypeKind::integer || (equality && !is_never_none(game, other)))
    return nullptr;
  const LanesRef numbers = lanes(scope, mine, player);
  return numbers ? make(scope, InLanes{numbers, &other, condition.kind, swapped}) : nullptr;
}

}   // namespace cardwright::plan
