// Tests every declaration of the grammar in every context: it has an observable effect, or it is rejected with
// a message at a source location.
#include <filesystem>
#include <set>
#include <sstream>

#include "tests/sema/seen.h"
#include "tests/support/checkout.h"

using namespace cardwright;
using namespace cardwright::sema_tests;

namespace {

struct Sample {
  std::string rule;   // name of the grammar rule
  std::string text;
  std::string use = {};   // code in which the declaration has an observable effect
};

const std::vector<Sample>& samples() {
  static const std::vector<Sample> all = {
      {"playersDecl", "players 2..3"},
      {"useDecl", "use std.seats", "value shown(p: player): player = left_of(p)"},
      {"constDecl", "const extra = 3", "value shown: int = extra"},
      {"unitDecl", "unit EX = 2", "value shown: int = 3 EX"},
      {"optionDecl", "option extra", "with extra { value shown: int = 1 }"},
      {"withDecl", "with size(players) > 1 { value extra: int = 1 }"},
      {"variantDecl", "variant \"Extra\" { more }"},
      {"relation", "require size(players) > 1 with more"},
      {"relation", "conflict more with other"},
      {"warnDecl", "warn when size(players) > 1 \"many\""},
      {"sentence", "more implies other"},
      {"sentence", "more is void with other"},
      {"sentence", "Stone in me.hand is also Leaf"},
      {"enumDecl", "enum Extra { one, two }"},
      {"recordDecl", "record Extra { n: 0..9 = 0 }"},
      {"cardType", "card type Extra { n: 0..9 = 0 }"},
      {"card", "card Extra: Thing, colour red"},
      {"characterType", "character type Extra"},
      {"character", "character Extra: Hero"},
      {"deck", "deck Extra: Thing into draw { Stone x 2 }"},
      {"stateDecl", "player { extra: 0..9 = 0 }"},
      {"stateDecl", "table { extra: 0..9 = 0 }"},
      {"stateDecl", "team { extra: 0..9 = 0 }"},
      {"teamsDecl", "teams each"},
      {"zone", "zone extra: public"},
      {"area", "area extra x 3 { n: 0..9 = 0 }"},
      {"boardDecl", "board extra: grid 3 x 3"},
      {"pieceDecl", "piece extra x 2 on here", "board here: grid 3 x 3"},
      {"coversDecl", "covers 2 x 1"},
      {"facingDecl", "facing E"},
      {"showsDecl", "shows \"#\""},
      {"timerDecl", "timer extra"},
      {"fields", "extra: 0..9 = 0"},
      {"fields", "turn var extra = 0"},
      {"fields", "unprinted extra: 0..9 = 0"},
      {"fields", "worth = 3"},
      {"valueDecl", "value extra: int = 1"},
      {"functionDecl", "function extra(n: int): int = n"},
      {"functionDecl", "sequence extra(n: int): int { yield n }"},
      {"eventDecl", "event extra { }"},
      {"windowDecl", "window extra() { ask chief }"},
      {"actionDecl", "action extra in main { log \"x\" }"},
      {"playDecl", "play in main { log \"x\" }"},
      {"playDecl", "play { take(first of players) }"},
      {"playsTo", "plays to draw"},
      {"whileDecl", "while in table { modify most(_) by +1 }"},
      {"inForce", "in force while size(draw) > 1"},
      {"textDecl", "text \"Extra.\""},
      {"hasDecl", "has Leaf"},
      {"modify", "modify most(_) by +1"},
      {"forbid", "forbid any action when size(draw) == 1"},
      {"policyDecl", "policy extra { avoid any action }"},
      {"policyRule", "avoid any action"},
      {"policyRule", "weight grab by 3 when size(draw) > 1"},
      {"replaceDecl", "replace policy lazy { weight grab by 2 }"},
      {"removeDecl", "remove policy lazy"},
      {"trigger", "after take(p) { p.gold += 1 }"},
      {"trigger", "before any action { log \"x\" }"},
      {"whenever", "whenever size(draw) == 3 { log \"x\" }"},
      {"measureDecl", "measure extra: count after take"},
      {"setupDecl", "setup { chief = seat(1) }"},
      {"endWhen", "end when size(draw) == 1 { winners nobody }"},
      {"endingDecl", "ending extra when size(draw) == 1 { winners nobody }"},
      {"allowance", "allow W0006 \"spare\""},
      {"removeDecl", "remove event spare"},
      {"removeDecl", "remove zone attic"},
      {"removeDecl", "remove field silver"},
      {"removeDecl", "remove area pit"},
      {"removeDecl", "remove timer bell"},
      {"removeDecl", "remove card Leaf"},
      {"removeDecl", "remove action grab"},
      {"removeDecl", "remove const limit"},
      {"removeDecl", "remove variant \"Old\""},
      {"replaceDecl", "replace event spare { log \"y\" }"},
      {"replaceDecl", "replace zone attic: hidden"},
      {"replaceDecl", "replace silver: 0..9 = 5"},
      {"replaceDecl", "replace area pit x 5 { depth: 0..9 = 0 }"},
      {"replaceDecl", "replace card Leaf: Thing, colour blue"},
      {"replaceDecl", "replace setup { chief = seat(2) }"},
      {"replaceDecl", "replace play { take(first of players) }"},
      {"replaceDecl", "replace const limit = 7"},
      {"replaceDecl", "replace end when size(draw) == 1 { winners nobody }"},
      {"replaceDecl", "replace after take(p) { p.gold += 1 }"},
      {"replaceDecl", "replace modify most(_) by +1"},
      {"replaceDecl", "replace players 2"},
      {"replaceDecl", "replace option other = on"},
      {"replaceDecl", "replace player { extra: 0..9 = 0 }"},
      {"scene", "scene extra for 3 players { chief = a }", "scenario \"shown\" in extra { then chief == a }"},
      {"scenario", "scenario \"extra\" for 3 players { then chief is none }"},
      {"dieDecl", "die extra x 2 { faces 1..6 }"},
      {"dieDecl", "die extra { faces 1..6 }"},
      {"facesDecl", "faces 1..3"},
      {"removeDecl", "remove die spot"},
      {"replaceDecl", "replace die spot x 3 { faces 1..8 }"},
  };
  return all;
}

struct Place {
  std::string name;
  std::string before, after;   // text before and after the sample
};

const std::vector<Place>& places() {
  static const std::vector<Place> all = {
      {"top", "", ""},
      {"with", "with more { ", " }"},
      {"without", "without more { ", " }"},
      {"otherwise", "with more { } otherwise { ", " }"},
      {"with in with", "with more { with size(players) > 1 { ", " } }"},
      {"option value", "option pick = a | b { ", " }"},
      {"card type", "card type Here: Thing { play in main { log \"h\" }; ",
       " }\ndeck Heres: Thing into draw { Here(colour: red) x 1 }"},
      {"card", "card Here: Thing, colour red { play in main { log \"h\" }; ",
       " }\ndeck Heres: Thing into draw { Here x 1 }"},
      {"card in force", "card Here: Thing, colour red { play in main { log \"h\" }; in force while size(draw) > 2; ",
       " }\ndeck Heres: Thing into draw { Here x 1 }"},
      {"with in card", "card Here: Thing, colour red { play in main { log \"h\" }; with more { ",
       " } }\ndeck Heres: Thing into draw { Here x 1 }"},
      {"while in", "card Here: Thing, colour red { while in table { ", " } }"},
      {"character type", "character type Folk { ", " }\ncharacter Jo: Folk\nplayer { folk: Folk, public }"},
      {"character", "character Here: Hero { ", " }"},
      {"player", "player { ", " }"},
      {"with in player", "player { with more { ", " } }"},
      {"table", "table { ", " }"},
      {"team", "team { ", " }"},
      {"area", "area here x 2 { ", " }"},
      {"piece", "board ground: grid 3 x 3\npiece here x 2 on ground { ", " }"},
      {"board", "board ground: grid 3 x 3 { ", " }"},
      {"die", "die here x 2 { faces 1..6; ", " }"},
      {"policy", "policy here { avoid grab when size(draw) == 2; ", " }"},
      {"with in policy", "policy here { avoid grab when size(draw) == 2; with more { ", " } }"},
      {"record", "record Here { m: 0..3 = 0; ", " }\ntable { held: Here }"},
      {"library", "library", ""},
      {"library in a with", "library", ""},
      {"house", "house", ""},
  };
  return all;
}

const std::string kGame =
    "game \"T\"\nplayers 2..4, usually 3\nteams each\noption more\noption other\nvariant \"Old\" { other }\nconst "
    "limit = 5\n"
    "enum Colour { red, green, blue }\ncard type Thing { colour: Colour, worth: 0..9 = 1; plays to discard }\ncard "
    "Stone: Thing, colour red\n"
    "card Leaf: Thing, colour green { while in table { modify most(_) by +1 } }\ncharacter type Hero\ncharacter Ann: "
    "Hero\n"
    "deck Cards: Thing into draw { Stone x 4 Leaf x 3 }\n"
    "player { zone hand: owner; zone table: public; gold: 0..20 = 0; silver: 0..9 = 1; hero: Hero, public; timer bell "
    "}\n"
    "table { zone draw: pile, facedown; zone discard: pile, faceup; zone attic: public; chief: player? = none; area "
    "pit x 2 { depth: 0..9 = 0 }; die spot { faces 1..6 } }\n"
    "value most(p: player): int = limit\nevent take(p: player) { move top of draw to p.hand }\nevent spare { log \"x\" "
    "}\nsetup { chief = none }\n"
    "action grab in main when most(me) > 1 { take(me); spare() }; policy lazy { avoid grab }\n"
    "play { turns clockwise from first of players up to 9 { phase main { ask active until pass } } }\n"
    "end when size(draw) == 0 { winners nobody }\n";

Files files(const Place& place, const std::string& text, const std::string& use) {
  if (place.name == "house")
    return {{"base.rules", kGame + "\n" + use + "\n"}, {"game.rules", "game \"H\" extends base\n" + text + "\n"}};
  if (place.before == "library")
    return {{"lib.rules", "library lib\n" + text + "\n"},
            {"game.rules", kGame + use + "\n" + (place.name == "library" ? "use lib\n" : "with more { use lib }\n")}};
  return {{"game.rules", kGame + use + "\n" + place.before + text + place.after + "\n"}};
}

}   // namespace

