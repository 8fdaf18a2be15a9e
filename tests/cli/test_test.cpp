// Tests `test`: a line for each scenario, the report of a failed one, and scenarios of a game played with house rules.
#include <catch2/catch.hpp>

#include <nlohmann/json.hpp>

#include "tests/support/command.h"

using namespace cardwright::test;

namespace {

const std::string kBase = R"(game "Pebbles"
players 2..3
card type Pebble "{n}" { n: 1..9 }
deck Pebbles: Pebble into box { each k in 1..9: Pebble(n: k) }
player { zone hand: owner; score: 0..99 = 0; goal: 0..99 = 0 }
table { zone box: set, public }
value worth(c: Pebble): int = c.n
action lay(c: Pebble in me.hand) in main { me.score += worth(c); log "{me} lays {c}"; move c to box }
action skip in main { log "{me} skips" }
play { turns clockwise from first of players up to 6 { phase main { ask active } } }
end when play is over { winners players with most it.score }
scene two for 2 players { given a.hand = [Pebble(3), Pebble(5)], b.hand = [Pebble(4)] }
scenario "a pebble counts" in two {
  when main of a begins and a uses lay with Pebble(3)
  then a.score == 3
}
scenario "nobody need lay one" in two {
  when main of a begins and a uses skip
  then b may use lay with Pebble(4)
}
scenario "the others have nothing of it" in two {
  when main of a begins and a uses lay with Pebble(5)
  then b.score == 0
}
)";

struct Files {
  TemporaryFolder folder;
  std::string operator()(const std::string& name, const std::string& text) const {
    std::ofstream(folder.path() + "/" + name) << text;
    return folder.path() + "/" + name;
  }
};

}   // namespace

TEST_CASE("cli: test prints a line for each scenario", "[cli][scenarios]") {
  const Files write;
  const Ran text = run("test --verbose " + write("pebbles.rules", kBase));
  CHECK(text.code == 0);
  CHECK(text.out ==
        "PASS  a pebble counts\nPASS  nobody need lay one\nPASS  the others have nothing of it\n3 passed, 0 failed\n");
}

TEST_CASE("cli: test shows the log, the offered options and both sides of a comparison", "[cli][scenarios]") {
  const Files write;
  const Ran text = run("test " + write("pebbles.rules", kBase + R"(scenario "wrong" in two {
  given a.goal = 7
  when main of a begins and a uses lay with Pebble(3)
  then a.score == a.goal
}
)"));
  CHECK(text.code == 1);
  CHECK(has(text.out, "FAIL  wrong\n"));
  CHECK(has(text.out, "expected a.score == a.goal\n"));
  CHECK(has(text.out, "but      the left side is 3, the right side 7\n"));
  CHECK(has(text.out, "offered  b: lay: 4, skip\n"));
  CHECK(has(text.out, "log      — turn 1: a\n               a: score 0 -> 3\n"));
  CHECK(has(text.out, "a lays 3\n"));
  CHECK(has(text.out, "3 passed, 1 failed\n"));
}

TEST_CASE("cli: test --base reports how house rules change the scenarios of the game", "[cli][scenarios]") {
  const Files write;
  write("pebbles.rules", kBase);
  const std::string house = write("house.rules",
                                  "game \"House\" extends pebbles\nplayer { luck: 0..9 = 0 }\nafter lay(c) { me.luck "
                                  "+= 1 }\nmodify worth(c) by +1\nremove action skip\n"
                                  "scenario \"of the house\" for 2 players { then a.luck == 0 }\n");
  const Ran text = run("test --base " + house);
  CHECK(text.code == 0);
  CHECK(has(text.out, "CHANGED    a pebble counts\n      by       " + house + ":4: modify worth(c) by +1\n"));
  CHECK(has(text.out, "but      it is 4\n"));
  CHECK(has(text.out, "SKIPPED    nobody need lay one\n"));
  CHECK(has(text.out, "because  `skip` has been removed"));
  CHECK_FALSE(has(text.out, "UNCHANGED"));
  CHECK(has(run("test --base --verbose " + house).out, "UNCHANGED  the others have nothing of it\n"));
  CHECK(has(text.out, "1 unchanged, 1 changed, 1 skipped\n"));
  CHECK(run("test --base --strict " + house).code == 1);
  CHECK_FALSE(has(text.out, "of the house"));
  CHECK(has(run("test --verbose " + house).out, "PASS  of the house\n1 passed, 0 failed\n"));
  // If two rules change the result in different ways, the output names the rule that causes the shown result. Replaced
  // scenarios are reported as replaced.
  const std::string two =
      write("two.rules",
            "game \"Two\" extends pebbles\nmodify worth(c) by +1\nreplace action skip in main { }\nforbid lay\n"
            "replace scenario \"nobody need lay one\" for 2 players { then a.score == 0 }\n");
  const Ran both = run("test --base " + two);
  INFO(both.out);
  CHECK(has(both.out, "CHANGED    a pebble counts\n      by       " + two + ":4: forbid lay\n"));
  CHECK(has(both.out, "0 unchanged, 2 changed, 0 skipped, 1 overridden\n"));
  CHECK(has(run("test --base --verbose " + two).out, "OVERRIDDEN nobody need lay one\n      house    replaced\n"));
}

