// Plays pairs of games with the same seeds, distributed over threads.
#include "simulation/statistics/pairs.h"

#include <algorithm>
#include <atomic>
#include <cmath>

#include "api/game/game_data.h"
#include "api/game/parallel.h"

namespace cardwright::statistics {

namespace {

using api::ObservedRow;

constexpr std::uint64_t kPilot = 256;
constexpr std::uint64_t kPilotSeed = 0x9e3779b97f4a7c15u;
constexpr std::uint64_t kBlock = 32;   // number of pairs that a thread plays at a time
// Half the width of an interval that is valid at all interim results is about kWidth * s / √n, for n observations with
// the standard deviation s.
constexpr double kWidth = 3.1;
constexpr double kLeastHoped = 100, kMostHoped = 1e7;
constexpr double kHopedPairs = 20'000;   // number of pairs at which intervals of amounts are narrowest

void add_group(PairedRows& rows, const std::string& group) {
  if (std::find(rows.groups.begin(), rows.groups.end(), group) == rows.groups.end()) rows.groups.push_back(group);
}

void plan(PairedRow& row, const PairSums& seen, double goal) {
  row.paired = seen.a.n == seen.pairs() && seen.b.n == seen.pairs();
  row.hoped = kHopedPairs;
  if (row.row.kind == ObservedRow::Kind::amount) return;
  if (seen.a.n + seen.b.n == 0) {   // rare, or not measured in pilot games
    row.hoped = kLeastHoped;
    return;
  }
  // The expected sum of squared deviations when half the width of the interval has decreased to the goal.
  const double n = std::max(2.0, static_cast<double>(seen.pairs())), one = static_cast<double>(row.row.one);
  const double varies = std::max(1 / n, static_cast<double>(seen.squares()) / (one * one) / n);
  row.hoped = std::clamp(kWidth * kWidth * varies * varies / (goal * goal), kLeastHoped, kMostHoped);
}

}   // namespace

PairedRows rows_of(const std::vector<ObservedRow>& a, const std::vector<ObservedRow>& b) {
  PairedRows rows;
  const auto find = [](const std::vector<ObservedRow>& among, const ObservedRow& row) {
    return std::find_if(among.begin(), among.end(),
                        [&](const ObservedRow& r) { return r.group == row.group && r.name == row.name; });
  };
  for (std::size_t i = 0; i < a.size(); ++i) {
    add_group(rows, a[i].group);
    const auto other = find(b, a[i]);
    if (other == b.end() || other->one != a[i].one)
      rows.only_a.push_back(a[i]);
    else
      rows.both.push_back({i, static_cast<std::size_t>(other - b.begin()), a[i]});
  }
  for (const ObservedRow& row : b) {
    const auto other = find(a, row);
    if (other != a.end() && other->one == row.one) continue;
    add_group(rows, row.group);
    rows.only_b.push_back(row);
  }
  return rows;
}

namespace {

struct Kind {
  std::string name;
  std::size_t kind;
};
// Returns the card types for which the game has cards.
std::vector<Kind> kinds_of(const Program& program) {
  std::vector<Kind> out;
  for (std::size_t k = 0; k < program.kinds.size(); ++k)
    if (std::any_of(program.cards.begin(), program.cards.end(),
                    [&](const CardInfo& card) { return card.kind == static_cast<Int>(k); }))
      out.push_back({program.kinds[k].label, k});
  return out;
}

}   // namespace

void add_cards(PairedRows& rows, const api::Game& a, const api::Game& b) {
  const Program &of_a = a.data()->program(), &of_b = b.data()->program();
  rows.kinds_a = of_a.kinds.size(), rows.kinds_b = of_b.kinds.size();
  const auto find = [](const std::vector<Kind>& among, const std::string& name) {
    return std::find_if(among.begin(), among.end(), [&](const Kind& kind) { return kind.name == name; });
  };
  const std::vector<Kind> in_a = kinds_of(of_a), in_b = kinds_of(of_b);
  const auto beside = std::find(rows.groups.begin(), rows.groups.end(), "cards: played in a game");
  rows.groups.insert(beside, kEffects);
  for (const Kind& kind : in_a)
    if (const auto other = find(in_b, kind.name); other != in_b.end())
      rows.cards.push_back({kind.kind, other->kind, kind.name});
    else
      rows.only_a.push_back({kEffects, kind.name});
  for (const Kind& kind : in_b)
    if (find(in_a, kind.name) == in_a.end()) rows.only_b.push_back({kEffects, kind.name});
}

void plan(PairedRows& rows, PairBatch pilot, double goal) {
  rows.pilot = std::move(pilot);
  for (std::size_t i = 0; i < rows.both.size(); ++i) plan(rows.both[i], rows.pilot.rows[i], goal);
}

PairBatch play_pilot(const api::Game& a, const api::Game& b, const api::SimulateSettings& settings,
                     const PairedRows& rows) {
  api::SimulateSettings play = settings;
  play.seed ^= kPilotSeed;
  play.games = 0;   // disables the tension analysis
  Pairs pairs(a, b, play);
  PairBatch pilot = rows.empty();
  for (std::uint64_t i = 0; i < kPilot; ++i) pairs.play(i, rows, pilot);
  return pilot;
}

Pairs::Pairs(const api::Game& a, const api::Game& b, const api::SimulateSettings& play)
    : a_(a, play), b_(b, play), seen_a_(a_.rows().size()), seen_b_(b_.rows().size()) {}

void Pairs::play(std::uint64_t index, const PairedRows& paired, PairBatch& into) {
  const std::vector<PairedRow>& rows = paired.both;
  a_.play(index, seen_a_);
  b_.play(index, seen_b_);
  if (a_.failure()) into.failures_a.add(index, *a_.failure());
  if (b_.failure()) into.failures_b.add(index, *b_.failure());
  if (!paired.cards.empty()) a_.add_draws(index, into.draws_a), b_.add_draws(index, into.draws_b);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const api::Observation &x = seen_a_[rows[i].a], &y = seen_b_[rows[i].b];
    into.rows[i].add(x, y);
    if (rows[i].row.kind == ObservedRow::Kind::share || rows[i].row.one != 1) continue;
    if (x.there) into.amounts_a[i].add(x.value);
    if (y.there) into.amounts_b[i].add(y.value);
  }
}

