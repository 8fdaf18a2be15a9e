// What hands secrets on from one rule to another: arguments, results, names kept by `afterwards`. A text that hangs on such a
// thing can't say at that place who knows what it came from, so it is told to nobody. Found once, over the whole Model.
#include <algorithm>

#include "compiler/lower/lowering.h"
#include "compiler/model/visit.h"

namespace cardwright::lower {

using model::ExprKind;
using model::StmtKind;
using model::TypeKind;

namespace {

// Where a name got what it is.
struct Origins {
  std::vector<const model::Expr*> stored, under;   // under: the conditions on which it was stored
  const model::Expr* domain = nullptr;              // of a loop
  bool shown = false;                               // laid open, or revealed, as such
};

void origins_of(const model::Block& block, model::LocalId local, const std::function<bool(const model::Stmt&)>& shows, std::vector<const model::Expr*>& conditions, Origins& out) {
  for (const model::Stmt* s : block) {
    const bool stores = s->local == local && (s->kind == StmtKind::let || s->kind == StmtKind::assign_local || s->kind == StmtKind::let_given);
    if (stores) {
      if (!s->exprs.empty() && s->exprs.back()) out.stored.push_back(s->kind == StmtKind::let_given ? s->exprs[0] : s->exprs.back());
      if (s->kind == StmtKind::assign_local) out.under.insert(out.under.end(), conditions.begin(), conditions.end());
    }
    if (s->local == local && s->kind == StmtKind::each) out.domain = s->exprs[0];
    if (s->local == local && s->kind == StmtKind::choose && s->exprs.size() > 4) out.domain = s->exprs[4];
    if ((s->kind == StmtKind::move || s->kind == StmtKind::reveal_cards) && shows(*s)) out.shown = true;
    const std::size_t before = conditions.size();
    if (s->kind == StmtKind::if_else) conditions.push_back(s->exprs[0]);
    if (s->kind == StmtKind::each && s->exprs.size() > 1 && s->exprs[1]) conditions.push_back(s->exprs[1]);
    if (s->kind == StmtKind::repeat) conditions.insert(conditions.end(), s->exprs.begin(), s->exprs.end());
    for (const model::Block& inner : s->blocks) origins_of(inner, local, shows, conditions, out);
    conditions.resize(before);
  }
}

}  // namespace

// Whether what an expression comes to may hang on what not all know.
class Lowering::Carried {
 public:
  explicit Carried(Lowering& of) : of_(of), model_(of.model_) {
    while (std::exchange(grew_, false)) all();
  }

  bool carries(const model::Body& body, model::LocalId local) const { return locals_.count({&body, local.index}) > 0; }
  bool hidden(const model::Body& body, const model::Expr& e) const { return hidden_in(body, e, {}); }
  bool hidden_field(std::uint32_t window, Int field) const {
    return field >= 0 ? fields_.count({window, field}) > 0 : carries(model_.windows[window].body, of_.window_field_local(window, field));
  }
  // It was stored on a condition that not all can look at.
  bool stored_secretly(const model::Body& body, model::LocalId local) const {
    const Origins o = origins(body, local);
    return std::any_of(o.under.begin(), o.under.end(), [&](const model::Expr* c) { return c && hidden(body, *c); });
  }

 private:
  using Bound = std::vector<std::pair<std::uint32_t, const model::Expr*>>;

  void all() {
    for (std::uint32_t e = 0; e < model_.events.size(); ++e) {
      const model::Event& event = model_.events[e];
      body(event.body, {0, e});
      for (const model::Handler& h : event.handlers) {
        for (std::size_t i = 0; i < h.patterns.size() && i < event.parameters.size(); ++i)
          if (h.patterns[i].kind == model::Pattern::Kind::binds && carries(event.body, event.parameters[i].local)) mark(h.body, h.patterns[i].local);
        body(h.body, {0, e});
      }
    }
    for (std::uint32_t w = 0; w < model_.windows.size(); ++w)
      model::for_each_body(model_.windows[w], [&](const model::Body& inner) { body(inner, {1, w}); });
    for (const model::Action& a : model_.actions) {
      body(a.body, {2, 0});
      for (const model::Block* b : {&a.late, &a.wrong}) block(*b, a.body, {2, 0});
    }
    for (const model::Whenever& w : model_.whenevers) body(w.body, {2, 0});
    for (const model::EndWhen& e : model_.endings) body(e.body, {2, 0});
    body(model_.setup, {2, 0});
    body(model_.play, {2, 0});
  }

