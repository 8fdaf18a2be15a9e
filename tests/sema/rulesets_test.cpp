// Tests complete rulesets: decks, options, files, scenarios.
#include "tests/support/analyze.h"
#include "tests/support/checkout.h"

namespace cardwright::sema_tests {

namespace {
std::string csv_game(const std::string& csv, const std::string& rules = "") {
  return run({{"game.rules",
               "game \"T\"\nplayers 2\nenum Colour { red, green }\ncard type Thing { colour: Colour, worth: 0..9 "
               "}\ncard Stone: Thing\ncard Leaf: Thing\n"
               "deck Cards: Thing into draw from \"c.csv\"" +
                   rules +
                   "\ntable { zone draw: pile, facedown }\nplay { }\nend when play is over { winners nobody }\n"},
              {"c.csv", csv}})
      ->messages();
}
}   // namespace

TEST_CASE("sema: decks from CSV") {
  CHECK(csv_game("card,colour,worth,count\r\nStone,red,3,2\r\n\"Leaf\",green,1,1\r\n", ", total 3") == "");
  CHECK(csv_game("card,colour,worth,count\nStone,red,3,2\n", ", total 3") ==
        "7:49 E0306 the deck `Cards` has 2 cards, not 3");
  CHECK(csv_game("card,colour,worth\nStnoe,red,3\n") == "c.csv:2:1 E0307 unknown card `Stnoe` (did you mean `Stone`?)");
  CHECK(csv_game("card,colour,worth\nStone,rde,3\n") ==
        "c.csv:2:7 E0307 `rde` is not a constant of `Colour` (did you mean `red`?)");
  CHECK(csv_game("card,colour,worth\nStone,red\n") == "c.csv:2:1 E0307 this row has 2 fields, but the header has 3");
  CHECK(csv_game("card,colour,worth\nStone,red,12\n") ==
        "c.csv:2:11 E0307 value of `worth` out of range; expected 0 to 9, found 12");
  CHECK(csv_game("card,colour,wroth\nStone,red,1\n") ==
        "c.csv:1:13 E0307 unknown attribute `wroth` (did you mean `worth`?)");
  CHECK(csv_game("card,colour,worth\n\"Stone,red,1\n") == "c.csv:2:1 E0307 unterminated quoted field");
  CHECK(csv_game("colour,worth\nred,1\n") ==
        "c.csv:1:1 E0307 missing column `card`, which names the card of each line");
  CHECK(csv_game("") == "7:34 E0307 \"c.csv\" is empty (the first line must contain the column names)");
  CHECK(csv_game("card,colour,worth,count\nStone,red,3,4097\n") ==
        "c.csv:2:1 E0308 too many cards in the deck; the limit is 4096");
}

TEST_CASE("sema: files stay in their folder") {
  CHECK(messages("deck More: Thing into draw from \"../x.csv\"") ==
        "22:33 E0507 path \"../x.csv\" is outside the folder of the rules (put the file into the folder of the rules "
        "and use a path without `..`)");
  CHECK(has(messages("deck More: Thing into draw from \"/etc/passwd\""), "E0507"));
  CHECK(messages("deck More: Thing into draw from \"x.csv\"") ==
        "22:33 E0508 file not found: \"x.csv\" (paths are relative to the folder of the rules)");
  CHECK(run({{"game.rules", game("use mine")},
             {"mine.rules", "library mine\nuse yours\n"},
             {"yours.rules", "library yours\nuse mine\n"}})
            ->messages() ==
        "yours.rules:2:1 E0506 circular dependency between files: mine.rules → yours.rules → mine.rules");
  CHECK(messages("use std.saets") == "22:1 E0508 unknown standard library `saets` (did you mean `std.seats`?)");
}

TEST_CASE("sema: values that are known before the game") {
  const std::string m = printed(
      "option dice: 1..5 = 2\nconst total = dice * size(players)\ntable { bid: 0..total = 0 }", 4, {{"dice", "3"}});
  CHECK(has(m, "variable bid: 0..12"));
  CHECK(has(messages("const a = b\nconst b = a\ntable { x: 0..a = 0 }"), "E0207"));
  CHECK(messages("table { x: 9..0 = 0 }") == "22:12 E0304 empty range 9..0");
  CHECK(messages("table { x: 0..3 = 7 }") == "22:19 E0304 7 is out of range 0..3");
}

TEST_CASE("sema: attributes may be computed") {
  const std::string plain =
      "value limit: int = 3\noption high\nwith high { modify limit to 8 }\ncard type Coin { face: 1..9\n big: bool = "
      "face > limit }\ndeck Coins: Coin into draw { each n in 1..9: Coin(face: n) }\n";
  CHECK(has(printed(plain), "Coin face=5 big=true"));
  CHECK(has(printed(plain, 0, {{"high", ""}}), "Coin face=5 big=false"));
}

TEST_CASE("sema: rules of another variant are dropped silently") {
  const std::string rules =
      "option cold\nwith cold { value wind(): int = 1\n window storm(p: player) { ask p or pass }\n event blow(p: "
      "player) { open storm(p) } }\nmodify wind() to 2\naction hide in storm { me.gold = wind() }\nafter blow(p) { "
      "take(p) }";
  CHECK(messages(rules) == "");
  CHECK(!has(printed(rules), "action hide"));
  CHECK(has(printed(rules, 0, {{"cold", "on"}}), "action hide in storm"));
}

TEST_CASE("sema: a house file") {
  const std::string base = game(
      "card Old: Thing, colour blue { play in main { take(me) } }\ndeck More: Thing into draw { Old x 2 }\nscenario "
      "\"base\" for 2 players { given a.gold = 3\n then a.gold == 3 }");
  const auto house = [&](const std::string& rules) {
    return run({{"base.rules", base}, {"game.rules", "game \"House\" extends base\n" + rules}});
  };
  auto o = house(
      "deck Cards: Stone x 30, Leaf x 9\nremove card Old\nreplace event take(p: player, n: int = 1) { move n + 1 cards "
      "from draw to p.hand }\nafter take(p) { p.gold += 1 }");
  INFO(o->messages());
  REQUIRE(o->model);
  const std::string m = model::print(*o->model);
  CHECK(has(m, "39 cards"));
  CHECK(m.find("Old") == std::string::npos);
  CHECK(has(m, "[rule 1 "));
  CHECK(o->model->scenarios.empty());
  CHECK(o->model->title == "House");
  CHECK(house("remove card Odl")->messages() == "2:13 E0509 cannot remove unknown card `Odl` (did you mean `Old`?)");
  CHECK(house("remove event tkae")->messages() ==
        "2:14 E0509 cannot remove unknown event `tkae` (did you mean `take`?)");
  CHECK(house("forbid play Stoen when true")->messages() == "2:13 E0201 unknown card `Stoen` (did you mean `Stone`?)");
  CHECK(house("replace card Stoen: Thing, colour red")->messages() ==
        "2:14 E0509 cannot replace unknown card `Stoen` (did you mean `Stone`?)");
  CHECK(house("event take(p: player) { checkpoint }")->messages() ==
        "2:7 E0202 duplicate event `take` (to replace it, write `replace event take …`)");
  CHECK(house("card Stone: Thing, colour red")->messages() ==
        "2:6 E0202 duplicate card `Stone` (to replace it, write `replace card Stone …`)");
}

TEST_CASE("sema: removing an element also removes it from lists, and removes everything that depends on it") {
  const std::string base = game(
      "card Old: Thing, colour blue\ncard New: Thing, colour blue\ndeck More: Thing into draw { Old x 2; New x 2 }\n"
      "action call(k: kind in [Old, New]) in main { take(me) }\naction ask_for(c: Thing in me.hand where c is Old) in "
      "main { take(me) }\n"
      "action both(k: kind in [Old]) in main { take(me) }");
  const Files files{{"base.rules", base}, {"game.rules", "game \"House\" extends base\nremove card Old"}};
  const auto o = run(files);
  INFO(o->messages());
  REQUIRE(o->model);
  const std::string m = model::print(*o->model);
  CHECK(has(m, "action call in main"));
  CHECK(m.find("action ask_for in main") == m.npos);
  CHECK(m.find("action both in main") == m.npos);
  CHECK(has(run(files, 0, {}, true)->messages(),
            "2:13 W0018 `ask_for`, `both` are dropped, because they name the removed `Old` ("));
  const std::string by_option = "game \"House\" extends base\noption short\nwith short { remove card Old }";
  CHECK(run({{"base.rules", base}, {"game.rules", by_option}}, 0, {}, true)->messages().find("W0018") ==
        std::string::npos);
}

TEST_CASE("sema: scenarios") {
  const std::string rules =
      "card Gem: Thing, colour blue { play in main (t in others) { move this to t.hand } }\ndeck Gems: Thing into draw "
      "{ Gem x 2 }\n"
      "scene two for 2 players { everyone.role = [Cop, Thief]; players.gold = 4 }\n"
      "scenario \"a gem is given\" in two {\n  given a.hand = [Gem, green], top of draw = [Stone, Leaf], chief = b\n  "
      "when main of a begins\n  and a plays Gem on b, a passes\n  then b.hand == [Gem] and a.gold == 4 and b is in and "
      "a can't play Gem on b\n}";
  CHECK(messages(rules) == "");
  const std::string m = printed(rules, 2);
  CHECK(has(m, "given role a b =Cop =Thief"));
  CHECK(has(m, "given hand a <Gem> <a colour=green>"));
  CHECK(has(m, "given draw <Stone> <Leaf>"));
  CHECK(has(m, "a plays Gem on b <play Gem 1>"));
  CHECK(messages("scenario \"x\" for 2 players { given c.gold = 1 }", 2) ==
        "22:36 E0602 unknown player `c`: the game has 2 players");
  CHECK(has(messages("scenario \"x\" for 2 players { given a.gold = 99 }", 2), "E0304"));
  CHECK(messages("scenario \"x\" for 2 players { given a.hand = [Stnoe] }", 2) ==
        "22:46 E0602 unknown card `Stnoe` (did you mean `Stone`?)");
}

TEST_CASE("sema: the standard library compiles") {
  for (const auto& entry : std::filesystem::directory_iterator(test::checkout("stdlib"))) {
    if (entry.path().extension() != ".rules") continue;
    const std::string name = entry.path().stem().string();
    const bool own_zones = name == "piles";
    std::string text = own_zones
                           ? "game \"T\"\nplayers 2..4\nuse std.piles\nplayer { zone hand: owner }\nplay { }\nend when "
                             "play is over { winners nobody }\n"
                           : "game \"T\"\nplayers 2..4\n" +
                                 (name == "grid" || name == "hex" || name == "graph"
                                      ? "board field: " + name + (name == "graph" ? " from \"points.csv\"" : " 9 x 7") +
                                            "\nuse std." + name + " on field"
                                  : name == "teams" ? "teams each\nuse std.teams"
                                                    : "use std." + name) +
                                 "\nplayer { zone hand: owner }\ntable { zone stock: pile, facedown }\n"
                                 "play { turns clockwise from first of players { phase main { ask active until pass } "
                                 "} }\nend when size(players) == 1 { winners players }\n";
    INFO(name);
    auto o = run({{"game.rules", text}, {"points.csv", "name,next,x,y\na1,,0,0\n"}}, 0, {}, true);
    CHECK(!o->diagnostics.has_errors());
    for (const Diagnostic& d : o->diagnostics.all())
      CHECK(has(std::string(o->sources.name(d.range.source)), "game.rules"));
  }
}

TEST_CASE("sema: missing parts of a text never crash the analysis") {
  std::ifstream in(test::checkout("rulesets/splash/splash.rules"));
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  std::ifstream deck(test::checkout("rulesets/splash/splash-deck.csv"));
  const std::string csv{std::istreambuf_iterator<char>(deck), {}};
  REQUIRE(lines.size() > 100);
  std::uint64_t random = 12345;
  for (int round = 0; round < 40; ++round) {
    std::string text;
    for (std::size_t i = 0; i < lines.size(); ++i) {
      random = random * 6364136223846793005ULL + 1442695040888963407ULL;
      if ((random >> 33) % 60 != 0) text += lines[i] + "\n";
    }
    run({{"game.rules", text}, {"splash-deck.csv", csv}}, 0, {}, true);
  }
  SUCCEED();
}

}   // namespace cardwright::sema_tests
