// Computes facts about the parameters of actions. Checks whether the offered cards may be unknown to the player, and
// whether an offer may be wrong.
#include "compiler/analysis/offers.h"
#include "compiler/model/views.h"

#include <algorithm>
#include <utility>

namespace cardwright::analysis {

namespace view = model::view;

using model::ExprKind;

Facts facts_for(const model::Expr* who, model::LocalId me) {
  Facts at;
  at.put(!who ? me : who->kind == ExprKind::local ? who->local : model::LocalId{}, {.asked = true});
  at.active_is_asked = who && who->kind == ExprKind::active_player;
  return at;
}

bool Offers::may_be_unknown(const model::Expr& cards, model::LocalId element,
                            std::initializer_list<const model::Expr*> conditions, Facts& at) {
  const Fact sure = secrecy_.fact(cards, at);
  if (sure.named && sure.placed) return could_be_others(cards, at);
  if (!sure.named || secrecy_.reads(cards, at)) return true;
  at.put(element, sure);
  return std::any_of(conditions.begin(), conditions.end(),
                     [&](const model::Expr* c) { return c && secrecy_.reads(*c, at); });
}

// Returns whether the deciding player may not know which cards `e` selects. Must agree with cards_that_could_be() in
// lower/.
bool Offers::could_be_others(const model::Expr& e, Facts& at) {
  switch (e.kind) {
    case ExprKind::filter:
    case ExprKind::best:
    case ExprKind::set_minus: return could_be_others(*view::taken_from(e).of(), at);
    case ExprKind::set_union:
      return could_be_others(*view::set_union(e).left(), at) || could_be_others(*view::set_union(e).right(), at);
    case ExprKind::conditional:
      return could_be_others(*view::conditional(e).then(), at) ||
             could_be_others(*view::conditional(e).otherwise(), at);
    default: return secrecy_.reads(e, at);
  }
}

bool Offers::may_be_unknown(const model::ActionParameter& p, Facts& at) {
  return p.type.kind == model::TypeKind::card && p.domain &&
         may_be_unknown(*p.domain, p.count == model::PickCount::one ? p.local : p.element, {p.where}, at);
}

Facts Offers::facts_of(const model::Action& action) {
  Facts at = facts_for(nullptr, action.head.me);
  if (action.head.carrier.kind == model::CarrierKind::card) at.put(action.head.self, kSeen);
  for (const model::ActionParameter& p : action.parameters) {
    Fact of{};
    if (p.type.kind == model::TypeKind::card)
      of = may_be_unknown(p, at) ? kPlaced : p.domain ? secrecy_.fact(*p.domain, at) : Fact{.named = true};
    else if (p.domain)
      of = secrecy_.fact(*p.domain, at);
    at.put(p.local, of);
    if (p.element.valid()) at.put(p.element, of);
  }
  return at;
}

bool is_of_players(const model::Model& model, const model::RuleHead& head) {
  const bool in_zone = head.carrier.kind == model::CarrierKind::card && head.carrier.zone.valid();
  return in_zone ? model.zones[head.carrier.zone.index].has_owner() : head.me.valid();
}

bool Offers::may_be_wrong(std::size_t index) {
  if (!may_be_wrong_[index]) may_be_wrong_[index] = may_be_wrong_at_all(index);
  return *may_be_wrong_[index];
}

bool Offers::may_be_wrong_at_all(std::size_t index) {
  const model::Action& action = model_.actions[index];
  Facts at = facts_of(action);
  const auto secret = [&](const model::Expr* e) { return e && secrecy_.reads(*e, at); };
  if (!secrecy_.is_known_whose(action.head, at) || secret(action.head.when)) return true;
  for (const model::Forbid& f : model_.forbids)
    if (std::any_of(f.actions.begin(), f.actions.end(), [&](model::ActionId id) { return id.index == index; }) &&
        is_offered_unsurely(f, index, at))
      return true;
  return std::any_of(action.parameters.begin(), action.parameters.end(), [&](const model::ActionParameter& p) {
    return may_be_unknown(p, at) || secret(p.domain) || secret(p.where) || secret(p.amount) || secret(p.keeping);
  });
}

// Returns whether a `forbid` or `allow` rule depends on something that the acting player may not know.
bool Offers::is_offered_unsurely(const model::Forbid& rule, std::size_t index, Facts& at) {
  std::vector<Fact> given;
  for (const model::ActionParameter& p : model_.actions[index].parameters) given.push_back(at.of(p.local));
  model::RuleHead head = rule.head;
  Facts inner = secrecy_.of_rule(head, rule.patterns, given);
  if (!is_of_players(model_, head)) inner.put(head.me, {.asked = true});
  const model::Expr* when = std::exchange(head.when, nullptr);
  return secrecy_.reads_rule(head, rule.patterns, given) || (when && secrecy_.reads(*when, inner));
}

}   // namespace cardwright::analysis
