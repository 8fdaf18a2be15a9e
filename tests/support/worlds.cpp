// Tests State::resample with any number of sampled worlds: bin/worlds 100000 [GAME...]. Distributes the worlds over all
// bundled games (or the named ones), all seats, and early and late positions. The exit code is 1 if a player can
// distinguish a world from the true state.
#include <chrono>
#include <cstdlib>
#include <cstring>

#include "cardwright/tools.hpp"
#include "tests/support/resample_contract.h"

using namespace cardwright;

namespace {

// Returns all numbers of players, beginning with the default.
std::vector<int> tables(const api::Ruleset& rules) {
  std::vector<int> out{rules.usual_players()};
  for (int n = rules.least_players(); n <= rules.most_players(); ++n)
    if (n != rules.usual_players()) out.push_back(n);
  return out;
}

bool holds(const std::string& name, std::uint64_t wanted) {
  const api::Ruleset rules = api::Ruleset::load(name);
  std::vector<api::Game> games;
  for (const int players : tables(rules)) games.push_back(rules.compile({players, {}}));
  api::detail::WorldCounts all;
  const auto begin = std::chrono::steady_clock::now();
  for (std::uint64_t index = 0; all.worlds < wanted; ++index) {
    const test::Contract one = test::check_contract(games[index % games.size()], 11, index, 7, 2);
    all.worlds += one.counts.worlds, all.drawn += one.counts.drawn, all.other_options += one.counts.other_options;
    all.walked += one.counts.walked, all.failed += one.counts.failed;
    if (!one.broken.empty()) {
      fmt::print("{:<14} BROKEN\n{}\n", name, one.broken);
      return false;
    }
  }
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  fmt::print("{:<14}{:>9} worlds{:>8.3f} tries each{:>9} with other options{:>7} by a walk{:>5} not found{:>8.1f} s\n",
             name, all.worlds, double(all.drawn) / double(all.worlds), all.other_options, all.walked, all.failed,
             seconds);
  std::fflush(stdout);
  return true;
}

}   // namespace

int main(int argc, char** argv) {
  const std::uint64_t wanted = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 0;
  if (wanted == 0) {
    fmt::print(stderr, "usage: worlds COUNT [GAME...]\n");
    return 2;
  }
  std::vector<std::string> games(argv + 2, argv + argc);
  if (games.empty()) games = api::bundled_games();
  try {
    bool fine = true;
    for (const std::string& name : games) fine = holds(name, (wanted + games.size() - 1) / games.size()) && fine;
    return fine ? 0 : 1;
  } catch (const std::exception& error) {
    fmt::print(stderr, "worlds: {}\n", error.what());
    return 1;
  }
}
