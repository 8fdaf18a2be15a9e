// Measures how much the result of a game depends on skill, and how much on the deal.
#include "cardwright/skill.hpp"

#include <algorithm>
#include <bit>
#include <chrono>
#include <cmath>
#include <map>
#include <numeric>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "simulation/part_file.h"
#include "simulation/checkpoints.h"
#include "simulation/simulation.h"
#include "cardwright/observing.hpp"
#include "api/game/parallel.h"
#include "simulation/statistics/deal_share.h"
#include "simulation/statistics/interim_schedule.h"
#include "simulation/statistics/sums.h"

namespace cardwright::statistics {

namespace {

using Json = nlohmann::ordered_json;

// Returns the integer that represents one game; it is divisible by any number of winners.
std::int64_t whole_game(int players) {
  std::int64_t out = 1;
  for (int p = 2; p <= players; ++p) out = std::lcm(out, static_cast<std::int64_t>(p));
  return out;
}

// Plays games on one thread, with a policy per seat, and provides the winners and the scores.
class Seats {
 public:
  Seats(const api::Game& game, const api::SimulateSettings& play) : games_(game, play), seen_(games_.rows().size()) {
    for (std::size_t row = 0; row < seen_.size(); ++row)
      if (games_.rows()[row].group == "wins by seat") seats_.push_back(row);
    for (std::size_t row = 0; row < seen_.size() && first_score_ == 0; ++row)
      if (games_.rows()[row].group.starts_with("scores (")) first_score_ = row + 1;   // after all players
  }
  void play(std::uint64_t index) { games_.play(index, seen_); }
  std::uint64_t winners() const {
    std::uint64_t out = 0;
    for (std::size_t seat = 0; seat < seats_.size(); ++seat)
      if (seen_[seats_[seat]].value) out |= std::uint64_t{1} << seat;
    return out;
  }
  bool has_scores() const { return first_score_ > 0 && seen_[first_score_].there; }
  std::int64_t score(std::size_t seat) const {
    return seen_[first_score_ + seat].value / games_.rows()[first_score_ + seat].one;
  }

