// Simulates many games, distributed over threads in blocks, and collects their results.
#include <algorithm>
#include <chrono>
#include <memory>
#include <numeric>
#include <optional>
#include <span>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "api/compile/background.h"
#include "api/compile/compile.h"
#include "simulation/compiling.h"
#include "simulation/counted_playouts.h"
#include "simulation/part_file.h"
#include "simulation/checkpoints.h"
#include "simulation/playouts.h"
#include "simulation/seats.h"
#include "simulation/simulation.h"
#include "simulation/tension.h"
#include "api/game/parallel.h"
#include "api/game/timing.h"

namespace cardwright::api {

namespace {

using detail::is_stopped;
using detail::seconds_since;
using Clock = std::chrono::steady_clock;

// Games per block; small, so that threads stop quickly and end at almost the same time.
constexpr std::uint64_t kBlock = 64;
// Minimum number of blocks per thread. In runs of few games, it makes blocks smaller than kBlock.
constexpr std::uint64_t kBlocksEach = 4;
constexpr std::uint64_t kAtOnce = 16;   // number of compiled games between two checks of the stop flag
constexpr std::uint64_t kAskedSample = 100;

// Returns the sets of seats with a common property, in the order of first occurrence.
template <class Of>
std::vector<std::pair<std::string, std::uint64_t>> seats_by(const Of& of, int players) {
  std::vector<std::pair<std::string, std::uint64_t>> alike;
  for (int seat = 0; seat < players; ++seat) {
    const std::string of_seat = of(seat);
    auto at = std::find_if(alike.begin(), alike.end(), [&](const auto& one) { return one.first == of_seat; });
    if (at == alike.end()) at = alike.insert(at, {of_seat, 0});
    at->second |= std::uint64_t{1} << seat;
  }
  return alike;
}

void add_scores(const Game& game, const ScoreTally& tally, Statistics& out) {
  if (tally.games() == 0) return;
  const Program& program = game.data()->program();
  const int players = game.players();
  out.scores = ScoreStatistics{.name = program.score_name, .least_wins = program.score_least};
  out.scores->all = tally.mean_of("all players", (std::uint64_t{1} << players) - 1);
  for (int seat = 0; seat < players; ++seat)
    out.scores->seats.push_back(tally.mean_of(Game::seat_name(seat), std::uint64_t{1} << seat));
}

}   // namespace

namespace detail {

std::uint64_t tension_games(const SimulateSettings& settings) {
  const auto& figures = settings.figures;
  const bool wanted = std::find(figures.begin(), figures.end(), "tension") != figures.end();
  return wanted ? std::min(TensionSettings().games, settings.games) : 0;
}

static void check_figures(const Game& game, const SimulateSettings& settings) {
  for (const std::string& name : settings.figures)
    if (name != "actions" && name != "cards" && name != "pace" && name != "fairness" && name != "tension")
      throw Error(Blame::caller, fmt::format("unknown figures `{}`: expected actions, cards, pace, fairness or "
                                             "tension",
                                             name));
    else if (name != "tension" && name != "fairness" && !game.data()->program().figures)
      throw Error(Blame::caller, fmt::format("figures of {} require kFigures in the measures of the "
                                             "Configuration",
                                             name));
  const bool uniform = std::all_of(settings.policies.begin(), settings.policies.end(),
                                   [](const PlayerPolicy& one) { return one.kind == PlayerPolicy::Kind::uniform; });
  if (tension_games(settings) > 0 && (!uniform || !settings.speeds.empty() || settings.time_factor != 1))
    throw Error(Blame::caller, "`--figures tension` requires uniform play at the rules' own speed");
}

void check_run(const Game& game, const SimulateSettings& settings) {
  check_pace(settings);
  check_policies(game.data()->program(), settings);
  check_figures(game, settings);
  need_threads(settings.threads);
  if (settings.games > ~std::uint64_t{0} - settings.first_game)
    throw Error(Blame::caller, fmt::format("{} games from game {} on exceed the limit of 2^64 games in a run",
                                           settings.games, settings.first_game));
}

// Adds wins by speed (slowest first) if speeds differ between seats, wins and scores by policy if policies do, and the
// scores by seat.
void add_groups(const Game& game, const SimulateSettings& settings, const Counted& counted, Statistics& statistics) {
  const int players = game.players();
  if (const ScoreTally* const scores = counted.scores()) add_scores(game, *scores, statistics);
  if (!settings.speeds.empty()) {
    const auto speed = [&](int seat) {
      return static_cast<std::size_t>(seat) < settings.speeds.size() ? settings.speeds[static_cast<std::size_t>(seat)]
                                                                     : 1;
    };
    ShareGroup speeds{"speed", {}};
    for (const auto& [label, seats] : seats_by([&](int seat) { return fmt::format("{:g}", speed(seat)); }, players))
      speeds.shares.push_back(counted.tally().share_of_seats(label, seats));
    std::ranges::sort(speeds.shares, {}, [](const Share& one) { return std::stod(one.name); });
    statistics.groups.push_back(std::move(speeds));
  }
  const auto policies = seats_by([&](int seat) { return text_of(policy_of(settings, seat)); }, players);
  if (policies.size() < 2) return;
  ShareGroup wins{"policy", {}};
  for (const auto& [label, seats] : policies) {
    wins.shares.push_back(counted.tally().share_of_seats(label, seats));
    if (statistics.scores) statistics.scores->policies.push_back(counted.scores()->mean_of(label, seats));
  }
  statistics.groups.push_back(std::move(wins));
}

void add_asked(const Asked& asked, Statistics& all) {
  all.asked_sample = asked.games;
  all.asked_per_game = asked.decisions && all.games
                           ? double(asked.asked) / double(asked.decisions) * (double(all.decisions) / double(all.games))
                           : 0;
}

}   // namespace detail

// ---- results

struct SimulationPart::Data {
  Data(const Game& of, const SimulateSettings& how) : game(of), settings(how), counted(*of.data()) {
    settings.progress = nullptr;
    settings.on_tension_progress = nullptr;
    settings.stop = nullptr;
  }

