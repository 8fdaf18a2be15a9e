// Games between bots and random players; see cardwright/bots.hpp.
#include <algorithm>
#include <cmath>
#include <limits>
#include <mutex>

#include "api/parallel.h"
#include "cardwright/bots.hpp"
#include "runtime/ops/random.h"

namespace cardwright::api {

namespace {

// One step of SplitMix64: independent seeds from consecutive numbers.
std::uint64_t mixed(std::uint64_t x) { return mix_word(x + kGoldenGamma); }

struct DuelTotals {
  std::uint64_t games = 0, pairs = 0;
  double bots = 0, randoms = 0;   // sums over games of the mean return
  double sum = 0, squares = 0;   // of the difference per pair of games
  double widest = 0;   // … of all
  Share bot_wins{.name = "bots"}, random_wins{.name = "random"};
};

State play_one(const Game& game, const DuelSettings& settings, std::uint64_t deal, std::uint32_t bots) {
  State state = game.new_state(settings.seed, deal);
  while (!state.is_over()) {
    BotSettings bot = settings.bot;
    bot.seed = mixed(settings.seed ^ mixed(deal) ^ std::uint64_t(state.decisions()));
    state.apply(bots >> state.actor() & 1 ? bot_choice(state, bot) : state.random_index());
  }
  return state;
}

double difference(const State& state, std::uint32_t bots, DuelTotals& totals) {
  if (state.failure()) return 0;
  const auto returns = state.returns();
  double sums[2] = {0, 0};
  int seats[2] = {0, 0};
  for (std::size_t seat = 0; seat < returns.size(); ++seat) {
    const bool bot = bots >> seat & 1;
    sums[bot] += double(returns[seat]);
    ++seats[bot];
    Share& share = bot ? totals.bot_wins : totals.random_wins;
    ++share.games;
    share.wins += state.winners_mask() >> seat & 1;
  }
  const double bot = seats[1] ? sums[1] / seats[1] : 0, random = seats[0] ? sums[0] / seats[0] : 0;
  ++totals.games;
  totals.bots += bot;
  totals.randoms += random;
  return bot - random;
}

std::uint32_t half_of_the_seats(int players, std::uint64_t seed) {
  std::uint32_t mask = 0;
  for (int chosen = 0; chosen < std::max(1, players / 2); seed = mixed(seed)) {
    const std::uint32_t bit = 1u << (seed % static_cast<std::uint64_t>(players));
    if (!(mask & bit)) mask |= bit, ++chosen;
  }
  return mask;
}

}  // namespace

DuelResult duel(const Game& game, const DuelSettings& settings) {
  need_threads(settings.threads);
  const std::uint64_t pairs = settings.games / 2 + settings.games % 2;
  const std::uint32_t everybody = (1u << game.players()) - 1;
  std::mutex mutex;
  DuelTotals totals;
  run_blocks(thread_count(settings.threads, pairs), pairs, [&](int, std::uint64_t deal) {
    if (settings.stop && *settings.stop) return false;
    const std::uint32_t bots = half_of_the_seats(game.players(), mixed(settings.seed ^ mixed(deal)));
    const State first = play_one(game, settings, deal, bots);
    const State second = play_one(game, settings, deal, everybody & ~bots);
    const std::lock_guard lock(mutex);
    const double d = (difference(first, bots, totals) + difference(second, everybody & ~bots, totals)) / 2;
    ++totals.pairs;
    totals.sum += d;
    totals.squares += d * d;
    totals.widest = std::max(totals.widest, std::abs(d));
    if (settings.progress) settings.progress(totals.games);
    return true;
  });

  DuelResult result;
  result.games = totals.games;
  for (Share* share : {&totals.bot_wins, &totals.random_wins}) {
    share->tables = share->games;
    share->mean = share->games ? double(share->wins) / double(share->games) : 0;
    share->deviation = std::sqrt(share->mean * (1 - share->mean));
  }
  result.bot_wins = totals.bot_wins;
  result.random_wins = totals.random_wins;
  if (totals.games == 0) return result;
  const double n = double(totals.pairs), mean = totals.sum / n;
  result.bots = totals.bots / double(totals.games);
  result.randoms = totals.randoms / double(totals.games);
  result.difference = mean;
  const double widest = totals.widest > 0 ? totals.widest : 1, more = n + 2, middle = totals.sum / more;
  result.margin =
      n > 1 ? 1.96 * std::sqrt((totals.squares + 2 * widest * widest - more * middle * middle) / (more - 1) / more)
            : std::numeric_limits<double>::infinity();
  return result;
}

}  // namespace cardwright::api
