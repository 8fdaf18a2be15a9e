// How open games are: chances to win at moments of some games, by playouts of copies.
#include <algorithm>
#include <cmath>
#include <mutex>
#include <optional>

#include "play/game_data.h"
#include "play/parallel.h"
#include "runtime/ops/random.h"

namespace cardwright::api {

namespace {

constexpr double kLead = 0.05, kDecided = 0.8;

struct Chances {
  std::vector<double> first, second;   // by player, of each half of the playouts
  int leader() const { return static_cast<int>(std::max_element(first.begin(), first.end()) - first.begin()); }
};

// What one game came to; `uncertainty` by moment.
struct Course {
  bool won = false;
  double lead_changes = 0, comeback = 0, drama = 0, decided = 1;
  std::vector<double> uncertainty;
};

std::uint64_t mixed(std::uint64_t a, std::uint64_t b) { return mix_word(a ^ (b + 1) * 0x9fb21c651e98df25u); }

Chances chances(const State& state, const TensionSettings& settings, std::uint64_t seed) {
  const auto players = static_cast<std::size_t>(state.data().program().layout.players);
  Chances out{std::vector<double>(players), std::vector<double>(players)};
  State copy(state);
  const int half = settings.playouts / 2;
  for (int i = 0; i < 2 * half; ++i) {
    copy = state;
    copy.reseed(mixed(seed, static_cast<std::uint64_t>(i)));
    copy.playout();
    const std::uint64_t winners = copy.failure() ? 0 : copy.winners_mask();
    for (std::size_t p = 0; p < players; ++p) (i < half ? out.first : out.second)[p] += double(winners >> p & 1) / half;
  }
  return out;
}

double entropy(const std::vector<double>& chances) {
  double sum = 0, entropy = 0;
  for (const double p : chances) sum += p;
  for (const double p : chances)
    if (p > 0) entropy -= p / sum * std::log(p / sum);
  return chances.size() > 1 ? entropy / std::log(double(chances.size())) : 0;
}

// Best of those who won in the end.
double of_winners(const std::vector<double>& chances, std::uint64_t winners) {
  double best = 0;
  for (std::size_t p = 0; p < chances.size(); ++p)
    if (winners >> p & 1) best = std::max(best, chances[p]);
  return best;
}

Course look_at(const Game& game, const TensionSettings& settings, std::uint64_t index) {
  State whole = game.new_state(settings.seed, index);
  whole.drop_knowledge();
  State state(whole);
  std::int64_t decisions = 0;
  for (; !whole.is_over(); ++decisions) whole.apply(whole.random_index());
  Course course;
  const std::uint64_t winners = whole.failure() ? 0 : whole.winners_mask();
  course.won = winners != 0;
  std::vector<Chances> at;
  std::int64_t done = 0;
  for (int m = 0; m < settings.moments; ++m) {
    for (const std::int64_t until = decisions * (2 * m + 1) / (2 * settings.moments); done < until; ++done)
      state.apply(state.random_index());
    at.push_back(chances(state, settings, mixed(mixed(settings.seed, index), static_cast<std::uint64_t>(m))));
    course.uncertainty.push_back(entropy(at.back().second));
  }
  if (!course.won) return course;
  const auto moments = at.size();
  for (std::size_t m = 0; m < moments; ++m) {
    const std::vector<double>& now = at[m].second;
    const double winner = of_winners(now, winners);
    const auto leader = static_cast<std::size_t>(at[m].leader());
    course.drama += std::max(0.0, now[leader] - winner) / double(moments);
    if (2 * m >= moments && winner < 0.5 / double(now.size())) course.comeback = 1;
    if (m == 0) continue;
    const auto before = static_cast<std::size_t>(at[m - 1].leader());
    course.lead_changes += before != leader && now[leader] - now[before] >= kLead;
  }
  std::size_t from = moments;
  while (from > 0 && of_winners(at[from - 1].second, winners) > kDecided) --from;
  course.decided = from == moments ? 1 : (double(from) + 0.5) / double(moments);
  return course;
}

TensionFigures::Mean mean_of(const std::vector<std::optional<Course>>& courses, double Course::*figure) {
  double n = 0, sum = 0, squares = 0;
  for (const auto& course : courses)
    if (course && course->won) ++n, sum += (*course).*figure, squares += (*course).*figure * ((*course).*figure);
  if (n == 0) return {};
  const double mean = sum / n;
  const double variance = n > 1 ? std::max(0.0, squares - n * mean * mean) / (n - 1) : 0;
  return {mean, 1.959963984540054 * std::sqrt(variance / n)};
}

}  // namespace

TensionFigures tension(const Game& game, const TensionSettings& settings) {
  need_threads(settings.threads);
  if (settings.moments < 1 || settings.playouts < 2)
    throw Error(Blame::caller, "tension needs at least one moment and two playouts");
  std::vector<std::optional<Course>> courses(settings.games);
  std::atomic<std::uint64_t> done{0};
  run_blocks(
      thread_count(settings.threads, settings.games), settings.games,
      [&](int, std::uint64_t index) {
        if (settings.stop && settings.stop->load(std::memory_order_relaxed)) return false;
        courses[index] = look_at(game, settings, index);
        ++done;
        return true;
      },
      [&] {
        if (settings.progress) settings.progress(done);
      });
  TensionFigures out;
  out.moments = settings.moments;
  out.playouts = settings.playouts;
  out.lead_changes = mean_of(courses, &Course::lead_changes);
  out.comeback = mean_of(courses, &Course::comeback);
  out.drama = mean_of(courses, &Course::drama);
  out.decided = mean_of(courses, &Course::decided);
  std::vector<double> sums(10), counts(10);
  for (const auto& course : courses) {
    if (!course) continue;
    out.games += course->won;
    for (std::size_t m = 0; m < course->uncertainty.size(); ++m) {
      const std::size_t tenth = m * 10 / course->uncertainty.size();
      sums[tenth] += course->uncertainty[m], ++counts[tenth];
    }
  }
  for (std::size_t t = 0; t < sums.size(); ++t)
    if (counts[t] > 0) out.uncertainty.push_back(sums[t] / counts[t]);
  return out;
}

}  // namespace cardwright::api
