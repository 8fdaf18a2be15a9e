#include "compiler/model/kept.h"

#include <set>

#include "compiler/model/orders.h"

namespace cardwright::model {

namespace {

class Search {
 public:
  explicit Search(const Model& model) : model_(model), ordered_(zones_in_known_order(model)) {}

  const Expr* in(const Value& v) {
    if (!seen_.insert(&v).second) return nullptr;
    for (const Expr* e : {v.base, v.at_least, v.at_most})
      if (const Expr* found = in(e)) return found;
    if (const Expr* found = in(v.body.block)) return found;
    for (const Modifier& m : v.modifiers) {
      for (const Expr* e : {m.head.when, m.amount})
        if (const Expr* found = in(e)) return found;
      for (const Pattern& p : m.patterns)
        if (const Expr* found = in(p.value)) return found;
    }
    return nullptr;
  }

 private:
  const Expr* in(const Expr* e) {
    if (!e) return nullptr;
    if (is_unwatched(*e)) return e;
    if (e->kind == ExprKind::call_value)
      if (const Expr* found = in(model_.values[e->ref])) return found;
    if (e->kind == ExprKind::call_function && seen_.insert(&model_.functions[e->ref]).second)
      if (const Expr* found = in(model_.functions[e->ref].body.block)) return found;
    for (const Expr* a : e->args)
      if (const Expr* found = in(a)) return found;
    return nullptr;
  }
  const Expr* in(const Block& block) {
    for (const Stmt* s : block) {
      for (const Expr* e : s->exprs)
        if (const Expr* found = in(e)) return found;
      for (const Block& inner : s->blocks)
        if (const Expr* found = in(inner)) return found;
    }
    return nullptr;
  }
  bool is_unwatched(const Expr& e) const {
    switch (e.kind) {
      case ExprKind::zone_top: case ExprKind::zone_top_n: case ExprKind::zone_bottom: return !ordered_[e.ref];
      case ExprKind::active_player: case ExprKind::turn_number: case ExprKind::round_number: case ExprKind::window_field:
      case ExprKind::window_left: case ExprKind::event_field: case ExprKind::during_event: case ExprKind::during_window:
      case ExprKind::play_is_over: case ExprKind::pool_values: case ExprKind::knows: case ExprKind::knows_top: case ExprKind::supposing:
      case ExprKind::at_first: case ExprKind::timer_running: case ExprKind::race_clock: case ExprKind::race_busy: case ExprKind::latency:
        return true;
      default: return false;
    }
  }

  const Model& model_;
  std::vector<bool> ordered_;
  std::set<const void*> seen_;
};

}  // namespace

const Expr* unwatched(const Model& model, const Value& value) { return Search(model).in(value); }

}  // namespace cardwright::model
