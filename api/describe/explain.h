// Finds the condition that prevents a player from performing an action with given arguments or from choosing a value,
// and the values on which this condition depends.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "api/game/game_data.h"

namespace cardwright::api::detail {

struct Explanation {
  // 0 if nothing prevents the action or choice. Otherwise, a higher value means that more conditions were true.
  Int stage = 0;
  const Reason* reason = nullptr;
  std::string error = {};   // reason why the evaluation failed; empty if it succeeded
  std::string declared_text = {};   // the text declared in the rules; empty if there is none
  std::string condition = {};   // without a declared text: the innermost condition, as written; can be empty
  std::vector<std::pair<std::string, std::string>> values = {};   // compared expressions, as written, and their values
  std::string element = {};   // elements for which the condition fails: "q is c"
  std::string modified_by = {};   // owner of the rule that modified a value
  std::vector<std::pair<std::string, std::string>> names = {};   // names in a choice and their values
};

// Explains why this player cannot perform an action with these arguments, or with any arguments if `parameters` is
// null. Uses only information that the player may know. Empty if the action is impossible in these rules or requires a
// card.
std::optional<Explanation> explain(const StateData& state, Int action, int player, Int card,
                                   const std::vector<Int>* parameters);
// Explains for each source of the pending choice why it does not contain `chosen`; empty if this cannot be computed.
std::vector<Explanation> explain_chosen(const StateData& state, Int chosen);

}   // namespace cardwright::api::detail
