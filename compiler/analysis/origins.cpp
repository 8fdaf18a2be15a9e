// Finds the zones of cards by following assignments, calls, and arguments of events.
#include "compiler/analysis/origins.h"
#include "compiler/model/views.h"

namespace cardwright::analysis {

namespace view = model::view;

using model::ExprKind;
using model::StmtKind;

namespace {

template <class Visit>
void each_call(const model::Expr* e, const Visit& visit) {
  if (!e) return;
  if (e->kind == ExprKind::call_event) visit(*e);
  for (const model::Expr* a : e->args) each_call(a, visit);
}

// Returns whether the expression has the form `s - 1`. Rules number the parts of an area from 1, but zones are numbered
// from 0.
bool is_part(const model::Expr* e) {
  return e->kind == ExprKind::subtract && view::subtract(e).left()->kind == ExprKind::local &&
         !view::subtract(e).left()->type.optional && view::subtract(e).right()->kind == ExprKind::constant;
}

// Returns the expression that a statement assigns to a local, or the set from which the local takes an element. Returns
// null if the statement assigns no local.
const model::Expr* given_to_local(const model::Stmt& s) {
  if (s.kind == StmtKind::let) return view::let(s).initial();
  if (s.kind == StmtKind::each) return view::each(s).domain();
  if (s.kind == StmtKind::assign_local && view::assign_local(s).indices().empty()) return view::assign_local(s).value();
  if (s.kind == StmtKind::choose && !view::choose(s).sources().empty()) return view::choose(s).sources(0);
  return nullptr;
}

}   // namespace

std::optional<Origin> Origins::of(const model::Expr* e, const model::Body& body) const {
  if (!e) return std::nullopt;
  switch (e->kind) {
    case ExprKind::local: {
      const Origin* known = of(e->local, body);
      return known ? std::optional(*known) : std::nullopt;
    }
    case ExprKind::zone:
    case ExprKind::zone_top:
    case ExprKind::zone_top_n:
    case ExprKind::zone_bottom:
    case ExprKind::card_of_slot: {
      Origin at{e->ref, view::zone_place(e).owner(), view::zone_place(e).copy()};
      return is_plain(at.owner) && is_plain(at.copy) ? std::optional(at) : std::nullopt;
    }
    case ExprKind::filter:
    case ExprKind::best:
    case ExprKind::set_minus:
    case ExprKind::set_of_one:
    case ExprKind::pick_first:
    case ExprKind::pick_last:
    case ExprKind::pick_only:
    case ExprKind::pick_random:
    case ExprKind::random_n: return of(view::taken_from(e).of(), body);
    case ExprKind::set_and:
    case ExprKind::set_union: return of(view::pair(e).left(), body);
    case ExprKind::or_else: return of(view::or_else(e).first(), body);
    case ExprKind::conditional: {
      const auto yes = of(view::conditional(e).then(), body);
      return yes ? yes : of(view::conditional(e).otherwise(), body);
    }
    case ExprKind::call_value: {
      const model::Value& value = model_.values[e->ref];
      return in_call(*e, value.base, value.body, value.parameters);
    }
    case ExprKind::call_function: {
      const model::Function& function = model_.functions[e->ref];
      return in_call(*e, plain_body_(*e), function.body, function.parameters);
    }
    default: return std::nullopt;
  }
}

// Returns whether the expression is simple enough to be evaluated again where the search for the card begins.
bool Origins::is_plain(const model::Expr* e) {
  return !e || e->kind == ExprKind::constant || e->kind == ExprKind::local || e->kind == ExprKind::active_player ||
         is_part(e);
}

// Replaces a parameter of the called value or function by its argument. Terminates because definitions are not circular
// (E0207).
std::optional<Origin> Origins::in_call(const model::Expr& call, const model::Expr* argument, const model::Body& inner,
                                       const std::vector<model::Parameter>& parameters) const {
  auto found = of(argument, inner);
  if (!found) return std::nullopt;
  for (const model::Expr** of : {&found->owner, &found->copy}) {
    if (*of && is_part(*of)) return std::nullopt;
    if (!*of || (*of)->kind != ExprKind::local) continue;
    const model::Expr* given = nullptr;
    const view::Parts arguments = view::call(call).arguments();
    for (std::size_t i = 0; i < parameters.size() && i < arguments.size(); ++i)
      if (parameters[i].local == (*of)->local) given = arguments[i];
    if (!given || !is_plain(given)) return std::nullopt;
    *of = given;
  }
  return found;
}

// For each card argument, records its zone as the zone of the event's parameter. If the owner of the zone is also an
// argument, the corresponding parameter becomes the owner. This is the reverse of in_call().
void Origins::note_arguments(const model::Expr& call, const model::Body& body) {
  const model::Event& event = model_.events[call.ref];
  const view::Parts arguments = view::call(call).arguments();
  for (std::size_t i = 0; i < arguments.size() && i < event.parameters.size(); ++i) {
    auto found = of(arguments[i], body);
    if (!found) continue;
    for (const model::Expr** of : {&found->owner, &found->copy}) {
      if (!*of) continue;
      const model::Expr* outside = is_part(*of) ? view::subtract(*of).left() : *of;
      if (outside->kind != ExprKind::local) continue;
      const model::Expr* inside = nullptr;
      for (std::size_t j = 0; j < arguments.size() && j < event.parameters.size(); ++j)
        if (arguments[j] && arguments[j]->kind == ExprKind::local && arguments[j]->local == outside->local)
          inside = parameter_as_local(event, j);
      if (inside && is_part(*of)) {
        model::Expr& part = own_exprs_.emplace_back(**of);
        part.args.front() = inside;
        inside = is_part(&part) ? &part : nullptr;   // null if the parameter can be none
      }
      found->somewhere |= inside == nullptr;
      *of = inside;
    }
    found_.insert({{&event.body, event.parameters[i].local.index}, *found});
  }
}

const model::Expr* Origins::parameter_as_local(const model::Event& event, std::size_t i) {
  const model::LocalId local = event.parameters[i].local;
  model::Expr& e = own_exprs_.emplace_back();
  e.kind = ExprKind::local;
  e.type = event.body.locals[local.index].type;
  e.local = local;
  return &e;
}

void Origins::find(const model::Body& body) { find(body.block, body); }

void Origins::find(const model::Block& block, const model::Body& body) {
  for (const model::Stmt* s : block) {
    if (const auto found = of(given_to_local(*s), body)) found_.insert({{&body, s->local.index}, *found});
    for (const model::Expr* e : s->exprs) each_call(e, [&](const model::Expr& call) { note_arguments(call, body); });
    for (const model::Block& inner : s->blocks) find(inner, body);
  }
}

// Visits callers before the events that they call, as far as possible.
Origins::Origins(const model::Model& model, PlainBody plain_body) : model_(model), plain_body_(std::move(plain_body)) {
  for (const model::Action& action : model_.actions) {
    for (const model::ActionParameter& p : action.parameters)
      if (const auto found = of(p.domain, action.body)) found_.insert({{&action.body, p.local.index}, *found});
    find(action.body);
  }
  for (const model::Window& window : model_.windows) find(window.body);
  for (const model::Event& event : model_.events) {
    find(event.body);
    for (const model::Handler& handler : event.handlers) find(handler.body);
  }
  for (const model::Whenever& rule : model_.whenevers) find(rule.body);
  for (const model::Body* body : {&model_.setup, &model_.play}) find(*body);
}

}   // namespace cardwright::analysis
