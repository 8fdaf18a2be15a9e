// `supposing E holds C`: what would be so if an event happened.
#include "compiler/sema/supposing.h"

#include <fmt/format.h>

#include "compiler/analysis/causes.h"
#include "compiler/analysis/orders.h"
#include "compiler/sema/calls.h"
#include "compiler/sema/expressions.h"
#include "compiler/sema/names.h"
#include "compiler/sema/statements.h"

namespace cardwright::sema {

const Expr* supposing(RuleContext& rule, const Node* node) {
  const view::supposing its(node);
  const Node* what = its.what();
  if (!what || what->kind != NodeKind::call) {
    error(rule.sema, Code::cant_be_supposed, what ? what->range : node->range, "an event is supposed to happen",
          "`supposing lose(p, 1) holds (p.lives > 0)`");
    return poison(rule.sema, node->range);
  }
  const bool pure = std::exchange(rule.pure, false);   // it leaves nothing behind
  const Expr* event = call(rule, what, rule.sema.names.events.contains(what->text));   // a value may have the same name
  rule.pure = pure;
  Pure looking(rule);
  const Expr* then = condition(rule, its.condition());
  if (is_poison(event) || is_poison(then)) return poison(rule.sema, node->range);
  if (event->kind != ExprKind::call_event) {
    error(rule.sema, Code::cant_be_supposed, what->range, "only events can be supposed, and this is none",
          "`supposing lose(p, 1) holds (p.lives > 0)`");
    return poison(rule.sema, node->range);
  }
  return make(rule.sema, ExprKind::supposing, boolean_type(), node->range, {event, then});
}

namespace {

// What stands in the way of supposing something: that somebody is asked, or that chance decides.
class Hindrance {
 public:
  explicit Hindrance(const model::Model& model) : model_(model), known_order_(analysis::zones_in_known_order(model)) {}

  void look_at(const Expr& supposing) {
    why.clear();
    analysis::Causes causes(
        model_, [this](const Stmt& s) { statement(s); }, [this](const Expr& x) { expression(x); });
    for (const Expr* part : supposing.args) causes.expr(part);
  }

  std::string why;   // the first; empty if there is none
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
    case StmtKind::arrange: return found("somebody is asked", s.range);
    case StmtKind::show_faces:
      if (!model::view::show_faces(s).face()) found("chance decides what is rolled", s.range);
      return;
    case StmtKind::draw_to:
    case StmtKind::deal_each:
      if (drawn(s.ref)) found("chance decides what is drawn", s.range);
      return;
    case StmtKind::deal_pool:
      if (!model::view::deal_pool(s).value()) found("chance decides what is dealt", s.range);
      return;
    case StmtKind::move: {
      const model::Zone& to = model_.zones[s.ref];
      if (s.value & 4) return found("somebody is asked", s.range);
      if (model::view::move(s).what()->type.kind == TypeKind::set && to.shape == model::ZoneShape::pile &&
          to.visibility == model::Visibility::hidden)
        found("several cards come onto a pile in any order", s.range);
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
    case StmtKind::stop_timer: return;   // surely the same each time
  }
}

void Hindrance::expression(const Expr& x) {
  switch (x.kind) {
    case ExprKind::may:
    case ExprKind::open_window: return found("somebody is asked", x.range);
    case ExprKind::roll:
    case ExprKind::pick_random:
    case ExprKind::random_n:
    case ExprKind::latency: return found("chance decides", x.range);
    case ExprKind::zone_top:
    case ExprKind::zone_top_n:
    case ExprKind::zone_bottom:
      if (drawn(x.ref)) found("chance decides which card that is", x.range);
      return;
    case ExprKind::knows:
    case ExprKind::knows_top: return found("what somebody knows would have to be supposed too", x.range);
    case ExprKind::supposing: return found("something else is supposed", x.range);
    default: return;
  }
}

}   // namespace

// Nothing of it may ask somebody or depend on chance: who supposes would learn what is still open.
void check_supposings(SemaContext& sema) {
  std::optional<Hindrance> hindrance;   // few games suppose anything
  const auto look = [&](const Expr& e) {
    if (e.kind != ExprKind::supposing) return;
    if (!hindrance) hindrance.emplace(sema.model);
    hindrance->look_at(e);
    if (!hindrance->why.empty())
      error(sema, Code::cant_be_supposed, e.range, fmt::format("this can't be supposed: {} on the way", hindrance->why))
          .notes.push_back({hindrance->where, "here"});
  };
  for (const Expr& e : sema.model.exprs) look(e);
  for (const Expr& e : sema.model.measure_exprs) look(e);
}

}   // namespace cardwright::sema
