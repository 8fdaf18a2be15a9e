// Bots: players who search. They know what their seat may know, and nothing else.
//
//   using namespace cardwright::api;
//   Bot bot(game, /*seat*/ 0, {.iterations = 5000});
//   while (!state.is_over()) {
//     const std::size_t index = state.actor() == 0 ? bot.choose(state) : ask_somebody(state);
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
  ismcts,   // a tree for each player's view of what comes (multiple-observer ISMCTS)
  flat,   // tries the options of this decision only: the baseline
};

struct BotSettings {
  double seconds = 0.2;   // per decision, at most a day
  std::uint64_t iterations = 0;   // if not 0: so many instead, each a game that is played on to its end
  std::uint64_t seed = 1;
  Search search = Search::ismcts;
  // Trees that grow side by side, from 1 to 256; their visits are added up. What is chosen depends on seed, iterations
  // and trees, and never on threads.
  int trees = 1;
  int threads = 0;   // 0: one per core; never more than trees
  const std::atomic<bool>* stop = nullptr;   // set it, and the bot soon takes what seems best so far
};

// Index of the option that a bot takes, as far as this State tells what its player knows: states that the actor can't
// tell apart get the same answer, if iterations are given. Where no other world is found (State::resample), or there is
// no time, any. Throws Error(caller) where nobody is asked, or no such settings are possible.
std::size_t bot_choice(const State& state, const BotSettings& settings);

// What a search thinks of an option.
struct Opinion {
  std::int64_t option = 0;   // its id
  std::uint64_t visits = 0;   // games that went on with it
  double value = 0;   // mean return of them, from 0 (worst that can happen) to 1
};

// A bot at a seat for the length of a game. It draws conclusions from what the others did: worlds in which they could
// not, or had more to choose from, count less.
class Bot {
 public:
  // Throws Error(caller) where there is no such seat, or no such settings are possible.
  Bot(const Game& game, int seat, const BotSettings& settings = {});
  ~Bot();
  Bot(const Bot&);   // with all that it has seen
  Bot& operator=(const Bot&);
  Bot(Bot&&) noexcept;
  Bot& operator=(Bot&&) noexcept;

  int seat() const;
  const BotSettings& settings() const;
  void set(const BotSettings& settings);   // from here on; throws as the constructor does
  // To be told of each decision of anybody, before it is made: the State in which this option is taken. The bot heeds
  // of it what its player may know. Throws Error(caller) where the State is of another game, keeps no knowledge, or
  // nobody is asked.
  void saw(const State& before, std::int64_t option);
  // Index of the option to take. The State waits for this seat; its number of decisions is part of the seed. Throws
  // Error(caller) as `saw` does, and where another seat is asked.
  std::size_t choose(const State& state);
  // What it thinks of each option that it tried, by their ids. Throws as `choose` does.
  std::vector<Opinion> opinions(const State& state);

 private:
  struct Data;
  std::unique_ptr<Data> data_;
};

struct DuelSettings {
  std::uint64_t games = 100;   // each deal is played twice, so an odd number is made even by one game more
  std::uint64_t seed = 1;
  // The two sides; bots may think for a time.
  PlayerPolicy first{.kind = PlayerPolicy::Kind::bots, .seconds = 0.2}, second;
  int threads = 0;   // games are played side by side
  const std::atomic<bool>* stop = nullptr;
  std::function<void(std::uint64_t)> progress;   // told how many games are over, from one thread at a time
  // Asked after each pair of games, in the order of the deals, whether that is enough; no later pair counts then. It is
  // told how many pairs came to 0, ¼, ½, ¾ and all of the points for the first side.
  std::function<bool(const std::array<std::uint64_t, 5>&)> is_enough;
};
struct DuelResult {
  std::uint64_t games = 0;   // without those that a rule's error ended
  std::array<std::uint64_t, 5> pairs{};   // that came to 0, ¼, ½, ¾ and all of the points
  double first = 0, second = 0;   // mean return per seat and game
  // first - second, and half its 95 % interval (per game, paired by seat and deal). So that few games, or games that
  // all end alike, don't look certain, two more pairs are reckoned with, one as good as any and one as bad. Infinite
  // for a single pair.
  double difference = 0, margin = 0;
  // The share of games in which the first side's seats were paid more in the mean; where both were paid alike it counts
  // half. And half its interval, made in the same way.
  double points = 0, points_margin = 0;
  Share first_wins, second_wins;   // by seat
  bool first_is_better() const { return difference - margin > 0; }
  bool first_is_worse() const { return difference + margin < 0; }
};
// In every game a random half of the seats (of an odd number the smaller one) plays by the one policy, the others by
// the other; each deal is played twice, with the seats exchanged. With iterations, not seconds, the same on every
// machine. Throws Error(caller) where this game can't be played so.
DuelResult duel(const Game& game, const DuelSettings& settings);

}   // namespace cardwright::api
