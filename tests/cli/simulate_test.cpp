// Tests the output of `simulate`: one JSON object with a digest that is independent of threads, engine and form.
#include <catch2/catch.hpp>

#include <sstream>

#include <nlohmann/json.hpp>

#include "tests/support/checkout.h"
#include "tests/support/command.h"

using namespace cardwright::test;
using Json = nlohmann::json;

namespace {

Json simulated(const std::string& arguments) {
  const Ran ran = run("simulate splash --json " + arguments);
  INFO(ran.err);
  REQUIRE(ran.code == 0);
  return Json::parse(ran.out);
}

}   // namespace

TEST_CASE("cli: simulate --json prints one complete object", "[cli]") {
  const Json all = simulated("--games 300 --engine interp --players 5 --with snorkel=icon20");
  for (const char* key : {"game", "players", "options", "seed", "games", "decisions", "machine", "errors", "digest",
                          "wins", "length_in_decisions", "length_in_turns"})
    CHECK(all.contains(key));
  CHECK(all["game"] == "splash");
  CHECK(all["games"] == 300);
  CHECK(all["players"] == 5);
  CHECK(all["machine"]["engine"] == "interp");
  CHECK(all["options"]["snorkel"] == "icon20");
  CHECK(all["errors"].empty());
  CHECK(all["wins"].contains("seat"));
  CHECK(all["wins"].contains("role"));
  CHECK(all["wins"].contains("attendee"));
  CHECK(all["wins"]["seat"].size() == 5);
}

TEST_CASE("cli: the digest does not depend on threads or blocks", "[cli]") {
  const Json one = simulated("--games 200 --engine interp --threads 1");
  const Json two = simulated("--games 200 --engine interp --threads 2");
  CHECK(one["digest"] == two["digest"]);
  CHECK(one["decisions"] == two["decisions"]);
  CHECK(one["wins"] == two["wins"]);
  CHECK(one["digest"] != simulated("--games 200 --engine interp --seed 2")["digest"]);
  const Json few = simulated("--games 15 --engine interp --threads 7");   // a few games are distributed too
  CHECK(few["machine"]["threads"] == 7);
  CHECK(few["digest"] == simulated("--games 15 --engine interp --threads 1")["digest"]);
  // The digest is a sum over games, so digests of parts add up.
  const auto number = [](const Json& json) { return std::stoull(json["digest"].get<std::string>(), nullptr, 16); };
  CHECK(number(one) == number(simulated("--games 80 --engine interp")) +
                           number(simulated("--games 120 --first-game 80 --engine interp")));
}

TEST_CASE("cli: the trace contains the same games, option by option", "[cli]") {
  const TemporaryFolder folder;
  const std::string path = folder.path() + "/trace";
  const Json traced = simulated("--games 20 --engine interp --trace " + path);
  CHECK(traced["digest"] == simulated("--games 20 --engine interp")["digest"]);
  std::istringstream lines(slurp(path));
  std::uint64_t decisions = 0, games = 0, cards = 0;
  for (std::string line; std::getline(lines, line);) {
    const Json json = Json::parse(line);
    if (json.contains("card")) {   // the printed text of the card
      CHECK(games + decisions == 0);
      CHECK(json.contains("label"));
      ++cards;
      continue;
    }
    CHECK(json.contains("state"));
    if (json.contains("over")) {
      ++games;
      const std::string why = json.at("ending");   // the user-visible text in the rules
      CHECK((why.starts_with("No Classmate and no Sibling") || why.starts_with("The Birthday kid is soaked") ||
             why.starts_with("Only the Sibling") || why.starts_with("The party")));
      continue;
    }
    ++decisions;
    REQUIRE(json["options"].size() >= 1);
    CHECK(json["options"][json["choice"].get<std::size_t>()]["id"] == json["choice_id"]);
  }
  CHECK(games == 20);
  CHECK(cards > 50);
  CHECK(decisions == traced["decisions"].get<std::uint64_t>());
}

TEST_CASE("cli: simulate counts the ending of each game once, on both engines and in traces", "[cli]") {
  const TemporaryFolder folder;
  const std::string path = folder.path() + "/trace";
  const Json interp = simulated("--games 120 --engine interp"),
             traced = simulated("--games 120 --engine interp --trace " + path);
  CHECK(interp["endings"] == simulated("--games 120 --engine jit")["endings"]);
  CHECK(interp["endings"] == traced["endings"]);
  std::map<std::string, std::uint64_t> counted, logged;
  std::uint64_t games = 0, last = ~std::uint64_t{0};
  for (const Json& ending : interp["endings"]) {
    const std::uint64_t its = ending["games"];
    CHECK(its <= last);   // sorted by frequency
    last = its;
    games += counted[ending["ending"]] = its;
    CHECK(ending["place"].get<std::string>().find("splash.rules:") != std::string::npos);
  }
  CHECK(games == 120);
  CHECK(counted.size() >= 2);
  std::istringstream lines(slurp(path));
  for (std::string line; std::getline(lines, line);)
    if (const Json json = Json::parse(line); json.contains("over")) ++logged[json.at("ending")];
  CHECK(logged == counted);
}

TEST_CASE("cli: the engines play the same games", "[cli][jit]") {
  const Json interp = simulated("--games 500 --engine interp");
  const Json jit = simulated("--games 500 --engine jit");
  CHECK(interp["digest"] == jit["digest"]);
}

