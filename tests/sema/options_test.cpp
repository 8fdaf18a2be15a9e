// Tests options: the order of resolution, the causes of a rejected combination, and rules that belong to other
// variants.
#include "tests/support/analyze.h"

using namespace cardwright::sema_tests;

TEST_CASE("sema: options") {
  const std::string rules =
      "option a\noption b\noption c = x | y { modify v to 2 }\noption d\nvalue v: int = 1\na implies b unless "
      "d\nconflict b with c == y \"they clash\"\nvariant \"Both\" { a, c = x }\n";
  CHECK(messages(rules) == "");
  CHECK(has(printed(rules, 0, {{"a", "on"}}), "option b = on"));
  CHECK(has(printed(rules, 0, {{"a", "on"}, {"d", "on"}}), "option b = off"));
  CHECK(messages(rules, 0, {{"a", "on"}, {"c", "y"}}) ==
        "28:1 E0503 `b` (`b` was enabled by `a`) conflicts with `c == y`: they clash");
  CHECK(has(printed(rules, 0, {{"Both", ""}}), "option a = on"));
  CHECK(has(printed(rules, 0, {{"c", "y"}}), "[option 0"));
  CHECK(messages(rules, 0, {{"e", "on"}}) ==
        "E0501 unknown option or variant `e` (the options are `a`, `b`, `c`, `d`, `Both`)");
  CHECK(messages(rules, 0, {{"c", "z"}}) == "E0502 option `c` has no value `z` (the values are `x`, `y`)");
  CHECK(messages("require size(players) > 2 with fast \"too quick\"\noption fast", 2, {{"fast", "on"}}) ==
        "22:1 E0504 `fast` requires `size(players) > 2`: too quick");
  CHECK(has(messages("", 9), "E0505"));
}

TEST_CASE("sema: the number of teams can be required") {
  const std::string rules =
      "option parties = solo | pairs\noption flags\nwith parties == solo { teams each }\nwith parties == pairs { teams "
      "[1, 3], [2, 4] }\nrequire size(teams) == 2 with flags \"each has one\"\n";
  CHECK(messages(rules, 4, {{"flags", "on"}, {"parties", "pairs"}}) == "");
  CHECK(messages(rules, 2, {{"flags", "on"}}) == "");
  CHECK(messages(rules, 3, {{"flags", "on"}}) == "26:1 E0504 `flags` requires `size(teams) == 2`: each has one");
  CHECK(messages("option flags\nrequire size(teams) == 2 with flags", 4, {{"flags", "on"}}) != "");
}

TEST_CASE("sema: an explicit option overrides a preset, in any order") {
  const std::string rules = "option a\noption c = x | y\nvariant \"Y\" { a, c = y }\n";
  CHECK(has(printed(rules, 0, {{"Y", ""}, {"c", "x"}}), "option c = x"));
  CHECK(has(printed(rules, 0, {{"c", "x"}, {"Y", ""}}), "option c = x"));
  CHECK(messages(rules, 0, {{"Y", "on"}}) == "E0502 \"Y\" is a preset of several options and takes no value");
}

TEST_CASE("sema: a switch may be on by default, a number may be implied") {
  const std::string rules =
      "option safe = on\noption n: 0..4 = 1\noption far\nfar implies n == 3 and safe\nsafe is void with n == 0 "
      "\"nothing to lose\"\n";
  CHECK(has(printed(rules), "option safe = on"));
  CHECK(has(printed(rules, 0, {{"safe", "off"}, {"far", ""}}), "option safe = on\noption n = 3"));
  CHECK(messages(rules, 0, {{"safe", "off"}, {"n", "0"}}) ==
        "26:1 W0012 `safe` has no effect with `n == 0`: nothing to lose");
  CHECK(has(printed(rules, 0, {{"safe", "off"}, {"n", "0"}}), "option safe = on"));
  CHECK(messages(rules, 0, {{"n", "7"}}) == "E0502 value of `n` out of range; expected 0 to 4, found `7`");
}

TEST_CASE("sema: an option with several values is not a condition") {
  const std::string rules = "option c = off | on | some\nwith c { after take(p) { p.gold += 1 } }\n";
  CHECK(messages(rules) == "");
  CHECK(messages(rules, 0, {{"c", "on"}}) == "");
  CHECK(messages(rules, 0, {{"c", "some"}}) ==
        "23:6 E0301 the option `c` has the value `some`, which is not a condition (use `c == some`)");
}

TEST_CASE("sema: an error names the option from which a `let` is computed") {
  const std::string rules =
      "option a\noption b\noption c\nlet either = a or b\nc implies b\nconflict either with size(players) == 2 \"too "
      "few\"\n";
  CHECK(messages(rules, 2, {{"a", ""}}) ==
        "27:1 E0503 `either` (because of `a`) conflicts with `size(players) == 2`: too few");
  CHECK(messages(rules, 2, {{"c", ""}}) ==
        "27:1 E0503 `either` (`b` was enabled by `c`) conflicts with `size(players) == 2`: too few");
}