  Game game;
  SimulateSettings settings;   // settings of the whole run
  Covered covered;
  Counted counted;
  detail::Asked asked;   // decisions in the first games of the run
  Covered asked_in;   // games that `asked` includes
  detail::TensionTally tension{TensionSettings().moments, TensionSettings().playouts};
  Covered analyzed_games;   // finished games of the tension analysis
  // These members depend on the machine, so they are not saved in files.
  int threads = 1;
  double seconds = 0, compile_seconds = 0;
  std::uint64_t compiled_games = 0;

  void count_asked();
  // Returns the game of the run to which a game of the tension analysis is assigned. The games of the analysis are
  // distributed evenly over the run, so that each part of a run analyzes its share.
  std::uint64_t goes_with(std::uint64_t analyzed) const {
    return static_cast<std::uint64_t>(static_cast<unsigned __int128>(settings.games) * analyzed /
                                      detail::tension_games(settings));
  }
  std::vector<std::uint64_t> not_analyzed(const std::vector<GameRange>& among) const;
  void analyze_tension(std::span<const std::uint64_t> games, const SimulateSettings& how, std::uint64_t before,
                       std::uint64_t all, const Checkpoints& checkpoints);
};

// Returns the unfinished games of the tension analysis that are assigned to games in `among`.
std::vector<std::uint64_t> SimulationPart::Data::not_analyzed(const std::vector<GameRange>& among) const {
  std::vector<std::uint64_t> out;
  for (const GameRange& left : analyzed_games.missing({0, detail::tension_games(settings)}))
    for (std::uint64_t t = left.from; t < left.to; ++t)
      if (std::any_of(among.begin(), among.end(),
                      [&](const GameRange& range) { return goes_with(t) >= range.from && goes_with(t) < range.to; }))
        out.push_back(t);
  return out;
}

void SimulationPart::Data::analyze_tension(std::span<const std::uint64_t> games, const SimulateSettings& how,
                                           std::uint64_t before, std::uint64_t all, const Checkpoints& checkpoints) {
  std::vector<std::optional<detail::TensionCourse>> courses(games.size());
  std::atomic<std::uint64_t> done{before};
  const TensionSettings standard;
  run_blocks(
      thread_count(how.threads, games.size()), games.size(),
      [&](int, std::uint64_t i) {
        if (is_stopped(how)) return false;
        courses[i] = detail::measure_tension(game, settings.seed, games[i], standard.moments, standard.playouts);
        ++done;
        return !checkpoints.is_due();
      },
      [&] {
        if (how.on_tension_progress) how.on_tension_progress(done, all);
      });
  for (std::size_t i = 0; i < games.size(); ++i) {
    if (!courses[i]) continue;
    tension.add(*courses[i]);
    analyzed_games.add(GameRange{games[i], games[i] + 1});
  }
}

namespace {

// Counts the decisions of playouts, and those with several options.
class CountsOptions final : public TraceSink {
 public:
  explicit CountsOptions(detail::Asked& asked) : asked_(asked) {}
  void decided(cardwright::Game&, const Byte*, Int, Int options, Int) override {
    ++asked_.decisions;
    asked_.asked += options > 1;
  }
  void chosen(cardwright::Game&, const Byte*, Int) override {}
  void leaned(cardwright::Game&, const Byte*, Int) override {}

