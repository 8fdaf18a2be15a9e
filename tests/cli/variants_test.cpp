// Tests `variants`, `check --all-variants` and `diff`: counts of variants, failing variants, and listed differences.
#include <catch2/catch.hpp>

#include <nlohmann/json.hpp>

#include "tests/support/checkout.h"
#include "tests/support/command.h"

using namespace cardwright::test;
using nlohmann::json;

namespace {

const std::string kHunt = checkout("tests/cli/hunt.rules");

// Returns a minimal game with `rules` added to it.
std::string tiny(const std::string& rules) {
  return "game \"Tiny\"\nplayers 2..3\ncard type Chip\ndeck Chips: Chip into bag { Chip x 12 }\nplayer { zone hand: "
         "owner; chips: 0..9 = 0 }\n"
         "table { zone bag: pile, facedown }\nevent take(p: player) { move top of bag to p.hand }\n"
         "play { turns clockwise from first of players up to 4 { phase main { take(active); ask active or pass } } }\n"
         "end when play is over { winners players with most it.chips }\n" +
         rules;
}

struct Written {
  TemporaryFolder folder;
  std::string operator()(const std::string& name, const std::string& text) const {
    std::ofstream(folder.path() + "/" + name) << text;
    return folder.path() + "/" + name;
  }
};

}   // namespace

TEST_CASE("cli: variants counts legal and different variants", "[cli][variants]") {
  const json counts = json::parse(run("variants --json " + kHunt).out);
  for (const json& c : counts["combinations"]) {
    CHECK(c["legal"] == (c["players"] <= 5 ? 192 : 24));
    CHECK(c["distinct"] == (c["players"] <= 5 ? 144 : 20));
  }
  CHECK(counts["combinations"].size() == 7);
  CHECK(counts["options"][0]["values"] == json({"speed", "engagement", "room", "room_colours"}));
  CHECK(counts["relations"][1]["text"] == "conflict briefing with night_mission");
  CHECK(counts["relations"][1]["why"] == "only one card may be looked at at a time");
  CHECK(counts["presets"][1] == json({{"title", "Situation Room"}, {"options", {{"type", "room"}}}}));
  const Ran text = run("variants --players 4 " + kHunt);
  CHECK(has(text.out, "4 players                   192                144"));
  CHECK(has(text.out, "briefing is void with turns: there is no countdown to look before"));
  CHECK(run("variants --players 9 " + kHunt).code == 2);
}

TEST_CASE("cli: independent options are not multiplied", "[cli][variants]") {
  const Written write;
  std::string options = "option size: 1..1000 = 7\n";
  for (int i = 0; i < 40; ++i) options += "option o" + std::to_string(i) + "\n";
  const json counts = json::parse(run("variants --json --players 2 " + write("many.rules", tiny(options))).out);
  CHECK(counts["combinations"][0]["legal"] == 1000ull << 40);
}

TEST_CASE("cli: every variant is compiled and played", "[cli][variants]") {
  const json tried = json::parse(run("check --all-variants --json --players 4 " + kHunt).out);
  CHECK(tried["tables"] == 144);
  CHECK(tried["games"] == 1440);
  CHECK(tried["failures"].empty());
  CHECK(run("check --all-variants --with taliban " + kHunt).code == 2);
}

TEST_CASE("cli: a sample is checked if there are too many variants, and the number of skipped ones is printed",
          "[cli][variants]") {
  const json tried = json::parse(run("check --all-variants --json --players 4 --most 10 --games 1 " + kHunt).out);
  CHECK(tried["tables"] == 144);
  CHECK(tried["left_out"] == 134);
  CHECK(tried["games"] == 10);
  const Ran text = run("check --all-variants --players 4 --most 10 --games 1 " + kHunt);
  CHECK(has(text.out, "10 of these games were checked, evenly spread, and 134 were skipped"));
  CHECK(has(text.out, "none of these failed"));
  CHECK(run("check --all-variants --players 4 --most 0 " + kHunt).code == 2);
}

// This test uses one number of players. To play all variants, run `cardwright check kill_shot --all-variants`, and the
// same for panic_fire and quickshot.
TEST_CASE("cli: every variant of the bundled real-time games is played", "[cli][variants][races]") {
  const json kill_shot = json::parse(run("check --all-variants --json --players 3 --games 1 kill_shot").out);
  CHECK(kill_shot["combinations"][0]["legal"] == 192);
  CHECK(kill_shot["tables"] == 144);
  CHECK(kill_shot["failures"].empty());
  const json panic_fire = json::parse(run("check --all-variants --json --games 1 panic_fire").out);
  CHECK(panic_fire["tables"] == 128);
  CHECK(panic_fire["failures"].empty());
}

