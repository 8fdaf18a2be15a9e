// Tests that the handwritten games in bench/ equal the compiled ones: the same decisions and equal final states.
#include <catch2/catch.hpp>

#include <fmt/format.h>

#include "simulation/playouts.h"
#include "tools/bench/handwritten/proof.h"
#include "cardwright/cardwright.hpp"
#include "api/game/game_data.h"

namespace {

using namespace cardwright;
using handwritten::Reference;

constexpr std::uint64_t kGames = 10'000, kSeed = 1;

struct Sums {
  std::uint64_t digest = 0, decisions = 0, winners = 0;
};

Sums by_hand(const Reference& reference, const Program& program) {
  Sums sums;
  std::vector<Byte> state(static_cast<std::size_t>(program.layout.size));
  for (std::uint64_t i = 0; i < kGames; ++i) {
    const handwritten::Final end = reference.finish(kSeed, i);
    handwritten::write_final(program, end, state.data());
    sums.digest += digest_of(i, state_hash(program.layout, state.data()), end.winners);
    sums.decisions += end.decisions;
    sums.winners += end.winners;
  }
  return sums;
}

// Returns a description of the first game that ends differently; empty if there is none.
std::string first_difference(const Reference& reference, const api::Game& game) {
  const Program& program = game.data()->program();
  std::vector<Byte> state(static_cast<std::size_t>(program.layout.size));
  api::SimulateSettings settings;
  settings.seed = kSeed;
  api::detail::Playouts compiled(*game.data(), settings);
  for (std::uint64_t i = 0; i < kGames; ++i) {
    compiled.play(i);
    handwritten::write_final(program, reference.finish(kSeed, i), state.data());
    if (std::string different = handwritten::difference(program, compiled.state(), state.data()); !different.empty())
      return fmt::format("game {}:\n{}", i, different);
  }
  return "";
}

}   // namespace

TEST_CASE("handwritten games end like the compiled ones", "[handwritten]") {
  for (const Reference* reference : handwritten::kReferences) {
    INFO(reference->game << ", " << reference->players << " players");
    const api::Game game = api::Ruleset::load(reference->game)
                               .compile({reference->players, {}},
                                        api::jit_is_available() ? api::EngineKind::jit : api::EngineKind::interpreter);
    api::SimulateSettings settings;
    settings.games = kGames;
    settings.seed = kSeed;
    const api::Statistics compiled = api::simulate(game, settings);
    const Sums hand = by_hand(*reference, game.data()->program());
    CHECK(hand.decisions == compiled.decisions);
    CHECK(hand.digest == compiled.digest);
    CHECK(first_difference(*reference, game) == "");
    // The benchmark times `play`, which must play the same games as `finish`.
    const handwritten::Played timed = reference->play(kSeed, 0, kGames);
    CHECK(timed.decisions == hand.decisions);
    CHECK(timed.winners == hand.winners);
  }
}
