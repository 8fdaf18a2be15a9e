// Propagates secrets through assignments, arguments and results until a fixed point is reached.
#include "compiler/analysis/taint.h"

#include <algorithm>
#include <functional>

#include "compiler/analysis/effects.h"
#include "compiler/model/views.h"
#include "compiler/model/visit.h"
#include "support/unreachable.h"

namespace cardwright::analysis {

namespace view = model::view;

using model::ExprKind;
using model::StmtKind;
using model::TypeKind;

// Contains all assignments to a local.
struct Taint::Stored {
  std::vector<const model::Expr*> values, under;   // the assigned values, and the conditions of the assignments
  const model::Expr* domain = nullptr;   // the domain of the loop that assigns the local, if there is one
  bool shown = false;   // true if the card is moved to a public zone or revealed

  void find(const model::Block& block, model::LocalId local, const std::function<bool(const model::Stmt&)>& shows,
            std::vector<const model::Expr*>& conditions);
};

void Taint::Stored::find(const model::Block& block, model::LocalId local,
                         const std::function<bool(const model::Stmt&)>& shows,
                         std::vector<const model::Expr*>& conditions) {
  for (const model::Stmt* s : block) {
    const bool stores = s->local == local && (s->kind == StmtKind::let || s->kind == StmtKind::assign_local ||
                                              s->kind == StmtKind::let_given);
    if (stores) {
      if (!s->exprs.empty() && s->exprs.back())
        values.push_back(s->kind == StmtKind::let_given ? view::let_given(s).call() : s->exprs.back());
      if (s->kind == StmtKind::assign_local) under.insert(under.end(), conditions.begin(), conditions.end());
    }
    if (s->local == local && s->kind == StmtKind::each) domain = view::each(s).domain();
    if (s->local == local && s->kind == StmtKind::choose && s->exprs.size() > 4) domain = view::choose(s).sources(0);
    if ((s->kind == StmtKind::move || s->kind == StmtKind::reveal_cards) && shows(*s)) shown = true;
    const std::size_t before = conditions.size();
    if (s->kind == StmtKind::if_else) conditions.push_back(view::if_else(s).condition());
    if (s->kind == StmtKind::each && s->exprs.size() > 1 && view::each(s).where())
      conditions.push_back(view::each(s).where());
    if (s->kind == StmtKind::repeat) conditions.insert(conditions.end(), s->exprs.begin(), s->exprs.end());
    for (const model::Block& inner : s->blocks) find(inner, local, shows, conditions);
    conditions.resize(before);
  }
}

bool reads_secrets(const model::Model& model, const model::Expr& call) {
  const Reads reads = reads_of(model, call);
  const auto hidden = [&](std::uint32_t v) { return model.variables[v].visibility != model::Visibility::open; };
  const auto unknown = [](const model::Zone& z) { return z.visibility != model::Visibility::open; };
  return std::any_of(reads.variables.begin(), reads.variables.end(), hidden) ||
         (reads.any_zone() && std::any_of(model.zones.begin(), model.zones.end(), unknown));
}

// Returns whether a value or function reads a variable or a zone that some players do not see.
bool Taint::reads_hidden(const model::Expr& call) const {
  const Reads reads = reads_of(model_, call);
  const auto hidden = [&](std::uint32_t v) { return model_.variables[v].visibility != model::Visibility::open; };
  const auto closed = [&](std::uint32_t zone) { return !open_zone(zone); };
  if (std::ranges::any_of(reads.variables, hidden) || std::ranges::any_of(reads.entered, closed) ||
      std::ranges::any_of(reads.left, closed))
    return true;
  if (!reads.zones) return false;
  for (std::uint32_t zone = 0; zone < model_.zones.size(); ++zone)
    if (closed(zone)) return true;
  return false;
}

// Returns whether the set contains cards that the rules name, wherever they are.
static bool is_named_set(const model::Expr& e) {
  return (e.kind == ExprKind::set_constant && !e.values.empty()) || e.kind == ExprKind::set_list;
}

Taint::Taint(const model::Model& model, const std::vector<bool>& has_facedown)
    : model_(model), has_facedown_(has_facedown) {
  while (std::exchange(grew_, false)) all();
}

bool Taint::is_secret_field(std::uint32_t window, std::int64_t field) const {
  return field >= 0 ? fields_.count({window, field}) > 0
                    : carries(model_.windows[window].body, model::local_of_field(model_.windows[window], field));
}

// The expression identifies its window or event, so its secrecy does not depend on the body passed here.
bool Taint::is_left_secret(const model::Expr& field) const {
  return field.kind == ExprKind::window_field ? is_secret_field(field.ref, field.value)
                                              : is_secret(model_.setup, field);
}

// Returns whether the expression is a result or a field of an event or window.
static bool is_of_happening(ExprKind kind) {
  return kind == ExprKind::call_event || kind == ExprKind::open_window || kind == ExprKind::window_field ||
         kind == ExprKind::window_left || kind == ExprKind::event_field;
}

bool Taint::must_be_hidden(const model::Body& body, const model::Expr& e, bool later) const {
  if (e.kind != ExprKind::local) return is_of_happening(e.kind) && is_secret(body, e);
  if (later) return carries(body, e.local);
  std::vector<const model::Expr*> conditions;
  Stored got;
  got.find(
      body.block, e.local, [](const model::Stmt&) { return false; }, conditions);
  return got.values.empty() && !got.domain && carries(body, e.local);
}

std::vector<const model::Expr*> Taint::secret_conditions(const model::Body& body, model::LocalId local) const {
  std::vector<const model::Expr*> out = stored(body, local).under;
  std::erase_if(out, [&](const model::Expr* c) { return !c || !is_secret(body, *c); });
  return out;
}

void Taint::all() {
  for (std::uint32_t e = 0; e < model_.events.size(); ++e) {
    const model::Event& event = model_.events[e];
    body(event.body, {0, e});
    for (const model::Handler& h : event.handlers) {
      for (std::size_t i = 0; i < h.patterns.size() && i < event.parameters.size(); ++i)
        if (h.patterns[i].kind == model::Pattern::Kind::binds && carries(event.body, event.parameters[i].local))
          mark(h.body, h.patterns[i].local);
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

void Taint::block(const model::Block& statements, const model::Body& in, Owner owner) {
  for (const model::Stmt* s : statements) {
    for (const model::Expr* e : s->exprs)
      if (e) calls(*e, in);
    const bool stores = s->kind == StmtKind::let || s->kind == StmtKind::assign_local || s->kind == StmtKind::let_given;
    if (stores && !s->exprs.empty() && s->exprs.back()) {
      const std::size_t fields = s->kind == StmtKind::let_given ? s->exprs.size() - 1 : 1;
      for (std::size_t i = 0; i < fields; ++i) {
        const model::LocalId local{s->local.index + static_cast<std::uint32_t>(i)};
        if (given(in, s->kind == StmtKind::let_given ? *view::let_given(s).call() : *s->exprs.back()) ||
            !secret_conditions(in, local).empty())
          mark(in, local);
      }
    }
    if (s->kind == StmtKind::each && view::each(s).domain() && given(in, *view::each(s).domain()) &&
        !model::holds_cards(in.locals[s->local.index].type))
      mark(in, s->local);
    if (s->kind == StmtKind::return_value && owner.first < 2)
      for (const model::Expr* e : s->exprs)
        if (e && given(in, *e)) add(owner.first == 0 ? results_ : window_results_, owner.second);
    if (s->kind == StmtKind::assign_window_field && s->value >= 0 && given(in, *view::assign_window_field(s).value())) {
      add(fields_, {s->ref, s->value});
      mark(model_.windows[s->ref].body, model_.windows[s->ref].variables[static_cast<std::size_t>(s->value)]);
    }
    if (s->kind == StmtKind::assign_event_field && given(in, *view::assign_event_field(s).value()))
      mark(model_.events[s->ref].body, model::local_of_field(model_.events[s->ref], s->value));
    if (s->kind == StmtKind::pause && s->value > 0) {
      const model::Resume& resume = model_.windows[s->ref].race->resumes[static_cast<std::size_t>(s->value - 1)];
      const view::Parts held = view::pause(s).held();
      for (std::size_t i = 0; i < resume.held.size() && i < held.size(); ++i)
        if (held[i] && given(in, *held[i])) mark(resume.body, resume.held[i]);
    }
    for (const model::Block& inner : s->blocks) block(inner, in, owner);
  }
  if (owner.first != 1) return;
  const model::Window& w = model_.windows[owner.second];
  for (std::size_t i = 0; i < w.variables.size(); ++i)
    if (carries(w.body, w.variables[i])) add(fields_, {owner.second, static_cast<std::int64_t>(i)});
}

// Marks the parameters that receive secret arguments when the expression calls an event or opens a window.
void Taint::calls(const model::Expr& e, const model::Body& in) {
  for (const model::Expr* a : e.args)
    if (a) calls(*a, in);
  const auto hand = [&](const model::Body& to, const std::vector<model::Parameter>& parameters) {
    const view::Parts arguments = view::call(e).arguments();
    for (std::size_t i = 0; i < arguments.size() && i < parameters.size(); ++i)
      if (arguments[i] && given(in, *arguments[i])) mark(to, parameters[i].local);
  };
  if (e.kind == ExprKind::call_event) hand(model_.events[e.ref].body, model_.events[e.ref].parameters);
  if (e.kind == ExprKind::open_window) hand(model_.windows[e.ref].body, model_.windows[e.ref].parameters);
  // A `proceed` expression does not name its event, so mark the arguments in all events with this handler.
  if (e.kind != ExprKind::proceed) return;
  for (const model::Event& event : model_.events)
    if (std::any_of(event.handlers.begin(), event.handlers.end(),
                    [&](const model::Handler& h) { return &h.body == &in; }))
      hand(event.body, event.parameters);
}

// Returns whether an argument or assigned value is secret. Logs show a card only to players who know it, so a card is
// secret only if its identity is unknown.
bool Taint::given(const model::Body& in, const model::Expr& e) const {
  return model::holds_cards(e.type) ? unknown(in, e, {}) : hidden_in(in, e, {});
}

Taint::Stored Taint::stored(const model::Body& in, model::LocalId local) const {
  Stored out;
  std::vector<const model::Expr*> conditions;
  const auto shows = [&](const model::Stmt& s) {
    const model::Expr& what = s.kind == StmtKind::move ? *view::move(s).what() : *view::reveal_cards(s).what();
    if (what.kind != ExprKind::local || what.local != local) return false;
    return s.kind == StmtKind::reveal_cards || open_zone(s.ref);
  };
  out.find(in.block, local, shows, conditions);
  return out;
}

// Returns whether `e` contains cards that some players do not know.
bool Taint::unknown(const model::Body& in, const model::Expr& e, const Bound& bound) const {
  switch (e.kind) {
    case ExprKind::constant:
    case ExprKind::set_constant: return false;
    case ExprKind::zone:
    case ExprKind::zone_top:
    case ExprKind::zone_top_n:
    case ExprKind::zone_bottom:
    case ExprKind::card_of_slot: return !open_zone(e.ref);
    case ExprKind::variable: return model_.variables[e.ref].visibility != model::Visibility::open;
    case ExprKind::call_event: return results_.count(e.ref) > 0;
    case ExprKind::open_window: return window_results_.count(e.ref) > 0;
    case ExprKind::local: {
      for (auto it = bound.rbegin(); it != bound.rend(); ++it)
        if (it->first == e.local.index) return unknown(in, *it->second, bound);
      if (carries(in, e.local)) return true;
      return !stored(in, e.local).shown && unknown_of_action(in, e.local);
    }
    // For these kinds, only the operands can be unknown.
    case ExprKind::window_field:
    case ExprKind::window_left:
    case ExprKind::event_field:
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
    case ExprKind::active_player:
    case ExprKind::turn_number:
    case ExprKind::round_number:
    case ExprKind::steps:
    case ExprKind::next_player:
    case ExprKind::previous_player:
    case ExprKind::seat_of:
    case ExprKind::call_value:
    case ExprKind::call_function:
    case ExprKind::proceed:
    case ExprKind::knows:
    case ExprKind::knows_top:
    case ExprKind::pool_values:
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
    case ExprKind::during_event:
    case ExprKind::during_window:
    case ExprKind::play_is_over:
    case ExprKind::supposing:
    case ExprKind::at_first:
    case ExprKind::timer_running:
    case ExprKind::race_clock:
    case ExprKind::race_busy:
#include "compiler/model/cases_of_parts.def"
      return std::any_of(e.args.begin(), e.args.end(), [&](const model::Expr* a) {
        return a && model::holds_cards(a->type) && unknown(in, *a, bound);
      });
  }
  unreachable("a kind of expression");
}

// Returns whether some players do not know the card argument of an action. If all players know the card in its zone
// before or after the action, the log shows it with the action, so it is known.
bool Taint::unknown_of_action(const model::Body& in, model::LocalId local) const {
  for (const model::Action& a : model_.actions) {
    if (&a.body != &in) continue;
    if (a.play && a.to && a.head.self == local) return !open_zone(a.to->zone.index);
    for (const model::ActionParameter& p : a.parameters)
      if (p.local == local) return !p.domain || unknown(in, *p.domain, {});
  }
  const Stored o = stored(in, local);
  return o.domain && unknown(in, *o.domain, {});
}

bool Taint::hidden_in(const model::Body& in, const model::Expr& e, Bound bound) const {
  const auto any_from = [&](std::size_t first) {
    const view::Parts parts = view::all_from(e.args, first);
    return std::any_of(parts.begin(), parts.end(), [&](const model::Expr* part) {
      if (!part) return false;
      const bool known = part->kind == ExprKind::local && model::holds_cards(part->type) && !carries(in, part->local);
      return !known && hidden_in(in, *part, bound);
    });
  };
  switch (e.kind) {
    case ExprKind::local: return carries(in, e.local);
    case ExprKind::variable: return model_.variables[e.ref].visibility != model::Visibility::open || any_from(0);
    case ExprKind::window_field: return is_secret_field(e.ref, e.value);
    case ExprKind::window_left: return fields_.count({e.ref, e.value}) > 0;
    case ExprKind::event_field:
      return carries(model_.events[e.ref].body, model::local_of_field(model_.events[e.ref], e.value));
    case ExprKind::call_event: return results_.count(e.ref) > 0;
    case ExprKind::open_window: return window_results_.count(e.ref) > 0;
    case ExprKind::attribute:
    case ExprKind::kind_of:
    case ExprKind::counts_as:
      return view::about_card(e).of()->type.kind == TypeKind::card ? unknown(in, *view::about_card(e).of(), bound)
                                                                   : any_from(0);
    case ExprKind::call_value:
    case ExprKind::call_function:
      return reads_hidden(e) || any_from(0) || std::any_of(e.args.begin(), e.args.end(), [&](const model::Expr* a) {
               return a && model::holds_cards(a->type) && unknown(in, *a, bound);
             });
    // If a zone is hidden, so is the set of the named cards in it.
    case ExprKind::set_minus:
    case ExprKind::set_and:
      for (const auto& [one, other] :
           {std::pair{view::pair(e).left(), view::pair(e).right()}, {view::pair(e).right(), view::pair(e).left()}})
        if (is_named_set(*one) && model::holds_cards(other->type) && unknown(in, *other, bound)) return true;
      return any_from(0);
    case ExprKind::exists:
    case ExprKind::filter:
    case ExprKind::aggregate:
    case ExprKind::best:
    case ExprKind::list_of:
      if (view::ranging(e).domain() && hidden_in(in, *view::ranging(e).domain(), bound)) return true;
      bound.push_back({e.local.index, view::ranging(e).domain()});
      return any_from(1);
    case ExprKind::equal:
    case ExprKind::not_equal:
    case ExprKind::in_set:
    case ExprKind::within:
    case ExprKind::set_equal:
    case ExprKind::disjoint:
    case ExprKind::in_list:
    case ExprKind::list_equal:
      for (const model::Expr* a : e.args)
        if (model::holds_cards(a->type) && a->kind != ExprKind::zone && unknown(in, *a, bound)) return true;
      return any_from(0);
    case ExprKind::pool_values:   // the values that remain in the pool reveal the dealt ones
      return std::any_of(model_.variables.begin(), model_.variables.end(), [&](const model::Variable& v) {
        return v.dealt_from && v.dealt_from->index == e.ref && v.visibility != model::Visibility::open;
      });
    // For these kinds, only the operands can be secret.
    case ExprKind::constant:
    case ExprKind::set_constant:
    case ExprKind::zone:
    case ExprKind::zone_top:
    case ExprKind::zone_top_n:
    case ExprKind::zone_bottom:
    case ExprKind::card_of_slot:
    case ExprKind::part_of:
    case ExprKind::faces:
    case ExprKind::set_union:
    case ExprKind::set_of_one:
    case ExprKind::conditional:
    case ExprKind::or_else:
    case ExprKind::size:
    case ExprKind::pick_first:
    case ExprKind::pick_last:
    case ExprKind::pick_only:
    case ExprKind::pick_random:
    case ExprKind::random_n:
    case ExprKind::players_in:
    case ExprKind::is_in_game:
    case ExprKind::active_player:
    case ExprKind::turn_number:
    case ExprKind::round_number:
    case ExprKind::steps:
    case ExprKind::next_player:
    case ExprKind::previous_player:
    case ExprKind::seat_of:
    case ExprKind::proceed:
    case ExprKind::knows:
    case ExprKind::knows_top:
    case ExprKind::element_at:
    case ExprKind::list_literal:
    case ExprKind::list_end:
    case ExprKind::list_add:
    case ExprKind::list_drop:
    case ExprKind::list_as:
    case ExprKind::set_list:
    case ExprKind::listed_set:
    case ExprKind::joined:
    case ExprKind::subsets:
    case ExprKind::during_event:
    case ExprKind::during_window:
    case ExprKind::play_is_over:
    case ExprKind::supposing:
    case ExprKind::at_first:
    case ExprKind::timer_running:
    case ExprKind::race_clock:
    case ExprKind::race_busy:
#include "compiler/model/cases_of_parts.def"
      return any_from(0);
  }
  unreachable("a kind of expression");
}

}   // namespace cardwright::analysis