 private:
  detail::Asked& asked_;
};

}   // namespace

// Counts the decisions in the first games of the run by replaying them on the interpreter, which starts quickly: as
// playouts if the policies allow it, because listing the options of each decision takes much longer. Runs with bots are
// not counted, because the bots would search a second time.
void SimulationPart::Data::count_asked() {
  if (detail::has_bots(settings)) return;
  const auto& compiled = game.data()->compiled;
  const bool as_playouts = detail::fits_playout(game.data()->program(), settings);
  CountsOptions counts(asked);
  std::optional<Game> plain;
  std::optional<detail::Playouts> replays;
  for (const GameRange& left : asked_in.missing({0, std::min(kAskedSample, settings.games)}))
    for (std::uint64_t i = left.from; i < left.to; ++i) {
      if (!covered.missing({i, i + 1}).empty()) continue;
      if (!plain)   // with the measures, although they are not needed, because this Program is already compiled
        plain = Ruleset(compiled->ruleset)
                    .compile({.players = compiled->configuration.players,
                              .options = compiled->configuration.options,
                              .plain = compiled->configuration.plain,
                              .measures = compiled->configuration.measures,
                              .policies = compiled->configuration.policies},
                             EngineKind::interpreter);
      const std::uint64_t index = settings.first_game + i;
      if (as_playouts) {
        if (!replays) replays.emplace(*plain->data(), settings, &counts);
        replays->play(index);
      } else {
        State state = detail::new_game(plain->data(), settings, index);
        detail::TableBots bots(*plain, settings.policies, detail::seed_of_bots(settings), index);
        for (; !state.is_over(); ++asked.decisions) {
          asked.asked += state.legal_count() > 1;
          state.apply(detail::chosen_by_policy(state, settings, bots));
        }
      }
      ++asked.games;
      asked_in.add(GameRange{i, i + 1});
    }
}

namespace {

// Plays games [from, to) of a run with its threads, until it is stopped or a checkpoint is due.
class Playing {
 public:
  Playing(const Game& game, const SimulateSettings& settings, const Checkpoints& checkpoints, std::uint64_t games)
      : game_(game),
        settings_(settings),
        checkpoints_(checkpoints),
        threads_(thread_count(settings.threads, (games + block_size(games) - 1) / block_size(games))),
        compiling_(game.data()->background, games, threads_),
        compiled_(static_cast<std::size_t>(threads_)) {}

