// Finds the locals with named cards as a fixed point: a local counts as named until an assignment of other cards is
// found.
#include "compiler/analysis/named.h"

#include <algorithm>
#include <utility>

#include "compiler/analysis/secrecy.h"
#include "compiler/model/views.h"
#include "compiler/model/visit.h"

namespace cardwright::analysis {

namespace view = model::view;

using model::ExprKind;
using model::holds_cards;
using model::StmtKind;
using model::TypeKind;

namespace {

// Returns whether locals of this type are tracked. Lists and tables of cards are not.
bool is_followed(const model::Type& t) {
  return holds_cards(t) && (t.kind == TypeKind::card || t.kind == TypeKind::set);
}

}   // namespace

NamedCards::NamedCards(const model::Model& model, Secrecy& secrecy) : model_(model), secrecy_(secrecy) {
  while (std::exchange(changed_, false)) all();
}

bool NamedCards::holds(const model::Body& body, model::LocalId local) const {
  return state_of(body, local) == State::named;
}

void NamedCards::all() {
  for (const model::Event& event : model_.events) {
    for (const model::Parameter& p : event.parameters)
      if (p.initial) store(event.body, p.local, p.initial, event.body, false);
    for (const model::LocalId variable : event.variables) put(event.body, variable, State::found);
    body(event.body);
    for (const model::Handler& h : event.handlers) {
      hand_on(event, h);
      body(h.body);
    }
  }
  for (const model::Window& w : model_.windows) {
    for (const model::LocalId variable : w.variables) put(w.body, variable, State::found);
    body(w.body);
  }
  for (const model::Action& a : model_.actions)
    for (const model::Block* part : {&a.body.block, &a.late, &a.wrong}) block(*part, a.body, false);
  for (const model::Whenever& w : model_.whenevers) body(w.body);
  for (const model::EndWhen& e : model_.endings) body(e.body);
  body(model_.setup);
  body(model_.play);
}

// `hidden` is true if a secret condition controls the block. Knowing the cards would then reveal the condition.
void NamedCards::block(const model::Block& block, const model::Body& in, bool hidden) {
  for (const model::Stmt* s : block) statement(*s, in, hidden);
}

void NamedCards::statement(const model::Stmt& s, const model::Body& in, bool hidden) {
  for (const model::Expr* e : s.exprs)
    if (e) calls(*e, in, hidden);
  switch (s.kind) {
    case StmtKind::let:
    case StmtKind::assign_local:
      if (!s.exprs.empty() && s.exprs.back()) store(in, s.local, s.exprs.back(), in, hidden);
      break;
    case StmtKind::each: store(in, s.local, view::each(s).domain(), in, hidden); break;
    case StmtKind::choose:
      for (const view::Source& source : view::sources_of(view::choose(s)))
        store(in, s.local, source.domain, in,
              hidden || reads(view::choose(s).keeping(), in) || reads_of_element(source, {s.ref}, in));
      if (s.value >> 8 != 0) put(in, s.local, State::found);   // the statement chooses one of the cards at random
      break;
    case StmtKind::let_given: put(in, s.local, State::found); break;
    case StmtKind::assign_variable:
    case StmtKind::assign_all:
    case StmtKind::assign_window_field:
    case StmtKind::assign_event_field:
    case StmtKind::evaluate:
    case StmtKind::if_else:
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
    case StmtKind::ask:
    case StmtKind::choose_one:
    case StmtKind::move:
    case StmtKind::draw_to:
    case StmtKind::deal_each:
    case StmtKind::deal_pool:
    case StmtKind::arrange:
    case StmtKind::show_faces:
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
    case StmtKind::stop_timer: break;
  }
  const bool loops = s.kind == StmtKind::if_else || s.kind == StmtKind::each || s.kind == StmtKind::repeat;
  const bool inside = hidden || (loops && std::any_of(s.exprs.begin(), s.exprs.end(),
                                                      [&](const model::Expr* e) { return reads(e, in); }));
  for (const model::Block& inner : s.blocks) block(inner, in, inside);
}

// Updates the facts about the parameters of the events that an expression calls.
void NamedCards::calls(const model::Expr& e, const model::Body& in, bool hidden) {
  for (const model::Expr* a : e.args)
    if (a) calls(*a, in, hidden);
  if (e.kind == ExprKind::call_event) hand(model_.events[e.ref], e, in, hidden);
  if (e.kind != ExprKind::proceed) return;
  // A `proceed` expression does not name its event, so every event with this handler is updated.
  for (const model::Event& event : model_.events)
    if (std::any_of(event.handlers.begin(), event.handlers.end(),
                    [&](const model::Handler& h) { return &h.body == &in; }))
      hand(event, e, in, hidden);
}

void NamedCards::hand(const model::Event& to, const model::Expr& call, const model::Body& in, bool hidden) {
  const view::Parts arguments = view::call(call).arguments();
  for (std::size_t i = 0; i < arguments.size() && i < to.parameters.size(); ++i)
    if (arguments[i]) store(to.body, to.parameters[i].local, arguments[i], in, hidden);
}

void NamedCards::hand_on(const model::Event& event, const model::Handler& to) {
  for (std::size_t i = 0; i < to.patterns.size() && i < event.parameters.size(); ++i)
    if (to.patterns[i].kind == model::Pattern::Kind::binds)
      put(to.body, to.patterns[i].local, state_of(event.body, event.parameters[i].local));
}

void NamedCards::store(const model::Body& to, model::LocalId local, const model::Expr* e, const model::Body& in,
                       bool hidden) {
  if (!local.valid()) return;
  const bool known = is_followed(to.locals[local.index].type) && !hidden && !reads(e, in);
  put(to, local, known ? named(*e, in) : State::found);
}

// A local that has become `found` stays `found`.
void NamedCards::put(const model::Body& to, model::LocalId local, State state) {
  if (state == State::open) return;
  State& known = states_.try_emplace({&to, local.index}, State::open).first->second;
  const State both = std::max(known, state);
  changed_ = changed_ || both != known;
  known = both;
}

NamedCards::State NamedCards::state_of(const model::Body& body, model::LocalId local) const {
  const auto it = states_.find({&body, local.index});
  return it == states_.end() ? State::open : it->second;
}

// Returns `named` if the rule determines the cards independently of their zones, `open` for `none` and empty sets, and
// otherwise `found`.
NamedCards::State NamedCards::named(const model::Expr& e, const model::Body& in) const {
  const auto all = [&](std::size_t from) {
    State both = State::open;
    for (const model::Expr* part : view::all_from(e.args, from))
      if (part) both = std::max(both, named(*part, in));
    return both;
  };
  switch (e.kind) {
    case ExprKind::constant: return e.value >= 0 ? State::named : State::open;
    case ExprKind::set_constant: return e.values.empty() ? State::open : State::named;
    case ExprKind::set_list:
    case ExprKind::listed_set: return State::named;
    case ExprKind::local: return is_followed(in.locals[e.local.index].type) ? state_of(in, e.local) : State::found;
    case ExprKind::set_union:
    case ExprKind::or_else: return all(0);
    case ExprKind::conditional: return all(1);
    case ExprKind::set_and: return std::min(named(*view::set_and(e).left(), in), named(*view::set_and(e).right(), in));
    case ExprKind::set_minus:
    case ExprKind::best:
    case ExprKind::pick_first:
    case ExprKind::pick_last:
    case ExprKind::pick_only:
    case ExprKind::set_of_one:
    case ExprKind::filter: return named(*view::taken_from(e).of(), in);
    default: return State::found;
  }
}

// Returns whether the expression depends on something that some players do not know.
bool NamedCards::reads(const model::Expr* e, const model::Body& in) const {
  if (!e) return false;
  Facts at = facts(in);
  return secrecy_.reads(*e, at);
}

bool NamedCards::reads_of_element(const view::Source& source, model::LocalId element, const model::Body& in) const {
  if (!source.where) return false;
  Facts at = facts(in);
  at.put(element, secrecy_.fact(*source.domain, at));
  return secrecy_.reads(*source.where, at);
}

Facts NamedCards::facts(const model::Body& in) const {
  Facts at;
  at.locals.assign(in.locals.size(), kPlaced);
  for (std::uint32_t i = 0; i < in.locals.size(); ++i)
    if (is_followed(in.locals[i].type) && state_of(in, {i}) != State::found) at.locals[i] = {.named = true};
  return at;
}

}   // namespace cardwright::analysis
