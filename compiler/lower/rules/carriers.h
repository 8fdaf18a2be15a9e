// Determines the cards and players that currently carry a rule, and the cards that count as a card kind because of an
// `also` rule.
#pragma once

#include <functional>
#include <vector>

#include "compiler/lower/context/function_context.h"

namespace cardwright::lower {

Register carrier_in_force(const FunctionContext& code, const model::RuleHead& head, Register me);

// Describes which carriers of a rule to visit.
struct CarrierQuery {
  Register me = ir::kNoRegister;   // visits only this player; kNoRegister: all players
  // Visits only these cards, which were in force when the event began. kNoRegister: visits all cards.
  Register collected = ir::kNoRegister;
  bool recheck = false;   // skips cards that are no longer in force when the loop reaches them
  bool all_cards = false;   // includes cards for which the condition of `in force while` is currently false
  // Calls `then` once for all of a player's cards that carry the rule, with the set of these cards as `self`.
  bool together = false;
};

// Returns the cards that carry a rule; if the zone belongs to a player, only those of player `me`. If `all` is true,
// includes cards for which the condition of `in force while` is currently false.
Register carrier_cards(const FunctionContext& code, const model::RuleHead& head, Register me, bool all = false);
// Calls `then(me, self)` for every carrier of the rule that is in force and matches the query.
void carriers(const FunctionContext& code, const model::RuleHead& head, const CarrierQuery& query,
              const std::function<void(Register me, Register self)>& then);
Register also_set(const FunctionContext& code, const std::vector<Int>& kinds, Register domain, Register holder);

}   // namespace cardwright::lower
