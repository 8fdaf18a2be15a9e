// Compiles rules that a test contains as a string, and lists the options of a state.
#pragma once

#include <string>
#include <vector>

#include "cardwright/cardwright.hpp"
#include "support/temporary_folder.h"

namespace cardwright::test {

inline api::Game game_of(const std::string& rules, api::EngineKind engine = api::EngineKind::interpreter) {
  const TemporaryFolder folder;
  return api::Ruleset::load(folder.write("game.rules", rules)).compile({}, engine);
}

// Returns the labels of all options of the deciding player.
inline std::vector<std::string> words_of(const api::State& state) {
  std::vector<std::string> out;
  for (std::size_t i = 0; i < state.legal_count(); ++i) out.push_back(state.option(i).words);
  return out;
}

}   // namespace cardwright::test
