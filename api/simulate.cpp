// Many games, shared out to threads in blocks; and the same games option by option, as a trace.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <memory>
#include <optional>
#include <numeric>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "api/compiling.h"
#include "api/parallel.h"
#include "api/seats.h"
#include "api/tally.h"
#include "api/timing.h"
#include "runtime/state.h"
#include "runtime/trace.h"

namespace cardwright::api {

namespace {

constexpr std::uint64_t kBlock = 64;   // games; small, so that Ctrl-C and the last block end soon
// of few games each thread has at least so many blocks, as long as there are any
constexpr std::uint64_t kBlocksEach = 4;
constexpr std::uint64_t kAtOnce = 16;   // of compiled games, before anything else is looked at
constexpr std::uint64_t kAskedSample = 100;

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

void check(const Game& game, const SimulateSettings& settings) {
  detail::check_pace(settings);
  detail::check_policies(game.data()->program(), settings);
  need_threads(settings.threads);
  if (settings.games > ~std::uint64_t{0} - settings.first_game)
    throw Error(Blame::caller, fmt::format("a run has 2^64 games, so there are no {} from game {} on", settings.games,
                                           settings.first_game));
}

bool stopped(const SimulateSettings& settings) {
  return settings.stop && settings.stop->load(std::memory_order_relaxed);
}

std::uint64_t games_in_a_block(const SimulateSettings& settings) {
  const auto threads = static_cast<std::uint64_t>(thread_count(settings.threads, settings.games));
  return std::clamp<std::uint64_t>(settings.games / (threads * kBlocksEach), 1, kBlock);
}

// Wins by what seats have in common, which then are taken together, in the order in which they come.
template <class Of>
ShareGroup seats_by(const std::string& name, const Of& of, int players, const Tally& tally) {
  std::vector<std::pair<std::string, std::uint64_t>> alike;
  for (int seat = 0; seat < players; ++seat) {
    const std::string of_seat = of(seat);
    auto at = std::find_if(alike.begin(), alike.end(), [&](const auto& one) { return one.first == of_seat; });
    if (at == alike.end()) at = alike.insert(at, {of_seat, 0});
    at->second |= std::uint64_t{1} << seat;
  }
  ShareGroup out{name, {}};
  for (const auto& [label, seats] : alike) out.shares.push_back(tally.share_of_seats(label, seats));
  return out;
}

// Against speed, the slowest first, and by policy, where seats differ.
void add_groups(const Game& game, const SimulateSettings& settings, const Tally& tally, Statistics& statistics) {
  const int players = game.players();
  if (!settings.speeds.empty()) {
    const auto speed = [&](int seat) {
      return static_cast<std::size_t>(seat) < settings.speeds.size() ? settings.speeds[static_cast<std::size_t>(seat)]
                                                                     : 1;
    };
    ShareGroup speeds = seats_by(
        "speed", [&](int seat) { return fmt::format("{:g}", speed(seat)); }, players, tally);
    std::ranges::sort(speeds.shares, {}, [](const Share& one) { return std::stod(one.name); });
    statistics.groups.push_back(std::move(speeds));
  }
  for (int seat = 1; seat < players; ++seat)
    if (detail::policy_of(settings, seat) != detail::policy_of(settings, 0))
      return statistics.groups.push_back(seats_by(
          "policy", [&](int one) { return text_of(detail::policy_of(settings, one)); }, players, tally));
}

// Decisions with more than one option, as their share of all in the games that were looked at says.
double asked_in_a_game(std::uint64_t asked, std::uint64_t of, const Statistics& all) {
  return of && all.games ? double(asked) / double(of) * (double(all.decisions) / double(all.games)) : 0;
}

bool bots_play(const Game& game, const SimulateSettings& settings) {
  for (int seat = 0; seat < game.players(); ++seat)
    if (detail::policy_of(settings, seat).is_bot()) return true;
  return false;
}

// Looks at the first games, on the interpreter: starting is cheap there. Bots would think all of it once more.
void sample_asked(const Game& game, const SimulateSettings& settings, Statistics& statistics) {
  if (bots_play(game, settings)) return;
  const auto& compiled = game.data()->compiled;
  const Game plain =
      Ruleset(compiled->ruleset)
          .compile({compiled->configuration.players, compiled->configuration.options}, EngineKind::interpreter);
  std::uint64_t asked = 0, decisions = 0;
  const std::uint64_t games = std::min(kAskedSample, statistics.games);
  for (std::uint64_t i = 0; i < games; ++i) {
    const std::uint64_t index = settings.first_game + i;
    for (State state = detail::new_game(plain.data(), settings, index); !state.is_over() && !stopped(settings);
         ++decisions) {
      asked += state.legal_count() > 1;
      state.apply(detail::chosen_by_policy(state, settings, index));
    }
  }
  statistics.asked_sample = games;
  statistics.asked_per_game = asked_in_a_game(asked, decisions, statistics);
}

}  // namespace

Statistics simulate(const Game& game, const SimulateSettings& settings) {
  check(game, settings);
  const GameData& data = *game.data();
  const std::uint64_t block_size = games_in_a_block(settings),
                      blocks = settings.games / block_size + (settings.games % block_size != 0);
  Statistics statistics;
  statistics.seed = settings.seed;
  statistics.first_game = settings.first_game;
  statistics.threads = thread_count(settings.threads, blocks);
  // each is made by its thread, in memory of its own
  std::vector<std::optional<CountedPlayouts>> players(static_cast<std::size_t>(statistics.threads));
  std::atomic<std::uint64_t> done{0};

  // The first game makes the JIT compile: play it once for nothing, so that `seconds` speaks of playing.
  if (game.engine() == EngineKind::jit && settings.games > 0) {
    const auto waking = Clock::now();
    detail::Playouts(data, settings).play(settings.first_game);
    statistics.compile_seconds = seconds_since(waking);
  }

  const auto start = Clock::now();
  WhenToCompile compiling(data.background, settings.games, statistics.threads);
  std::vector<std::uint64_t> compiled_games(players.size());
  run_blocks(
      statistics.threads, blocks,
      [&](int thread, std::uint64_t block) {
        const std::uint64_t end = std::min(settings.games, (block + 1) * block_size);
        std::optional<CountedPlayouts>& games = players[static_cast<std::size_t>(thread)];
        if (!games) games.emplace(data, settings);
        std::uint64_t i = block * block_size;
        for (std::uint64_t next; i < end && !stopped(settings); i = next) {
          const bool compiled = game.engine() == EngineKind::jit || (data.background && data.background->is_compiled());
          next = std::min<std::uint64_t>(end, i + (compiled ? kAtOnce : 1));
          for (std::uint64_t k = i; k < next; ++k) games->play(settings.first_game + k);
          if (compiled)
            compiled_games[static_cast<std::size_t>(thread)] += next - i;
          else
            compiling.played(thread, next - i);
        }
        if (i < end) return false;
        done += end - block * block_size;
        return true;
      },
      [&] {
        if (settings.progress) settings.progress(done);
      });
  statistics.seconds = seconds_since(start);
  if (data.background) {
    statistics.compile_seconds = compiling.waited();
    statistics.seconds -= statistics.compile_seconds;
  }
  statistics.compiled_games = std::accumulate(compiled_games.begin(), compiled_games.end(), std::uint64_t{0});

  Tally all(data);
  for (std::optional<CountedPlayouts>& games : players)
    if (games) all.add(games->tally());
  all.report(statistics);
  add_groups(game, settings, all, statistics);
  statistics.stopped = statistics.games < settings.games;
  if (!stopped(settings)) sample_asked(game, settings, statistics);
  return statistics;
}

// ---- trace

namespace {

using Json = nlohmann::ordered_json;

class TraceFile {
 public:
  explicit TraceFile(const std::string& path) : path_(path), file_(std::fopen(path.c_str(), "w"), &std::fclose) {
    if (!file_) throw Error(Blame::caller, fmt::format("can't write {}", path));
  }
  void line(const Json& json) {
    const std::string text = json.dump() + "\n";
    if (std::fwrite(text.data(), 1, text.size(), file_.get()) != text.size()) fail();
  }
  void close() {
    if (std::fclose(file_.release()) != 0) fail();
  }