TEST_CASE("sema: conflicting implications") {
  CHECK(messages("option a\noption b\noption c = x | y | z\na implies c == y\nb implies c == z", 0,
                 {{"a", ""}, {"b", ""}}) == "26:1 E0503 conflicting rules set option `c` to `z` and `y`");
}

TEST_CASE("sema: relations among the rules of a variant") {
  const std::string rules =
      "option big\noption deep = no | yes { let steps = 2 \n conflict big with steps == 2 \"no\" }\nwith big { big "
      "implies fast unless slow }\noption fast\noption slow\n";
  CHECK(has(printed(rules, 0, {{"big", ""}}), "option fast = on"));
  CHECK(messages(rules, 0, {{"big", ""}, {"deep", "yes"}}) == "24:2 E0503 `big` conflicts with `steps == 2`: no");
  SECTION("a relation with a const of another variant has no effect") {
    CHECK(messages("option a\noption b\nwith a { let n = 2 }\nconflict b with n == 2", 0, {{"b", ""}}) == "");
  }
  SECTION("an undeclared name is an error everywhere") {
    CHECK(messages("option fast\nconflict fast with fsat \"no\"") ==
          "23:20 E0501 unknown option `fsat` (did you mean `fast`?)");
    CHECK(messages("option fast\nwarn when fast and nothing_such") != "");
  }
}

TEST_CASE("sema: `with` in enums and decks") {
  const std::string rules =
      "option big\nenum Hue { dark, with big { mauve }, light }\ncard Toad: Thing, colour red\n"
      "deck Toads: Thing into draw { Toad x 2, with big { Toad x 1 } otherwise { Toad x 4 } }\ntable { hue: Hue = dark "
      "}\n";
  CHECK(!has(printed(rules), "mauve"));
  CHECK(has(printed(rules), "13 cards"));
  CHECK(has(printed(rules, 0, {{"big", ""}}), "mauve \"mauve\" 1"));
  CHECK(has(printed(rules, 0, {{"big", ""}}), "10 cards"));
}

TEST_CASE("sema: a house file changes the options of its base") {
  const std::string base = game(
      "option a\noption b\noption c = x | y { after take(p) { p.gold += 5 } }\nconst most = 5\na implies c == y and b\n"
      "conflict b with c == y \"no\"\nwarn when a \"hm\"\nvariant \"V\" { a }\nvariant \"W\" { b }\n");
  const auto house = [&](const std::string& rules, const Options& options = {}) {
    return run({{"base.rules", base}, {"game.rules", "game \"House\" extends base\n" + rules}}, 0, options);
  };
  CHECK(house("", {{"a", ""}})->messages() ==
        "base.rules:27:1 E0503 `b` (`b` was enabled by `a`) conflicts with `c == y` (`c = y` was enabled by `a`): "
        "no\nbase.rules:28:1 W0011 hm");
  CHECK(house("remove conflict c == y with b\nremove warn when a", {{"a", ""}})->messages() == "");
  CHECK(house("remove a implies c == y and b", {{"a", ""}})->messages() == "base.rules:28:1 W0011 hm");
  CHECK(house("remove conflict a with b")->messages() ==
        "2:8 E0509 no matching declaration `conflict a with b` to remove");
  CHECK(house("remove variant \"W\"", {{"W", ""}})->messages() ==
        "E0501 unknown option or variant `W` (the options are `a`, `b`, `c`, `V`)");
  CHECK(house("remove variant \"X\"")->messages() == "2:1 E0509 cannot remove unknown variant \"X\"");
  CHECK(has(cardwright::model::print(*house("replace variant \"V\" { b }", {{"V", ""}})->model),
            "option a = off\noption b = on"));
  CHECK(house("option a")->messages() == "2:1 E0202 duplicate option `a` (use `replace option a …`)");
  CHECK(house("replace option d = p | q")->messages() == "2:9 E0509 cannot replace unknown option `d`");
  const auto o =
      house("replace option c = x | y | z { after take(p) { p.gold += 3 } }\nreplace const most = 7", {{"c", "z"}});
  CHECK(o->messages() == "");
  REQUIRE(o->model);
  CHECK(has(cardwright::model::print(*o->model), "option c = z"));
  CHECK(house("replace option c = x | y | z { after take(p) { p.gold += 3 } }", {{"c", "y"}})->model->events.size() >
        0);
  CHECK(house("with b { remove event take\n event take(p: player, n: int = 1) { p.gold += n } }", {{"b", ""}})
            ->messages() == "");
}

TEST_CASE("sema: a scenario with interdependent options") {
  const std::string rules =
      "option a\noption b\noption c\na implies b\nc is void with a\nscenario \"one\" for 2 players with a, c { given "
      "a.gold = 3\n then a.gold == 3 }\n";
  CHECK(has(printed(rules, 2, {{"a", "on"}, {"c", "on"}}), "scenario \"one\""));
  CHECK(!has(printed(rules, 2, {{"a", "on"}}), "scenario \"one\""));
  CHECK(messages("scenario \"one\" for 2 players with nothing_such { then a.gold == 0 }") ==
        "22:35 E0501 unknown option `nothing_such`");
}

