// Finds the condition that prevents a player from performing an action with certain arguments, or from choosing
// something, and the values that it depends on.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "api/game/game_data.h"

namespace cardwright::api::detail {

struct Explanation {
  // 0: nothing prevents it; a higher value means that more conditions held
  Int stage = 0;
  const Reason* reason = nullptr;
  std::string said;   // the text declared in the rules; empty if there is none
  std::string condition;   // without a declared text: the innermost condition, as written; can be empty
  std::vector<std::pair<std::string, std::string>> values;   // compared expressions, as written, and their values
  std::string element;   // "q is c": elements for which it fails
  std::string modified_by;   // owner of the rule that modified a value
  std::vector<std::pair<std::string, std::string>> names;   // names in a choice and their values
};

// Explains an action with these arguments, as this player may know it; nothing if that cannot be computed.
std::optional<Explanation> explain(const StateData& state, Int action, int player, Int card,
                                   const std::vector<Int>& parameters);
// Explains why `chosen` is missing from each source of the pending choice; empty if that cannot be computed.
std::vector<Explanation> explain_chosen(const StateData& state, Int chosen);

}   // namespace cardwright::api::detail
