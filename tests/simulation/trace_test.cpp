// Replays the output of `cardwright simulate --trace` option by option: options, words and states must match the file.
// All choices come from the file; the reader uses no random numbers for the players.
#include <catch2/catch.hpp>

#include <sstream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cardwright/cardwright.hpp"
#include "tests/support/command.h"
#include "tests/support/files.h"

using namespace cardwright;
using namespace cardwright::test;
using Json = nlohmann::json;

namespace {

std::string first_difference(const Json& a, const Json& b) {
  const Json patch = Json::diff(a, b);
  return patch.empty() ? "" : patch[0].dump();
}

// Returns the first difference between the actual state and the state in a line with the card list `cards`.
std::string state_difference(const Json& line, const Json& cards, const api::State& state) {
  Json all = line.at("state");
  all["cards"] = cards;
  return first_difference(all, Json::parse(state.everything()));
}

// Stores the complete state in a line that contains only the changes since the previous line, whose state is `last`.
void read_state(Json& line, Json& last) {
  if (line.contains("changes")) line["state"] = last.patch(line.at("changes"));
  last = line.at("state");
}

// Returns the options of a line. Every option has an id. If there are few options, all have words; otherwise, only the
// chosen one.
Json options_of(const Json& line) {
  if (line.contains("options")) return line.at("options");
  Json options = Json::array();
  for (const Json& run : line.at("option_ids"))
    for (auto id = run.at(0).get<std::int64_t>(); id <= run.at(1).get<std::int64_t>(); ++id)
      options.push_back({{"id", id}});
  options.at(line.at("choice").get<std::size_t>()) = line.at("chosen");
  return options;
}

// Replays one decision. Returns the first mismatch; empty if there is none.
std::string decision(api::State& state, const Json& line, const Json& cards) {
  if (state.is_over()) return "the file goes on after the end";
  if (line.at("player") != api::Game::seat_name(state.actor())) return "player " + line.at("player").dump();
  if (line.at("window") != state.question().window) return "window " + line.at("window").dump();
  const Json options = options_of(line);
  if (options.size() != state.legal_count())
    return fmt::format("{} options in the file, {} here", options.size(), state.legal_count());
  for (std::size_t i = 0; i < options.size(); ++i) {
    const api::Option here = state.option(i);
    if (options[i].at("id") != here.id || options[i].value("words", here.words) != here.words)
      return fmt::format("option {} is {} in the file, {} {} here", i, options[i].dump(), here.id, here.words);
  }
  if (std::string differs = state_difference(line, cards, state); !differs.empty()) return "state " + differs;
  const auto choice = line.at("choice").get<std::size_t>();
  if (choice >= options.size()) return "choice " + line.at("choice").dump();
  state.apply_id(options[choice].at("id").get<std::int64_t>());
  return {};
}

std::string last(const api::State& state, const Json& line, const Json& cards) {
  if (!state.is_over()) return "the game is not over here";
  Json winners = Json::array();
  for (const int seat : state.winners()) winners.push_back(api::Game::seat_name(seat));
  if (line.at("winners") != winners) return "winners " + line.at("winners").dump();
  return state_difference(line, cards, state);
}

struct Replayed {
  int games = 0, decisions = 0;
  // Bytes of the longest line: `longest_first` among the first lines of the games, `longest` among all others.
  std::size_t longest = 0, longest_first = 0;
  std::string wrong;
};

Replayed replay(const api::Game& game, const std::string& path, std::uint64_t seed) {
  Replayed out;
  std::istringstream lines(text_of(path));
  std::optional<api::State> state;
  Json last_state, cards = Json::object();
  for (std::string text; std::getline(lines, text) && out.wrong.empty();) {
    Json line = Json::parse(text);
    std::size_t& longest = state ? out.longest : out.longest_first;
    longest = std::max(longest, text.size());
    if (line.contains("card")) {
      if (out.games > 0 || state) return {0, 0, 0, 0, "a card behind a game"};
      const std::string number = line.at("card").dump();
      line.erase("card");
      cards[number] = line;
      continue;
    }
    read_state(line, last_state);
    const auto index = line.at("game").get<std::uint64_t>();
    if (!state) state = game.new_state(seed, index);
    if (line.value("over", false)) {
      out.wrong = last(*state, line, cards);
      state.reset();
      ++out.games;
    } else {
      out.wrong = decision(*state, line, cards);
      ++out.decisions;
    }
    if (!out.wrong.empty())
      out.wrong = fmt::format("game {}, line {}: {}", index, out.games + out.decisions, out.wrong);
  }
  if (state && out.wrong.empty()) out.wrong = "the last game has no end";
  return out;
}

}   // namespace