 private:
  api::ObservedGames games_;
  std::vector<api::Observation> seen_;
  std::vector<std::size_t> seats_;   // rows of wins
  std::size_t first_score_ = 0;   // row of the first seat's score; 0: the game has no scores
};

struct Contest {
  api::PlayerPolicy stronger, weaker;
};

struct RungData {
  Contest contest;
  // Sums over deals. The value of a deal is the number of games that the single player wins, summed over all seats and
  // scaled by whole_game(). In `scores`, it is the sum over all seats of the single player's score minus the mean of
  // the others, scaled by the number of others.
  struct Sums {
    SideSums wins, scores;
    void add(const Sums& other) { wins.add(other.wins), scores.add(other.scores); }
  };
  std::map<std::size_t, Sums> batches;
  api::Covered covered;
  BoundedMean mean{0, 1, kLevel, 30};
  Sums sum;
  std::size_t seen = 0;
  bool precise = false, ended = false;
};

struct ReplayedData {
  api::PlayerPolicy policy;
  GroupedDeals wins, scores;
  api::Covered covered;
};

// Returns the batch of a rung to which a deal belongs.
std::size_t batch_of(std::uint64_t deal) {
  std::size_t n = 0;
  while (border(n) <= deal) ++n;
  return n;
}

Json run_of(const api::Game& game, const SkillSettings& settings) {
  api::SimulateSettings play = settings.play;
  play.games = settings.deals;
  play.policies = settings.ladder;
  Json out = api::detail::run_of(game, play);
  out["precision"] = settings.precision;
  out["shared_deals"] = settings.shared_deals;
  out["replays"] = settings.replays;
  return out;
}

SkillSettings settings_of(const api::Game& game, const Json& run) {
  SkillSettings out;
  out.play = api::detail::settings_of(game, run);
  out.ladder = std::exchange(out.play.policies, {});
  out.deals = out.play.games;
  out.precision = run.at("precision");
  out.shared_deals = run.at("shared_deals");
  out.replays = run.at("replays");
  return out;
}

void check(const api::Game& game, const SkillSettings& settings) {
  const auto refuse = [](const std::string& why) { throw api::Error(api::Blame::caller, why); };
  if (settings.ladder.size() < 2) refuse("a ladder needs at least two policies, from weakest to strongest");
  if (game.players() < 2) refuse("skill requires at least two players");
  if (!(settings.precision > 0 && settings.precision < 1))
    refuse(fmt::format("precision {:g} is out of range: expected more than 0 and less than 1", settings.precision));
  if (settings.replays < 2) refuse("each deal must be replayed at least twice");
  for (const api::PlayerPolicy& policy : settings.ladder) {
    api::SimulateSettings play = settings.play;
    play.policies.assign(static_cast<std::size_t>(game.players()), policy);
    api::detail::check_run(game, play);
  }
}

}   // namespace

api::PlayerPolicy SkillSettings::bots(std::uint64_t iterations) {
  api::PlayerPolicy out;
  out.kind = api::PlayerPolicy::Kind::bots;
  out.iterations = iterations;
  return out;
}

namespace {

// How a process plays its deals.
struct Playing {
  const SkillSettings& settings;
  const api::Checkpoints& checkpoints;
  std::function<void(std::uint64_t)> tick;   // called with the number of deals played
  bool is_stopped() const { return settings.stop && *settings.stop; }
};

}   // namespace

struct SkillPart::Data {
  Data(const api::Game& of, const SkillSettings& how) : game(of), settings(how), one(whole_game(of.players())) {
    settings.stop = nullptr;
    settings.progress = nullptr;
    const auto& ladder = settings.ladder;
    for (std::size_t i = 1; i < ladder.size(); ++i) rungs.push_back({{ladder[i], ladder[i - 1]}});
    if (ladder.size() > 2) rungs.push_back({{ladder.back(), ladder.front()}});
    for (std::size_t i = 0; i < 2; ++i)
      replayed.push_back({ladder[i], GroupedDeals(game.players()), GroupedDeals(game.players()), {}});
  }
  std::uint64_t from(std::size_t n) const { return n == 0 ? 0 : std::min(border(n - 1), settings.deals); }
  std::uint64_t to(std::size_t n) const { return std::min(border(n), settings.deals); }
  int players() const { return game.players(); }
  // Returns half the width of the confidence interval of the edge.
  double half(const RungData& rung) const { return rung.mean.interval(kLevel).half() * players() / (players() - 1); }
  void analyze_batches(RungData& rung);
  template <class Each>
  api::Covered play(api::GameRange deals, const Playing& how, const Each& each);
  void play_rung(RungData& rung, std::size_t n, api::GameRange deals, const Playing& how);
  void play_replayed(ReplayedData& data, api::GameRange deals, const Playing& how);
  Estimate score_of(const RungData& rung) const;
  bool has_scores() const { return game.data()->program().score >= 0; }
  std::uint64_t most_deals() const { return std::max(settings.deals, settings.shared_deals); }

