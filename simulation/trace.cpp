// Writes games decision by decision as JSON lines.
#include <cstdio>
#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "simulation/counted_playouts.h"
#include "simulation/seats.h"
#include "simulation/simulation.h"
#include "runtime/trace.h"

namespace cardwright::api {

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
  [[noreturn]] void fail() const { throw Error(Blame::internal, fmt::format("writing {} failed", path_)); }
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

// Adds the changes between two states as JSON Patch operations. Lists and objects are compared entry by entry, unless
// replacing them completely is shorter.
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

// The successive states of one game. A large state is written completely at the beginning, and later as JSON Patch (RFC
// 6902).
class WrittenStates {
 public:
  void add(const State& state, Json& line) {
    constexpr std::size_t kLarge = 2500;   // a state with more bytes of JSON than this is large
    nlohmann::json now = state_json(state.data().program(), state.data().bytes.get());
    if (last_.is_null()) large_ = now.dump().size() > kLarge;
    if (large_ && !last_.is_null()) {
      Sorted changes = Sorted::array();
      add_changes(last_, now, "", changes);
      line["changes"] = changes;
    } else {
      line["state"] = now;
    }
    last_ = std::move(now);
  }

 private:
  nlohmann::json last_;
  bool large_ = false;
};

// Writes the printed values of each card as a line at the beginning, because they never change.
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

// Converts consecutive ids to pairs of the first and the last id.
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
  // If a decision has more options than this, only their ids and the text of the chosen option are written.
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

void count(std::uint64_t index, const State& state, detail::Notes& notes, detail::MeasuredGame& measured,
           Counted& into) {
  const Byte* const end = state.data().bytes.get();
  into.tally().add(index, end, state.failure() ? &*state.failure() : nullptr);
  if (state.failure()) return notes.forget();
  notes.finish(end, measured);
  into.add(index, measured, end);
}

}   // namespace

Statistics trace(const Game& game, const SimulateSettings& settings, const std::string& path) {
  detail::check_run(game, settings);
  TraceFile file(path);
  write_cards(game, file);
  Statistics statistics;
  statistics.seed = settings.seed;
  statistics.first_game = settings.first_game;
  statistics.threads = 1;
  Counted counted(*game.data());
  detail::Notes notes(game.data()->program());
  detail::MeasuredGame one;
  detail::Asked asked;
  const auto start = std::chrono::steady_clock::now();
  for (std::uint64_t i = 0; i < settings.games && !detail::is_stopped(settings); ++i) {
    const std::uint64_t index = settings.first_game + i;
    State state = detail::new_game(game.data(), settings, index, &notes);
    detail::TableBots bots(game, settings.policies, detail::seed_of_bots(settings), index);
    WrittenStates states;
    const auto write = [&](Json line) {
      states.add(state, line);
      file.line(line);
    };
    while (!state.is_over()) {
      // Choosing changes the player's random stream, but the line does not contain random streams.
      const std::size_t choice = detail::chosen_by_policy(state, settings, bots);
      write(decision_line(state, index, choice));
      bots.saw(state, choice);
      asked.asked += state.legal_count() > 1;
      state.apply(choice);
    }
    write(last_line(state, index));
    count(index, state, notes, one, counted);
    if (settings.progress && i % 16 == 0) settings.progress(i);
  }
  file.close();
  statistics.seconds = detail::seconds_since(start);
  counted.report(statistics);
  detail::add_groups(game, settings, counted.tally(), statistics);
  statistics.stopped = statistics.games < settings.games;
  asked.games = statistics.games;
  asked.decisions = statistics.decisions;
  detail::add_asked(asked, statistics);
  if (const std::uint64_t analyzed_games = detail::tension_games(settings); analyzed_games > 0)
    statistics.tension = tension(
        game, {.games = analyzed_games, .seed = settings.seed, .threads = settings.threads, .stop = settings.stop});
  return statistics;
}

}   // namespace cardwright::api
