// bench_worlds: measures the time to sample a world that a player can't distinguish from the actual one
// (State::resample), and the time of its parts.
//
//   bench_worlds [GAME[:PLAYERS] …]      nanoseconds on one core; default: the games in docs/explanation/performance.md
//
// Uses 32 positions, each halfway through a random game, as seen by the deciding player. The time is that of the
// fastest slice.
#include <cstdio>
#include <stdexcept>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "tools/bench/measure.h"
#include "cardwright/cardwright.hpp"
#include "api/game/worlds.h"

namespace {

using namespace cardwright;

constexpr const char* kShown[] = {"connect_four", "crazy_eights:2", "hearts:4",   "splash:5",
                                  "goofspiel:2",  "go_fish:2",      "gin_rummy:2"};
constexpr int kPositions = 32, kSlices = 9;

std::vector<api::State> positions(const api::Game& game) {
  std::vector<api::State> all;
  for (std::uint64_t index = 0; all.size() < kPositions && index < 100 * kPositions; ++index) {
    api::State end = game.new_state(1, index);
    end.playout();
    api::State state = game.new_state(1, index);
    while (!state.is_over() && (state.decisions() < end.decisions() / 2 || state.legal_count() < 2))
      state.apply(state.random_index());
    if (!state.is_over()) all.push_back(std::move(state));
  }
  if (all.empty()) throw std::runtime_error(game.name() + " has no position in which a player chooses");
  return all;
}

// Measures the nanoseconds that work(position, draw) takes.
template <class Work>
double nanoseconds(std::size_t count, Work&& work) {
  double best = 1e18;
  std::uint64_t draw = 0;
  for (int rounds = 1, slice = 0; slice < kSlices;) {
    const double start = bench::now(CLOCK_THREAD_CPUTIME_ID);
    for (int round = 0; round < rounds; ++round)
      for (std::size_t i = 0; i < count; ++i) work(i, ++draw);
    const double spent = bench::now(CLOCK_THREAD_CPUTIME_ID) - start;
    if (spent < 0.004) {
      rounds *= 2;
      continue;
    }
    best = std::min(best, spent * 1e9 / rounds / static_cast<double>(count));
    ++slice;
  }
  return best;
}

void show(const std::string& what) {
  const std::size_t colon = what.find(':');
  const int players = colon == std::string::npos ? 0 : std::stoi(what.substr(colon + 1));
  const api::Game game =
      api::Ruleset::load(what.substr(0, colon))
          .compile({players, {}}, api::jit_is_available() ? api::EngineKind::jit : api::EngineKind::interpreter);
  std::vector<api::State> at = positions(game);
  const auto on = [&](auto&& work) { return nanoseconds(at.size(), work); };
  const double resample = on([&](std::size_t i, std::uint64_t draw) { (void)at[i].resample(at[i].actor(), draw); });
  std::vector<api::detail::Worlds> sources;
  for (api::State& state : at) sources.emplace_back(state.data(), state.actor());
  api::detail::StateData world(at[0].data());
  const double drawn = on([&](std::size_t i, std::uint64_t draw) { sources[i].draw(world, draw); });
  for (api::detail::Worlds& source : sources) source.drop_knowledge();
  const double dropped = on([&](std::size_t i, std::uint64_t draw) { sources[i].draw(world, draw); });
  const double copy = on([&](std::size_t i, std::uint64_t) { world = at[i].data(); });
  const double list = on([&](std::size_t i, std::uint64_t) {
    at[i].data().listed = false;
    api::detail::list_options(at[i].data());
  });
  const double step = on([&](std::size_t i, std::uint64_t) { api::detail::advance(at[i].data(), -1, nullptr); });
  const double play = on([&](std::size_t i, std::uint64_t draw) {
    api::State end = at[i];
    end.drop_knowledge();
    end.reseed(draw);
    end.playout();
  });
  fmt::print("{:<16}{:>12.0f}{:>12.0f}{:>12.0f}{:>10.0f}{:>10.0f}{:>10.0f}{:>12.0f}\n", what, resample, drawn, dropped,
             copy, list, step, play);
  std::fflush(stdout);
}

}   // namespace

int main(int argc, char** argv) {
  std::vector<std::string> games(argv + 1, argv + argc);
  if (games.empty()) games.assign(std::begin(kShown), std::end(kShown));
  fmt::print("{:<16}{:>12}{:>12}{:>12}{:>10}{:>10}{:>10}{:>12}\n", "nanoseconds", "resample", "one of many",
             "unknowing", "copy", "list", "look", "playout");
  try {
    for (const std::string& what : games) show(what);
    return 0;
  } catch (const std::exception& error) {
    fmt::print(stderr, "bench_worlds: {}\n", error.what());
    return 1;
  }
}
