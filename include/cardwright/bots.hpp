// Provides bots, which are players that choose by search. A bot uses only information that its seat may know.
//
//   using namespace cardwright::api;
//   Bot bot(game, /*seat*/ 0, {.iterations = 5000});
//   while (!state.is_over()) {
//     const std::size_t index = state.actor() == 0 ? bot.choose(state) : ask_player(state);
//     bot.saw(state, state.legal()[index]);
//     state.apply(index);
//   }
#pragma once

#include <atomic>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "cardwright/cardwright.hpp"
#include "cardwright/policies.hpp"

namespace cardwright::api {

enum class Search : std::uint8_t {
  ismcts,   // builds one search tree per player's view (multiple-observer ISMCTS)
  flat,   // evaluates only the options of the current decision, without a tree; serves as the baseline
};

struct BotSettings {
  double seconds = 0.2;   // time limit per decision in seconds, at most a day
  std::uint64_t iterations = 0;   // if not 0: number of playouts per decision, instead of the time limit
  std::uint64_t seed = 1;
  Search search = Search::ismcts;
  // Number of independent search trees, from 1 to 256. Their visit counts are added. The choice depends on seed,
  // iterations and trees, but not on threads.
  int trees = 1;
  int threads = 0;   // 0: one per core; at most one per tree
  const std::atomic<bool>* stop = nullptr;   // set it to stop the search early and take the best option so far
};

// Returns the index of the option that a bot takes, based only on the deciding player's recorded knowledge. If
// `iterations` is set, states that this player cannot distinguish give the same result. If no sampled world is found
// (State::resample) or the time is too short, the result is an arbitrary option. Throws Error(caller) if no decision is
// pending or the settings are invalid.
std::size_t bot_choice(const State& state, const BotSettings& settings);

// A search's evaluation of one option.
struct Opinion {
  std::int64_t option = 0;   // option id
  std::uint64_t visits = 0;   // number of playouts that began with this option
  double value = 0;   // mean return of these playouts, from 0 (worst possible) to 1
};

// A bot that holds one seat for an entire game. It infers hidden cards from observed decisions: worlds in which an
// observed decision was impossible or unlikely lose weight.
class Bot {
 public:
  // Throws Error(caller) if the seat or the settings are invalid.
  Bot(const Game& game, int seat, const BotSettings& settings = {});
  ~Bot();
  Bot(const Bot&);   // copies everything that the bot has observed
  Bot& operator=(const Bot&);
  Bot(Bot&&) noexcept;
  Bot& operator=(Bot&&) noexcept;

  int seat() const;
  const BotSettings& settings() const;
  // Replaces the settings for later decisions. Throws like the constructor.
  void set(const BotSettings& settings);
  // Observes a decision. Call it for each decision of any player, with the State before the option is applied and the
  // option's id. The bot uses only the information that its player may know. Throws Error(caller) if the State belongs
  // to another game, does not track knowledge or has no pending decision.
  void saw(const State& before, std::int64_t option);
  // Returns the index of the option to take. This seat must be the deciding player. The seed of the search includes the
  // number of the decision. Throws Error(caller) like `saw`, and if another seat decides.
  std::size_t choose(const State& state);
  // Returns the evaluation of each option that the search tried, ordered by id. Throws like `choose`.
  std::vector<Opinion> opinions(const State& state);

 private:
  struct Data;
  std::unique_ptr<Data> data_;
};

struct PolicyComparisonSettings {
  std::uint64_t pairs = 50;   // number of deals; each is played twice
  std::uint64_t seed = 1;
  // Policies of the two sides; bots can have a time limit.
  PlayerPolicy first{.kind = PlayerPolicy::Kind::bots, .seconds = 0.2}, second;
  int threads = 0;   // number of games played in parallel; 0: one per core
  const std::atomic<bool>* stop = nullptr;
  std::function<void(std::uint64_t)> progress;   // called with the number of finished games, from one thread at a time
  // Called after each pair of games, in the order of the deals, with the number of pairs in which the first side got 0,
  // ¼, ½, ¾ and all of the points. If it returns true, later pairs are not counted.
  std::function<bool(const std::array<std::uint64_t, 5>&)> is_enough;
};
struct PolicyComparison {
  std::uint64_t games = 0;   // number of games; excludes games that a runtime error ended
  std::array<std::uint64_t, 5> pairs{};   // pairs in which the first side got 0, ¼, ½, ¾ and all of the points
  double first = 0, second = 0;   // mean return per seat and game
  // `difference` is first - second, and `margin` is half the width of its 95 % interval (per game, paired by seat and
  // deal). Two extra pairs, one with the best and one with the worst possible result, are included. They prevent a
  // misleadingly narrow interval after a few games, or after games with identical results. The margin is infinite for a
  // single pair.
  double difference = 0, margin = 0;
  // Share of games in which the first side's seats had the higher mean return; equal returns count half. The margin is
  // half the width of its interval, computed in the same way.
  double points = 0, points_margin = 0;
  Share first_wins, second_wins;   // share of winning seats of each side
  bool first_is_better() const { return difference - margin > 0; }
  bool first_is_worse() const { return difference + margin < 0; }
};
// Compares two policies. In every game, a random half of the seats (rounded down) uses one policy and the other seats
// use the other; each deal is played twice with the sides swapped. With iterations instead of a time limit, the result
// is the same on every machine. Throws Error(caller) if this game cannot be played with these settings.
PolicyComparison compare_policies(const Game& game, const PolicyComparisonSettings& settings);

}   // namespace cardwright::api
