// Defines the configuration for which a ruleset is analyzed: the number of players, the options, and the recorded
// measures.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "compiler/loading/ruleset.h"

namespace cardwright::sema {

using loading::MeasureInfo;
using loading::Option;
using loading::Ruleset;
using loading::ScenarioInfo;
using loading::Unit;
using loading::Variant;

// Names of the standard measures. Measures in rules can't have these names. kTurnOrder records the player of each turn.
inline constexpr const char* kTurnOrder = "turn order";
inline constexpr const char* kFigures = "standard figures";   // records the values of the standard figures
inline constexpr const char* kCoverage = "rule coverage";   // records which rules and statements take effect
// Records when an action ends, and when a turn, round or phase begins.
inline constexpr const char* kFlowMarks = "flow marks";
// Returns whether `name` is a standard measure, which exists in every game.
inline bool is_standard_measure(std::string_view name) {
  return name == kTurnOrder || name == kFigures || name == kCoverage || name == kFlowMarks;
}

// The configuration requested by the user.
struct Configuration {
  int players = 0;   // 0 for the default number
  // Pairs of name and value. An empty value or "on" enables an option; the title of a variant selects that variant.
  std::vector<std::pair<std::string, std::string>> options;
  bool plain = false;   // disables optimizations in lowering; sema ignores it
  std::vector<std::string> measures;   // measures to record: names, `own` or `all`
  // Names of the policies in use. `sensible` lets seats use different policies; `bots` selects the policy that is
  // declared for bots, if there is one.
  std::vector<std::string> policies = {};
};

}   // namespace cardwright::sema
