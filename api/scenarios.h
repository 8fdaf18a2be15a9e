// Runs the scenarios of a Model: givens onto a State, scripted decisions matched to pending ones, claims looked at.
// docs/language.md says what a scenario means.
#pragma once

#include <optional>
#include <string>

#include "api/compile.h"
#include "play/game_data.h"

namespace cardwright::api::detail {

// What went wrong, and where; nothing if the scenario holds.
struct Refuted {
  Range where;
  std::string expected, found, rule;
  std::string offered;               // what could be done then, and by whom
  std::vector<std::string> log;      // all that was told since the scenario began
};
std::optional<Refuted> run_scenario(const std::shared_ptr<const GameData>& game, const model::Scenario& scenario);

}  // namespace cardwright::api::detail