TEST_CASE("options: the set of options and variants does not depend on any option", "[sema]") {
  const std::string base = game(
      "option long\noption size_of = few | many\nconst n = if long and size_of == few then 1 else 2\nvariant "
      "\"Sunday\" { long }\nevent e(p: player) { p.gold = n; e(p) }");
  const auto house = [&](const std::string& rules) {
    return run({{"base.rules", base}, {"game.rules", "game \"H\" extends base\n" + rules}})->messages();
  };
  CHECK(house("with long { replace option size_of = few | many | all }") ==
        "2:13 E0403 an option and its values can't depend on other options (move it out of the `with`; to relate "
        "options, use `require A with B` or `A is void with B`)");
  CHECK(house("with long { remove variant \"Sunday\" }") ==
        "2:13 E0403 a variant can't depend on options (move it out of the `with`)");
  CHECK(house("with long { replace variant \"Sunday\" { size_of = many } }")
            .starts_with("2:13 E0403 a variant can't depend"));
  CHECK(house("with long { replace event e(p: player) { p.gold = n } }\nreplace option size_of = few | many | "
              "all\nremove variant \"Sunday\"")
            .find("E0") == std::string::npos);
  CHECK(has(house("deck Chips: Stone x 9"),
            "the base game has no deck with this name; to change the counts of its deck, write `deck Cards: …`"));
  CHECK(house("deck Cards: Stone x 9").find("E0") == std::string::npos);
}

TEST_CASE("texts: an expression in braces must be defined, and be a single value", "[sema]") {
  CHECK(messages("action a(n: 1..3) in main \"Take {m}\" { me.gold = n }").starts_with("22:34 E0201 unknown name `m`"));
  CHECK(messages("action a(cs: 2 cards in me.hand) in main \"Give {size(cs)}\" { move cs to discard }") ==
        "22:49 E0407 a label can't compute with `cs`, which is not picked yet when the label is shown (use `{cs}` "
        "alone)");
  CHECK(messages("card type Odd: Thing \"{if worth > 1 then \"Good\" else \"Bad\"}\"\ndeck Odds: Odd into draw { "
                 "Odd(colour: red) }")
            .starts_with("22:24 E0201 `Odd` has no attribute `if worth > 1 then \"Good\" else \"Bad\"`"));
}

// The strings list the number of copies for each value of `worth`.
TEST_CASE("a house file: the count of one design, and of a type that is its own card", "[house]") {
  const std::string base =
      "game \"Base\"\nplayers 2\ncard type Coin { worth: 1..3 }\n"
      "deck Coins: Coin into bag { each n in 1..3: Coin(worth: n) x 2 }\ntable { zone bag: public }\n"
      "play { phase main { } }\nend when play is over { winners players }\n";
  const auto copies = [&](const std::string& rules) {
    const auto o = run({{"base.rules", base}, {"game.rules", "game \"H\" extends base\noption rich = on\n" + rules}});
    INFO(o->messages());
    REQUIRE(o->model);
    std::map<std::int64_t, int> counts;
    for (const auto& card : o->model->cards) ++counts[card.attributes[0]];
    std::string out;
    for (const auto& [worth, n] : counts) out += fmt::format("{}:{} ", worth, n);
    return out;
  };
  CHECK(copies("") == "1:2 2:2 3:2 ");
  CHECK(copies("deck Coins: Coin(worth: 3) x 5") == "1:2 2:2 3:5 ");
  CHECK(copies("deck Coins: Coin(worth: 3) x 5, Coin(worth: 1) x 0") == "2:2 3:5 ");
  CHECK(copies("with rich { deck Coins: Coin(worth: 2) x 1 }") == "1:2 2:1 3:2 ");
  CHECK(copies("deck Coins: Coin x 9") == "1:3 2:3 3:3 ");
  CHECK(copies("deck Coins { each n in 1..2: Coin(worth: n) x 4 }") == "1:4 2:4 3:2 ");
}

// `box` is an attribute of the card, and elsewhere also a constant.
TEST_CASE("an option with an attribute that has the name of a constant", "[csv]") {
  const auto cards = [](const std::string& where) {
    const auto o = run({{"c.csv", "name,box\nApple,first\nApple,second\n"},
                        {"game.rules",
                         "game \"T\"\nplayers 2\noption cards = full | few\nenum Box { first, second }\nenum Prop { "
                         "box, mug }\ncard type Fruit { box: Box }\ncard Apple: Fruit\n"
                         "deck All: Fruit into bag from \"c.csv\" where " +
                             where +
                             "\ntable { zone bag: public }\n"
                             "play { phase main { } }\nend when play is over { winners players }\n"}},
                       2, {{"cards", "few"}});
    INFO(o->messages());
    REQUIRE(o->model);
    return o->model->cards.size();
  };
  CHECK(cards("cards == full or box == first") == 1);
  CHECK(cards("(cards == full or box == first) and size(players) == 2") == 1);
  CHECK(cards("size(players) == 2 and (cards == full or box == first)") == 1);
  CHECK(cards("not (cards == full or box == first)") == 1);
  CHECK(cards("(if cards == few and box == first then true else false)") == 1);
}
