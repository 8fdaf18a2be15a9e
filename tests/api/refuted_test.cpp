// Tests that a failed scenario reports the actual value, and that `check` does not warn about a game that always ends.
#include <catch2/catch.hpp>

#include <fstream>

#include "cardwright/tools.hpp"
#include "tests/support/command.h"

using namespace cardwright::api;

namespace {

const std::string kRest = "action rest in main { }\n";
const std::string kHead = R"(game "Lists"
players 2
enum Colour { red, green }
card type Chip
deck Chips: Chip into box { Chip x 3 }
player { seen: set of Colour = [red] }
table { zone box: set, public; zone heap: set, public; line: list of 0..9 up to 5; order: list of player up to 4 }
action go in main when size(heap) == 0 and line is empty { line += 3; line += 4; order += next_player(me); me.seen += green }
play { rounds 3 { turns clockwise from first of players up to 4 { phase main { ask active or pass } } } }
end when size(line) > 4 or size(order) > 1 { winners players }
end when play is over { winners players where green in it.seen }
)";

Ruleset rules_of(const std::string& text) {
  const cardwright::TemporaryFolder folder;
  std::ofstream(folder.path() + "/game.rules") << text;
  return Ruleset::load(folder.path() + "/game.rules");
}

// Returns the actual value that the report shows for a false assertion.
std::string instead(const std::string& claim, const std::string& more = kRest) {
  const auto run = run_scenarios(
      rules_of(
          kHead + more +
          "scenario \"wrong\" for 2 players {\n  given heap = []\n  when main of a begins\n  and a uses go\n  then " +
          claim + "\n}\n"),
      {EngineKind::interpreter});
  INFO(run.report.text);
  REQUIRE(run.results.size() == 1);
  CHECK_FALSE(run.results[0].passed);
  return run.results[0].found;
}

}   // namespace

TEST_CASE("refuted: a false claim about a list or a set reports its complete contents", "[scenarios]") {
  CHECK(instead("line == [3]") == "it is [3, 4]");
  CHECK(instead("order == [a, b]") == "it is [b]");
  CHECK(instead("a.seen == [red]") == "it is [red, green]");
  CHECK(instead("heap == [Chip]") == "there is nothing");
  CHECK(instead("box == [Chip]") == "there are Chip, Chip, Chip");
  CHECK(instead("line == [3]", "") == "it is [3, 4] (the game is over)");   // without `kRest`, the game ends here
}

TEST_CASE("refuted: a scenario that needs more cards than exist is reported", "[scenarios]") {
  const auto run = run_scenarios(
      rules_of(kHead +
               "scenario \"wrong\" for 2 players {\n  given heap = [Chip, Chip], box = [Chip, Chip]\n  then true\n}\n"),
      {EngineKind::interpreter});
  REQUIRE(run.results.size() == 1);
  CHECK(run.results[0].found == "the game does not have that many `Chip`");
}

TEST_CASE("refuted: after `at once` the log ends with the last step and no decision is offered", "[scenarios]") {
  const auto run = run_scenarios(
      rules_of(kHead + kRest +
               "scenario \"wrong\" for 2 players {\n  given heap = []\n  when main of a begins\n  and a uses go\n"
               "  then at once line == [3]\n}\n"),
      {EngineKind::interpreter});
  REQUIRE(run.results.size() == 1);
  CHECK(run.results[0].found == "it is [3, 4]");
  CHECK(run.results[0].offered.empty());
  for (const std::string& line : run.results[0].log) CHECK(line.find("turn 2") == std::string::npos);
}

TEST_CASE("check: a game of fixed length ends as expected", "[scenarios]") {
  CHECK(rules_of(kHead).check().text.find("W0013") == std::string::npos);
  std::string guarded = kHead;
  guarded.replace(guarded.find("rounds 3"), 8, "rounds up to 3");
  CHECK(rules_of(guarded).check().text.find("W0013") != std::string::npos);
}
