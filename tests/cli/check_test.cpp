// Tests that `check` plays every table that it analyzes and names those that it could not finish, and that statistics
// mention games cut short by an error.
#include <catch2/catch.hpp>

#include <nlohmann/json.hpp>

#include "tests/support/command.h"

using namespace cardwright::test;
using nlohmann::json;

namespace {

struct Written {
  TemporaryFolder folder;
  std::string operator()(const std::string& name, const std::string& text) const {
    std::ofstream(folder.path() + "/" + name) << text;
    return folder.path() + "/" + name;
  }
};

// Returns a counting game for two to four players, in which a count above `limit` is an error.
std::string counting(const std::string& head, const std::string& rules = "") {
  return head +
         "player { zone hand: owner; n: 0..3 = 0 }\n"
         "card type Chip\n"
         "deck Chips: Chip x 60 into bag { Chip }\n"
         "table { zone bag: pile, facedown }\n"
         "action count_up in main when me.n < limit { me.n += 1 }\n"
         "action take in main { move top of bag to me.hand }\n"
         "play { turns clockwise from first of players up to 24 { phase main { ask active } } }\n"
         "end when play is over { winners players with most it.n }\n" +
         rules;
}

}   // namespace

TEST_CASE("cli: check plays the tables of all options and numbers of players", "[cli][check]") {
  const Written write;
  const std::string path =
      write("tables.rules", counting("game \"Tables\"\nplayers 2..4, usually 2\noption far\noption near\n"
                                     "const limit = if far then 5 else if size(players) == 4 then 4 else 3\n"));
  const Ran all = run("check " + path);
  CHECK(all.code == 1);   // with `far` every game fails
  CHECK(has(all.out, "warning[W0014]"));
  CHECK(has(all.out, "would be 4, but is declared as 0..3"));
  CHECK(has(all.out, "--players 4 --seed 1"));   // the first failing table, so that it can be reproduced
  CHECK(has(all.out, "random games were played at 4 tables"));
  CHECK_FALSE(has(all.out, "not all random games"));
  CHECK(has(run("check --with far " + path).out, "--players 2 --with far --seed 1"));
  const Ran fine = run("check --with near --players 3 " + path);
  CHECK(has(fine.out, "fine; random games were played at 1 table"));
}

TEST_CASE("cli: check names the tables that take too long", "[cli][check]") {
  const Written write;
  const Ran slow =
      run("check " + write("slow.rules", counting("game \"Slow\"\nplayers 2\nconst limit = 3\n",
                                                  "event think() { repeat 3000000 times { busywork() } }\n"
                                                  "table { seen: 0..9 = 0 }\n"
                                                  "event busywork { seen = if seen == 9 then 0 else seen + 1 }\n"
                                                  "after take { think() }\n")));
  CHECK(slow.code == 0);
  CHECK(has(slow.out, "not all random games were played with --players 2: "));
  CHECK(has(slow.out, " of 20 games"));
}

TEST_CASE("cli: statistics tables mention that they count only games without an error", "[cli][compare]") {
  const Written write;
  const std::string base = write("base.rules", counting("game \"Base\"\nplayers 2\n", "value limit: int = 3\n")),
                    five = write("five.rules", "game \"Five\" extends base\nmodify limit to 5\n");
  const Ran text = run("compare " + base + " " + five + " --pairs 1000");
  CHECK(text.code == 0);
  CHECK(has(text.out, "of 1,000 games of OTHER ended with an error (below)"));
  CHECK(has(text.out, " of 1000 games of OTHER that ended without an error"));
  CHECK_FALSE(has(text.out, "games of GAME that ended without an error"));
  const json tables = json::parse(run("compare --json " + base + " " + five + " --pairs 1000").out)["tables"];
  for (const json& table : tables)
    CHECK(table.contains("without_failed") == (table["title"] != "length" && table["title"] != "errors"));
  CHECK(
      has(run("simulate " + five + " --games 300").out, "ended with an error (below); these statistics exclude them"));
  CHECK_FALSE(has(run("simulate " + base + " --games 300").out, "ended with an error"));
}

TEST_CASE("cli: `--measure own` also uses libraries beside the game, and is rejected where there are none",
          "[cli][measures]") {
  const Written write;
  const std::string none = write("none.rules", counting("game \"None\"\nplayers 2\nconst limit = 3\n")),
                    some = write("some.rules", counting("game \"Some\"\nplayers 2\nconst limit = 3\nuse figures\n"));
  write("figures.rules", "library figures\nmeasure taken \"Chips taken\": count after take\n");
  const Ran refused = run("simulate " + none + " --games 100 --measure own");
  CHECK(refused.code == 2);
  CHECK(has(refused.err, "`--measure own`: None declares no measures"));
  const Ran taken = run("simulate " + some + " --games 100 --measure own");
  CHECK(taken.code == 0);
  CHECK(has(taken.out, "Chips taken"));
  CHECK(run("compare " + none + " " + some + " --pairs 250 --measure own").code == 0);
  CHECK(run("compare " + none + " " + none + " --pairs 250 --measure own").code == 2);
}

TEST_CASE("cli: diff compares whole declarations and prints sets as sets", "[cli][diff]") {
  const Written write;
  const std::string rest = "const limit = 3\nenum Good { wood, stone }\ncard type Mill { makes: set of Good = [] }\n";
  const std::string base = write(
      "base.rules", counting("game \"Base\"\nplayers 2\n" + rest,
                             "option extra\ncard Big: Mill { makes = [wood] }\ndeck Mills: Mill into bag { Big x 3 }\n"
                             "function worth(n: int): int = if n == 1 then 5\n  else if extra and n == 2 then 10\n"
                             "  else 0\nafter take { log \"{worth(me.n)}\" }\n"));
  const std::string house = write("house.rules",
                                  "game \"House\" extends base\nreplace card Big: Mill { makes = [wood, stone] }\n"
                                  "replace function worth(n: int): int = if n == 1 then 5\n"
                                  "  else if n == 2 then 10\n  else 0\n");
  const Ran text = run("diff " + base + " " + house);
  CHECK(has(text.out, "    - else if extra and n == 2 then 10\n    + else if n == 2 then 10\n"));
  CHECK(has(text.out, "makes [wood]"));
  CHECK(has(text.out, "makes [wood, stone]"));
  CHECK_FALSE(has(text.out, "the same words"));
}
