// Builds `supposing E holds C`, which means that C would be true after the event E.
#include "compiler/sema/expressions/supposing.h"

#include <fmt/format.h>

#include "compiler/analysis/causes.h"
#include "compiler/analysis/orders.h"
#include "compiler/sema/expressions/calls.h"
#include "compiler/sema/expressions/expressions.h"
#include "compiler/sema/symbols/errors.h"
#include "compiler/sema/symbols/make.h"

namespace cardwright::sema {

const Expr* supposing(RuleContext& rule, const Node* node) {
  const view::supposing its(node);
  const Node* what = its.what();
  if (!what || what->kind != NodeKind::call) {
    error(rule.sema, "not_supposable"_code, what ? what->range : node->range, "expected an event after `supposing`",
          "for example `supposing lose(p, 1) holds (p.lives > 0)`");
    return poison(rule.sema, node->range);
  }
  const bool pure = std::exchange(rule.pure, false);   // effects are allowed, because all changes are undone
  const Expr* event = call(rule, what, rule.sema.names.events.contains(what->text));   // a value may have the same name
  rule.pure = pure;
  Pure looking(rule);
  const Expr* then = condition(rule, its.condition());
  if (is_poison(event) || is_poison(then)) return poison(rule.sema, node->range);
  if (event->kind != ExprKind::call_event) {
    error(rule.sema, "not_supposable"_code, what->range, "expected an event after `supposing`",
          "for example `supposing lose(p, 1) holds (p.lives > 0)`");
    return poison(rule.sema, node->range);
  }
  return make(rule.sema, ExprKind::supposing, boolean_type(), node->range, {event, then});
}

namespace {

// Finds the reason why an event can't be supposed, such as a player's decision or a random result.
class Hindrance {
 public:
  explicit Hindrance(const model::Model& model) : model_(model), known_order_(analysis::zones_in_known_order(model)) {}

  void look_at(const Expr& supposing) {
    why.clear();
    analysis::Causes causes(
        model_, [this](const Stmt& s) { statement(s); }, [this](const Expr& x) { expression(x); });
    for (const Expr* part : supposing.args) causes.expr(part);
  }

  std::string why;   // the first reason; empty if there is none
  Range where;

 private:
  void found(std::string_view what, Range range) {
    if (why.empty()) why = what, where = range;
  }
  bool drawn(std::uint32_t zone) const { return zone >= known_order_.size() || !known_order_[zone]; }
  void statement(const Stmt& s);
  void expression(const Expr& x);

  const model::Model& model_;
  const std::vector<bool> known_order_;
};

void Hindrance::statement(const Stmt& s) {
  switch (s.kind) {
    case StmtKind::ask:
    case StmtKind::choose:
    case StmtKind::choose_one:
    case StmtKind::arrange: return found("a player makes a decision", s.range);
    case StmtKind::show_faces:
      if (!model::view::show_faces(s).face()) found("dice are rolled at random", s.range);
      return;
    case StmtKind::draw_to:
    case StmtKind::deal_each:
      if (drawn(s.ref)) found("cards are drawn at random", s.range);
      return;
    case StmtKind::deal_pool:
      if (!model::view::deal_pool(s).value()) found("cards are dealt at random", s.range);
      return;
    case StmtKind::move: {
      const model::Zone& to = model_.zones[s.ref];
      if (model::view::move(s).picked()) return found("a player makes a decision", s.range);
      if (model::view::move(s).what()->type.kind == TypeKind::set && to.shape == model::ZoneShape::pile &&
          to.visibility == model::Visibility::hidden)
        found("several cards are put onto a pile in random order", s.range);
      return;
    }
    case StmtKind::let:
    case StmtKind::let_given:
    case StmtKind::assign_local:
    case StmtKind::assign_variable:
    case StmtKind::assign_all:
    case StmtKind::assign_window_field:
    case StmtKind::assign_event_field:
    case StmtKind::evaluate:
    case StmtKind::if_else:
    case StmtKind::each:
    case StmtKind::repeat:
    case StmtKind::stop:
    case StmtKind::next:
    case StmtKind::return_value:
    case StmtKind::yield_value:
    case StmtKind::cancel:
    case StmtKind::end_event:
    case StmtKind::end_window:
    case StmtKind::end_phase:
    case StmtKind::end_play:
    case StmtKind::checkpoint:
    case StmtKind::check_end:
    case StmtKind::winners:
    case StmtKind::afterwards:
    case StmtKind::together:
    case StmtKind::shuffle:
    case StmtKind::reveal_cards:
    case StmtKind::reveal_variable:
    case StmtKind::peek_cards:
    case StmtKind::peek_variable:
    case StmtKind::turn_cards:
    case StmtKind::eliminate:
    case StmtKind::turns:
    case StmtKind::rounds:
    case StmtKind::phase:
    case StmtKind::log:
    case StmtKind::delay:
    case StmtKind::pause:
    case StmtKind::start_timer:
    case StmtKind::stop_timer: return;   // deterministic
  }
}

void Hindrance::expression(const Expr& x) {
  switch (x.kind) {
    case ExprKind::may:
    case ExprKind::open_window: return found("a player makes a decision", x.range);
    case ExprKind::roll:
    case ExprKind::pick_random:
    case ExprKind::random_n:
    case ExprKind::latency: return found("the result is random", x.range);
    case ExprKind::zone_top:
    case ExprKind::zone_top_n:
    case ExprKind::zone_bottom:
      if (drawn(x.ref)) found("the card is random", x.range);
      return;
    case ExprKind::knows:
    case ExprKind::knows_top: return found("it depends on the knowledge of a player", x.range);
    case ExprKind::supposing: return found("it contains another `supposing`", x.range);
    default: return;
  }
}

}   // namespace

// Reports suppositions that ask a player or depend on randomness. Their result would reveal hidden information.
void check_supposings(SemaContext& sema) {
  std::optional<Hindrance> hindrance;   // created on first use, because few games use `supposing`
  const auto look = [&](const Expr& e) {
    if (e.kind != ExprKind::supposing) return;
    if (!hindrance) hindrance.emplace(sema.model);
    hindrance->look_at(e);
    if (!hindrance->why.empty())
      error(sema, "not_supposable"_code, e.range,
            fmt::format("this event can't be supposed, because {}", hindrance->why))
          .notes.push_back({hindrance->where, "here"});
  };
  for (const Expr& e : sema.model.exprs) look(e);
  for (const Expr& e : sema.model.measure_exprs) look(e);
}

}   // namespace cardwright::sema