TEST_CASE("cli: the failing variant is named, with the command that reproduces it", "[cli][variants]") {
  const Written write;
  // The error exists only if two options are combined, so a plain `check` does not find it.
  const std::string path = write(
      "pair.rules", tiny("option a\noption b\noption c\nwith a and b { after take(p) { p.chips = size(p.hand) * 9 } }\n"
                         "with b and c { after take(p) { p.chisp = 1 } }\n"));
  CHECK(run("check " + path).code == 0);
  const Ran text = run("check --all-variants --players 2 " + path);
  CHECK(text.code == 1);
  CHECK(has(text.out, "--players 2 --with b --with c"));
  CHECK(has(text.out, "did you mean `chips`?"));
  CHECK(has(text.out, "again: cardwright check " + path + " --players 2 --with b --with c"));
  CHECK(has(text.out, "out of range"));
  const json tried = json::parse(run("check --all-variants --json --players 2 " + path).out);
  REQUIRE(tried["failures"].size() == 3);
  const json& trap = tried["failures"][1]["error"].is_null() ? tried["failures"][0] : tried["failures"][1];
  CHECK(trap["options"] == json({{"a", "on"}, {"b", "on"}}));
  const std::string again = trap["reproduce"];
  CHECK(has(run(again.substr(again.find(' ') + 1)).out, "out of range"));
}

TEST_CASE("cli: diff distinguishes a house rule from its base", "[cli][diff]") {
  const Written write;
  const std::string base =
      write("base.rules", tiny("value most(p: player): int = 3\nevent lose(p: player) { p.chips = 0 }\nafter take(p) { "
                               "lose(p) }\naction shove in main when most(me) > 2 { take(me) }\n"));
  const std::string house = write(
      "house.rules",
      "game \"House\" extends base\nreplace event take(p: player) {\n  move top of bag to p.hand\n  p.chips += 1\n}\n"
      "remove action shove\nmodify most(_) by +1\nreplace deck Chips: Chip into bag { Chip x 9 }\n");
  const Ran text = run("diff " + base + " " + house);
  INFO(text.out << text.err);
  CHECK(text.code == 0);
  CHECK(has(text.out, "replaced event take   " + base + ":7 → " + house + ":2"));
  CHECK(has(text.out, "+ p.chips += 1"));
  CHECK(has(text.out, "removed  action shove   " + base + ":13"));
  CHECK(has(text.out, "added    modify most   " + house + ":7"));
  CHECK(has(text.out, "- 12 in all"));
  CHECK(has(text.out, "+ 9 in all"));
  CHECK(has(text.out, "4 differences"));
  const json differences = json::parse(run("diff --json " + base + " " + house).out)["differences"];
  REQUIRE(differences.size() == 4);
  CHECK(differences[0]["change"] == "changed");
  CHECK(differences[0]["kind"] == "copies of");
  CHECK(run("diff " + base + " " + base).out.ends_with("no difference\n"));
  const std::string fewer = write("fewer.rules", "game \"Fewer\" extends base\nplayers 2\n");
  const Ran seats = run("diff " + base + " " + fewer);
  INFO(seats.out);
  CHECK(has(seats.out, "changed  players   " + base + ":2 → " + fewer + ":2\n"));
  CHECK(has(seats.out, "    - players 2..3\n    + players 2\n\n1 difference\n"));
}

