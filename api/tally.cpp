// See tally.h.
#include "api/tally.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "runtime/state.h"

namespace cardwright::api {

std::pair<double, double> Share::interval() const {
  if (games == 0) return {0, 1};
  constexpr double z = 1.959963984540054;
  const double n = double(games), p = rate(), zz = z * z / n;
  const double middle = (p + zz / 2) / (1 + zz);
  const double half = z * std::sqrt(p * (1 - p) / n + zz / (4 * n)) / (1 + zz);
  return {std::max(0.0, middle - half), std::min(1.0, middle + half)};
}

std::string Failure::text() const {
  return fmt::format("{} at {}{}", trap, place.empty() ? "an unknown place" : place, rule.empty() ? "" : ", in " + rule);
}

// ---- histogram

std::size_t Histogram::bin_of(std::int64_t value) {
  value = std::max<std::int64_t>(0, value);
  return static_cast<std::size_t>(value < kExact ? value : kExact + std::min<std::int64_t>((value - kExact) / kStep, kExact));
}

std::int64_t Histogram::value_of(std::size_t bin) {
  const auto b = static_cast<std::int64_t>(bin);
  return b < kExact ? b : kExact + (b - kExact) * kStep;
}

void Histogram::add(std::int64_t value) {
  const std::size_t bin = bin_of(value);
  if (bins_.size() <= bin) bins_.resize(bin + 1);
  ++bins_[bin];
  least_ = count_ ? std::min(least_, value) : value;
  most_ = count_ ? std::max(most_, value) : value;
  ++count_;
  sum_ += value;
}

void Histogram::add(const Histogram& other) {
  if (other.count_ == 0) return;
  if (bins_.size() < other.bins_.size()) bins_.resize(other.bins_.size());
  for (std::size_t i = 0; i < other.bins_.size(); ++i) bins_[i] += other.bins_[i];
  least_ = count_ ? std::min(least_, other.least_) : other.least_;
  most_ = count_ ? std::max(most_, other.most_) : other.most_;
  count_ += other.count_;
  sum_ += other.sum_;
}

Spread Histogram::spread() const {
  Spread out;
  if (count_ == 0) return out;
  out.least = least_;
  out.most = most_;
  out.mean = double(sum_) / double(count_);
  std::uint64_t before = 0;
  for (std::size_t bin = 0; bin < bins_.size(); ++bin)
    if ((before += bins_[bin]) * 2 >= count_) {
      out.median = value_of(bin);
      break;
    }
  return out;
}

// ---- tally

Tally::Tally(const detail::GameData& game) : game_(&game), endings_(game.program().endings.size()), seats_(static_cast<std::size_t>(game.program().layout.players)) {
  if (const auto& race = game.program().race) {
    landed_.resize(seats_.size() * race->actions.size());
    late_ = landed_;
    timed_out_.resize(race->guards.size());
  }
  for (const Int variable : game.program().statistics) {
    const Int enumeration = game.program().variable_infos[static_cast<std::size_t>(variable)].enumeration;
    traits_.emplace_back(enumeration < 0 ? 0 : game.program().enums[static_cast<std::size_t>(enumeration)].constants.size());
  }
}

void Tally::add(std::uint64_t index, const Byte* state, std::int64_t decisions, const Failure* failure) {
  const Program& program = game_->program();
  const std::uint64_t winners = failure ? 0 : detail::winners_of(program, state);
  ++games_;
  decisions_ += static_cast<std::uint64_t>(decisions);
  digest_ += digest_of(index, state_hash(program.layout, state), winners);
  lengths_.add(decisions);
  if (program.turn_number >= 0) turns_.add(std::max<Int>(0, value_of_variable(program, state, program.turn_number, 0)));
  if (program.race) add_race(state, failure != nullptr);
  if (failure) {
    ++failed_;
    std::string key = failure->text();
    for (const std::string& level : failure->stack) key += '\n' + level;
    FailureCount& count = failures_[key];
    if (count.count == 0) count.failure = *failure;
    count.first_game = count.count ? std::min(count.first_game, index) : index;
    ++count.count;
    return;
  }
  if (const EndingInfo* const ending = detail::ending_of(program, state)) ++endings_[static_cast<std::size_t>(ending - program.endings.data())];
  if (winners == 0) ++without_winner_;
  for (std::size_t seat = 0; seat < seats_.size(); ++seat) {
    const bool won = winners >> seat & 1;
    ++seats_[seat].games;
    seats_[seat].wins += won;
    for (std::size_t t = 0; t < traits_.size(); ++t) {
      const Int value = value_of_variable(program, state, program.statistics[t], static_cast<Int>(seat));
      if (value < 0 || value >= static_cast<Int>(traits_[t].size())) continue;
      ++traits_[t][static_cast<std::size_t>(value)].games;
      traits_[t][static_cast<std::size_t>(value)].wins += won;
    }
  }
}

RaceCourse race_course(const Program& program, const Byte* state, bool failed) {
  const RaceInfo& race = *program.race;
  const auto value = [&](Int variable, Int index = 0) { return value_of_variable(program, state, variable, index); };
  RaceCourse out;
  const Int races = value(race.races);
  out.clock = value(race.clock);
  for (Int i = std::max<Int>(0, races - RaceInfo::kLengths); i < races; ++i) out.lengths.push_back(value(race.lengths, i % RaceInfo::kLengths));
  for (std::size_t w = 0; w < race.guards.size(); ++w) out.timed_out.push_back(static_cast<std::uint64_t>(value(race.timed_out, static_cast<Int>(w))));
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
  games_ += other.games_;
  decisions_ += other.decisions_;
  digest_ += other.digest_;
  without_winner_ += other.without_winner_;
  failed_ += other.failed_;
  turns_.add(other.turns_);
  lengths_.add(other.lengths_);
  auto sum = [](std::vector<Count>& to, const std::vector<Count>& from) {
    for (std::size_t i = 0; i < to.size(); ++i) to[i].games += from[i].games, to[i].wins += from[i].wins;
  };
  sum(seats_, other.seats_);
  for (std::size_t t = 0; t < traits_.size(); ++t) sum(traits_[t], other.traits_[t]);
  for (const auto& [key, theirs] : other.failures_) {
    FailureCount& mine = failures_[key];
    if (mine.count == 0) mine = theirs;
    else {
      mine.count += theirs.count;
      mine.first_game = std::min(mine.first_game, theirs.first_game);
    }
  }
}

void Tally::report(Statistics& out) const {
  const Program& program = game_->program();
  out.games = games_;
  out.decisions = decisions_;
  out.digest = digest_;
  out.without_winner = without_winner_;
  out.failed = failed_;
  out.lengths = lengths_.spread();
  out.turns = turns_.spread();
  out.has_turns = program.turn_number >= 0 && out.turns.most > 0;
  for (std::size_t t = 0; t < traits_.size(); ++t) {
    const VariableInfo& variable = program.variable_infos[static_cast<std::size_t>(program.statistics[t])];
    ShareGroup group{variable.name, {}};
    for (std::size_t v = 0; v < traits_[t].size(); ++v)
      if (traits_[t][v].games)
        group.shares.push_back({detail::constant_label(program, variable.enumeration, static_cast<Int>(v)), traits_[t][v].games, traits_[t][v].wins});
    if (!group.shares.empty()) out.groups.push_back(std::move(group));
  }
  for (std::size_t e = 0; e < endings_.size(); ++e) {
    const EndingInfo& ending = program.endings[e];
    if (endings_[e]) out.endings.push_back({ending.text, program.sources && ending.where.known() ? program.sources->describe(ending.where) : "", endings_[e]});
  }
  std::stable_sort(out.endings.begin(), out.endings.end(), [](const auto& a, const auto& b) { return a.games > b.games; });
  ShareGroup seats{"seat", {}};
  for (std::size_t seat = 0; seat < seats_.size(); ++seat)
    seats.shares.push_back({Game::seat_name(static_cast<int>(seat)), seats_[seat].games, seats_[seat].wins});
  out.groups.push_back(std::move(seats));
  if (program.race) {
    RaceStatistics race;
    race.races = races_;
    race.per_race = race_lengths_.spread();
    race.per_game = race_totals_.spread();
    const auto most = std::max_element(timed_out_.begin(), timed_out_.end());
    for (const std::uint64_t count : timed_out_) race.timed_out += count;
    if (race.timed_out > 0 && program.sources) race.guard = program.sources->describe(program.race->guards[static_cast<std::size_t>(most - timed_out_.begin())]);
    const std::size_t actions = program.race->actions.size();
    for (std::size_t a = 0; a < actions; ++a) {
      RaceCount count{program.actions[static_cast<std::size_t>(program.race->actions[a])].name, {}, {}};
      for (std::size_t seat = 0; seat < seats_.size(); ++seat) {
        count.landed.push_back(landed_[seat * actions + a]);
        count.late.push_back(late_[seat * actions + a]);
      }
      race.actions.push_back(std::move(count));
    }
    out.race = std::move(race);
  }
  for (const auto& [key, count] : failures_) out.failures.push_back(count);
  std::stable_sort(out.failures.begin(), out.failures.end(), [](const auto& a, const auto& b) { return a.count > b.count; });
}

}  // namespace cardwright::api
