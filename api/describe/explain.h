// Which condition keeps a player from doing something with certain things, or from choosing something, and what it
// depends on.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "api/game/game_data.h"

namespace cardwright::api::detail {

struct Explanation {
  // 0: nothing keeps them from it; the higher, the more of it held
  Int stage = 0;
  const Reason* reason = nullptr;
  std::string said;   // by the rules, or …
  std::string condition;   // … the condition further in, as it is written; may be empty
  std::vector<std::pair<std::string, std::string>> values;   // what it compares, as it is written, and what that is
  std::string element;   // "q is c": for which it is so
  std::string modified_by;   // whose rule says otherwise
  std::vector<std::pair<std::string, std::string>> names;   // those that a choice reads, and what they are
};

// Of an action with these parameters, as this player may know it; nothing where that can't be worked out.
std::optional<Explanation> explain(const StateData& state, Int action, int player, Int card,
                                   const std::vector<Int>& parameters);
// Of what is chosen out of each source of the choice that is asked there; empty where that can't be worked out.
std::vector<Explanation> explain_chosen(const StateData& state, Int chosen);

}   // namespace cardwright::api::detail
