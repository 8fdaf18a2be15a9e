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
#include "simulation/statistics/interim_schedule.h"
#include "simulation/statistics/sums.h"

namespace cardwright::statistics {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::uint64_t kFirstPiece = 4;   // number of deals in the first piece

// Sums over deals, by seat: the number of wins in all replays of a deal, and the square of this number.
struct DealSums {
  std::uint64_t deals = 0;
  std::vector<std::int64_t> wins, squares;
  explicit DealSums(int players = 0)
      : wins(static_cast<std::size_t>(players)), squares(static_cast<std::size_t>(players)) {}
  void add(const DealSums& other) {
    deals += other.deals;
    for (std::size_t seat = 0; seat < wins.size(); ++seat) {
      wins[seat] += other.wins[seat];
      squares[seat] += other.squares[seat];
    }
  }
};

// Returns the integer that represents one win. It is divisible by any number of winners, so shared wins are integers.
std::int64_t whole_game(int players) {
  std::int64_t out = 1;
  for (int p = 2; p <= players; ++p) out = std::lcm(out, static_cast<std::int64_t>(p));
  return out;
}

// Plays games on one thread, with a policy per seat, and returns the winners.
class Seats {
 public:
  Seats(const api::Game& game, const api::SimulateSettings& play) : games_(game, play), seen_(games_.rows().size()) {
    for (std::size_t row = 0; row < seen_.size(); ++row)
      if (games_.rows()[row].group == "wins by seat") seats_.push_back(row);
  }
  std::uint64_t winners(std::uint64_t index) {
    games_.play(index, seen_);
    std::uint64_t out = 0;
    for (std::size_t seat = 0; seat < seats_.size(); ++seat)
      if (seen_[seats_[seat]].value) out |= std::uint64_t{1} << seat;
    return out;
  }

