// Runs the scenarios of a Model: applies `given` lines to a State, matches steps to pending decisions, and evaluates
// assertions, which are the conditions of `then` lines. docs/reference/language specifies scenarios.
#pragma once

#include <optional>
#include <string>

#include "api/compile/compile.h"
#include "api/game/game_data.h"

namespace cardwright::api::detail {

// The first failure of a scenario, with its place.
struct Refuted {
  Range where;
  std::string expected, found, rule;
  std::string offered;   // the deciding player and the options that were available at this point
  std::vector<std::string> log;   // all log lines since the scenario began
};
struct Reached;
// Plays a scenario. Returns its failure, or nullopt if it passes. If `reached` is not null, adds the rules and options
// that the scenario reaches to it.
std::optional<Refuted> run_scenario(const std::shared_ptr<const GameData>& game, const model::Scenario& scenario,
                                    Reached* reached = nullptr);

// Parameters of a scenario run.
struct ScenarioSetting {
  EngineKind engine = EngineKind::interpreter;
  bool plain = false;
  Reached* reached = nullptr;
};
// Plays one scenario of a file at its own table. `games` is a cache of compiled tables, which several scenarios can
// share. Throws Error(author) if the rules have errors.
ScenarioResult play_scenario(const Ruleset& rules, const loading::ScenarioInfo& info, const ScenarioSetting& setting,
                             std::vector<Game>& games);

}   // namespace cardwright::api::detail