TEST_CASE("cli: diff shows a card once, with all its differences", "[cli][diff]") {
  const Written write;
  const auto game = [](const std::string& name, const std::string& draws, const std::string& keeps) {
    return "game \"" + name +
           "\"\nplayers 2\ncard type Chip\ncard Red: Chip {\n  text \"Take some.\"\n  play in main to box { " + draws +
           " }\n  play in late to box { " + keeps +
           " }\n}\ndeck Chips: Chip into bag { Red x 12 }\nplayer { zone hand: owner; chips: 0..9 = 0 }\ntable { zone "
           "bag: pile, facedown; zone box: pile, faceup }\n"
           "play { turns up to 4 { phase main { ask active or pass }; phase late { ask active or pass } } }\nend when "
           "play is over { winners nobody }\n";
  };
  const std::string base = write("base.rules", game("Base", "me.chips = 1", "me.chips = 2"));
  const Ran text = run("diff " + base + " " + write("other.rules", game("Other", "me.chips = 3", "me.chips = 4")));
  INFO(text.out << text.err);
  CHECK(has(text.out,
            "    - play in main to box { me.chips = 1 }\n    - play in late to box { me.chips = 2 }\n"
            "    + play in main to box { me.chips = 3 }\n    + play in late to box { me.chips = 4 }\n"));
  CHECK_FALSE(has(text.out, "card Red: Chip"));
  CHECK(has(text.out, "\n1 difference\n"));
  const std::string house = write("house.rules",
                                  "game \"House\" extends base\nreplace card Red: Chip {\n  text \"Take some.\"\n  "
                                  "play in main to box { me.chips = 1 }\n  play in late to box { me.chips = 5 }\n}\n");
  CHECK(
      has(run("diff " + base + " " + house).out,
          "    - play in late to box { me.chips = 2 }\n    + play in late to box { me.chips = 5 }\n\n1 difference\n"));
}

TEST_CASE("cli: diff shows source text, and an action with its original watchers", "[cli][diff]") {
  const Written write;
  const std::string base = write(
      "base.rules",
      tiny("table { starter: player }\nsetup { starter = seat(1) }\naction add(k: 1..3) in main { me.chips += k }\n"));
  const std::string house =
      write("house.rules",
            "game \"House\" extends base\nsetup { starter = seat(2) }\nafter add(k) when k == 3 { log \"three!\" }\n");
  const Ran text = run("diff " + base + " " + house);
  CHECK(has(text.out, "changed  setup"));
  CHECK(has(text.out, "    + starter = seat(2)\n"));
  CHECK(has(text.out, "added    after add"));
  CHECK(has(text.out, "\n2 differences\n"));
  CHECK_FALSE(has(text.out, "call_event"));
  CHECK_FALSE(has(text.out, "assign_variable"));
}

TEST_CASE("cli: diff names the kinds of elements with equal names, and counts parts", "[cli][diff]") {
  const Written write;
  const std::string base =
      write("base.rules",
            tiny("record Hut { rooms: 0..9 = 0 }\nboard field: grid 3 x 3\npiece tent x 2 on field { size: 0..9 = 1 }\n"
                 "table { area well x 2 { depth: 0..9 = 0 }; hut: Hut = Hut() }\nvalue deep: int = sum of w.depth for "
                 "w in wells\n"
                 "action dig in main when deep < 3 { hut.rooms += 1; place tent[1] at a1 }\n"));
  const auto house = [&](const std::string& rules) {
    return run("diff " + base + " " + write("house.rules", "game \"House\" extends base\n" + rules + "\n")).out;
  };
  const std::string wells = house("table { replace area well x 3 { depth: 0..9 = 0 } }");
  CHECK(has(wells, "changed  area well\n    - area well x 2\n    + area well x 3\n"));
  CHECK(has(wells, "changed  value deep"));
  CHECK(has(wells, "\n    same text, but a declaration that it uses differs\n"));
  const std::string hut = house("replace record Hut { rooms: 0..5 = 1 }");
  CHECK(has(
      hut, "    - variable hut.rooms: 0..9, public = 0\n    + variable hut.rooms: 0..5, public = 1\n\n1 difference\n"));
  const std::string tents = house("replace piece tent x 3 on field { size: 0..9 = 1 }");
  CHECK(has(tents, "    - piece tent x 2 at tent.at\n    + piece tent x 3 at tent.at\n"));
  const std::string forbidden = house("forbid dig when deep > 1");
  CHECK(has(forbidden, "added    forbid"));
  CHECK(has(forbidden, "    + forbid dig when deep > 1\n"));
}

TEST_CASE("cli: diff compares variants of one game", "[cli][diff]") {
  const Ran text = run("diff " + kHunt + " --with deadline");
  CHECK(has(text.out, "changed  option briefing"));   // implied by the variant
  CHECK(has(text.out, "added    modify hand_limit   " + kHunt));
  CHECK(has(run("diff " + kHunt + " --from-with deadline --with deadline").out, "no difference"));
  CHECK(has(run("diff splash --with snorkel=icon20").out, "rulesets/splash/splash.rules:"));
  const Ran refused = run("diff " + kHunt + " --with briefing --with night_mission");
  CHECK(refused.code == 2);
  CHECK(has(refused.err, "Hunt does not support this configuration"));
}