PairPlayers::PairPlayers(const api::Game& a, const api::Game& b, const CompareSettings& settings,
                         const api::Checkpoints& checkpoints, std::uint64_t pairs)
    : a_(a),
      b_(b),
      settings_(settings),
      checkpoints_(checkpoints),
      threads_(api::thread_count(settings.play.threads, pairs)) {
  all_.resize(static_cast<std::size_t>(threads_));
}

std::pair<PairBatch, api::Covered> PairPlayers::play(std::uint64_t from, std::uint64_t to, const PairedRows& rows,
                                                     const std::function<void(std::uint64_t)>& tick) {
  const std::uint64_t blocks = (to - from + kBlock - 1) / kBlock;
  struct Part {
    PairBatch sums;
    std::vector<api::GameRange> played;
  };
  std::vector<Part> parts;
  std::atomic<std::uint64_t> done{0};
  for (int t = 0; t < threads_; ++t) parts.push_back({rows.empty(), {}});
  api::run_blocks(
      api::thread_count(threads_, blocks), blocks,
      [&](int thread, std::uint64_t block) {
        const auto mine = static_cast<std::size_t>(thread);
        if (!all_[mine]) all_[mine] = std::make_unique<Pairs>(a_, b_, settings_.play);
        const std::uint64_t begin = from + block * kBlock, end = std::min(to, begin + kBlock);
        std::uint64_t i = begin;
        while (i < end && !(settings_.stop && settings_.stop->load(std::memory_order_relaxed)) &&
               (i == begin || !checkpoints_.is_due())) {
          all_[mine]->play(settings_.play.first_game + i, rows, parts[mine].sums);
          ++i, ++done;
        }
        if (i > begin) parts[mine].played.push_back({begin, i});
        return i == end;
      },
      [&] {
        if (tick) tick(from + done);
      });
  std::pair out{std::move(parts[0].sums), api::Covered()};
  for (std::size_t t = 0; t < parts.size(); ++t) {
    if (t > 0) out.first.add(parts[t].sums);
    for (const api::GameRange& range : parts[t].played) out.second.add(range);
  }
  return out;
}

}   // namespace cardwright::statistics
