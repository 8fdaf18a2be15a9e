// Checks the views for people and programs during a game, and saving and restoring. The checks return a failure; empty
// if there is none.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "api/game/worlds.h"
#include "tests/support/resample_contract.h"

namespace cardwright::test {

inline constexpr std::uint64_t kWorlds = 1, kWorldsOfAsked = 3;

inline std::string place_of(const api::State& state, int player) {
  return fmt::format("of player {}, decision {} in {}", player, state.decisions(),
                     state.is_over() ? "a game that is over" : state.question().place);
}

inline std::string leak(const api::State& state, int player) {
  return fmt::format("leak: {}: other options in a world that they can't tell from the truth", place_of(state, player));
}

inline std::vector<std::string> why_not(const api::Game& game, const api::State& state) {
  std::vector<std::string> all;
  for (const ActionInfo& action : game.data()->program().actions)
    for (std::string& answer :
         action.kind <= ActionKind::use ? state.why(state.actor(), action.name) : std::vector<std::string>())
      all.push_back(std::move(answer));
  return all;
}

// Checks that every view can be computed and that JSON is valid.
inline void shown(const api::Game& game, const api::State& state, const api::Log& log) {
  for (int player = -1; player < game.players(); ++player) {
    if (!nlohmann::json::accept(state.view(player)))
      throw std::runtime_error("a view that is no JSON: " + state.view(player));
    (void)state.table_in_words(player);
    (void)log.lines(player);
  }
  if (!nlohmann::json::accept(state.everything())) throw std::runtime_error("everything that is no JSON");
  for (std::size_t i = 0; i < state.legal_count(); ++i) (void)state.option(i);
}

// Checks that a player has the same options, and gets the same reasons for missing ones, in all worlds that the player
// can't distinguish from the true state.
inline std::string leaked(const api::Game& game, const api::State& state) {
  for (int player = 0; player < game.players(); ++player) {
    const bool asked = !state.is_over() && state.actor() == player;
    const PlayerKnowledge first(state, player, state.is_over() || state.decisions() % 3 == 0),
        more = first.without_table();
    const auto why = asked ? why_not(game, state) : std::vector<std::string>();
    api::detail::WorldCounts counts;
    for (std::uint64_t draw = 0; draw < (asked ? kWorldsOfAsked : kWorlds); ++draw) {
      const api::State world(api::detail::other_world(state.data(), player, 7 + draw, &counts));
      if (std::string what = distinguish(draw == 0 ? first : more, world, player); !what.empty())
        return fmt::format("world: {}: {}", place_of(state, player), what);
      if (asked && draw == 0 && why != why_not(game, world))
        return fmt::format("why: {}: another answer in a world that they can't tell from the truth",
                           place_of(state, player));
    }
    if (counts.other_options > 0) return leak(state, player);
  }
  return {};
}

// Performs the fastest of the checks in leaked(): the deciding player has the same options in another possible world.
inline std::string offered(const api::State& state) {
  api::detail::WorldCounts counts;
  if (state.actor() >= 0) api::detail::other_world(state.data(), state.actor(), 7, &counts);
  return counts.other_options == 0 ? "" : leak(state, state.actor());
}

inline std::string restored(const api::Game& game, const api::State& state) {
  api::State back = game.restore(state.save());
  if (back.whole_hash() != state.whole_hash()) return "save: another state was restored";
  api::State on = state;
  for (int i = 0; i < 5 && !on.is_over() && !back.is_over(); ++i) {
    on.apply(on.random_index());
    back.apply(back.random_index());
    if (back.whole_hash() != on.whole_hash())
      return fmt::format("save: {} decisions on the restored game is another one", i + 1);
  }
  return {};
}

}   // namespace cardwright::test