 private:
  [[noreturn]] void fail() const { throw Error(Blame::us, fmt::format("writing {} failed", path_)); }
  std::string path_;
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> file_;
};

using Sorted = nlohmann::json;

void add_changes(const Sorted& from, const Sorted& to, const std::string& path, Sorted& out);

void add_changes_within(const Sorted& from, const Sorted& to, const std::string& path, Sorted& out) {
  if (to.is_array())
    for (std::size_t i = 0; i < to.size(); ++i) add_changes(from[i], to[i], path + "/" + std::to_string(i), out);
  if (!to.is_object()) return;
  for (const auto& [key, value] : to.items())
    if (from.contains(key))
      add_changes(from.at(key), value, path + "/" + key, out);
    else
      out.push_back({{"op", "add"}, {"path", path + "/" + key}, {"value", value}});
  for (const auto& [key, value] : from.items())
    if (!to.contains(key)) out.push_back({{"op", "remove"}, {"path", path + "/" + key}});
}

// What makes one state the other, as JSON Patch. A list or an object is told entry by entry, or as a whole where that
// is shorter.
void add_changes(const Sorted& from, const Sorted& to, const std::string& path, Sorted& out) {
  if (from == to) return;
  const Sorted whole = {{"op", "replace"}, {"path", path}, {"value", to}};
  const bool other_length = to.is_array() && from.size() != to.size();
  if (from.type() != to.type() || !to.is_structured() || other_length) return out.push_back(whole);
  Sorted one_by_one = Sorted::array();
  add_changes_within(from, to, path, one_by_one);
  if (one_by_one.dump().size() > whole.dump().size()) return out.push_back(whole);
  out.insert(out.end(), one_by_one.begin(), one_by_one.end());
}

// The states of one game, one after the other. A large one is written whole at the beginning, and then as what changed:
// JSON Patch, RFC 6902.
class WrittenStates {
 public:
  void add(const State& state, Json& line) {
    constexpr std::size_t kLarge = 2500;   // bytes
    nlohmann::json now = state_json(state.data().program(), state.data().bytes.get());
    if (last_.is_null()) large_ = now.dump().size() > kLarge;
    if (large_ && !last_.is_null()) {
      nlohmann::json changes = nlohmann::json::array();
      add_changes(last_, now, "", changes);
      line["changes"] = std::move(changes);
    } else {
      line["state"] = now;
    }
    last_ = std::move(now);
  }