TEST_CASE("sema: every declaration has an effect in its context, or is rejected there", "[places]") {
  for (const Place& place : places())
    for (const Sample& sample : samples()) {
      INFO(place.name << ": " << sample.text);
      const Seen with = look(files(place, sample.text, sample.use), place.name == "option value");
      if (!with.errors.empty()) {
        INFO(with.errors.front());
        CHECK(with.placed);
        continue;
      }
      const Seen without = look(files(place, "", sample.use), place.name == "option value");
      CHECK((with.all != without.all));
    }
}

// A new declaration in the grammar fails this test until `samples` contains it.
TEST_CASE("sema: the table of contexts contains every declaration of the grammar", "[places]") {
  std::ifstream in(test::checkout("grammar/Rules.g4"));
  const std::string grammar((std::istreambuf_iterator<char>(in)), {});
  const std::size_t begin = grammar.find("decl : "), end = grammar.find(" ;", begin);
  REQUIRE(begin != std::string::npos);
  std::set<std::string> known;
  for (const Sample& s : samples()) known.insert(s.rule);
  std::istringstream alternatives(grammar.substr(begin + 7, end - begin - 7));
  for (std::string word; alternatives >> word;)
    if (word != "|") CHECK(known.contains(word));
}

TEST_CASE("sema: `replace` and `remove` inside `player` refer to fields of players", "[places]") {
  const auto house = [&](const std::string& rules) {
    return run({{"base.rules", kGame}, {"game.rules", "game \"H\" extends base\n" + rules}});
  };
  CHECK(has(model::print(*house("player { replace silver: 0..9 = 5 }")->model), "= 5"));
  CHECK(house("table { replace silver: 0..9 = 5 }")->messages() ==
        "2:17 E0509 cannot replace unknown variable `silver` of the table (it belongs to players: write this in "
        "`player { … }`)");
  for (const char* unnamed : {"after take(p) { p.gold += 1 }", "modify most(_) by +1", "plays to draw", "use std.seats",
                              "end when size(draw) == 1 { winners nobody }"}) {
    INFO(unnamed);
    CHECK(house(std::string("replace ") + unnamed)->messages().find("to replace") ==
          std::string::npos);   // rejected without a second message about the missing name
  }
  CHECK(house("replace zone cellar: public")->messages() == "2:14 E0509 cannot replace unknown zone `cellar`");
  CHECK(house("player { remove event spare }")->messages() ==
        "2:10 E0403 `remove` of this declaration is not allowed in `player { … }` (only a `zone`, `field`, `area`, "
        "`piece`, `die` or `timer` can be removed here; move other removals to the top of the file)");
}

