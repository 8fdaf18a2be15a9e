// Checks random numbers, durations and timers in expressions.
#include "compiler/sema/expressions/durations.h"

#include <fmt/format.h>

#include "compiler/sema/expressions/evaluate.h"
#include "compiler/sema/expressions/expressions.h"
#include "compiler/sema/operations/convert.h"
#include "compiler/sema/symbols/errors.h"
#include "compiler/sema/symbols/make.h"

namespace cardwright::sema {

const Expr* duration(RuleContext& rule, const Node* node) {
  Type wanted = duration_type();
  return convert(rule, expr(rule, node, &wanted), wanted);
}

const Expr* constant_duration(RuleContext& rule, const Node* node) {
  const Expr* e = duration(rule, node);
  if (is_poison(e)) return nullptr;
  auto value = evaluate(rule.sema, *e);
  if (value) return constant(rule.sema, duration_type(value->value, value->value), value->value, node->range);
  not_known(rule.sema, node->range, "this time must be constant");
  return nullptr;
}

// Builds `a..b`, `m spread 30%` and `m ± d`. Each of these draws a number from the random stream of the player whose
// latency is being computed.
const Expr* draw(RuleContext& rule, const Node* node) {
  if (!rule.timed) {
    error(rule.sema, "misplaced"_code, node->range, "a random time is not allowed here",
          "it is allowed in `think`, `patience`, `sight`, `takes` and `then busy`");
    return poison(rule.sema, node->range);
  }
  const bool spread = node->text == "spread", uniform = node->kind == NodeKind::range_lit;
  const Node* first = uniform ? view::range_lit(node).lo() : view::binary(node).left();
  const Node* second = uniform ? view::range_lit(node).hi() : view::binary(node).right();
  const Expr* a = duration(rule, first);
  const Expr* b = spread ? integer(rule, second) : duration(rule, second);
  if (is_poison(a) || is_poison(b)) return poison(rule.sema, node->range);
  Expr* e = make(rule.sema, ExprKind::latency, duration_type(), node->range, {rule.timed, a, b});
  e->value = Int(uniform  ? model::Distribution::uniform
                 : spread ? model::Distribution::spread
                          : model::Distribution::normal);
  return e;
}

const Expr* latency(RuleContext& rule, const Node* node) {
  const view::latency its(node);
  const Expr* e = duration(rule, its.time());
  if (const Node* later = its.later()) {
    const Expr* then = duration(rule, later);
    if (is_poison(e) || is_poison(then)) return poison(rule.sema, node->range);
    Expr* first = make(rule.sema, ExprKind::at_first, boolean_type(), node->range, {rule.timed});
    e = make(rule.sema, ExprKind::conditional, duration_type(), node->range, {first, e, then});
  }
  if (const Node* least = its.at_least()) {
    const Expr* bound = duration(rule, least);
    if (is_poison(e) || is_poison(bound)) return poison(rule.sema, node->range);
    e = make(rule.sema, ExprKind::maximum, duration_type(), node->range, {e, bound});
  }
  return e;
}

std::optional<TimerPlace> timer_place(RuleContext& rule, const Node* node) {
  const bool of_player = node->kind == NodeKind::member;
  const Table& table = of_player ? rule.sema.names.player_timers : rule.sema.names.table_timers;
  auto it = of_player || node->kind == NodeKind::name_ref ? table.find(node->text) : table.end();
  if (it == table.end()) {
    if (silent_if_absent(rule, node)) return std::nullopt;
    std::vector<std::string> names;
    for (const auto& [n, id] : table) names.push_back(n);
    error(rule.sema, "unknown_name"_code, node->range,
          fmt::format("unknown timer `{}`", rule.sema.diagnostics.sources().text(node->range)),
          rule.sema.names.player_timers.contains(node->text)
              ? fmt::format("it belongs to a player: write `me.{}`", node->text)
              : did_you_mean(node->text, names));
    return std::nullopt;
  }
  const Expr* owner = of_player ? player(rule, view::member(node).of()) : nullptr;
  if (owner && is_poison(owner)) return std::nullopt;
  return TimerPlace{it->second, owner};
}

const Expr* timer_running(RuleContext& rule, const Node* node, Range range) {
  auto place = timer_place(rule, node);
  if (!place) return poison(rule.sema, range);
  Expr* e = make(rule.sema, ExprKind::timer_running, boolean_type(), range, {place->owner});
  e->ref = place->timer;
  return e;
}

}   // namespace cardwright::sema
