// Computes facts about the locals of an action while it is offered, and whether an offer may be wrong.
// Input:  the Model and the results of secrecy.h.
// Output: facts about the locals in an action's conditions; the actions whose offered cards may be unknown to the
//         deciding player; the actions that may be offered, based on the player's knowledge, although their conditions
//         are false.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <vector>

#include "compiler/analysis/secrecy.h"

namespace cardwright::analysis {

// Returns the facts that hold if the deciding player is the local `who`, or the local `me` if `who` is null.
Facts facts_for(const model::Expr* who, model::LocalId me);
// Returns whether the carrier of the rule (a card or character) belongs to a player.
bool is_of_players(const model::Model& model, const model::RuleHead& head);

class Offers {
 public:
  Offers(const model::Model& model, Secrecy& secrecy)
      : model_(model), secrecy_(secrecy), may_be_wrong_(model.actions.size()) {}

  Facts facts_of(const model::Action& action);
  bool may_be_unknown(const model::ActionParameter& p, Facts& at);
  // Returns whether the deciding player may not know the cards. Cards that a rule names are unknown only if one of the
  // conditions reads their zone.
  bool may_be_unknown(const model::Expr& cards, model::LocalId element,
                      std::initializer_list<const model::Expr*> conditions, Facts& at);
  bool may_be_wrong(std::size_t action);

 private:
  bool could_be_others(const model::Expr& e, Facts& at);
  bool may_be_wrong_at_all(std::size_t action);
  bool is_offered_unsurely(const model::Forbid& rule, std::size_t action, Facts& at);

  const model::Model& model_;
  Secrecy& secrecy_;
  std::vector<std::optional<bool>> may_be_wrong_;   // cache, by action
};

}   // namespace cardwright::analysis
