// Estimates each player's chance to win at several moments of a game, by playing copies of the game to the end.
#include "simulation/tension.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <vector>

#include "simulation/part_file.h"
#include "api/game/game_data.h"
#include "api/game/parallel.h"
#include "runtime/ops/random.h"

namespace cardwright::api {

namespace detail {

namespace {

// Number of playouts that each player won, in the first and the second half of the playouts.
struct Chances {
  std::vector<int> first, second;
  std::size_t leader() const {
    return static_cast<std::size_t>(std::max_element(first.begin(), first.end()) - first.begin());
  }
};

std::uint64_t mixed(std::uint64_t a, std::uint64_t b) { return mix_word(a ^ (b + 1) * 0x9fb21c651e98df25u); }

Chances chances(const State& state, int playouts, std::uint64_t seed) {
  const auto players = static_cast<std::size_t>(state.data().program().layout.players);
  Chances out{std::vector<int>(players), std::vector<int>(players)};
  State copy(state);
  const int half = playouts / 2;
  for (int i = 0; i < 2 * half; ++i) {
    copy = state;
    copy.reseed(mixed(seed, static_cast<std::uint64_t>(i)));
    copy.playout();
    const std::uint64_t winners = copy.failure() ? 0 : copy.winners_mask();
    for (std::size_t p = 0; p < players; ++p) (i < half ? out.first : out.second)[p] += winners >> p & 1;
  }
  return out;
}

double entropy(const std::vector<int>& wins) {
  double sum = 0, entropy = 0;
  for (const int n : wins) sum += n;
  for (const int n : wins)
    if (n > 0) entropy -= n / sum * std::log(n / sum);
  return wins.size() > 1 ? entropy / std::log(double(wins.size())) : 0;
}

// Returns the highest number of won playouts among the actual winners.
int of_winners(const std::vector<int>& wins, std::uint64_t winners) {
  int best = 0;
  for (std::size_t p = 0; p < wins.size(); ++p)
    if (winners >> p & 1) best = std::max(best, wins[p]);
  return best;
}

void follow_winner(const std::vector<Chances>& at, std::uint64_t winners, int half, TensionCourse& course) {
  const std::size_t moments = at.size();
  for (std::size_t m = 0; m < moments; ++m) {
    const std::vector<int>& now = at[m].second;
    const int winner = of_winners(now, winners), players = static_cast<int>(now.size());
    const std::size_t leader = at[m].leader();
    course.drama += std::max(0, now[leader] - winner);
    if (2 * m >= moments && 2 * players * winner < half) course.comeback = 1;
    if (m == 0) continue;
    const std::size_t before = at[m - 1].leader();
    // A lead of at least five percentage points.
    course.lead_changes += before != leader && 20 * (now[leader] - now[before]) >= half;
  }
  std::size_t from = moments;
  while (from > 0 && 5 * of_winners(at[from - 1].second, winners) > 4 * half) --from;   // 80 %
  course.decided = static_cast<std::int64_t>(from == moments ? 2 * moments : 2 * from + 1);
}

}   // namespace

TensionCourse measure_tension(const Game& game, std::uint64_t seed, std::uint64_t index, int moments, int playouts) {
  State whole = game.new_state(seed, index);
  whole.drop_knowledge();
  State state(whole);
  std::int64_t decisions = 0;
  for (; !whole.is_over(); ++decisions) whole.apply(whole.random_index());
  TensionCourse course;
  const std::uint64_t winners = whole.failure() ? 0 : whole.winners_mask();
  course.won = winners != 0;
  std::vector<Chances> at;
  std::int64_t done = 0;
  for (int m = 0; m < moments; ++m) {
    for (const std::int64_t until = decisions * (2 * m + 1) / (2 * moments); done < until; ++done)
      state.apply(state.random_index());
    at.push_back(chances(state, playouts, mixed(mixed(seed, index), static_cast<std::uint64_t>(m))));
    const auto tenth = static_cast<std::size_t>(m * 10 / moments);
    course.uncertainty[tenth] += std::llround(entropy(at.back().second) * double(kTensionFine));
    ++course.moments[tenth];
  }
  if (course.won) follow_winner(at, winners, playouts / 2, course);
  return course;
}

// ---- many games

void TensionTally::add(const TensionCourse& course) {
  for (std::size_t t = 0; t < counted_.size(); ++t)
    uncertainty_[t] += course.uncertainty[t], counted_[t] += course.moments[t];
  if (!course.won) return;
  ++won_;
  const std::int64_t numbers[] = {course.lead_changes, course.comeback, course.drama, course.decided};
  for (std::size_t i = 0; i < sums_.size(); ++i)
    sums_[i].x += numbers[i], sums_[i].squares += Wide{numbers[i]} * numbers[i];
}

void TensionTally::add(const TensionTally& other) {
  won_ += other.won_;
  for (std::size_t i = 0; i < sums_.size(); ++i)
    sums_[i].x += other.sums_[i].x, sums_[i].squares += other.sums_[i].squares;
  for (std::size_t t = 0; t < counted_.size(); ++t)
    uncertainty_[t] += other.uncertainty_[t], counted_[t] += other.counted_[t];
}

Json TensionTally::json() const {
  Json sums = Json::array();
  for (const Sum& sum : sums_) sums.push_back({sum.x, written(sum.squares)});
  return {{"won", won_}, {"sums", std::move(sums)}, {"uncertainty", uncertainty_}, {"moments", counted_}};
}

void TensionTally::add(const Json& json) {
  won_ += json.at("won").get<std::uint64_t>();
  for (std::size_t i = 0; i < sums_.size(); ++i) {
    sums_[i].x += json.at("sums").at(i).at(0).get<std::int64_t>();
    sums_[i].squares += wide_of(json.at("sums").at(i).at(1));
  }
  for (std::size_t t = 0; t < counted_.size(); ++t) {
    uncertainty_[t] += json.at("uncertainty").at(t).get<std::int64_t>();
    counted_[t] += json.at("moments").at(t).get<std::int64_t>();
  }
}

TensionFigures::Mean TensionTally::mean(const Sum& sum, double one) const {
  if (won_ == 0) return {};
  const auto n = static_cast<double>(won_);
  const double value = double(sum.x) / n, spread = double(Wide(won_) * sum.squares - Wide{sum.x} * sum.x) / n;
  const double variance = won_ > 1 ? std::max(0.0, spread) / (n - 1) : 0;
  return {value / one, 1.959963984540054 * std::sqrt(variance / n) / one};
}

TensionFigures TensionTally::report() const {
  TensionFigures out;
  out.games = won_;
  out.moments = moments_;
  out.playouts = playouts_;
  out.lead_changes = mean(sums_[0], 1);
  out.comeback = mean(sums_[1], 1);
  const auto half = playouts_ / 2;   // only playouts of the second half count for drama
  out.drama = mean(sums_[2], double(moments_) * double(half));
  out.decided = mean(sums_[3], 2.0 * moments_);
  for (std::size_t t = 0; t < counted_.size(); ++t)
    if (counted_[t] > 0)
      out.uncertainty.push_back(double(uncertainty_[t]) / double(counted_[t]) / double(kTensionFine));
  return out;
}

}   // namespace detail

TensionFigures tension(const Game& game, const TensionSettings& settings) {
  need_threads(settings.threads);
  if (settings.moments < 1 || settings.playouts < 2)
    throw Error(Blame::caller, "tension needs at least one moment and two playouts");
  const int threads = thread_count(settings.threads, settings.games);
  std::vector<detail::TensionTally> tallies(static_cast<std::size_t>(threads), {settings.moments, settings.playouts});
  std::atomic<std::uint64_t> done{0};
  run_blocks(
      threads, settings.games,
      [&](int thread, std::uint64_t index) {
        if (settings.stop && settings.stop->load(std::memory_order_relaxed)) return false;
        tallies[static_cast<std::size_t>(thread)].add(
            detail::measure_tension(game, settings.seed, index, settings.moments, settings.playouts));
        ++done;
        return true;
      },
      [&] {
        if (settings.progress) settings.progress(done);
      });
  for (std::size_t t = 1; t < tallies.size(); ++t) tallies[0].add(tallies[t]);
  return tallies[0].report();
}

}   // namespace cardwright::api
