// Tests that the search measured by bench_table is a correct UCT search.
#include <catch2/catch.hpp>

#include <cmath>
#include <memory>

#include "tools/bench/uct.h"

namespace {

using namespace cardwright::api;

void drop(State& state, std::string_view cell) {
  for (std::size_t i = 0; i < state.legal_count(); ++i)
    if (state.option(i).words == cell) return state.apply(i);
  FAIL("no player can drop a disc on " << cell);
}

// A node of a textbook implementation of UCT, which computes every bound directly.
struct Plain {
  double visits = 0, sum = 0;
  std::vector<std::unique_ptr<Plain>> children;

  // Runs one simulation and returns each player's result. `chooser` is the player who chose this node, or -1.
  std::vector<double> simulate(State& state, int chooser, double constant, std::uint64_t seed) {
    std::vector<double> values;
    if (!state.is_over() && visits > 0) {
      while (children.size() < state.legal_count()) children.push_back(std::make_unique<Plain>());
      const int actor = state.actor();
      const std::size_t choice = best(constant);
      state.apply(choice);
      values = children[choice]->simulate(state, actor, constant, seed);
    } else {
      if (!state.is_over()) state.reseed(seed), state.playout();
      const auto returns = state.returns();
      for (std::size_t p = 0; p < 2; ++p) values.push_back(static_cast<double>(returns[p] - returns[1 - p]));
    }
    ++visits;
    if (chooser >= 0) sum += values[static_cast<std::size_t>(chooser)];
    return values;
  }
  std::size_t best(double constant) const {
    std::size_t best = 0;
    double most = -1e9;
    for (std::size_t i = 0; i < children.size(); ++i) {
      const Plain& child = *children[i];
      if (child.visits == 0) return i;
      const double bound = child.sum / child.visits + constant * std::sqrt(std::log(visits) / child.visits);
      if (bound > most + 1e-12) most = bound, best = i;   // equal bounds may differ by rounding
    }
    return best;
  }
};

}   // namespace

TEST_CASE("uct visits the same nodes as textbook UCT", "[bench]") {
  for (const char* name : {"tic_tac_toe", "connect_four"}) {
    const State opening = Ruleset::load(name).compile().new_state(1);
    constexpr std::uint64_t kSimulations = 3'000, kSeed = 4;
    Plain plain;
    for (std::uint64_t i = 0; i < kSimulations; ++i) {
      State state = opening;
      plain.simulate(state, -1, 2, kSeed * kSimulations + i);
    }
    const bench::Search search = bench::uct(opening, kSimulations, 2, kSeed);
    REQUIRE(search.visits.size() == plain.children.size());
    std::uint32_t all = 1;   // the first simulation visits no child
    for (std::size_t i = 0; i < search.visits.size(); ++i) {
      CHECK(search.visits[i] == static_cast<std::uint32_t>(plain.children[i]->visits));
      all += search.visits[i];
    }
    CHECK(all == kSimulations);
  }
}

TEST_CASE("uct opens in the middle, takes wins, and blocks", "[bench]") {
  State state = Ruleset::load("connect_four").compile().new_state(1);
  const auto choice = [&] { return state.option(bench::uct(state, 3'000, 2, 5).choice).words; };
  CHECK(choice() == "d1");
  for (const char* cell : {"a1", "g1", "a2", "g2", "a3"}) drop(state, cell);
  CHECK(choice() == "a4");
  drop(state, "g3");
  CHECK(choice() == "a4");
}
