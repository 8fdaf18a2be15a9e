// `supposing E holds C`: what would be so if an event happened.
#include "compiler/analysis/causes.h"
#include "compiler/analysis/orders.h"
#include "compiler/sema/analysis.h"

namespace cardwright::sema {

const Expr* Analysis::supposing(const Node* node) {
  const view::supposing its(node);
  const Node* what = its.what();
  if (!what || what->kind != NodeKind::call) {
    error(Code::cant_be_supposed, what ? what->range : node->range, "an event is supposed to happen",
          "`supposing lose(p, 1) holds (p.lives > 0)`");
    return poison(node->range);
  }
  const bool pure = std::exchange(rule_->pure, false);     // it leaves nothing behind
  const Expr* event = call(what, event_names_.contains(what->text));   // a value may have the same name
  rule_->pure = pure;
  Pure looking(*rule_);
  const Expr* then = condition(its.condition());
  if (is_poison(event) || is_poison(then)) return poison(node->range);
  if (event->kind != ExprKind::call_event) {
    error(Code::cant_be_supposed, what->range, "only events can be supposed, and this is none",
          "`supposing lose(p, 1) holds (p.lives > 0)`");
    return poison(node->range);
  }
  return make(ExprKind::supposing, boolean_type(), node->range, {event, then});
}

// Nothing of it may ask somebody or hang on chance: who supposes would learn what is still open.
void Analysis::check_supposings() {
  std::vector<bool> known_order;
  for (const Expr& e : model_->exprs) {
    if (e.kind != ExprKind::supposing) continue;
    if (known_order.empty()) known_order = analysis::zones_in_known_order(*model_);
    std::string why;
    Range where;
    const auto found = [&](std::string_view what, Range range) {
      if (why.empty()) why = what, where = range;
    };
    const auto drawn = [&](std::uint32_t zone) { return zone >= known_order.size() || !known_order[zone]; };
    const auto statement = [&](const Stmt& s) {
      switch (s.kind) {
        case StmtKind::ask: case StmtKind::choose: case StmtKind::choose_one:
        case StmtKind::arrange: return found("somebody is asked", s.range);
        case StmtKind::show_faces:
          if (!model::view::show_faces(s).face()) found("chance decides what is rolled", s.range);
          return;
        case StmtKind::draw_to: case StmtKind::deal_each:
          if (drawn(s.ref)) found("chance decides what is drawn", s.range);
          return;
        case StmtKind::deal_pool:
          if (!model::view::deal_pool(s).value()) found("chance decides what is dealt", s.range);
          return;
        case StmtKind::move: {
          const model::Zone& to = model_->zones[s.ref];
          if (s.value & 4) return found("somebody is asked", s.range);
          if (model::view::move(s).what()->type.kind == TypeKind::set && to.shape == model::ZoneShape::pile &&
              to.visibility == model::Visibility::hidden)
            found("several cards come onto a pile in any order", s.range);
          return;
        }
        default: return;
      }
    };
    const auto expression = [&](const Expr& x) {
      switch (x.kind) {
        case ExprKind::may: case ExprKind::open_window: return found("somebody is asked", x.range);
        case ExprKind::roll: case ExprKind::pick_random: case ExprKind::random_n:
        case ExprKind::latency: return found("chance decides", x.range);
        case ExprKind::zone_top: case ExprKind::zone_top_n: case ExprKind::zone_bottom:
          if (drawn(x.ref)) found("chance decides which card that is", x.range);
          return;
        case ExprKind::knows:
        case ExprKind::knows_top: return found("what somebody knows would have to be supposed too", x.range);
        case ExprKind::supposing: return found("something else is supposed", x.range);
        default: return;
      }
    };
    analysis::Causes causes(*model_, statement, expression);
    for (const Expr* part : e.args) causes.expr(part);
    if (!why.empty())
      error(Code::cant_be_supposed, e.range, fmt::format("this can't be supposed: {} on the way", why))
          .notes.push_back({where, "here"});
  }
}

}  // namespace cardwright::sema