TEST_CASE("sema: an error in a library used as a game has a location", "[places]") {
  int libraries = 0;
  for (const auto& entry : std::filesystem::directory_iterator(test::checkout("stdlib"))) {
    INFO(entry.path());
    std::ifstream in(entry.path());
    const std::string text((std::istreambuf_iterator<char>(in)), {});
    const auto o = run({{"game.rules", text}});
    CHECK(o->diagnostics.errors() > 0);
    for (const Diagnostic& d : o->diagnostics.all()) CHECK(d.range.known());
    ++libraries;
  }
  CHECK(libraries > 3);
}

TEST_CASE("sema: a library may be used in a `with`", "[places]") {
  const auto more = [&](const std::string& use, const Options& options) {
    return run({{"lib.rules", "library lib\nvalue extra: int = 1\nevent more_of_it { }\n"},
                {"game.rules", kGame + use + "\n"}},
               0, options);
  };
  CHECK(has(model::print(*more("with more { use lib }", {{"more", ""}})->model), "extra"));
  CHECK(model::print(*more("with more { use lib }", {})->model).find("extra") == std::string::npos);
  CHECK(has(model::print(*more("with more { use lib }\nuse lib", {})->model), "extra"));
  CHECK(has(model::print(*more("option pick = a | b { use lib }", {{"pick", "b"}})->model), "extra"));
  CHECK(model::print(*more("option pick = a | b { use lib }", {})->model).find("extra") == std::string::npos);
  CHECK(more("with more { use nowhere }", {})->messages() == "24:13 E0508 unknown library `nowhere`");
}

TEST_CASE("sema: a scenario in a `with` is played with the required options", "[places]") {
  const auto o = run({{"game.rules", kGame + "with more { scenario \"one\" for 3 players { then chief is none } }\n"}},
                     3, {{"more", ""}});
  REQUIRE(o->model);
  CHECK(o->messages() == "");
  CHECK(o->model->scenarios.size() == 1);
  CHECK(run({{"game.rules",
              kGame + "with size(players) == 4 { scenario \"one\" for 3 players { then chief is none } }\n"}},
            3)
            ->messages() ==
        "24:27 E0602 this scenario never runs: the enclosing condition is false for 3 players with its options (name "
        "the options: `scenario \"…\" for 3 players with long_game { … }`)");
  CHECK(run({{"game.rules", kGame + "with more { players 2 }\n"}})->messages() ==
        "24:13 E0403 `players` can't depend on options or on the number of players (move it out of the `with`; to "
        "restrict an option, write `require size(players) <= 3 with OPTION \"why\"`)");
}
