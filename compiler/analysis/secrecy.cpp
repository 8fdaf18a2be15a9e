// Computes facts about expressions, and whether they read hidden information. Recursive functions are visited once; a
// result computed inside a recursion is cached only for the function with which the recursion began.
#include "compiler/analysis/secrecy.h"

#include <algorithm>

#include "compiler/model/views.h"
#include "compiler/model/visit.h"
#include "support/unreachable.h"

namespace cardwright::analysis {

namespace view = model::view;

using model::CarrierKind;
using model::Expr;
using model::ExprKind;
using model::holds_cards;
using model::StmtKind;
using model::TypeKind;
using model::Visibility;

bool are_distinguishable(const Fact& a, const Fact& b) { return (a.named && b.named) || (a.placed && b.placed); }

const Taint& Secrecy::taint() {
  if (!taint_) taint_.emplace(model_, has_facedown_);
  return *taint_;
}

// ---------------------------------------------------------------- facts

bool Secrecy::sees_into(const Expr& e, Facts& at) {
  const model::Zone& zone = model_.zones[e.ref];
  if (zone.visibility == Visibility::open) return true;
  if (zone.visibility == Visibility::hidden) return false;
  const view::zone_place place(e);
  if (place.owner() && is_mine(*place.owner(), at)) return true;
  // Matches zones such as `me.team.z` and `me.area[2].z`.
  if (!place.copy() || place.copy()->kind != ExprKind::subtract) return false;
  const Expr& part = *view::subtract(place.copy()).left();
  return (part.kind == ExprKind::team_of && is_mine(*view::team_of(part).player(), at)) ||
         (part.kind == ExprKind::part_at && is_mine(*view::part_at(part).owner(), at));
}

namespace {

// Returns whether two expressions are structurally equal.
bool is_same(const Expr& a, const Expr& b) {
  if (a.kind != b.kind || a.ref != b.ref || a.value != b.value || a.local != b.local || a.args.size() != b.args.size())
    return false;
  for (std::size_t i = 0; i < a.args.size(); ++i)
    if (!a.args[i] != !b.args[i] || (a.args[i] && !is_same(*a.args[i], *b.args[i]))) return false;
  return true;
}

// Returns whether `e` is the top card that `known`, an expression `me knows top of z`, refers to.
bool is_that_top(const Expr& known, const Expr& e) {
  if (known.kind != ExprKind::knows_top || e.kind != ExprKind::zone_top || known.ref != e.ref) return false;
  const auto same = [](const Expr* a, const Expr* b) { return a && b ? is_same(*a, *b) : a == b; };
  const view::knows_top its(known);
  const view::zone_top top(e);
  return same(its.owner(), top.owner()) && same(its.copy(), top.copy());
}

}   // namespace

Fact Secrecy::fact(const Expr& e, Facts& at) {
  Fact fact = found_fact(e, at);
  const auto is_it = [&](const Expr* shown) { return is_same(*shown, e) || is_that_top(*shown, e); };
  if (std::ranges::any_of(at.shown, is_it)) fact.named = true;
  return fact;
}

Facts Secrecy::assuming(const Expr& condition, const Facts& at, bool holds) {
  Facts inside = at;
  if (guards_ == Guards::ignored) return inside;
  if (condition.kind == ExprKind::logical_not) return assuming(*view::logical_not(condition).operand(), inside, !holds);
  if (condition.kind == (holds ? ExprKind::logical_and : ExprKind::logical_or)) {
    const view::pair both(condition);
    return assuming(*both.right(), assuming(*both.left(), inside, holds), holds);
  }
  if (holds && condition.kind == ExprKind::knows_top && is_mine(*view::knows_top(condition).who(), inside))
    inside.shown.push_back(&condition);
  if (!holds || condition.kind != ExprKind::knows || !is_mine(*view::knows(condition).who(), inside)) return inside;
  const Expr& what = *view::knows(condition).what();
  if (what.kind == ExprKind::local) {
    Fact known = inside.of(what.local);
    known.named = true;
    inside.put(what.local, known);
  } else {
    inside.shown.push_back(&what);
  }
  return inside;
}

Fact Secrecy::found_fact(const Expr& e, Facts& at) {
  const auto all = [&](std::size_t from) {
    Fact both{true, true, true, false};
    for (const Expr* part : view::all_from(e.args, from))
      if (part) both = both & fact(*part, at);
    return both;
  };
  switch (e.kind) {
    case ExprKind::constant: return e.type.kind == TypeKind::card && e.value >= 0 ? Fact{.named = true} : kSeen;
    case ExprKind::set_constant: return e.values.empty() ? kSeen : Fact{.named = true};
    case ExprKind::set_list:
    case ExprKind::listed_set: return {.named = true};
    case ExprKind::list_literal: return e.args.empty() ? kSeen : all(0);
    case ExprKind::local: return at.of(e.local);
    case ExprKind::active_player: return {.asked = at.active_is_asked};
    case ExprKind::variable:
    case ExprKind::window_field:
    case ExprKind::window_left:
    case ExprKind::event_field: return kPlaced;
    case ExprKind::call_event:
    case ExprKind::open_window:
    case ExprKind::proceed: return kPlaced;
    case ExprKind::zone:
    case ExprKind::zone_top:
    case ExprKind::zone_top_n:
    case ExprKind::zone_bottom:
    case ExprKind::card_of_slot: return {.named = !has_facedown_[e.ref] && sees_into(e, at), .placed = true};
    case ExprKind::set_union:
    case ExprKind::or_else:
    case ExprKind::joined:
    case ExprKind::list_add: return all(0);
    case ExprKind::conditional: return all(1);
    case ExprKind::set_and: {
      // For example, no player knows which cards of `all Coin` are in a hidden pile.
      const Fact a = fact(*view::set_and(e).left(), at), b = fact(*view::set_and(e).right(), at);
      const bool named = (a.named && b.named) || (a.named && a.placed) || (b.named && b.placed);
      return {false, named, a.placed || b.placed, false};
    }
    case ExprKind::filter: {   // `where me knows it` selects cards that are known to the deciding player
      const view::filter of(e);
      const Fact before = fact(*of.domain(), at);
      if (guards_ == Guards::ignored) return before;
      Facts inside = at;
      inside.put(e.local, before);
      return assuming(*of.condition(), inside).of(e.local);
    }
    case ExprKind::set_minus:
    case ExprKind::best:
    case ExprKind::pick_first:
    case ExprKind::pick_last:
    case ExprKind::pick_only:
    case ExprKind::subsets:
    case ExprKind::set_of_one:
    case ExprKind::element_at:
    case ExprKind::list_end:
    case ExprKind::list_drop:
    case ExprKind::list_as:
    case ExprKind::seat_of:
    case ExprKind::pick_random:
    case ExprKind::random_n: return fact(*view::taken_from(e).of(), at);
    case ExprKind::aggregate:
    case ExprKind::list_of: {
      const view::collecting all_of(e);
      at.put(e.local, fact(*all_of.domain(), at));
      return all_of.body() ? fact(*all_of.body(), at) : Fact{};
    }
    case ExprKind::call_value:
    case ExprKind::call_function:
      return holds_cards(e.type) || e.type.kind == TypeKind::player ? result(called(e, at)) : Fact{};
    default: return {};
  }
}

std::vector<Fact> Secrecy::arguments(const Expr& call, Facts& at) {
  std::vector<Fact> given;
  for (const Expr* a : call.args) given.push_back(a ? fact(*a, at) : Fact{});
  return given;
}

Facts Secrecy::of_call(const Expr& call, Facts& at) { return settled(called(call, at)); }

// ---------------------------------------------------------------- reads of hidden information

bool Secrecy::is_own(const Expr& e, Facts& at) {
  const model::Variable& v = model_.variables[e.ref];
  if (v.visibility == Visibility::open) return true;
  const Expr* owner = view::variable(e).owner();
  return v.visibility == Visibility::owner && v.per_player && owner && is_mine(*owner, at);
}

bool Secrecy::reads_any(const Expr& e, Facts& at) {
  return std::any_of(e.args.begin(), e.args.end(), [&](const Expr* a) { return a && reads(*a, at); });
}

// Handles expressions whose right side is evaluated only if the left side permits it: `me knows c and c.n == 1`, `not
// (me knows c) or c.n == 1`, `if me knows c then c.n else 0`.
std::optional<bool> Secrecy::reads_guarded(const Expr& e, Facts& at) {
  const auto reads_where = [&](const Expr& part, const Expr& condition, bool holds) {
    Facts inside = assuming(condition, at, holds);
    return reads(part, inside);
  };
  if (e.kind == ExprKind::logical_and || e.kind == ExprKind::logical_or) {
    const view::pair its(e);
    return reads(*its.left(), at) || reads_where(*its.right(), *its.left(), e.kind == ExprKind::logical_and);
  }
  if (e.kind != ExprKind::conditional) return std::nullopt;
  const view::conditional its(e);
  return reads(*its.condition(), at) || reads_where(*its.then(), *its.condition(), true) ||
         reads_where(*its.otherwise(), *its.condition(), false);
}

bool Secrecy::reads(const Expr& e, Facts& at) {
  if (guards_ == Guards::enabled)
    if (const auto guarded = reads_guarded(e, at)) return *guarded;
  const auto unnamed = [&](const Expr* cards) { return holds_cards(cards->type) && !fact(*cards, at).named; };
  const auto mixed = [&](const Expr* cards) { return holds_cards(cards->type) && fact(*cards, at).is_mixed(); };
  switch (e.kind) {
    case ExprKind::variable: {
      const auto unknown = [&](const model::Expr* of) {
        return of && of->type.kind == TypeKind::card && !fact(*of, at).named;
      };
      return reads_any(e, at) || !is_own(e, at) || std::any_of(e.args.begin(), e.args.end(), unknown);
    }
    case ExprKind::attribute:
    case ExprKind::kind_of: return reads_any(e, at) || unnamed(view::about_card(e).of());
    case ExprKind::pick_first:
    case ExprKind::pick_last:
    case ExprKind::subsets: return reads_any(e, at) || unnamed(view::taken_from(e).of());
    case ExprKind::size: return reads_any(e, at) || mixed(view::size(e).set());
    case ExprKind::pick_only: return reads_any(e, at) || mixed(view::pick_only(e).set());
    case ExprKind::counts_as: {
      if (reads_any(e, at) || unnamed(view::counts_as(e).card())) return true;
      return std::any_of(model_.alsos.begin(), model_.alsos.end(), [&](const model::Also& also) {
        if (std::find(e.values.begin(), e.values.end(), static_cast<std::int64_t>(also.counts_as.index)) ==
            e.values.end())
          return false;
        return !fact(*view::counts_as(e).card(), at).placed || reads_rule(also.head, {}, {});
      });
    }
    case ExprKind::part_of:
    case ExprKind::faces: return reads_any(e, at) || !fact(*view::about_card(e).of(), at).placed;
    case ExprKind::equal:
    case ExprKind::not_equal:
    case ExprKind::set_equal:
    case ExprKind::in_set:
    case ExprKind::within:
    case ExprKind::disjoint:
    case ExprKind::set_minus:
    case ExprKind::set_and:
    case ExprKind::in_list:
    case ExprKind::list_equal:
    case ExprKind::list_drop: {
      if (reads_any(e, at)) return true;
      const Expr *left = view::pair(e).left(), *right = view::pair(e).right();
      return holds_cards(left->type) && holds_cards(right->type) &&
             !are_distinguishable(fact(*left, at), fact(*right, at));
    }
    case ExprKind::exists:
    case ExprKind::filter:
    case ExprKind::aggregate:
    case ExprKind::best:
    case ExprKind::list_of: {
      const Expr* domain = view::ranging(e).domain();
      if (reads(*domain, at)) return true;
      const bool in_order = e.kind == ExprKind::list_of && domain->type.kind == TypeKind::set;
      if (in_order && unnamed(domain)) return true;
      if (e.kind == ExprKind::aggregate && mixed(domain)) return true;
      at.put(e.local, fact(*domain, at));
      return std::any_of(e.args.begin() + 1, e.args.end(), [&](const Expr* a) { return a && reads(*a, at); });
    }
    case ExprKind::pool_values:
      return std::any_of(model_.variables.begin(), model_.variables.end(), [&](const model::Variable& v) {
        return v.dealt_from && v.dealt_from->index == e.ref && v.visibility != Visibility::open;
      });
    case ExprKind::window_field:
    case ExprKind::window_left:
    case ExprKind::event_field: return reads_any(e, at) || (!holds_cards(e.type) && taint().is_left_secret(e));
    case ExprKind::call_value:
    case ExprKind::call_function: return reads_any(e, at) || reads_call(called(e, at));
    case ExprKind::supposing: {
      Happened seen;
      return reads_any(*view::supposing(e).what(), at) || reads_event(*view::supposing(e).what(), at, seen) ||
             reads(*view::supposing(e).condition(), at);
    }
    // For these kinds, only the operands can be secret.
    case ExprKind::constant:
    case ExprKind::set_constant:
    case ExprKind::local:
    case ExprKind::zone:
    case ExprKind::zone_top:
    case ExprKind::zone_top_n:
    case ExprKind::zone_bottom:
    case ExprKind::card_of_slot:
    case ExprKind::set_union:
    case ExprKind::set_of_one:
    case ExprKind::conditional:
    case ExprKind::or_else:
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
    case ExprKind::call_event:
    case ExprKind::open_window:
    case ExprKind::proceed:
    case ExprKind::knows:
    case ExprKind::knows_top:
    case ExprKind::element_at:
    case ExprKind::list_literal:
    case ExprKind::list_end:
    case ExprKind::list_add:
    case ExprKind::list_as:
    case ExprKind::set_list:
    case ExprKind::listed_set:
    case ExprKind::joined:
    case ExprKind::during_event:
    case ExprKind::during_window:
    case ExprKind::play_is_over:
    case ExprKind::at_first:
    case ExprKind::timer_running:
    case ExprKind::race_clock:
    case ExprKind::race_busy:
#include "compiler/model/cases_of_parts.def"
      return reads_any(e, at);
  }
  unreachable("a kind of expression");
}

// ---------------------------------------------------------------- modifiers

Facts Secrecy::of_rule(const model::RuleHead& head, const std::vector<model::Pattern>& patterns,
                       const std::vector<Fact>& given) const {
  Facts at;
  for (std::size_t i = 0; i < patterns.size() && i < given.size(); ++i) {
    const model::Pattern& p = patterns[i];
    if (p.kind == model::Pattern::Kind::binds) at.put(p.local, given[i]);
    if (p.kind == model::Pattern::Kind::equals && head.me.valid() && p.value->kind == ExprKind::local &&
        p.value->local == head.me)
      at.put(head.me, given[i]);
  }
  if (head.carrier.kind == CarrierKind::card)
    at.put(head.self, head.carrier.zone.valid() ? kSeen : Fact{.named = true});
  return at;
}

bool Secrecy::is_known_whose(const model::RuleHead& head, const Facts& at) const {
  const auto seen = [&](Visibility v) {
    return v == Visibility::open || (v == Visibility::owner && at.of(head.me).asked);
  };
  if (head.carrier.kind == CarrierKind::character)
    return seen(model_.variables[head.carrier.character_variable.index].visibility);
  if (head.carrier.kind == CarrierKind::card && head.carrier.zone.valid())
    return seen(model_.zones[head.carrier.zone.index].visibility);
  return true;
}

// Returns whether the rule applies to its own card, as in `forbid trade(this)`. The deciding player then knows the zone
// of the card, and therefore whether the rule applies.
static bool is_of_known_card(const model::RuleHead& head, const std::vector<model::Pattern>& patterns,
                             const std::vector<Fact>& given) {
  for (std::size_t i = 0; i < patterns.size() && i < given.size(); ++i) {
    const model::Pattern& p = patterns[i];
    const bool itself = p.kind == model::Pattern::Kind::equals && p.value->kind == ExprKind::local &&
                        head.self.valid() && p.value->local == head.self;
    if (itself && given[i].named && given[i].placed) return true;
  }
  return false;
}

bool Secrecy::reads_rule(const model::RuleHead& head, const std::vector<model::Pattern>& patterns,
                         const std::vector<Fact>& given) {
  Facts at = of_rule(head, patterns, given);
  if (!is_known_whose(head, at) && !is_of_known_card(head, patterns, given)) return true;
  if (head.when && reads(*head.when, at)) return true;
  for (std::size_t i = 0; i < patterns.size(); ++i) {
    const model::Pattern& p = patterns[i];
    if (p.kind != model::Pattern::Kind::equals) continue;
    if (reads(*p.value, at)) return true;
    if (holds_cards(p.value->type) && (i >= given.size() || !are_distinguishable(fact(*p.value, at), given[i])))
      return true;
  }
  return false;
}

// ---------------------------------------------------------------- calls

// Computes the facts that are certain for the locals on every path through the body. This is a fixed point: it starts
// with all facts, and each assignment removes some.
Facts Secrecy::settled(const Called& c) {
  if (const auto known = settled_.find(c); known != settled_.end()) return known->second;
  const auto& parameters = c.value ? model_.values[c.ref].parameters : model_.functions[c.ref].parameters;
  Facts at;
  at.locals.assign(body(c).locals.size(), Fact{true, true, true, false});
  for (std::size_t i = 0; i < parameters.size(); ++i)
    at.put(parameters[i].local, i < c.given.size() ? c.given[i] : Fact{});
  const int before = cuts_;
  while (settle(body(c).block, at)) {
  }
  if (cuts_ == before) settled_[c] = at;
  return at;
}

namespace {

bool holds(const model::Stmt& s, const model::Stmt& inner) {
  if (&s == &inner) return true;
  return std::any_of(s.blocks.begin(), s.blocks.end(), [&](const model::Block& block) {
    return std::any_of(block.begin(), block.end(), [&](const model::Stmt* x) { return holds(*x, inner); });
  });
}

bool binds(const model::Stmt& s) {
  return s.local.valid() && (s.kind == StmtKind::let || s.kind == StmtKind::assign_local || s.kind == StmtKind::each ||
                             s.kind == StmtKind::choose);
}

// Marks the locals that the block or its nested blocks assign.
void bound_in(const model::Block& block, std::vector<bool>& bound) {
  for (const model::Stmt* s : block) {
    if (binds(*s)) bound[s->local.index] = true;
    for (const model::Block& inner : s->blocks) bound_in(inner, bound);
  }
}

}   // namespace

bool Secrecy::takes_out_of_sight(const Expr& e) const {
  const bool refills =
      (e.kind == ExprKind::zone_top || e.kind == ExprKind::zone_top_n) && model_.zones[e.ref].refill_from;
  if (refills || e.kind == ExprKind::call_event || e.kind == ExprKind::open_window || e.kind == ExprKind::proceed)
    return true;
  return std::any_of(e.args.begin(), e.args.end(), [&](const Expr* a) { return a && takes_out_of_sight(*a); });
}

// Ignores the blocks and expressions of the statement.
bool Secrecy::takes_out_itself(const model::Stmt& s) const {
  switch (s.kind) {
    case StmtKind::move: return model_.zones[s.ref].visibility != Visibility::open || has_facedown_[s.ref];
    case StmtKind::draw_to:
    case StmtKind::deal_each:
    case StmtKind::shuffle:
    case StmtKind::arrange:
    case StmtKind::turn_cards:
    case StmtKind::ask:
    case StmtKind::checkpoint:
    case StmtKind::check_end:
    case StmtKind::turns:
    case StmtKind::rounds:
    case StmtKind::phase: return true;
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
    case StmtKind::winners:
    case StmtKind::afterwards:
    case StmtKind::together:
    case StmtKind::choose:
    case StmtKind::choose_one:
    case StmtKind::deal_pool:
    case StmtKind::show_faces:
    case StmtKind::reveal_cards:
    case StmtKind::reveal_variable:
    case StmtKind::peek_cards:
    case StmtKind::peek_variable:
    case StmtKind::eliminate:
    case StmtKind::log:
    case StmtKind::delay:
    case StmtKind::pause:
    case StmtKind::start_timer:
    case StmtKind::stop_timer: return false;
  }
  unreachable("a kind of statement");
}

bool Secrecy::takes_out_of_sight(const model::Stmt& s) const {
  if (takes_out_itself(s)) return true;
  return std::any_of(s.exprs.begin(), s.exprs.end(), [&](const Expr* e) { return e && takes_out_of_sight(*e); }) ||
         std::any_of(s.blocks.begin(), s.blocks.end(), [&](const model::Block& block) {
           return std::any_of(block.begin(), block.end(),
                              [&](const model::Stmt* inner) { return takes_out_of_sight(*inner); });
         });
}

// Removes the fact `named` from all locals at each statement before `here` that may hide cards. `settled` contains the
// facts of each local at its assignment. Returns true if `here` is in the block.
bool Secrecy::take_out_of_sight(const model::Block& block, const model::Stmt& here, const Facts& settled,
                                Facts& at) const {
  const auto forget = [&] {
    for (Fact& fact : at.locals) fact.named = false;
  };
  for (const model::Stmt* s : block) {
    const bool loop = s->kind == StmtKind::each || s->kind == StmtKind::repeat;
    if (s == &here || holds(*s, here)) {
      if (loop && takes_out_of_sight(*s)) forget();
      return s == &here || std::any_of(s->blocks.begin(), s->blocks.end(), [&](const model::Block& inner) {
               return take_out_of_sight(inner, here, settled, at);
             });
    }
    if (takes_out_of_sight(*s)) forget();
    if (binds(*s)) at.put(s->local, settled.of(s->local));
  }
  return false;
}

bool Secrecy::holds_named(const model::Body& body, model::LocalId local) {
  if (!named_) named_.emplace(model_, *this);
  return named_->holds(body, local);
}

// The only fact about a card parameter is its source: a rule names the card, or it was obtained from a zone. The
// emitted code reads everything else about a parameter from the player's knowledge.
Facts Secrecy::of_body(const model::Body& body, const Facts& given, const model::Stmt& here) {
  Facts at;
  std::vector<bool> bound(body.locals.size());
  bound_in(body.block, bound);
  std::vector<std::uint32_t> named;
  for (std::uint32_t i = 0; i < body.locals.size(); ++i) {
    at.locals.push_back(bound[i] ? Fact{true, true, true, false} : Fact{.asked = true, .placed = true});
    if (holds_cards(body.locals[i].type) && holds_named(body, {i}))
      named.push_back(i), at.locals[i] = {.asked = true, .named = true};
  }
  do {
    for (std::uint32_t i = 0; i < body.locals.size(); ++i)
      if (Fact& fact = at.locals[i]; fact.asked) fact.asked = given.of({i}).asked;
    at.active_is_asked = given.active_is_asked;
  } while (settle(body.block, at, true));
  const Facts settled = at;
  take_out_of_sight(body.block, here, settled, at);
  for (const std::uint32_t i : named) at.locals[i].named = true;
  for (std::uint32_t i = 0; i < body.locals.size(); ++i) at.locals[i].asked = given.of({i}).asked;
  return at;
}

void Secrecy::settle_records(const Expr& e, Facts& at) {
  if (e.kind == ExprKind::call_function)   // the results of a sequence are the fields that it yields
    for (std::uint32_t i = 0; i < static_cast<std::uint32_t>(e.value); ++i) at.put({e.local.index + i}, {});
  for (const Expr* a : e.args)
    if (a) settle_records(*a, at);
}

Fact Secrecy::fact_in_secret(const Expr& e, Facts& at) {
  const Fact found = fact(e, at);
  return found.named && !found.placed && reads(e, at) ? Fact{.asked = found.asked} : found;
}

// Returns the fact of the elements chosen from `source`. If the condition depends on something that the deciding player
// may not know, the cards are placed but not named.
Fact Secrecy::chosen(const view::Source& source, model::LocalId element, Facts& at) {
  const Fact of = fact_in_secret(*source.domain, at);
  at.put(element, of);
  return of.named && !of.placed && source.where && reads(*source.where, at) ? kPlaced : of;
}

bool Secrecy::settle(const model::Block& block, Facts& at, bool in_secret_condition) {
  bool changed = false;
  const auto join = [&](model::LocalId local, const Fact& more) {
    const Fact both = at.of(local) & more;
    changed = changed || both != at.of(local);
    at.put(local, both);
  };
  for (const model::Stmt* s : block) {
    for (const Expr* e : s->exprs)
      if (e) settle_records(*e, at);
    const bool stores = s->kind == StmtKind::let || s->kind == StmtKind::assign_local;
    const auto of = [&](const Expr& e) { return in_secret_condition ? this->fact_in_secret(e, at) : fact(e, at); };
    if (stores && !s->exprs.empty() && s->exprs.back()) join(s->local, of(*s->exprs.back()));
    if (s->kind == StmtKind::each) join(s->local, of(*view::each(s).domain()));
    if (s->kind == StmtKind::choose)
      for (const view::Source& source : view::sources_of(view::choose(s)))
        join(s->local, in_secret_condition ? chosen(source, {s->ref}, at) : fact(*source.domain, at));
    for (const model::Block& inner : s->blocks) changed = settle(inner, at, in_secret_condition) || changed;
  }
  return changed;
}

bool Secrecy::reads_call(const Expr& call, Fact cards) {
  Called c{call.kind == ExprKind::call_value, call.ref, {}};
  for (const Expr* a : call.args) c.given.push_back(a && holds_cards(a->type) ? cards : Fact{});
  return reads_call(c);
}

bool Secrecy::reads_call(const Called& c) {
  if (const auto known = reads_.find(c); known != reads_.end()) return known->second;
  if (!reading_.insert(c).second) return ++cuts_, false;
  const int before = cuts_;
  const bool found = reads_inside(c);
  reading_.erase(c);
  if (found || cuts_ == before || reading_.empty()) reads_[c] = found;
  return found;
}

bool Secrecy::reads_inside(const Called& c) {
  Facts at = settled(c);
  if (!c.value) return reads_block(body(c).block, at);
  const model::Value& value = model_.values[c.ref];
  for (const Expr* e : {value.base, value.at_least, value.at_most})
    if (e && reads(*e, at)) return true;
  if (reads_block(value.body.block, at)) return true;
  return std::any_of(value.modifiers.begin(), value.modifiers.end(), [&](const model::Modifier& m) {
    if (reads_rule(m.head, m.patterns, c.given)) return true;
    Facts inner = of_rule(m.head, m.patterns, c.given);
    return reads(*m.amount, inner);
  });
}

// The order of a loop over cards reveals which cards they are.
bool Secrecy::reads_block(const model::Block& block, Facts& at) {
  return std::any_of(block.begin(), block.end(), [&](const model::Stmt* s) {
    if (std::any_of(s->exprs.begin(), s->exprs.end(), [&](const Expr* e) { return e && reads(*e, at); })) return true;
    if (s->kind == StmtKind::each && view::each(s).domain()->type.kind == TypeKind::set &&
        holds_cards(view::each(s).domain()->type) && !fact(*view::each(s).domain(), at).named)
      return true;
    return std::any_of(s->blocks.begin(), s->blocks.end(),
                       [&](const model::Block& inner) { return reads_block(inner, at); });
  });
}

Fact Secrecy::result(const Called& c) {
  if (const auto known = results_.find(c); known != results_.end()) return known->second;
  if (!working_.insert(c).second) return ++cuts_, Fact{true, true, true, false};
  const int before = cuts_;
  const Fact found = result_inside(c);
  working_.erase(c);
  if (cuts_ == before || working_.empty()) results_[c] = found;
  return found;
}

Fact Secrecy::result_inside(const Called& c) {
  Facts at = settled(c);
  Fact found{true, true, true, false};
  if (c.value && model_.values[c.ref].base) found = fact(*model_.values[c.ref].base, at);
  returned(body(c).block, at, found);
  if (!c.value) return found;
  for (const model::Modifier& m : model_.values[c.ref].modifiers) {
    Facts inner = of_rule(m.head, m.patterns, c.given);
    found = found & fact(*m.amount, inner);
  }
  return found;
}

void Secrecy::returned(const model::Block& block, Facts& at, Fact& found) {
  for (const model::Stmt* s : block) {
    if (s->kind == StmtKind::return_value && view::return_value(s).value())
      found = found & fact(*view::return_value(s).value(), at);
    if (s->kind == StmtKind::yield_value && !s->exprs.empty() && view::yield_value(s).values(0))
      found = found & fact(*view::yield_value(s).values(0), at);
    for (const model::Block& inner : s->blocks) returned(inner, at, found);
  }
}

// ---------------------------------------------------------------- supposing

// Returns whether a supposed event reads hidden information. In a supposed event, cards are in zones into which the
// deciding player has not seen them move.
bool Secrecy::reads_event(const Expr& call, Facts& from, Happened& seen) {
  const std::vector<Fact> given = arguments(call, from);
  if (!seen.insert({call.ref, given}).second) return false;
  const model::Event& event = model_.events[call.ref];
  // Adds the facts about locals that the rule itself assigns, for example in a loop.
  const auto with_names = [&](const model::Body& body, Facts at) {
    std::vector<bool> bound(body.locals.size());
    bound_in(body.block, bound);
    for (std::uint32_t i = 0; i < bound.size(); ++i)
      if (bound[i]) at.put({i}, {true, true, true, false});
    while (settle(body.block, at)) {
    }
    return at;
  };
  Facts handed;
  for (std::size_t i = 0; i < event.parameters.size() && i < given.size(); ++i)
    handed.put(event.parameters[i].local, given[i]);
  Facts at = with_names(event.body, handed);
  if (reads_happening(event.body.block, at, seen)) return true;
  return std::any_of(event.handlers.begin(), event.handlers.end(), [&](const model::Handler& h) {
    Facts of = with_names(h.body, of_rule(h.head, h.patterns, given));
    return reads_rule(h.head, h.patterns, given) || reads_happening(h.body.block, of, seen);
  });
}

bool Secrecy::reads_happening(const Expr& e, Facts& at, Happened& seen) {
  if (e.kind == ExprKind::call_event && reads_event(e, at, seen)) return true;
  const auto unnamed = [&](const Expr* a) { return a && holds_cards(a->type) && !fact(*a, at).named; };
  // A `proceed` may pass on cards that are not named.
  if (e.kind == ExprKind::proceed && std::any_of(e.args.begin(), e.args.end(), unnamed)) return true;
  return std::any_of(e.args.begin(), e.args.end(), [&](const Expr* a) { return a && reads_happening(*a, at, seen); });
}

bool Secrecy::reads_happening(const model::Block& block, Facts& at, Happened& seen) {
  return std::any_of(block.begin(), block.end(), [&](const model::Stmt* s) {
    if (s->kind == StmtKind::afterwards) return false;   // an `afterwards` is not executed in a supposed event
    for (const Expr* e : s->exprs)
      if (e && (reads(*e, at) || reads_happening(*e, at, seen))) return true;
    if (s->kind == StmtKind::move && view::move(s).what() && !fact(*view::move(s).what(), at).named) return true;
    if (s->kind == StmtKind::turn_cards || s->kind == StmtKind::deal_pool) return true;
    if (s->kind == StmtKind::draw_to || s->kind == StmtKind::deal_each) {
      if (model_.zones[s->ref].visibility != Visibility::open || has_facedown_[s->ref]) return true;
    }
    return std::any_of(s->blocks.begin(), s->blocks.end(),
                       [&](const model::Block& inner) { return reads_happening(inner, at, seen); });
  });
}

}   // namespace cardwright::analysis