TEST_CASE("replay: a trace can be replayed option by option", "[replay][cli]") {
  const TemporaryFolder folder;
  for (const int players : {4, 5, 8}) {
    const std::string path = folder.path() + "/trace.jsonl";
    const Ran ran =
        run(fmt::format("simulate splash --games 12 --seed 5 --players {} --trace {} --json", players, path));
    INFO(ran.err);
    REQUIRE(ran.code == 0);
    const api::Game game = api::Ruleset::load("splash").compile({players, {}});
    const Replayed replayed = replay(game, path, 5);
    CHECK(replayed.wrong == "");
    CHECK(replayed.games == 12);
    CHECK(replayed.decisions > 500);
    const Json summary = Json::parse(ran.out);
    CHECK(summary.at("decisions") == replayed.decisions);
    // A run without a trace plays the same games.
    const Ran plain = run(fmt::format("simulate splash --games 12 --seed 5 --players {} --json", players));
    CHECK(Json::parse(plain.out).at("digest") == summary.at("digest"));
  }
}

TEST_CASE("replay: small rulesets, including games that fail", "[replay]") {
  const TemporaryFolder folder;
  for (const std::string& name : rules_in(checkout("tests/rulesets/small"))) {
    if (name.find("trap_long") != std::string::npos) continue;
    const api::Game game = api::Ruleset::load(name).compile();
    api::SimulateSettings settings;
    settings.games = 15;
    settings.seed = 6;
    const std::string path = folder.path() + "/trace.jsonl";
    api::trace(game, settings, path);
    const Replayed replayed = replay(game, path, 6);
    INFO(name);
    CHECK(replayed.wrong == "");
    CHECK(replayed.games == 15);
  }
}

TEST_CASE("replay: a large state is written once per game, then only changes", "[replay]") {
  const TemporaryFolder folder;
  const std::string rules = folder.path() + "/snow.rules", path = folder.path() + "/trace.jsonl";
  std::ofstream(rules)
      << "game \"Snow\"\nplayers 2\nboard field: grid 32 x 32\ntable { deep: 0..9 per cell = 0, seen: 0..9 per cell = "
         "1 }\n"
         "setup { each c in field.cells where it.x > it.y { seen[c] = 2 } }\n"
         "action shovel(at: cell in [a1, b7, c9]) in move { deep[at] += 1; seen[at] = 1 }\n"
         "play { turns up to 5 { phase move { ask active } } }\nend when play is over { winners nobody }\n";
  const api::Game game = api::Ruleset::load(rules).compile();
  api::SimulateSettings settings;
  settings.games = 3;
  api::trace(game, settings, path);
  const Replayed replayed = replay(game, path, settings.seed);
  CHECK(replayed.wrong == "");
  CHECK(replayed.games == 3);
  CHECK(replayed.longest_first > 3000);
  CHECK(replayed.longest < 1000);
}

// Lines stay short because they omit entries with their declared value and the printed attributes of cards.
TEST_CASE("replay: no line of a game on a large table is longer than 4 KB", "[replay]") {
  const TemporaryFolder folder;
  const std::string path = folder.path() + "/trace.jsonl";
  const api::Game game = api::Ruleset::load("splatter_shoot").compile();
  api::SimulateSettings settings;
  settings.games = 1;
  api::trace(game, settings, path);
  const Replayed replayed = replay(game, path, settings.seed);
  CHECK(replayed.wrong == "");
  CHECK(replayed.games == 1);
  CHECK(replayed.longest_first < 4096);
  CHECK(replayed.longest < 4096);
}