  // Plays these games, adds their results to `into`, and returns the games that were played.
  Covered play(GameRange games, std::uint64_t before, Counted& into) {
    const GameData& data = *game_.data();
    const std::uint64_t size = block_size(games.to - games.from), blocks = (games.to - games.from + size - 1) / size;
    // Each element is created by the thread that uses it, so that its memory is local to this thread.
    std::vector<std::optional<CountedPlayouts>> players(static_cast<std::size_t>(threads_));
    std::vector<std::vector<GameRange>> played(players.size());
    std::atomic<std::uint64_t> done{before};
    run_blocks(
        thread_count(threads_, blocks), blocks,
        [&](int thread, std::uint64_t block) {
          const auto mine = static_cast<std::size_t>(thread);
          if (!players[mine]) players[mine].emplace(data, settings_);
          const std::uint64_t from = games.from + block * size, to = std::min(games.to, from + size),
                              end = play_block(thread, from, to, *players[mine]);
          if (end > from) played[mine].push_back({from, end});
          done += end - from;
          return end == to && !checkpoints_.is_due();
        },
        [&] {
          if (settings_.progress) settings_.progress(done);
        });
    Covered out;
    for (std::size_t thread = 0; thread < players.size(); ++thread) {
      for (const GameRange& range : played[thread]) out.add(range);
      if (players[thread]) into.add(players[thread]->counted());
    }
    return out;
  }

  int threads() const { return threads_; }
  double waited() const { return game_.data()->background ? compiling_.waited() : 0; }
  std::uint64_t compiled_games() const { return std::accumulate(compiled_.begin(), compiled_.end(), std::uint64_t{0}); }

 private:
  std::uint64_t block_size(std::uint64_t games) const {
    const auto threads = static_cast<std::uint64_t>(thread_count(settings_.threads, games));
    return std::clamp<std::uint64_t>(games / (threads * kBlocksEach), 1, kBlock);
  }
  // Plays the games [from, to) and returns the end of the range that was played.
  std::uint64_t play_block(int thread, std::uint64_t from, std::uint64_t to, CountedPlayouts& games) {
    const GameData& data = *game_.data();
    std::uint64_t i = from;
    for (std::uint64_t next; i < to && !is_stopped(settings_) && (i == from || !checkpoints_.is_due()); i = next) {
      const bool compiled = game_.engine() == EngineKind::jit || (data.background && data.background->is_compiled());
      next = std::min<std::uint64_t>(to, i + (compiled ? kAtOnce : 1));
      for (std::uint64_t k = i; k < next; ++k) games.play(settings_.first_game + k);
      if (compiled)
        compiled_[static_cast<std::size_t>(thread)] += next - i;
      else
        compiling_.played(thread, next - i);
    }
    return i;
  }