TEST_CASE("cli: house rules can replace or remove the scenarios that they change", "[cli][scenarios]") {
  const Files write;
  write("pebbles.rules", kBase);
  const std::string rules = "game \"House\" extends pebbles\nmodify worth(c) by +1\nremove action skip\n";
  const std::string some = write("some.rules", rules + "remove scenario \"nobody need lay one\" \"all lay here\"\n"),
                    all = write("all.rules",
                                rules +
                                    "remove scenario \"nobody need lay one\" \"all lay here\"\n"
                                    "replace scenario \"a pebble counts\" for 2 players { then a.score == 0 }\n");
  CHECK(run("test --base --strict " + some).code == 1);
  const Ran answered = run("test --base --strict --verbose " + all);
  INFO(answered.out << answered.err);
  CHECK(answered.code == 0);
  CHECK(has(answered.out, "OVERRIDDEN nobody need lay one\n      house    removed: all lay here\n"));
  CHECK(has(answered.out, "1 unchanged, 0 changed, 0 skipped, 2 overridden\n"));
  CHECK(run("test --strict " + all).code == 2);
  const Ran reason = run("check " + write("reason.rules", rules + "remove action \"lay\" \"why\"\n"));
  CHECK(has(reason.err + reason.out, "only `remove scenario` can have a reason"));
}

TEST_CASE("cli: test writes JSON and JUnit XML for build servers", "[cli][scenarios]") {
  const Files write;
  const std::string file = write(
                        "wrong.rules",
                        std::string(kBase) + "scenario \"<wrong> & \\\"so\\\"\" for 2 players { then a.score == 7 }\n"),
                    report = write("report.xml", "");
  const Ran ran = run("test --json --junit " + report + " " + file);
  CHECK(ran.code == 1);
  const auto json = nlohmann::json::parse(ran.out);
  CHECK(json["passed"] == false);
  REQUIRE(json["scenarios"].size() == 4);
  CHECK(json["scenarios"][0]["passed"] == true);
  CHECK(json["scenarios"][3]["expected"] == "a.score == 7");
  const std::string xml = slurp(report);
  CHECK(has(xml, "<testsuites tests=\"4\" failures=\"1\">"));
  CHECK(has(xml, "name=\"&lt;wrong&gt; &amp; "));
  CHECK(has(xml, "expected a.score == 7\n"));
}

TEST_CASE("cli: test --base names the rule that causes the shown result", "[cli][scenarios]") {
  const Files write;
  write("coins.rules",
        "game \"Coins\"\nplayers 2\nplayer { gold: 0..99 = 0 }\nevent gain(p: player, n: int) { p.gold = min(99, "
        "p.gold + n) }\n"
        "event after_all(p: player) { gain(p, 1) }\naction mint in main { gain(me, 3); after_all(me) }\naction doubt "
        "in main { }\n"
        "play { turns clockwise from first of players up to 4 { phase main { ask active or pass } } }\nend when play "
        "is over { winners players with most gold }\n"
        "scenario \"four\" for 2 players {\n  when main of a begins\n  and a uses mint\n  then a.gold == 4\n}\n");
  const std::string house = write("dear.rules",
                                  "game \"Dear\" extends coins\nreplace event after_all(p: player) { gain(p, 9) "
                                  "}\ninstead of gain(p, n) { cancel }\n");
  const Ran text = run("test --base " + house);
  INFO(text.out);
  // With only this rule, a has 0 gold instead of 4; with only the other rule, a would have 12.
  CHECK(has(text.out, "      by       " + house + ":3: instead of gain(p, n) { cancel }\n"));
  CHECK(has(text.out, "but      it is 0\n"));
  CHECK(run("test --base " + write("pebbles.rules", kBase)).code == 2);
}

TEST_CASE("cli: test reports what check reports", "[cli][scenarios]") {
  const Files write;
  // `test` also reports errors in options and numbers of players that no scenario uses, and in files without scenarios.
  const std::string option = write("option.rules", kBase + "option strict: off | on { modify worth(c) by bonus }\n");
  const Ran ran = run("test " + option);
  CHECK(ran.code == 1);
  CHECK(has(ran.err, "option.rules:25"));
  CHECK(has(ran.err, "bonus"));
  CHECK_FALSE(has(ran.out, "passed"));
  const auto json = nlohmann::json::parse(run("test --json " + option).out);
  CHECK(json["passed"] == false);
  CHECK(json["errors"].size() == 1);
  CHECK(run("check " + option).code == 1);
  write("pebbles.rules", kBase);
  const Ran house = run("test " + write("house.rules", "game \"House\" extends pebbles\nmodify worth(c) by bonus\n"));
  CHECK(house.code == 1);
  CHECK(has(house.err, "house.rules:2"));
  const Ran none = run("test " + write("none.rules", "game \"None\" extends pebbles\nmodify worth(c) by +1\n"));
  CHECK(none.code == 0);
  CHECK(none.out == "no scenarios\n");
}

