// Compares two policies: plays pairs of games with exchanged seats, and adds up the results.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <mutex>

#include "simulation/seats.h"
#include "cardwright/bots.hpp"
#include "api/game/parallel.h"
#include "runtime/ops/random.h"

namespace cardwright::api {

namespace {

// Computes one step of SplitMix64, which derives independent seeds from consecutive numbers.
std::uint64_t mixed(std::uint64_t x) { return mix_word(x + kGoldenGamma); }

// A value measured once per pair of games.
struct Paired {
  double sum = 0, squares = 0, widest = 0;
  void add(double value) {
    sum += value;
    squares += value * value;
    widest = std::max(widest, std::abs(value));
  }
  // Returns half the width of the 95 % interval of the mean of n pairs. Two extra pairs, one with the best and one with
  // the worst result, prevent a misleadingly narrow interval.
  double margin(double n) const {
    const double extreme = widest > 0 ? widest : 1, more = n + 2, middle = sum / more;
    return n > 1 ? 1.96 * std::sqrt((squares + 2 * extreme * extreme - more * middle * middle) / (more - 1) / more)
                 : std::numeric_limits<double>::infinity();
  }
};

struct Totals {
  std::uint64_t games = 0, pairs = 0;
  double first = 0, second = 0;   // sums over games of the mean return
  Paired difference, points;   // `points` is the mean of the points minus ½
  std::array<std::uint64_t, 5> by_points{};   // number of pairs by their points: 0, ¼, ½, ¾ and all
  Share first_wins{.name = "first"}, second_wins{.name = "second"};
};

// Results of a single pair.
struct Pair {
  Totals games;
  double difference = 0, points = 0;   // points: from -0.5 to 0.5
};

// Plays one game. `first` is the mask of the seats of the first side.
State play_one(const Game& game, const PolicyComparisonSettings& settings, std::uint64_t deal, std::uint32_t first) {
  SimulateSettings seated;
  seated.seed = settings.seed;
  for (int seat = 0; seat < game.players(); ++seat)
    seated.policies.push_back(first >> seat & 1 ? settings.first : settings.second);
  State state = game.new_state(settings.seed, deal);
  detail::play_on(state, seated, deal);
  return state;
}

struct Outcome {
  double difference = 0, points = 0;   // points: from -0.5 to 0.5
};

Outcome outcome(const State& state, std::uint32_t first, Totals& totals) {
  if (state.failure()) return {};
  const auto returns = state.returns();
  double sums[2] = {0, 0};
  int seats[2] = {0, 0};
  for (std::size_t seat = 0; seat < returns.size(); ++seat) {
    const bool is_first = first >> seat & 1;
    sums[is_first] += double(returns[seat]);
    ++seats[is_first];
    Share& share = is_first ? totals.first_wins : totals.second_wins;
    ++share.games;
    share.wins += state.winners_mask() >> seat & 1;
  }
  const double one = seats[1] ? sums[1] / seats[1] : 0, other = seats[0] ? sums[0] / seats[0] : 0;
  ++totals.games;
  totals.first += one;
  totals.second += other;
  return {one - other, one > other ? 0.5 : one < other ? -0.5 : 0};
}

std::uint32_t half_the_seats(int players, std::uint64_t seed) {
  std::uint32_t mask = 0;
  for (int chosen = 0; chosen < std::max(1, players / 2); seed = mixed(seed)) {
    const std::uint32_t bit = 1u << (seed % static_cast<std::uint64_t>(players));
    if (!(mask & bit)) mask |= bit, ++chosen;
  }
  return mask;
}

void add(Share& to, const Share& share) {
  to.games += share.games;
  to.wins += share.wins;
}

void add(Totals& totals, const Pair& pair) {
  ++totals.pairs;
  totals.games += pair.games.games;
  totals.first += pair.games.first;
  totals.second += pair.games.second;
  add(totals.first_wins, pair.games.first_wins);
  add(totals.second_wins, pair.games.second_wins);
  totals.difference.add(pair.difference);
  totals.points.add(pair.points);
  // A game gives 0, ½ or 1 point, so a pair has one of five sums.
  ++totals.by_points[static_cast<std::size_t>(std::lround(4 * (pair.points + 0.5)))];
}

PolicyComparison result_of(const Totals& totals) {
  PolicyComparison result;
  result.games = totals.games;
  result.pairs = totals.by_points;
  result.first_wins = totals.first_wins;
  result.second_wins = totals.second_wins;
  for (Share* share : {&result.first_wins, &result.second_wins}) {
    share->tables = share->games;
    share->mean = share->games ? double(share->wins) / double(share->games) : 0;
    share->deviation = std::sqrt(share->mean * (1 - share->mean));
  }
  if (totals.games == 0) return result;
  const double n = double(totals.pairs);
  result.first = totals.first / double(totals.games);
  result.second = totals.second / double(totals.games);
  result.difference = totals.difference.sum / n;
  result.margin = totals.difference.margin(n);
  result.points = 0.5 + totals.points.sum / n;
  result.points_margin = totals.points.margin(n);
  return result;
}

}   // namespace

PolicyComparison compare_policies(const Game& game, const PolicyComparisonSettings& settings) {
  for (const PlayerPolicy& policy : {settings.first, settings.second}) {
    SimulateSettings alike;
    alike.policies = {policy};
    detail::check_policies(game.data()->program(), alike, true);
  }
  need_threads(settings.threads);
  const std::uint32_t everybody = (1u << game.players()) - 1;
  std::mutex mutex;
  Totals totals;
  // Pairs are added in the order of the deals, not of their completion, so that rounding and stopping are
  // deterministic.
  std::map<std::uint64_t, Pair> waiting;
  std::uint64_t next = 0;
  bool enough = false;
  run_blocks(thread_count(settings.threads, settings.pairs), settings.pairs, [&](int, std::uint64_t deal) {
    if (settings.stop && *settings.stop) return false;
    const std::uint32_t first = half_the_seats(game.players(), mixed(settings.seed ^ mixed(deal)));
    Pair pair;
    const Outcome one = outcome(play_one(game, settings, deal, first), first, pair.games),
                  other = outcome(play_one(game, settings, deal, everybody & ~first), everybody & ~first, pair.games);
    pair.difference = (one.difference + other.difference) / 2;
    pair.points = (one.points + other.points) / 2;
    const std::lock_guard lock(mutex);
    waiting.emplace(deal, std::move(pair));
    for (; !enough && !waiting.empty() && waiting.begin()->first == next; ++next, waiting.erase(waiting.begin())) {
      add(totals, waiting.begin()->second);
      enough = settings.is_enough && settings.is_enough(totals.by_points);
    }
    if (settings.progress) settings.progress(totals.games);
    if (enough) return false;
    return true;
  });
  if (!enough)   // stopped by the caller, so all finished pairs count
    for (const auto& [deal, pair] : waiting) add(totals, pair);
  return result_of(totals);
}

}   // namespace cardwright::api
