// Counts the results of games and computes their statistics.
#include "simulation/tally.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "runtime/ops/ops.h"
#include "runtime/state/state.h"

namespace cardwright::api {

namespace {

constexpr double kNormal = 1.959963984540054;   // 97.5 % quantile of the normal distribution

// Returns Wilson's interval for a mean in [0, 1] of this number of games with this standard deviation.
std::pair<double, double> wilson(double mean, double deviation, std::uint64_t games) {
  if (games == 0) return {0, 1};
  const double spread = mean * (1 - mean), variance = deviation * deviation;
  // The effective number of games. For observations that are 0 or 1, it equals the number of games.
  const double n = double(games) * (variance > 0 && spread > variance ? spread / variance : 1);
  const double zz = kNormal * kNormal / n, middle = (mean + zz / 2) / (1 + zz);
  const double half = kNormal * std::sqrt(spread / n + zz / (4 * n)) / (1 + zz);
  return {std::max(0.0, middle - half), std::min(1.0, middle + half)};
}

}   // namespace

std::pair<double, double> Share::interval() const { return wilson(mean, deviation, tables); }

std::pair<double, double> EndingCount::interval() const { return wilson(of ? double(games) / double(of) : 0, 0, of); }

std::pair<double, double> Spread::interval() const {
  constexpr double kInfinite = std::numeric_limits<double>::infinity();
  if (games < 2) return {-kInfinite, kInfinite};
  const double half = kNormal * deviation / std::sqrt(double(games));
  return {mean - half, mean + half};
}

// ---- histogram

void Histogram::add_far(std::int64_t value) {
  const std::int64_t within = std::max<std::int64_t>(0, value);
  std::vector<std::uint64_t>& bins = within < kExact ? exact_ : steps_;
  const auto bin = static_cast<std::size_t>(within < kExact ? within : std::min((within - kExact) / kStep, kExact));
  if (bins.size() <= bin) bins.resize(bin + 1);
  ++bins[bin];
  const std::int64_t counted = within < kExact ? within : kExact + static_cast<std::int64_t>(bin) * kStep;
  beside_ += value - counted;
  most_ = std::max(most_, value);
  least_ = std::min(least_, value);
}

void Histogram::add(const Histogram& other) {
  const auto add_bins = [](std::vector<std::uint64_t>& to, const std::vector<std::uint64_t>& from) {
    if (to.size() < from.size()) to.resize(from.size());
    for (std::size_t i = 0; i < from.size(); ++i) to[i] += from[i];
  };
  add_bins(exact_, other.exact_);
  add_bins(steps_, other.steps_);
  most_ = std::max(most_, other.most_);
  least_ = std::min(least_, other.least_);
  beside_ += other.beside_;
}

std::uint64_t Histogram::count() const {
  return std::accumulate(steps_.begin(), steps_.end(), std::accumulate(exact_.begin(), exact_.end(), std::uint64_t{0}));
}

std::int64_t Histogram::sum() const {
  std::int64_t sum = beside_;
  for (std::size_t i = 0; i < exact_.size(); ++i) sum += static_cast<std::int64_t>(i * exact_[i]);
  for (std::size_t i = 0; i < steps_.size(); ++i)
    sum += (kExact + static_cast<std::int64_t>(i) * kStep) * static_cast<std::int64_t>(steps_[i]);
  return sum;
}

std::vector<Spread::Bin> Histogram::bins() const {
  std::vector<Spread::Bin> out;
  for (std::size_t i = 0; i < exact_.size(); ++i)
    if (exact_[i]) out.push_back({static_cast<std::int64_t>(i), static_cast<std::int64_t>(i), exact_[i]});
  for (std::size_t i = 0; i < steps_.size(); ++i)
    if (const std::int64_t from = kExact + static_cast<std::int64_t>(i) * kStep; steps_[i])
      out.push_back({from, from + kStep - 1, steps_[i]});
  return out;
}

Spread Histogram::spread() const {
  Spread out;
  const std::uint64_t count = this->count();
  if (count == 0) return out;
  out.mean = double(sum()) / double(count);
  std::uint64_t before = 0;
  out.least = least_;
  out.most = most_;
  const auto visit = [&](std::int64_t value, std::uint64_t here, bool exact) {
    if (here == 0) return;
    if (before * 2 < count && (before + here) * 2 >= count) out.median = value;
    before += here;
    if (!exact) return;
    out.least = std::min(out.least, value);
    out.most = std::max(out.most, value);
  };
  for (std::size_t i = 0; i < exact_.size(); ++i) visit(static_cast<std::int64_t>(i), exact_[i], true);
  for (std::size_t i = 0; i < steps_.size(); ++i)
    visit(kExact + static_cast<std::int64_t>(i) * kStep, steps_[i], false);
  // The beginning of the median's bin can be below the minimum.
  out.median = std::clamp(out.median, out.least, out.most);
  out.games = count;
  out.bins = bins();
  double squares = 0;   // values beyond the exact range count as the middle of their bin
  for (const Spread::Bin& bin : out.bins)
    squares += double(bin.games) * std::pow((double(bin.from) + double(bin.to)) / 2 - out.mean, 2);
  out.deviation = count > 1 ? std::sqrt(squares / double(count - 1)) : 0;
  return out;
}

// ---- failures

void FailureCounts::add(std::uint64_t first, const Failure& failure, std::uint64_t count) {
  std::string key = failure.kind();
  for (const std::string& level : failure.stack) key += '\n' + level;
  FailureCount& all = all_[key];
  if (all.count == 0 || first < all.first_game) all.failure = failure, all.first_game = first;
  all.count += count;
}

void FailureCounts::add(const FailureCounts& other) {
  for (const auto& [key, theirs] : other.all_) {
    FailureCount& mine = all_[key];
    if (mine.count == 0 || theirs.first_game < mine.first_game)
      mine.failure = theirs.failure, mine.first_game = theirs.first_game;
    mine.count += theirs.count;
  }
}

std::vector<FailureCount> FailureCounts::counts() const {
  std::vector<FailureCount> out;
  for (const auto& [key, count] : all_) out.push_back(count);
  std::stable_sort(out.begin(), out.end(), [](const auto& a, const auto& b) { return a.count > b.count; });
  return out;
}

// ---- tally

// Maximum size of a rules state, in words, for which add_short() is specialized.
constexpr Int kMostShort = 16;
template <std::size_t... kWords>
Tally::AddEach Tally::add_for(Int count, std::index_sequence<kWords...>) {
  static constexpr AddEach whole[] = {&Tally::add_short<Int(kWords) + 1, true>...},
                           cut[] = {&Tally::add_short<Int(kWords) + 1, false>...};
  const Int words = (count + 7) / 8;
  if (count < 8 || words > kMostShort) return &Tally::add_long;
  return (count % 8 == 0 ? whole : cut)[words - 1];
}

Tally::Tally(const detail::GameData& game)
    : game_(&game),
      add_each_(add_for(game.program().layout.rules_end, std::make_index_sequence<kMostShort>())),
      rules_end_(game.program().layout.rules_end),
      winners_at_(game.program().layout.winners),
      decisions_at_(game.program().layout.decisions),
      ended_by_at_(game.program().layout.ended_by),
      has_more_(game.program().race || !game.program().statistics.empty()),
      endings_(game.program().endings.size() + 1),
      winners_(std::size_t{1} << game.program().layout.players) {
  turn_.bytes = 0;
  if (game.program().turn_number >= 0)
    turn_ = game.program().variables[static_cast<std::size_t>(game.program().turn_number)];
  if (const auto& race = game.program().race) {
    landed_.resize(static_cast<std::size_t>(game.program().layout.players) * race->actions.size());
    late_ = landed_;
    timed_out_.resize(race->guards.size());
  }
  for (const Int variable : game.program().statistics) {
    const Int enumeration = game.program().variable_infos[static_cast<std::size_t>(variable)].enumeration;
    traits_.emplace_back(
        enumeration < 0 ? 0 : game.program().enums[static_cast<std::size_t>(enumeration)].constants.size(),
        Held(held(static_cast<int>(game.program().layout.players) + 1, 0)));
  }
}

// Faster equivalent of value_of_variable for the turn number.
inline std::int64_t Tally::turns_in(const Byte* state) const {
  const Word stored = read_bytes(state + turn_.offset, turn_.bytes);
  return stored < static_cast<Word>(turn_.bias) ? 0 : std::max<Int>(0, decode_value(turn_, stored));
}

// Adds games that ended without a runtime error. A short game takes hardly longer than this function, so values that
// can be derived from other counts are computed only at the end.
template <class Hash>
[[gnu::always_inline]] inline void Tally::add_each(const std::uint64_t* indices, const Byte* state,
                                                   std::size_t distance, std::size_t count, const Hash& hash) {
  const std::uint64_t masks = winners_.size() - 1;
  std::uint64_t digest = 0;
  for (std::size_t i = 0; i < count; ++i, state += distance) {
    const std::uint64_t winners = read<std::uint16_t>(state + winners_at_) & masks;
    digest += digest_of(indices[i], hash(state), winners);
    lengths_.add(read<std::uint32_t>(state + decisions_at_));
    const std::size_t ended_by = read<std::uint16_t>(state + ended_by_at_);
    ++endings_[ended_by < endings_.size() ? ended_by : 0];
    ++winners_[winners];
    if (turn_.bytes > 0) turns_.add(turns_in(state));
    if (has_more_) add_more(state, winners);
  }
  digest_ += digest;
}
// All calls are inlined, because a call would take as long as the function that it calls.
[[gnu::flatten]] void Tally::add_long(const std::uint64_t* indices, const Byte* state, std::size_t distance,
                                      std::size_t count) {
  add_each(indices, state, distance, count, [size = rules_end_](const Byte* s) { return hash_bytes(s, size); });
}
template <Int kWords, bool kWhole>
[[gnu::flatten]] void Tally::add_short(const std::uint64_t* indices, const Byte* state, std::size_t distance,
                                       std::size_t count) {
  add_each(indices, state, distance, count,
           [size = rules_end_](const Byte* s) { return hash_short<kWords, kWhole>(s, size); });
}

void Tally::add(std::uint64_t index, const Byte* state, const Failure* failure) {
  if (!failure) return (this->*add_each_)(&index, state, 0, 1);
  digest_ += digest_of(index, hash_bytes(state, rules_end_), 0);
  lengths_.add(read<std::uint32_t>(state + decisions_at_));
  if (turn_.bytes > 0) turns_.add(turns_in(state));
  if (game_->program().race) add_race(state, true);
  add_failure(index, *failure);
}

void Tally::add(const std::uint64_t* indices, const detail::Playouts& games, std::size_t count) {
  if (!games.any_failure()) return (this->*add_each_)(indices, games.state(), games.distance(), count);
  for (std::size_t i = 0; i < count; ++i) add(indices[i], games.state(i), games.failure(i));
}

void Tally::add_more(const Byte* state, std::uint64_t winners) {
  const Program& program = game_->program();
  if (program.race) add_race(state, false);
  for (std::size_t t = 0; t < traits_.size(); ++t)
    each_value_held(program, state, program.statistics[t], winners, [&](Int value, int holders, int wins) {
      if (value >= 0 && value < static_cast<Int>(traits_[t].size()))
        ++traits_[t][static_cast<std::size_t>(value)][held(holders, wins)];
    });
}

void Tally::add_failure(std::uint64_t index, const Failure& failure) {
  ++failed_;
  failures_.add(index, failure);
}

RaceCourse race_course(const Program& program, const Byte* state, bool failed) {
  const RaceInfo& race = *program.race;
  const auto value = [&](Int variable, Int index = 0) { return value_of_variable(program, state, variable, index); };
  RaceCourse out;
  const Int races = value(race.races);
  out.clock = value(race.clock);
  for (Int i = std::max<Int>(0, races - RaceInfo::kLengths); i < races; ++i)
    out.lengths.push_back(value(race.lengths, i % RaceInfo::kLengths));
  for (std::size_t w = 0; w < race.guards.size(); ++w)
    out.timed_out.push_back(static_cast<std::uint64_t>(value(race.timed_out, static_cast<Int>(w))));
  if (const Int open = value(race.open); open > 0 && !failed) {
    const Int time = value(race.time);
    out.lengths.push_back(time);
    out.clock += time;
    out.timed_out[static_cast<std::size_t>(open - 1)] += time > 0 && time == value(race.guard_at);
  }
  out.races = static_cast<std::uint64_t>(races + (value(race.open) > 0 && !failed));
  return out;
}

void Tally::add_race(const Byte* state, bool failed) {
  const Program& program = game_->program();
  const RaceInfo& race = *program.race;
  const RaceCourse course = race_course(program, state, failed);
  races_ += course.races;
  race_totals_.add(course.clock / 1000);
  for (const Int length : course.lengths) race_lengths_.add(length / 1000);
  for (std::size_t w = 0; w < timed_out_.size(); ++w) timed_out_[w] += course.timed_out[w];
  for (std::size_t i = 0; i < landed_.size(); ++i) {
    landed_[i] += static_cast<std::uint64_t>(value_of_variable(program, state, race.landed, static_cast<Int>(i)));
    late_[i] += static_cast<std::uint64_t>(value_of_variable(program, state, race.late, static_cast<Int>(i)));
  }
}

void Tally::add(const Tally& other) {
  race_lengths_.add(other.race_lengths_);
  race_totals_.add(other.race_totals_);
  races_ += other.races_;
  for (std::size_t i = 0; i < landed_.size(); ++i) landed_[i] += other.landed_[i], late_[i] += other.late_[i];
  for (std::size_t w = 0; w < timed_out_.size(); ++w) timed_out_[w] += other.timed_out_[w];
  for (std::size_t e = 0; e < endings_.size(); ++e) endings_[e] += other.endings_[e];
  for (std::size_t w = 0; w < winners_.size(); ++w) winners_[w] += other.winners_[w];
  digest_ += other.digest_;
  failed_ += other.failed_;
  turns_.add(other.turns_);
  lengths_.add(other.lengths_);
  for (std::size_t t = 0; t < traits_.size(); ++t)
    for (std::size_t v = 0; v < traits_[t].size(); ++v)
      for (std::size_t i = 0; i < traits_[t][v].size(); ++i) traits_[t][v][i] += other.traits_[t][v][i];
  failures_.add(other.failures_);
}

Share Tally::share_of(std::string name, const Held& counts) const {
  Share out;
  out.name = std::move(name);
  double sum = 0, squares = 0;
  for (int holders = 1; held(holders, holders) < counts.size(); ++holders)
    for (int wins = 0; wins <= holders; ++wins) {
      const std::uint64_t games = counts[held(holders, wins)];
      const double share = double(wins) / holders;
      out.tables += games;
      out.games += games * static_cast<std::uint64_t>(holders);
      out.wins += games * static_cast<std::uint64_t>(wins);
      sum += double(games) * share;
      squares += double(games) * share * share;
    }
  const double n = double(out.tables);
  if (out.tables) out.mean = sum / n;
  if (out.tables > 1) out.deviation = std::sqrt(std::max(0.0, squares - n * out.mean * out.mean) / (n - 1));
  return out;
}

Share Tally::share_of_seats(std::string name, std::uint64_t seats) const {
  const int holders = std::popcount(seats);
  Held counts(held(holders + 1, 0));
  for (std::size_t w = 0; w < winners_.size(); ++w) counts[held(holders, std::popcount(w & seats))] += winners_[w];
  return share_of(std::move(name), counts);
}

void Tally::report(Statistics& out) const {
  const Program& program = game_->program();
  out.games = lengths_.count();
  out.decisions = static_cast<std::uint64_t>(lengths_.sum());
  out.digest = digest_;
  out.without_winner = winners_[0];
  out.failed = failed_;
  out.lengths = lengths_.spread();
  out.turns = turns_.spread();
  out.has_turns = program.turn_number >= 0 && out.turns.most > 0;
  for (std::size_t t = 0; t < traits_.size(); ++t) {
    const VariableInfo& variable = program.variable_infos[static_cast<std::size_t>(program.statistics[t])];
    ShareGroup group{variable.name, {}};
    for (std::size_t v = 0; v < traits_[t].size(); ++v) {
      Share share = share_of(detail::constant_label(program, variable.enumeration, static_cast<Int>(v)), traits_[t][v]);
      if (share.games) group.shares.push_back(std::move(share));
    }
    if (!group.shares.empty()) out.groups.push_back(std::move(group));
  }
  for (std::size_t e = 0; e < program.endings.size(); ++e) {
    const EndingInfo& ending = program.endings[e];
    if (endings_[e + 1])
      out.endings.push_back({ending.words.empty() ? ending.text : ending.words,
                             program.sources && ending.where.known() ? program.sources->describe(ending.where) : "",
                             endings_[e + 1], out.games - failed_});
  }
  std::stable_sort(out.endings.begin(), out.endings.end(),
                   [](const auto& a, const auto& b) { return a.games > b.games; });
  ShareGroup seats{"seat", {}};
  const auto players = static_cast<std::size_t>(program.layout.players);
  for (std::size_t seat = 0; seat < players; ++seat)
    seats.shares.push_back(share_of_seats(Game::seat_name(static_cast<int>(seat)), std::uint64_t{1} << seat));
  out.groups.push_back(std::move(seats));
  if (program.race) {
    RaceStatistics race;
    race.races = races_;
    race.per_race = race_lengths_.spread();
    race.per_game = race_totals_.spread();
    const auto most = std::max_element(timed_out_.begin(), timed_out_.end());
    for (const std::uint64_t count : timed_out_) race.timed_out += count;
    if (race.timed_out > 0 && program.sources)
      race.guard = program.sources->describe(program.race->guards[static_cast<std::size_t>(most - timed_out_.begin())]);
    const std::size_t actions = program.race->actions.size();
    for (std::size_t a = 0; a < actions; ++a) {
      RaceCount count{program.actions[static_cast<std::size_t>(program.race->actions[a])].name, {}, {}};
      for (std::size_t seat = 0; seat < players; ++seat) {
        count.landed.push_back(landed_[seat * actions + a]);
        count.late.push_back(late_[seat * actions + a]);
      }
      race.actions.push_back(std::move(count));
    }
    out.race = std::move(race);
  }
  out.failures = failures_.counts();
}

}   // namespace cardwright::api
