// Runs the scenarios of a Model: givens onto a State, scripted decisions matched to pending ones, claims evaluated.
// Their meaning: docs/reference/language/scenarios.md.
#pragma once

#include <optional>
#include <string>

#include "api/compile/compile.h"
#include "api/game/game_data.h"

namespace cardwright::api::detail {

// What went wrong, and where; nothing if the scenario holds.
struct Refuted {
  Range where;
  std::string expected, found, rule;
  std::string offered;   // what could be done then, and by whom
  std::vector<std::string> log;   // all that was told since the scenario began
};
// If `reached` is not null, adds the rules and options that the scenario reaches.
struct Reached;
std::optional<Refuted> run_scenario(const std::shared_ptr<const GameData>& game, const model::Scenario& scenario,
                                    Reached* reached = nullptr);

// How a scenario of a file is played.
struct ScenarioSetting {
  EngineKind engine = EngineKind::interpreter;
  bool plain = false;
  Reached* reached = nullptr;
};
// One scenario of a file, on a table of its own; `kept` holds the tables, so that others can share them. Throws
// Error(author) if the rules have errors.
ScenarioResult play_scenario(const Ruleset& rules, const sema::ScenarioInfo& info, const ScenarioSetting& setting,
                             std::vector<Game>& kept);

}   // namespace cardwright::api::detail