  const Game& game_;
  const SimulateSettings& settings_;
  const Checkpoints& checkpoints_;
  const int threads_;
  WhenToCompile compiling_;
  std::vector<std::uint64_t> compiled_;   // number of compiled games, by thread
};

}   // namespace

SimulationPart::SimulationPart(std::unique_ptr<Data> data) : data_(std::move(data)) {}
SimulationPart::SimulationPart(const Game& game, const SimulateSettings& settings) {
  detail::check_run(game, settings);
  data_ = std::make_unique<Data>(game, settings);
}
SimulationPart::~SimulationPart() = default;
SimulationPart::SimulationPart(SimulationPart&&) noexcept = default;
SimulationPart& SimulationPart::operator=(SimulationPart&&) noexcept = default;

const Covered& SimulationPart::covered() const { return data_->covered; }
// Returns the missing games, including games whose tension analysis was interrupted.
std::vector<GameRange> SimulationPart::missing(GameRange of) const {
  Covered done = data_->covered;
  for (const std::uint64_t t : data_->not_analyzed({of})) done.remove(data_->goes_with(t));
  return done.missing(of);
}
const SimulateSettings& SimulationPart::settings() const { return data_->settings; }

void SimulationPart::play(GameRange games, const SimulateSettings& settings, const Checkpoint& checkpoint) {
  std::uint64_t all = 0, played = 0;
  for (const GameRange& range : data_->covered.missing(games)) all += range.to - range.from;
  // The first game starts the JIT. Play it once without counting it, so that `seconds` contains only playing time.
  if (data_->game.engine() == EngineKind::jit && all > 0) {
    const auto waking = Clock::now();
    detail::Playouts(*data_->game.data(), settings).play(settings.first_game);
    data_->compile_seconds += seconds_since(waking);
  }
  const auto start = Clock::now();
  Checkpoints checkpoints(checkpoint);
  Playing playing(data_->game, settings, checkpoints, all);
  data_->threads = playing.threads();
  checkpoints.each([&] { return data_->covered.missing(games); },
                   [&](GameRange range) {
                     const Covered done = playing.play(range, played, data_->counted);
                     data_->covered.add(done);
                     played += done.count();
                     return !is_stopped(settings);
                   });
  data_->seconds += seconds_since(start) - playing.waited();
  data_->compile_seconds += playing.waited();
  data_->compiled_games += playing.compiled_games();
  if (!is_stopped(settings)) data_->count_asked();
  const std::uint64_t open = data_->not_analyzed({games}).size();
  const auto left = [&] {
    const std::uint64_t games_left = data_->not_analyzed({games}).size();
    return games_left ? std::vector<GameRange>{{open - games_left, open}} : std::vector<GameRange>();
  };
  checkpoints.each(left, [&](GameRange range) {
    data_->analyze_tension(data_->not_analyzed({games}), settings, range.from, open, checkpoints);
    return !is_stopped(settings);
  });
}

Statistics SimulationPart::statistics() const {
  const Data& d = *data_;
  Statistics out;
  out.seed = d.settings.seed;
  out.first_game = d.settings.first_game;
  out.threads = d.threads;
  out.seconds = d.seconds;
  out.compile_seconds = d.compile_seconds;
  out.compiled_games = d.compiled_games;
  d.counted.report(out);
  detail::add_groups(d.game, d.settings, d.counted, out);
  if (detail::tension_games(d.settings) > 0) out.tension = d.tension.report();
  out.stopped = out.games < d.settings.games || d.analyzed_games.count() < detail::tension_games(d.settings);
  detail::add_asked(d.asked, out);
  return out;
}

void SimulationPart::add(const SimulationPart& other) {
  Data& d = *data_;
  const Data& o = *other.data_;
  if (detail::run_of(d.game, d.settings) != detail::run_of(o.game, o.settings))
    throw Error(Blame::caller,
                "the parts belong to different runs: " +
                    detail::difference(detail::run_of(d.game, d.settings), detail::run_of(o.game, o.settings)));
  d.covered.add(o.covered);
  d.counted.add(o.counted);
  d.asked_in.add(o.asked_in);
  d.analyzed_games.add(o.analyzed_games);
  d.tension.add(o.tension);
  d.asked.games += o.asked.games;
  d.asked.decisions += o.asked.decisions;
  d.asked.asked += o.asked.asked;
}

std::string SimulationPart::text() const {
  const Data& d = *data_;
  detail::Json out = {{"command", "simulate"}, {"run", detail::run_of(d.game, d.settings)}};
  out["covered"] = detail::json_of(d.covered);
  out["asked"] = {detail::json_of(d.asked_in), d.asked.decisions, d.asked.asked};
  out["sums"] = d.counted.json();
  if (detail::tension_games(d.settings) > 0)
    out["tension"] = {{"covered", detail::json_of(d.analyzed_games)}, {"sums", d.tension.json()}};
  return detail::framed(out);
}

SimulationPart SimulationPart::read(const Game& game, const std::string& text) {
  const detail::Json json = detail::unframed(text);
  return detail::read_part([&] {
    auto data = std::make_unique<Data>(game, detail::settings_of(game, json.at("run")));
    data->covered = detail::covered_of(json.at("covered"));
    data->asked_in = detail::covered_of(json.at("asked").at(0));
    data->asked = {data->asked_in.count(), json.at("asked").at(1), json.at("asked").at(2)};
    data->counted.add(json.at("sums"));
    if (detail::tension_games(data->settings) > 0) {
      data->analyzed_games = detail::covered_of(json.at("tension").at("covered"));
      data->tension.add(json.at("tension").at("sums"));
    }
    return SimulationPart(std::move(data));
  });
}

Statistics simulate(const Game& game, const SimulateSettings& settings) {
  SimulationPart part(game, settings);
  part.play({0, settings.games}, settings);
  return part.statistics();
}

}   // namespace cardwright::api