namespace {

const std::string kCovered = R"(game "Wells"
players 2
option deep: off | on
player { coins: 0..99 = 0; tired: bool = false }
value pay(p: player): int = 2
modify pay(p) by +1 when p.tired
forbid dig when me.tired
action dig in main { gain(me, pay(me)); me.tired = true }
action sleep in main { me.tired = false }
action bet in main {
  if me.coins > 50 { me.coins = 0 }
  me chooses one "Which" { "Odd" { me.coins += 1 } "Even" { me.coins += 2 } }
}
event gain(p: player, n: int) { p.coins = min(99, p.coins + n) }
after gain(p, n) when n > 5 { p.tired = true }
play { turns clockwise from first of players up to 4 { phase main { ask active } } }
end when play is over { winners players with most coins }
scenario "who is tired can't dig" for 2 players {
  given a.tired = true
  when main of a begins
  then a can't use dig and a may use bet
}
scenario "digging pays" for 2 players {
  when main of a begins and a uses dig
  then a.coins == 2
}
scenario "odd" for 2 players {
  when main of a begins and a uses bet, a chooses "Odd"
  then a.coins == 1
}
)";

}   // namespace

TEST_CASE("cli: test --coverage names rules that no scenario reaches", "[cli][scenarios][coverage]") {
  const Files write;
  const std::string file = write("wells.rules", kCovered), tracefile = write("wells.info", "");
  const Ran text = run("test --coverage --lcov " + tracefile + " " + file);
  INFO(text.out);
  CHECK(text.code == 0);
  CHECK(has(text.out, "3 passed, 0 failed\n"));
  CHECK(has(text.out, "wells.rules:6: modify pay(p) by +1 when p.tired\n"));
  CHECK(has(text.out, "wells.rules:9: action sleep in main (offered in 5 decisions, never taken)\n"));
  CHECK(has(text.out, "wells.rules:12: choice \"Even\"\n"));
  CHECK(has(text.out, "wells.rules:15: after gain(p, n) when n > 5\n"));
  CHECK(has(text.out, "option deep = on (in no scenario)\n"));
  for (const char* reached : {"forbid dig", "action dig", "action bet", "event gain", "choice \"Odd\"", "value pay"})
    CHECK_FALSE(has(text.out, reached));
  const std::string trace = slurp(tracefile);
  CHECK(has(trace, "SF:" + file + "\n"));
  CHECK(has(trace, "DA:14,1\n"));
  CHECK(has(trace, "DA:15,0\n"));
  CHECK(has(trace, "FNDA:0,after gain(p; n) when n > 5 (line 15)\n"));
  const auto json = nlohmann::json::parse(run("test --coverage --json " + file).out)["coverage"][0];
  CHECK(json["scenarios"] == 3);
  CHECK(json["options"][0]["scenarios"]["off"] == 3);
  for (const auto& rule : json["rules"])
    if (rule["name"] == "action sleep in main") CHECK(rule["taken"] == 0);
  // The coverage counts the rules of a base game separately.
  const Ran house = run("test --coverage " + write("house.rules",
                                                   "game \"House\" extends wells\nmodify pay(p) by +3\nscenario "
                                                   "\"more\" for 2 players { then pay(a) == 5 }\n"));
  INFO(house.out);
  CHECK(has(house.out, "house.rules: 1 of 1 (100 %) rules"));
  CHECK(has(house.out, "the base: 1 of "));
  CHECK_FALSE(has(house.out, "wells.rules:6"));
}

TEST_CASE("cli: test --mutants names changes that no scenario detects", "[cli][scenarios][mutants]") {
  const Files write;
  const std::string file = write("wells.rules", kCovered);
  const Ran text = run("test --mutants --seconds 0 --threads 1 " + file);
  INFO(text.out + text.err);
  CHECK(text.code == 0);
  CHECK(has(text.out, "SURVIVED  " + file + ":8: `me.tired = true` left out\n"));
  CHECK_FALSE(has(text.out, "`forbid dig when me.tired` left out"));
  CHECK(has(text.out, "in rules that no scenario reaches"));
  CHECK(run("test --mutants --strict --seconds 0 --threads 1 " + file).code == 1);
  const Ran printed = run("test --mutants --seconds 0 --threads 1 --json " + file);
  const auto json = nlohmann::json::parse(printed.out)["mutants"][0];
  CHECK(json["left"] == 0);
  CHECK(json["killed"].get<int>() > 5);
  const Ran none = run("test --mutants " + write("none.rules", "game \"None\" extends wells\nmodify pay(p) by +3\n"));
  CHECK(none.code == 2);
  CHECK(has(none.err, "has no scenarios to detect changed rules"));
}