 private:
  nlohmann::json last_;
  bool large_ = false;
};

// What is printed on the cards, a line each: that never changes.
void write_cards(const Game& game, TraceFile& file) {
  const Program& program = game.data()->program();
  const nlohmann::json cards = cards_json(program);
  for (std::size_t card = 0; card < program.cards.size(); ++card) {
    const auto printed = cards.find(std::to_string(card));
    if (printed == cards.end()) continue;
    Json line = {{"card", card}};
    line.update(*printed);
    file.line(line);
  }
}

Json option_json(const Option& option) {
  Json arguments = Json::object();
  for (const Argument& argument : option.arguments) arguments[argument.name] = argument.value;
  return {{"id", option.id}, {"action", option.action}, {"arguments", std::move(arguments)}, {"words", option.words}};
}

// Ids that follow each other, as the first and the last of them.
Json runs_of(std::span<const std::int64_t> ids) {
  Json out = Json::array();
  for (const std::int64_t id : ids)
    if (!out.empty() && out.back()[1] == id - 1)
      out.back()[1] = id;
    else
      out.push_back(Json::array({id, id}));
  return out;
}

Json decision_line(const State& state, std::uint64_t game, std::size_t choice) {
  // beyond, options are told by their ids, and what is chosen also in words
  constexpr std::size_t kMany = 24;
  const Question question = state.question();
  Json line = {{"game", game},
               {"decision", state.decisions()},
               {"player", Game::seat_name(question.player)},
               {"window", question.window},
               {"prompt", question.prompt}};
  if (state.legal_count() <= kMany) {
    line["options"] = Json::array();
    for (std::size_t i = 0; i < state.legal_count(); ++i) line["options"].push_back(option_json(state.option(i)));
  } else {
    line["option_ids"] = runs_of(state.legal());
    line["chosen"] = option_json(state.option(choice));
  }
  line["choice"] = choice;
  line["choice_id"] = state.legal()[choice];
  return line;
}

Json last_line(const State& state, std::uint64_t game) {
  Json winners = Json::array();
  for (const int seat : state.winners()) winners.push_back(Game::seat_name(seat));
  Json line = {{"game", game}, {"over", true}, {"decisions", state.decisions()}, {"winners", std::move(winners)}};
  if (const std::string ending = state.ending(); !ending.empty()) line["ending"] = ending;
  if (state.failure()) line["error"] = state.failure()->text();
  return line;
}

}  // namespace

Statistics trace(const Game& game, const SimulateSettings& settings, const std::string& path) {
  check(game, settings);
  TraceFile file(path);
  write_cards(game, file);
  Statistics statistics;
  statistics.seed = settings.seed;
  statistics.first_game = settings.first_game;
  statistics.threads = 1;
  Tally tally(*game.data());
  std::uint64_t asked = 0;
  const auto start = Clock::now();
  for (std::uint64_t i = 0; i < settings.games && !stopped(settings); ++i) {
    const std::uint64_t index = settings.first_game + i;
    State state = detail::new_game(game.data(), settings, index);
    WrittenStates states;
    const auto write = [&](Json line) {
      states.add(state, line);
      file.line(line);
    };
    while (!state.is_over()) {
      // what it draws is of the player's stream, which is not part of the line
      const std::size_t choice = detail::chosen_by_policy(state, settings, index);
      write(decision_line(state, index, choice));
      asked += state.legal_count() > 1;
      state.apply(choice);
    }
    write(last_line(state, index));
    tally.add(index, state.data().bytes.get(), state.failure() ? &*state.failure() : nullptr);
    if (settings.progress && i % 16 == 0) settings.progress(i);
  }
  file.close();
  statistics.seconds = seconds_since(start);
  tally.report(statistics);
  add_groups(game, settings, tally, statistics);
  statistics.stopped = statistics.games < settings.games;
  statistics.asked_sample = statistics.games;
  statistics.asked_per_game = asked_in_a_game(asked, statistics.decisions, statistics);
  return statistics;
}

}  // namespace cardwright::api