TEST_CASE("cli: each seat can have its own policy", "[cli]") {
  const Json report =
      Json::parse(run("simulate crazy_eights --players 2 --games 4 --engine interp --json --policy b=bots:3").out);
  CHECK(report["policy"] == Json({{"a", "uniform"}, {"b", "bots:3"}}));
  CHECK(report["asked_per_game"].is_null());
  REQUIRE(report["wins"]["policy"].size() == 2);
  CHECK(report["wins"]["policy"][1]["name"] == "bots:3");
  const Ran ran = run("simulate crazy_eights --players 2 --games 4 --engine interp --policy b=bots:3");
  CHECK(has(ran.out, "Crazy Eights, 2 players, policy b=bots:3; engine"));
  CHECK(has(ran.out, "wins by policy"));
  for (const char* wrong : {"c=uniform", "cats:3", "bots:0.1s", "careful"})
    CHECK(run(std::string("simulate crazy_eights --players 2 --games 4 --engine interp --policy ") + wrong).code == 2);
}

TEST_CASE("cli: simulate reports the results of races", "[cli][races]") {
  const std::string race = checkout("tests/rulesets/small/race.rules");
  const Ran ran =
      run("simulate " + race +
          " --games 500 --engine interp --json --policy sensible --speed a=2 --speed c=0.5 --time-factor 3");
  INFO(ran.err);
  REQUIRE(ran.code == 0);
  const Json all = Json::parse(ran.out);
  CHECK(all["policy"] == "sensible");
  const Json& report = all["race"];
  CHECK(report["races"] == 500);
  CHECK(report["speeds"] == Json({{"a", 2.0}, {"b", 1.0}, {"c", 0.5}, {"d", 1.0}}));
  CHECK(report["time_factor"] == 3);
  for (const char* key : {"min", "mean", "median", "max"}) {
    CHECK(report["milliseconds_per_race"].contains(key));
    CHECK(report["milliseconds_per_game"].contains(key));
  }
  CHECK(report["actions"][0]["action"] == "put");
  CHECK(report["actions"][0]["landed"]["a"] > report["actions"][0]["landed"]["c"]);
  CHECK(report["actions"][0]["late"].size() == 4);
  const Json& speeds = all["wins"]["speed"];
  REQUIRE(speeds.size() == 3);
  CHECK(speeds[0]["name"] == "0.5");
  CHECK(speeds[1]["games"] == 1000);   // two seats have this speed, in 500 games
  CHECK(speeds[2]["low"] > speeds[1]["high"]);
  CHECK_FALSE(
      Json::parse(run("simulate " + race + " --games 100 --engine interp --json").out)["wins"].contains("speed"));
  CHECK(run("simulate splash --games 10 --speed a=2").code == 2);
  CHECK(run("simulate " + race + " --games 10 --speed z=2").code == 2);
}

TEST_CASE("cli: simulate warns if only the clock ends races, and suggests a solution", "[cli][races]") {
  const TemporaryFolder folder;
  const std::string path = folder.path() + "/slow.rules";
  std::ofstream(path)
      << "game \"Slow\"\nplayers 2\ncard type Chip\ndeck Chips: Chip into bag { Chip x 9 }\nplayer { zone hand: owner "
         "}\n"
         "table { zone bag: public }\nsetup { each p in players { move 3 random cards from bag to p.hand } }\n"
         "window rush {\n  ask all of players in real time until any p in players has p.hand is empty\n  think 1 s\n  "
         "patience 10 s\n  after 6 s { end rush }\n}\n"
         "action lay(c: Chip in me.hand) in rush { move c to bag }\nplay { open rush }\n"
         "end when play is over { winners players with least size(it.hand) }\n";
  const Ran uniform = run("simulate " + path + " --games 400 --engine interp"),
            sensible = run("simulate " + path + " --games 400 --engine interp --policy sensible");
  CHECK(has(uniform.out, "ended only at the time limit (" + path + ":12)"));
  CHECK(has(uniform.out, "try `--policy sensible`"));
  CHECK_FALSE(has(sensible.out, "only at the time limit"));
  CHECK(has(run("check " + path).out, "warning[W0013]"));
}

TEST_CASE("cli: measures equal what a script counts from the trace", "[cli][measures]") {
  const TemporaryFolder folder;
  const std::string script = checkout("tests/cli/recount.py"), out = folder.path() + "/out";
  if (std::system("command -v python3 >/dev/null") != 0) return;
  const int status =
      std::system(("python3 " + script + " " + program() + " " + folder.path() + " >" + out + " 2>&1").c_str());
  CHECK(slurp(out) == "equal\n");
  CHECK(status == 0);
}

TEST_CASE("cli: measures and statistics are printed and written", "[cli][measures]") {
  const Ran table = run("simulate splash --games 300 --measure own --figures actions,cards,pace,fairness");
  CHECK(table.code == 0);
  for (const char* part : {"Splash cards in a turn", "Towels taken from others", "by tenths of the game",
                           "wins by place in the turn order", "of offered", "points", "dead turns"}) {
    INFO(part);
    CHECK(has(table.out, part));
  }
  CHECK(has(run("simulate splash --games 10 --measure splashs").err, "did you mean `splashes`?"));
  CHECK(run("simulate splash --games 10 --measure splashs").code == 2);
  CHECK(run("simulate splash --games 10 --figures pase").code == 2);
  CHECK(has(run("simulate hearts --games 20 --measure points --json").out, "\"name\":\"points\""));
}