  using Owner = std::pair<int, std::uint32_t>;               // an event, a window, or anything else
  void body(const model::Body& b, Owner owner) { block(b.block, b, owner); }
  void block(const model::Block& statements, const model::Body& in, Owner owner) {
    for (const model::Stmt* s : statements) {
      for (const model::Expr* e : s->exprs)
        if (e) calls(*e, in);
      const bool kept = s->kind == StmtKind::let || s->kind == StmtKind::assign_local || s->kind == StmtKind::let_given;
      if (kept && !s->exprs.empty() && s->exprs.back()) {
        const std::size_t fields = s->kind == StmtKind::let_given ? s->exprs.size() - 1 : 1;
        for (std::size_t i = 0; i < fields; ++i) {
          const model::LocalId local{s->local.index + static_cast<std::uint32_t>(i)};
          if (given(in, s->kind == StmtKind::let_given ? *s->exprs[0] : *s->exprs.back()) || stored_secretly(in, local)) mark(in, local);
        }
      }
      if (s->kind == StmtKind::each && s->exprs[0] && given(in, *s->exprs[0]) && !holds_cards(in.locals[s->local.index].type)) mark(in, s->local);
      if (s->kind == StmtKind::return_value && owner.first < 2)
        for (const model::Expr* e : s->exprs)
          if (e && given(in, *e)) add(owner.first == 0 ? results_ : window_results_, owner.second);
      if (s->kind == StmtKind::assign_window_field && s->value >= 0 && given(in, *s->exprs[0])) {
        add(fields_, {s->ref, s->value});
        mark(model_.windows[s->ref].body, model_.windows[s->ref].variables[static_cast<std::size_t>(s->value)]);
      }
      if (s->kind == StmtKind::assign_event_field && given(in, *s->exprs[0])) mark(model_.events[s->ref].body, of_.event_field_local(s->ref, s->value));
      if (s->kind == StmtKind::pause && s->value > 0) {
        const model::Resume& resume = model_.windows[s->ref].race->resumes[static_cast<std::size_t>(s->value - 1)];
        for (std::size_t i = 0; i < resume.held.size() && i + 1 < s->exprs.size(); ++i)
          if (s->exprs[i + 1] && given(in, *s->exprs[i + 1])) mark(resume.body, resume.held[i]);
      }
      for (const model::Block& inner : s->blocks) block(inner, in, owner);
    }
    if (owner.first != 1) return;
    const model::Window& w = model_.windows[owner.second];
    for (std::size_t i = 0; i < w.variables.size(); ++i)
      if (carries(w.body, w.variables[i])) add(fields_, {owner.second, static_cast<Int>(i)});
  }

  // What is handed to the events and windows that happen in an expression.
  void calls(const model::Expr& e, const model::Body& in) {
    for (const model::Expr* a : e.args)
      if (a) calls(*a, in);
    const auto hand = [&](const model::Body& to, const std::vector<model::Parameter>& parameters) {
      for (std::size_t i = 0; i < e.args.size() && i < parameters.size(); ++i)
        if (e.args[i] && given(in, *e.args[i])) mark(to, parameters[i].local);
    };
    if (e.kind == ExprKind::call_event) hand(model_.events[e.ref].body, model_.events[e.ref].parameters);
    if (e.kind == ExprKind::open_window) hand(model_.windows[e.ref].body, model_.windows[e.ref].parameters);
    if (e.kind != ExprKind::proceed) return;                 // of which event is not said here: of all that this rule may stand for
    for (const model::Event& event : model_.events)
      if (std::any_of(event.handlers.begin(), event.handlers.end(), [&](const model::Handler& h) { return &h.body == &in; })) hand(event.body, event.parameters);
  }

  // As something to be handed on: of cards only which they are is said to who knows them, wherever it is said.
  bool given(const model::Body& in, const model::Expr& e) const { return holds_cards(e.type) ? unseen(in, e, {}) : hidden_in(in, e, {}); }

  Origins origins(const model::Body& in, model::LocalId local) const {
    Origins out;
    std::vector<const model::Expr*> conditions;
    const auto shows = [&](const model::Stmt& s) {
      const model::Expr& what = *s.exprs[0];
      if (what.kind != ExprKind::local || what.local != local) return false;
      return s.kind == StmtKind::reveal_cards || open_zone(s.ref);
    };
    origins_of(in.block, local, shows, conditions, out);
    return out;
  }
  bool open_zone(std::uint32_t zone) const { return model_.zones[zone].visibility == model::Visibility::open && of_.facedown_zone_[zone] < 0; }