  api::Game game;
  SkillSettings settings;
  std::int64_t one;   // whole_game(): the value of a game with a single winner
  std::vector<RungData> rungs;
  std::vector<ReplayedData> replayed;
  double seconds = 0;
};

// Evaluates complete batches, as in a comparison, until the edge is precise. Later deals are ignored.
void SkillPart::Data::analyze_batches(RungData& rung) {
  const double scale = static_cast<double>(one) * players();
  for (; !rung.ended && from(rung.seen) < settings.deals &&
         rung.covered.missing({from(rung.seen), to(rung.seen)}).empty();
       ++rung.seen) {
    rung.sum.add(rung.batches[rung.seen]);
    const SideSums& batch = rung.batches[rung.seen].wins;
    rung.mean.add(
        {batch.n, static_cast<double>(batch.sum) / scale, static_cast<double>(batch.squares) / (scale * scale)});
    rung.precise = half(rung) <= settings.precision;
    rung.ended = rung.precise || to(rung.seen) == settings.deals;
  }
  if (!rung.ended) return;
  rung.batches.erase(rung.batches.lower_bound(rung.seen), rung.batches.end());
  rung.covered = api::Covered();
  rung.covered.add(api::GameRange{0, rung.sum.wins.n});
}

// Calls each(thread, deal) for all deals until the run is stopped or a checkpoint is due; returns the deals that were
// played.
template <class Each>
api::Covered SkillPart::Data::play(api::GameRange deals, const Playing& how, const Each& each) {
  const std::uint64_t count = deals.to - deals.from;
  std::vector<api::Covered> played(static_cast<std::size_t>(api::thread_count(how.settings.play.threads, count)));
  std::atomic<std::uint64_t> done{0};
  api::run_blocks(
      static_cast<int>(played.size()), count,
      [&](int thread, std::uint64_t i) {
        if (how.is_stopped()) return false;
        each(thread, deals.from + i);
        played[static_cast<std::size_t>(thread)].add(api::GameRange{deals.from + i, deals.from + i + 1});
        ++done;
        return !how.checkpoints.is_due();
      },
      [&] { how.tick(deals.from + done); });
  for (std::size_t thread = 1; thread < played.size(); ++thread) played[0].add(played[thread]);
  return played[0];
}

void SkillPart::Data::play_rung(RungData& rung, std::size_t n, api::GameRange deals, const Playing& how) {
  const int threads = api::thread_count(how.settings.play.threads, deals.to - deals.from);
  // Indexed by thread, then by the seat of the stronger policy.
  std::vector<std::vector<std::unique_ptr<Seats>>> games(static_cast<std::size_t>(threads));
  std::vector<RungData::Sums> sums(games.size());
  std::vector<api::SimulateSettings> plays;
  for (int seat = 0; seat < players(); ++seat) {
    plays.push_back(settings.play);
    plays.back().policies.assign(static_cast<std::size_t>(players()), rung.contest.weaker);
    plays.back().policies[static_cast<std::size_t>(seat)] = rung.contest.stronger;
  }
  const std::int64_t sign = game.data()->program().score_least ? -1 : 1;
  rung.covered.add(play(deals, how, [&](int thread, std::uint64_t deal) {
    auto& mine = games[static_cast<std::size_t>(thread)];
    std::int64_t won = 0, ahead = 0;
    bool scored = has_scores();
    for (int seat = 0; seat < players(); ++seat) {
      if (static_cast<int>(mine.size()) == seat)
        mine.push_back(std::make_unique<Seats>(game, plays[static_cast<std::size_t>(seat)]));
      Seats& played = *mine[static_cast<std::size_t>(seat)];
      played.play(settings.play.first_game + deal);
      const std::uint64_t winners = played.winners();
      if (winners == 0)
        won += one / players();
      else if (winners >> seat & 1)
        won += one / std::popcount(winners);
      scored = scored && played.has_scores();
      for (int other = 0; scored && other < players(); ++other)
        ahead += sign * (other == seat ? players() - 1 : -1) * played.score(static_cast<std::size_t>(other));
    }
    RungData::Sums& sum = sums[static_cast<std::size_t>(thread)];
    sum.wins.add(won);
    if (scored) sum.scores.add(ahead);
  }));
  for (const RungData::Sums& one_of : sums) rung.batches[n].add(one_of);
}

void SkillPart::Data::play_replayed(ReplayedData& data, api::GameRange deals, const Playing& how) {
  struct Sums {
    GroupedDeals wins, scores;
  };
  const int threads = api::thread_count(how.settings.play.threads, deals.to - deals.from);
  std::vector<Sums> sums(static_cast<std::size_t>(threads), {GroupedDeals(players()), GroupedDeals(players())});
  data.covered.add(play(deals, how, [&](int thread, std::uint64_t deal) {
    const auto count = static_cast<std::size_t>(players());
    std::vector<std::int64_t> wins(count), scores(count);
    std::vector<api::Wide> won(count), squares(count);
    bool scored = has_scores();
    for (std::uint64_t replay = 1; replay <= settings.replays; ++replay) {
      api::SimulateSettings play = settings.play;
      play.policies.assign(count, data.policy);
      play.policy_seed = replay;
      Seats seats(game, play);
      seats.play(settings.play.first_game + deal);
      const std::uint64_t winners = seats.winners();
      scored = scored && seats.has_scores();
      for (std::size_t seat = 0; seat < count; ++seat) {
        wins[seat] += winners >> seat & 1;
        won[seat] = wins[seat];
        const std::int64_t score = scored ? seats.score(seat) : 0;
        scores[seat] += score, squares[seat] += api::Wide{score} * score;
      }
    }
    Sums& mine = sums[static_cast<std::size_t>(thread)];
    mine.wins.group_of(deal).add(wins, won);
    if (scored) mine.scores.group_of(deal).add(scores, squares);
  }));
  for (const Sums& one_of : sums) data.wins.add(one_of.wins), data.scores.add(one_of.scores);
}

Estimate SkillPart::Data::score_of(const RungData& rung) const {
  constexpr double kHopedDeals = 300;
  const SideSums& sums = rung.sum.scores;
  const double n = static_cast<double>(sums.n), scale = static_cast<double>(players()) * (players() - 1);
  Estimate out;
  out.games = sums.n;
  if (sums.n == 0) return out;
  out.value = static_cast<double>(sums.sum) / n / scale;
  if (sums.n < 2) return out;
  const double squares = static_cast<double>(sums.squares) / (scale * scale);
  out.deviation = std::sqrt(std::max(0.0, squares - n * out.value * out.value) / (n - 1));
  out.interval = FreeMean{sums.n, out.value, out.deviation, kHopedDeals}.interval(kLevel);
  return out;
}

// ---- parts

SkillPart::SkillPart(std::unique_ptr<Data> data) : data_(std::move(data)) {}
SkillPart::SkillPart(const api::Game& game, const SkillSettings& settings) {
  check(game, settings);
  data_ = std::make_unique<Data>(game, settings);
}
SkillPart::~SkillPart() = default;
SkillPart::SkillPart(SkillPart&&) noexcept = default;
SkillPart& SkillPart::operator=(SkillPart&&) noexcept = default;

const SkillSettings& SkillPart::settings() const { return data_->settings; }
std::uint64_t SkillPart::deals() const { return data_->most_deals(); }

std::vector<api::GameRange> SkillPart::missing(api::GameRange of) const {
  const auto begin = [&](const api::Covered& covered, std::uint64_t most) {
    return covered.missing({of.from, std::min(of.to, most)});
  };
  for (const RungData& rung : data_->rungs)
    if (!rung.ended)
      if (auto left = begin(rung.covered, data_->settings.deals); !left.empty()) return left;
  for (const ReplayedData& data : data_->replayed)
    if (auto left = begin(data.covered, data_->settings.shared_deals); !left.empty()) return left;
  return {};
}

void SkillPart::play(api::GameRange range, const SkillSettings& settings, const api::Checkpoint& checkpoint) {
  Data& d = *data_;
  const auto start = std::chrono::steady_clock::now();
  api::Checkpoints checkpoints(checkpoint);
  Playing how{settings, checkpoints, {}};
  std::size_t rung_number = 0;
  how.tick = [&](std::uint64_t deal) {
    if (settings.progress) settings.progress(rung_number, d.rungs.size() + d.replayed.size(), deal - range.from);
  };
  for (RungData& rung : d.rungs) {
    const std::uint64_t to = std::min(range.to, d.settings.deals);
    for (std::size_t n = batch_of(range.from); d.from(n) < to && !rung.ended && !how.is_stopped(); ++n) {
      const api::GameRange wanted{std::max(range.from, d.from(n)), std::min(to, d.to(n))};
      checkpoints.each([&] { return rung.covered.missing(wanted); },
                       [&](api::GameRange left) {
                         d.play_rung(rung, n, left, how);
                         return !how.is_stopped();
                       });
      d.analyze_batches(rung);
    }
    ++rung_number;
  }
  for (ReplayedData& data : d.replayed) {
    const api::GameRange wanted{range.from, std::min(range.to, d.settings.shared_deals)};
    checkpoints.each([&] { return how.is_stopped() ? std::vector<api::GameRange>() : data.covered.missing(wanted); },
                     [&](api::GameRange left) {
                       d.play_replayed(data, left, how);
                       return !how.is_stopped();
                     });
    ++rung_number;
  }
  d.seconds += api::detail::seconds_since(start);
}

void SkillPart::add(const SkillPart& other) {
  Data& d = *data_;
  const Data& o = *other.data_;
  const Json mine = run_of(d.game, d.settings), theirs = run_of(o.game, o.settings);
  if (mine != theirs)
    throw api::Error(api::Blame::caller,
                     "the parts belong to different runs: " + api::detail::difference(mine, theirs));
  for (std::size_t i = 0; i < d.rungs.size(); ++i) {
    if (d.rungs[i].ended) continue;   // the rung has ended, so more deals have no effect
    d.rungs[i].covered.add(o.rungs[i].covered);
    for (const auto& [n, batch] : o.rungs[i].batches) d.rungs[i].batches[n].add(batch);
    d.analyze_batches(d.rungs[i]);
  }
  for (std::size_t i = 0; i < d.replayed.size(); ++i) {
    d.replayed[i].covered.add(o.replayed[i].covered);
    d.replayed[i].wins.add(o.replayed[i].wins);
    d.replayed[i].scores.add(o.replayed[i].scores);
  }
}

Skill SkillPart::skill() const {
  const Data& d = *data_;
  Skill out;
  out.seconds = d.seconds;
  out.whole = missing({0, d.most_deals()}).empty();
  if (d.has_scores()) out.score_name = d.game.data()->program().score_name;
  const double players = d.players();
  const auto edge = [&](double share) { return (players * share - 1) / (players - 1); };
  for (const RungData& rung : d.rungs) {
    const std::uint64_t deals = rung.sum.wins.n;
    Rung& one = out.rungs.emplace_back();
    one.stronger = rung.contest.stronger, one.weaker = rung.contest.weaker;
    one.deals = deals, one.games = deals * static_cast<std::uint64_t>(d.players());
    one.precise = rung.precise;
    if (d.has_scores()) one.score = d.score_of(rung);
    if (deals == 0) continue;
    const Interval share = rung.mean.interval(kLevel);
    one.edge = {edge(rung.mean.mean()), Interval{edge(share.low), edge(share.high)}, 0, deals};
  }
  for (const ReplayedData& data : d.replayed) {
    DealShare& one = out.deal_shares.emplace_back();
    one.policy = data.policy;
    one.share = data.wins.share(d.settings.replays);
    one.deals = data.wins.all().deals();
    if (d.has_scores()) one.score = data.scores.share(d.settings.replays);
  }
  return out;
}

std::string SkillPart::text() const {
  const Data& d = *data_;
  Json out = {{"command", "skill"}, {"run", run_of(d.game, d.settings)}};
  out["rungs"] = Json::array();
  for (const RungData& rung : d.rungs) {
    Json batches = Json::array();
    for (const auto& [n, batch] : rung.batches) batches.push_back({n, written(batch.wins), written(batch.scores)});
    out["rungs"].push_back({{"covered", api::detail::json_of(rung.covered)}, {"batches", std::move(batches)}});
  }
  out["deals"] = Json::array();
  for (const ReplayedData& data : d.replayed)
    out["deals"].push_back(
        {{"covered", api::detail::json_of(data.covered)}, {"wins", data.wins.json()}, {"scores", data.scores.json()}});
  return api::detail::framed(out);
}

SkillPart SkillPart::read(const api::Game& game, const std::string& text) {
  const Json json = api::detail::unframed(text);
  return api::detail::read_part([&] {
    const SkillSettings settings = settings_of(game, json.at("run"));
    check(game, settings);
    auto data = std::make_unique<Data>(game, settings);
    for (std::size_t i = 0; i < data->rungs.size(); ++i) {
      const Json& rung = json.at("rungs").at(i);
      data->rungs[i].covered = api::detail::covered_of(rung.at("covered"));
      for (const Json& batch : rung.at("batches"))
        data->rungs[i].batches[batch.at(0)].add({side_of(batch.at(1)), side_of(batch.at(2))});
      data->analyze_batches(data->rungs[i]);
    }
    for (std::size_t i = 0; i < data->replayed.size(); ++i) {
      const Json& deals = json.at("deals").at(i);
      data->replayed[i].covered = api::detail::covered_of(deals.at("covered"));
      data->replayed[i].wins.add(deals.at("wins"));
      data->replayed[i].scores.add(deals.at("scores"));
    }
    return SkillPart(std::move(data));
  });
}

Skill skill(const api::Game& game, const SkillSettings& settings) {
  SkillPart part(game, settings);
  part.play({0, part.deals()}, settings);
  return part.skill();
}

}   // namespace cardwright::statistics
