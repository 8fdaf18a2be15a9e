// Determines the cards and players that carry a rule now, and the cards that count as a kind by an `also` rule.
#pragma once

#include <functional>
#include <vector>

#include "compiler/lower/context/function_context.h"

namespace cardwright::lower {

Register carrier_in_force(const FunctionContext& code, const model::RuleHead& head, Register me);

// Describes which carriers of a rule to visit.
struct CarrierQuery {
  Register me = ir::kNoRegister;   // visits only this player, or all players if kNoRegister
  // visits only these cards, which were in force when the event began; kNoRegister visits all cards
  Register collected = ir::kNoRegister;
  bool recheck = false;   // skips cards that are no longer in force when their turn comes
  bool all_cards = false;   // includes cards for which the condition of `in force while` is false now
  // calls `then` once for all cards of a player that carry the rule, with the set of these cards as `self`
  bool together = false;
};

// Returns the cards that carry a rule, restricted to player `me` if the zone belongs to a player. If `all` is true,
// includes cards for which the condition of `in force while` is false now.
Register carrier_cards(const FunctionContext& code, const model::RuleHead& head, Register me, bool all = false);
// Calls `then(me, self)` for every carrier of the rule that is in force and matches the query.
void carriers(const FunctionContext& code, const model::RuleHead& head, const CarrierQuery& query,
              const std::function<void(Register me, Register self)>& then);
Register also_set(const FunctionContext& code, const std::vector<Int>& kinds, Register domain, Register holder);

}   // namespace cardwright::lower
