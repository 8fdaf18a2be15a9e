// A bot: tries the options of the pending decision (UCB1), each time in another state that its player can't tell from
// the true one, plays on at random, and takes the option with the best mean. Sees nothing but resamples. It tries and
// plays only what the rules call sensible. Where games are long and the rules say who is in front when the play is
// over, it plays only some turns on.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <mutex>
#include <optional>

#include <fmt/format.h>

#include "api/game_data.h"
#include "api/parallel.h"
#include "api/timing.h"
#include "cardwright/cardwright.hpp"

namespace cardwright::api {

namespace {

constexpr double kMostSeconds = 86'400;
constexpr std::int64_t kLong = 150;              // decisions: beyond, a game is not played to its end
constexpr Int kRoundsAhead = 2;                  // turns of everybody
// worlds that are not found; then the bot makes do with what it has played
constexpr std::uint64_t kMostWithout = 20;

// One step of SplitMix64: independent seeds from consecutive numbers.
std::uint64_t mixed(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

struct Arm {
  std::uint64_t visits = 0;
  double sum = 0;
  double mean() const { return visits ? sum / double(visits) : 0; }
};

// Returns lie anywhere; UCB1 wants [0, 1].
struct Scale {
  double least = 0, most = 1;
  void widen(double value) { least = std::min(least, value), most = std::max(most, value); }
  double of(double value) const { return (value - least) / (most - least); }
};

std::size_t next_arm(const std::vector<Arm>& arms, const Scale& scale, std::uint64_t total) {
  std::size_t best = 0;
  double best_bound = -1;
  for (std::size_t i = 0; i < arms.size(); ++i) {
    if (arms[i].visits == 0) return i;
    const double bound = scale.of(arms[i].mean()) + std::sqrt(2 * std::log(double(total)) / double(arms[i].visits));
    if (bound > best_bound) best_bound = bound, best = i;
  }
  return best;
}

// Nothing where no world is found: then there is one playout less.
std::optional<State> other_world(const State& state, int player, std::uint64_t seed) {
  try {
    return state.resample(player, seed);
  } catch (const Error& error) {
    if (error.blame() != Blame::us) throw;
    return std::nullopt;
  }
}

struct Outcome {
  double value = 0;
  std::int64_t decisions = 0;
};

// What comes of an option, in so many turns (0: at the end).
std::optional<Outcome> outcome(const State& state, int player, std::int64_t option, Int turns, std::uint64_t seed) {
  std::optional<State> world = other_world(state, player, seed);
  if (!world) return std::nullopt;
  world->drop_knowledge();
  world->apply_id(option);
  detail::look_ahead(world->data(), turns);
  world->playout();
  return Outcome{world->failure() ? 0 : double(world->returns()[static_cast<std::size_t>(player)]),
                 world->decisions() - state.decisions()};
}

// How many turns a bot looks ahead; 0: to the end.
Int turns_ahead(const State& state, int player, std::int64_t option, std::uint64_t seed) {
  const Program& program = state.data().program();
  if (program.horizon < 0 || program.race) return 0;
  const auto whole = outcome(state, player, option, 0, seed);
  return whole && whole->decisions > kLong ? kRoundsAhead * program.layout.players : 0;
}

void check(const BotSettings& settings) {
  if (!(settings.seconds >= 0 && settings.seconds <= kMostSeconds))
    throw Error(Blame::caller, fmt::format("a bot can't think for {:g} seconds: it is from 0 to {:g}", settings.seconds,
                                           kMostSeconds));
}

}  // namespace

std::size_t bot_choice(const State& state, const BotSettings& settings) {
  detail::need_question(state.data());
  check(settings);
  const std::vector<std::int64_t> all(state.legal().begin(), state.legal().end()),
      options = detail::sensible_options(state.data());
  const auto index_of = [&](std::int64_t id) {
    return static_cast<std::size_t>(std::find(all.begin(), all.end(), id) - all.begin());
  };
  if (options.size() <= 1) return index_of(options[0]);
  const auto until = std::chrono::steady_clock::now() + std::chrono::duration<double>(settings.seconds);
  std::vector<Arm> arms(options.size());
  Scale scale;
  const int player = state.actor();
  const Int turns = turns_ahead(state, player, options[0], mixed(settings.seed));
  std::uint64_t played = 0, without = 0;
  for (std::uint64_t i = 0; settings.iterations ? i < settings.iterations : std::chrono::steady_clock::now() < until;
       ++i) {
    Arm& arm = arms[next_arm(arms, scale, played)];
    const auto value = outcome(state, player, options[static_cast<std::size_t>(&arm - arms.data())], turns,
                               mixed(settings.seed ^ mixed(i)));
    if (!value) {
      if (++without == kMostWithout) break;
      continue;
    }
    scale.widen(value->value);
    arm.sum += value->value;
    ++arm.visits;
    ++played;
  }
  if (played == 0) return index_of(options[mixed(settings.seed) % options.size()]);
  // The most visited: a mean over few playouts says little.
  std::size_t best = 0;
  for (std::size_t i = 1; i < arms.size(); ++i)
    if (arms[i].visits > arms[best].visits ||
        (arms[i].visits == arms[best].visits && arms[i].mean() > arms[best].mean()))
      best = i;
  return index_of(options[best]);
}

namespace {

struct DuelTotals {
  std::uint64_t games = 0, pairs = 0;
  double bots = 0, randoms = 0;           // sums over games of the mean return
  double sum = 0, squares = 0;            // of the difference per pair of games
  double widest = 0;                      // … of all
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
  check(settings.bot);
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