 private:
  api::ObservedGames games_;
  std::vector<api::Observation> seen_;
  std::vector<std::size_t> seats_;
};

struct Contest {
  api::PlayerPolicy stronger, weaker;
};

struct RungData {
  Contest contest;
  // Sums over deals, by batch. The value of a deal is the number of games that the player with the stronger policy
  // wins, summed over all seats of this player and scaled by whole_game().
  std::map<std::size_t, SideSums> batches;
  api::Covered covered;
  BoundedMean mean{0, 1, kLevel, 30};
  SideSums sum;
  std::size_t seen = 0;
  bool precise = false, ended = false;
};

struct ReplayedData {
  api::PlayerPolicy policy;
  DealSums sums;
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

struct SkillPart::Data {
  Data(const api::Game& of, const SkillSettings& how) : game(of), settings(how), one(whole_game(of.players())) {
    settings.stop = nullptr;
    settings.progress = nullptr;
    const auto& ladder = settings.ladder;
    for (std::size_t i = 1; i < ladder.size(); ++i) rungs.push_back({{ladder[i], ladder[i - 1]}});
    if (ladder.size() > 2) rungs.push_back({{ladder.back(), ladder.front()}});
    for (std::size_t i = 0; i < 2; ++i) replayed.push_back({ladder[i], DealSums(game.players()), {}});
  }
  std::uint64_t from(std::size_t n) const { return n == 0 ? 0 : std::min(border(n - 1), settings.deals); }
  std::uint64_t to(std::size_t n) const { return std::min(border(n), settings.deals); }
  int players() const { return game.players(); }
  // Returns half the width of the confidence interval of the edge.
  double half(const RungData& rung) const { return rung.mean.interval(kLevel).half() * players() / (players() - 1); }
  void analyze_batches(RungData& rung);
  template <class Each>
  bool play(std::uint64_t from, std::uint64_t to, const SkillSettings& how, const Each& each);
  bool play_rung(RungData& rung, std::size_t n, api::GameRange deals, const SkillSettings& how);
  bool play_replayed(ReplayedData& data, api::GameRange deals, const SkillSettings& how);
  DealShare deal_share(const ReplayedData& data) const;

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
    const SideSums& batch = rung.batches[rung.seen];
    rung.sum.add(batch);
    rung.mean.add(
        {batch.n, static_cast<double>(batch.sum) / scale, static_cast<double>(batch.squares) / (scale * scale)});
    rung.precise = half(rung) <= settings.precision;
    rung.ended = rung.precise || to(rung.seen) == settings.deals;
  }
  if (!rung.ended) return;
  rung.batches.erase(rung.batches.lower_bound(rung.seen), rung.batches.end());
  rung.covered = api::Covered();
  rung.covered.add(api::GameRange{0, rung.sum.n});
}

// Calls each(thread, deal) for the deals [from, to) on several threads. Returns false if the run was stopped.
template <class Each>
bool SkillPart::Data::play(std::uint64_t from, std::uint64_t to, const SkillSettings& how, const Each& each) {
  std::atomic<bool> whole{true};
  const auto work = [&](int thread, std::uint64_t i) {
    if (how.stop && *how.stop) return whole = false;
    each(thread, from + i);
    return true;
  };
  api::run_blocks(api::thread_count(how.play.threads, to - from), to - from, work);
  return whole;
}

bool SkillPart::Data::play_rung(RungData& rung, std::size_t n, api::GameRange deals, const SkillSettings& how) {
  const int threads = api::thread_count(how.play.threads, deals.to - deals.from);
  // Indexed by thread, then by the seat of the stronger policy.
  std::vector<std::vector<std::unique_ptr<Seats>>> games(static_cast<std::size_t>(threads));
  std::vector<SideSums> sums(games.size());
  std::vector<api::SimulateSettings> plays;
  for (int seat = 0; seat < players(); ++seat) {
    plays.push_back(settings.play);
    plays.back().policies.assign(static_cast<std::size_t>(players()), rung.contest.weaker);
    plays.back().policies[static_cast<std::size_t>(seat)] = rung.contest.stronger;
  }
  const bool whole = play(deals.from, deals.to, how, [&](int thread, std::uint64_t deal) {
    auto& mine = games[static_cast<std::size_t>(thread)];
    std::int64_t won = 0;
    for (int seat = 0; seat < players(); ++seat) {
      if (static_cast<int>(mine.size()) == seat)
        mine.push_back(std::make_unique<Seats>(game, plays[static_cast<std::size_t>(seat)]));
      const std::uint64_t winners = mine[static_cast<std::size_t>(seat)]->winners(settings.play.first_game + deal);
      if (winners == 0)
        won += one / players();
      else if (winners >> seat & 1)
        won += one / std::popcount(winners);
    }
    sums[static_cast<std::size_t>(thread)].add(won);
  });
  if (!whole) return false;
  for (const SideSums& one_of : sums) rung.batches[n].add(one_of);
  rung.covered.add(deals);
  return true;
}

bool SkillPart::Data::play_replayed(ReplayedData& data, api::GameRange deals, const SkillSettings& how) {
  std::vector<DealSums> sums(static_cast<std::size_t>(api::thread_count(how.play.threads, deals.to - deals.from)),
                             DealSums(players()));
  const bool whole = play(deals.from, deals.to, how, [&](int thread, std::uint64_t deal) {
    std::vector<std::int64_t> wins(static_cast<std::size_t>(players()));
    for (std::uint64_t replay = 1; replay <= settings.replays; ++replay) {
      api::SimulateSettings play = settings.play;
      play.policies.assign(static_cast<std::size_t>(players()), data.policy);
      play.policy_seed = replay;
      const std::uint64_t winners = Seats(game, play).winners(settings.play.first_game + deal);
      for (std::size_t seat = 0; seat < wins.size(); ++seat) wins[seat] += winners >> seat & 1;
    }
    DealSums& mine = sums[static_cast<std::size_t>(thread)];
    ++mine.deals;
    for (std::size_t seat = 0; seat < wins.size(); ++seat) {
      mine.wins[seat] += wins[seat];
      mine.squares[seat] += wins[seat] * wins[seat];
    }
  });
  if (!whole) return false;
  for (const DealSums& one_of : sums) data.sums.add(one_of);
  data.covered.add(deals);
  return true;
}

DealShare SkillPart::Data::deal_share(const ReplayedData& data) const {
  DealShare out{data.policy, {}, data.sums.deals};
  const double n = static_cast<double>(data.sums.deals), r = static_cast<double>(settings.replays);
  if (data.sums.deals < 2) return out;
  double sum = 0;
  for (int seat = 0; seat < players(); ++seat) {
    const double wins = static_cast<double>(data.sums.wins[static_cast<std::size_t>(seat)]),
                 squares = static_cast<double>(data.sums.squares[static_cast<std::size_t>(seat)]);
    const double between = (squares / r - wins * wins / (n * r)) / (n - 1),
                 within = (wins - squares / r) / (n * (r - 1));
    const double all = between + (r - 1) * within;
    sum += all > 0 ? (between - within) / all : 0;
  }
  const double share = std::clamp(sum / players(), 0.0, 1.0);
  // Fisher's standard error of an intraclass correlation. The standard error of the mean over seats is not larger.
  const double error = std::sqrt(2 * std::pow((1 - share) * (1 + (r - 1) * share), 2) / (r * (r - 1) * (n - 1)));
  out.share = {share, Interval{std::max(0.0, share - 1.96 * error), std::min(1.0, share + 1.96 * error)}, 0,
               data.sums.deals * settings.replays};
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
  const std::size_t rungs = d.rungs.size() + d.replayed.size();
  const auto stopped = [&] { return settings.stop && *settings.stop; };
  const auto report = [&](std::size_t rung, std::uint64_t deal) {
    if (settings.progress) settings.progress(rung, rungs, deal - range.from);
  };
  for (std::size_t i = 0; i < d.rungs.size(); ++i) {
    RungData& rung = d.rungs[i];
    api::Pieces pieces(checkpoint, kFirstPiece, false);
    for (std::size_t n = batch_of(range.from); d.from(n) < range.to && !rung.ended && !stopped(); ++n) {
      pieces.each(rung.covered.missing({std::max(range.from, d.from(n)), std::min(range.to, d.to(n))}),
                  [&](api::GameRange piece) {
                    report(i, piece.from);
                    return d.play_rung(rung, n, piece, settings);
                  });
      d.analyze_batches(rung);
    }
  }
  for (std::size_t i = 0; i < d.replayed.size() && !stopped(); ++i) {
    api::Pieces pieces(checkpoint, kFirstPiece, false);
    pieces.each(d.replayed[i].covered.missing({range.from, std::min(range.to, d.settings.shared_deals)}),
                [&](api::GameRange piece) {
                  report(d.rungs.size() + i, piece.from);
                  return d.play_replayed(d.replayed[i], piece, settings);
                });
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
    d.replayed[i].sums.add(o.replayed[i].sums);
  }
}

Skill SkillPart::skill() const {
  const Data& d = *data_;
  Skill out;
  out.seconds = d.seconds;
  out.whole = missing({0, d.settings.deals}).empty();
  const double players = d.players();
  const auto edge = [&](double share) { return (players * share - 1) / (players - 1); };
  for (const RungData& rung : d.rungs) {
    Rung& one = out.rungs.emplace_back(Rung{rung.contest.stronger,
                                            rung.contest.weaker,
                                            {},
                                            rung.sum.n,
                                            rung.sum.n * static_cast<std::uint64_t>(d.players()),
                                            rung.precise});
    if (rung.sum.n == 0) continue;
    const Interval share = rung.mean.interval(kLevel);
    one.edge = {edge(rung.mean.mean()), Interval{edge(share.low), edge(share.high)}, 0, rung.sum.n};
  }
  for (const ReplayedData& data : d.replayed) out.deal_shares.push_back(d.deal_share(data));
  return out;
}

std::string SkillPart::text() const {
  const Data& d = *data_;
  Json out = {{"command", "skill"}, {"run", run_of(d.game, d.settings)}};
  out["rungs"] = Json::array();
  for (const RungData& rung : d.rungs) {
    Json batches = Json::array();
    for (const auto& [n, batch] : rung.batches) batches.push_back({n, written(batch)});
    out["rungs"].push_back({{"covered", api::detail::json_of(rung.covered)}, {"batches", std::move(batches)}});
  }
  out["deals"] = Json::array();
  for (const ReplayedData& data : d.replayed)
    out["deals"].push_back({{"covered", api::detail::json_of(data.covered)},
                            {"deals", data.sums.deals},
                            {"wins", data.sums.wins},
                            {"squares", data.sums.squares}});
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
      for (const Json& batch : rung.at("batches")) data->rungs[i].batches[batch.at(0)].add(side_of(batch.at(1)));
      data->analyze_batches(data->rungs[i]);
    }
    for (std::size_t i = 0; i < data->replayed.size(); ++i) {
      const Json& deals = json.at("deals").at(i);
      data->replayed[i].covered = api::detail::covered_of(deals.at("covered"));
      DealSums sums(game.players());
      sums.deals = deals.at("deals");
      for (std::size_t seat = 0; seat < sums.wins.size(); ++seat) {
        sums.wins[seat] = deals.at("wins").at(seat);
        sums.squares[seat] = deals.at("squares").at(seat);
      }
      data->replayed[i].sums.add(sums);
    }
    return SkillPart(std::move(data));
  });
}

Skill skill(const api::Game& game, const SkillSettings& settings) {
  SkillPart part(game, settings);
  part.play({0, settings.deals}, settings);
  return part.skill();
}

}   // namespace cardwright::statistics
