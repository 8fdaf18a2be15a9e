// bench_bots: measures the simulations per second of each search on one core.
//
//   bench_bots [GAME[:PLAYERS] …]      default: the games in docs/explanation/performance.md
//   bench_bots --iterations N …        simulations per decision (default 10,000)
//
// In each of several deals, a bot chooses at the first decision of the game, or at the first one after a given share of
// the game. The rate is that of the fastest slice. A simulation samples a world, descends the tree and plays to the
// end.
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <stdexcept>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "tools/bench/measure.h"
#include "cardwright/bots.hpp"
#include "cardwright/cardwright.hpp"

namespace {

using namespace cardwright;

constexpr const char* kShown[] = {"connect_four", "breakthrough", "crazy_eights:2", "hearts:4", "splash:5",
                                  "goofspiel:2",  "go_fish:2",    "gin_rummy:2",    "oh_hell:3"};
constexpr int kDeals = 6, kSlices = 3;

// Returns the positions of several deals at the first choice after this share of the game.
std::vector<api::State> positions(const api::Game& game, double share) {
  std::vector<api::State> all;
  for (std::uint64_t index = 0; all.size() < kDeals && index < 100 * kDeals; ++index) {
    api::State end = game.new_state(1, index);
    end.playout();
    api::State state = game.new_state(1, index);
    while (!state.is_over() && (static_cast<double>(state.decisions()) < share * static_cast<double>(end.decisions()) ||
                                state.legal_count() < 2))
      state.apply(state.random_index());
    if (!state.is_over()) all.push_back(std::move(state));
  }
  if (all.empty()) throw std::runtime_error(game.name() + " has no position in which a player chooses");
  return all;
}

double rate(const std::vector<api::State>& at, api::BotSettings settings) {
  double best = 0;
  for (int slice = 0; slice <= kSlices; ++slice) {   // the first slice compiles the required code and is not counted
    const double start = bench::now(CLOCK_THREAD_CPUTIME_ID);
    for (const api::State& state : at) {
      ++settings.seed;
      (void)api::bot_choice(state, settings);
    }
    const double spent = bench::now(CLOCK_THREAD_CPUTIME_ID) - start;
    if (slice > 0) best = std::max(best, static_cast<double>(settings.iterations * at.size()) / spent);
  }
  return best;
}

void show(const std::string& what, std::uint64_t iterations) {
  const std::size_t colon = what.find(':');
  const int players = colon == std::string::npos ? 0 : std::stoi(what.substr(colon + 1));
  const api::Game game =
      api::Ruleset::load(what.substr(0, colon))
          .compile({players, {}}, api::jit_is_available() ? api::EngineKind::jit : api::EngineKind::interpreter);
  fmt::print("{:<16}", what);
  for (const double share : {0.0, 0.5}) {
    const std::vector<api::State> at = positions(game, share);
    for (const api::Search search : {api::Search::ismcts, api::Search::flat})
      fmt::print("{:>14.0f}", rate(at, {.iterations = iterations, .search = search, .threads = 1}));
  }
  fmt::print("\n");
  std::fflush(stdout);
}

}   // namespace

int main(int argc, char** argv) {
  std::vector<std::string> games(argv + 1, argv + argc);
  std::uint64_t iterations = 10'000;
  if (games.size() > 1 && games[0] == "--iterations") {
    iterations = std::stoull(games[1]);
    games.erase(games.begin(), games.begin() + 2);
  }
  if (games.empty()) games.assign(std::begin(kShown), std::end(kShown));
  fmt::print("{:<16}{:>28}{:>28}\n{:<16}{:>14}{:>14}{:>14}{:>14}\n", "", "at the opening", "halfway", "simulations/s",
             "ismcts", "flat", "ismcts", "flat");
  try {
    for (const std::string& what : games) show(what, iterations);
    return 0;
  } catch (const std::exception& error) {
    fmt::print(stderr, "bench_bots: {}\n", error.what());
    return 1;
  }
}
