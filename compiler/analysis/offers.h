// What is sure of the names of an action while it is offered, and whether an offer may turn out wrong.
// In:    the Model, and what secrecy.h finds in it.
// Out:   facts about the names in an action's conditions; whether cards that are offered may be unknown by who is
// asked;
//        whether an action may be offered, for all that its actor knows, and yet not hold.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <vector>

#include "compiler/analysis/secrecy.h"

namespace cardwright::analysis {

// Who is asked: `who` if that is a name, or else the player of the name `me`.
Facts facts_for(const model::Expr* who, model::LocalId me);
// Whether somebody has the card or the character whose rule it is.
bool is_of_players(const model::Model& model, const model::RuleHead& head);

class Offers {
 public:
  Offers(const model::Model& model, Secrecy& secrecy)
      : model_(model), secrecy_(secrecy), may_be_wrong_(model.actions.size()) {}

  Facts facts_of(const model::Action& action);
  bool may_be_unknown(const model::ActionParameter& p, Facts& at);
  // Of those cards that a rule names it matters only where it is asked where they lie.
  bool may_be_unknown(const model::Expr& cards, model::LocalId element,
                      std::initializer_list<const model::Expr*> conditions, Facts& at);
  bool may_be_wrong(std::size_t action);

 private:
  bool could_be_others(const model::Expr& e, Facts& at);
  bool may_be_wrong_at_all(std::size_t action);
  bool is_offered_unsurely(const model::Forbid& rule, std::size_t action, Facts& at);

  const model::Model& model_;
  Secrecy& secrecy_;
  std::vector<std::optional<bool>> may_be_wrong_;   // by action, as far as it was asked
};

}   // namespace cardwright::analysis