  // Cards: that not all know which they are.
  bool unseen(const model::Body& in, const model::Expr& e, const Bound& bound) const {
    switch (e.kind) {
      case ExprKind::constant: case ExprKind::set_constant: return false;
      case ExprKind::zone: case ExprKind::zone_top: case ExprKind::zone_top_n: case ExprKind::zone_bottom: case ExprKind::card_of_slot: return !open_zone(e.ref);
      case ExprKind::variable: return model_.variables[e.ref].visibility != model::Visibility::open;
      case ExprKind::call_event: return results_.count(e.ref) > 0;
      case ExprKind::open_window: return window_results_.count(e.ref) > 0;
      case ExprKind::local: {
        for (auto it = bound.rbegin(); it != bound.rend(); ++it)
          if (it->first == e.local.index) return unseen(in, *it->second, bound);
        if (carries(in, e.local)) return true;
        return !origins(in, e.local).shown && unseen_of_action(in, e.local);
      }
      default:
        return std::any_of(e.args.begin(), e.args.end(), [&](const model::Expr* a) { return a && holds_cards(a->type) && unseen(in, *a, bound); });
    }
  }
  // A card that an action is used with is told with it, if all may know it where it lay or where it goes.
  bool unseen_of_action(const model::Body& in, model::LocalId local) const {
    for (const model::Action& a : model_.actions) {
      if (&a.body != &in) continue;
      if (a.play && a.to && a.head.self == local) return !open_zone(a.to->zone.index);
      for (const model::ActionParameter& p : a.parameters)
        if (p.local == local) return !p.domain || unseen(in, *p.domain, {});
    }
    const Origins o = origins(in, local);
    return o.domain && unseen(in, *o.domain, {});
  }

  bool hidden_in(const model::Body& in, const model::Expr& e, Bound bound) const {
    const auto any_from = [&](std::size_t first) {
      for (std::size_t i = first; i < e.args.size(); ++i)
        if (e.args[i] && !(e.args[i]->kind == ExprKind::local && holds_cards(e.args[i]->type) && !carries(in, e.args[i]->local)) && hidden_in(in, *e.args[i], bound)) return true;
      return false;
    };
    switch (e.kind) {
      case ExprKind::local: return carries(in, e.local);
      case ExprKind::variable: return model_.variables[e.ref].visibility != model::Visibility::open || any_from(0);
      case ExprKind::window_field: return hidden_field(e.ref, e.value);
      case ExprKind::window_left: return fields_.count({e.ref, e.value}) > 0;
      case ExprKind::event_field: return carries(model_.events[e.ref].body, of_.event_field_local(e.ref, e.value));
      case ExprKind::call_event: return results_.count(e.ref) > 0;
      case ExprKind::open_window: return window_results_.count(e.ref) > 0;
      case ExprKind::attribute: case ExprKind::kind_of: case ExprKind::counts_as:
        return e.args[0]->type.kind == TypeKind::card ? unseen(in, *e.args[0], bound) : any_from(0);
      case ExprKind::call_value: case ExprKind::call_function:
        return of_.reads_secrets(e) || any_from(0) ||
               std::any_of(e.args.begin(), e.args.end(), [&](const model::Expr* a) { return a && holds_cards(a->type) && unseen(in, *a, bound); });
      case ExprKind::exists: case ExprKind::filter: case ExprKind::aggregate: case ExprKind::best: case ExprKind::list_of:
        if (e.args[0] && hidden_in(in, *e.args[0], bound)) return true;
        bound.push_back({e.local.index, e.args[0]});
        return any_from(1);
      case ExprKind::equal: case ExprKind::not_equal: case ExprKind::in_set: case ExprKind::within: case ExprKind::set_equal:
        for (const model::Expr* a : e.args)
          if (holds_cards(a->type) && a->kind != ExprKind::zone && unseen(in, *a, bound)) return true;
        return any_from(0);
      default: return any_from(0);
    }
  }

  void mark(const model::Body& in, model::LocalId local) { add(locals_, {&in, local.index}); }
  template <class Set>
  void add(Set& set, typename Set::value_type value) {
    if (set.insert(value).second) grew_ = true;
  }

  Lowering& of_;
  const model::Model& model_;
  bool grew_ = true;
  std::set<std::pair<const model::Body*, std::uint32_t>> locals_;
  std::set<std::uint32_t> results_, window_results_;
  std::set<std::pair<std::uint32_t, Int>> fields_;
};

bool Lowering::carries_secrets(const model::Expr& e) {
  if (!carried_) carried_ = std::make_shared<Carried>(*this);
  switch (e.kind) {
    case ExprKind::local: {
      const model::Body& body = *env().body;
      if (env().deferred) return carried_->carries(body, e.local);
      std::vector<const model::Expr*> conditions;
      Origins o;
      origins_of(body.block, e.local, [](const model::Stmt&) { return false; }, conditions, o);
      return (o.stored.empty() && !o.domain && carried_->carries(body, e.local)) || carried_->stored_secretly(body, e.local);
    }
    case ExprKind::call_event: case ExprKind::open_window: case ExprKind::window_field: case ExprKind::window_left: case ExprKind::event_field:
      return carried_->hidden(*env().body, e);
    default: return false;
  }
}

bool Lowering::field_is_secret(const model::Expr& e) {
  if (!carried_) carried_ = std::make_shared<Carried>(*this);
  return carried_->hidden(model_.setup, e);                // it says itself where it stands
}

bool Lowering::window_field_is_secret(std::uint32_t window, Int field) {
  if (!carried_) carried_ = std::make_shared<Carried>(*this);
  return carried_->hidden_field(window, field);
}

}  // namespace cardwright::lower
