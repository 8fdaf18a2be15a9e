// Tests syntax errors: each mistake produces one message, with the right text and position.
#include <array>
#include <sstream>

#include "tests/parse/parsing.h"
#include "tests/support/has.h"

namespace cardwright::parse_tests {

TEST_CASE("errors: independent errors are all reported in one run, and the other declarations are parsed") {
  Parsed p(R"(game "x"
crad Miss: Water {
}
event a() {
  mvoe c to discard
}
event fine() { x() }
event b() {
  move c discard
}
)");
  CHECK(p.messages() == R"(test.rules:2:1: error[E0102]: unknown declaration `crad`
  2 | crad Miss: Water {
    | ^^^^ did you mean `card`?
test.rules:5:3: error[E0103]: unknown statement `mvoe`
  5 |   mvoe c to discard
    |   ^^^^ did you mean `move`?
test.rules:9:10: error[E0101]: expected `to`, found `discard`
  9 |   move c discard
    |          ^^^^^^^ in this `move`
)");
  CHECK(p.declarations() == 2);
}

TEST_CASE("errors: brackets") {
  CHECK(wrong(R"(card Miss: Water {
  play in incoming { stopped += 1 }
card Chips: Water {
  text "x"
}
)") == R"(test.rules:1:18: error[E0104]: expected `}` to close the `card` that begins on line 1
  1 | card Miss: Water {
    |                  ^ never closed
test.rules:3:1: note: a new declaration begins here
  3 | card Chips: Water {
    | ^^^^
)");
  CHECK(wrong("event f() { deal (7 from stock] to each hand }") ==
        R"(test.rules:1:31: error[E0105]: expected `)`, found `]`
  1 | event f() { deal (7 from stock] to each hand }
    |                               ^
test.rules:1:18: note: to match this `(`
  1 | event f() { deal (7 from stock] to each hand }
    |                  ^
)");
  CHECK(wrong("event f() { if x { y() }") ==
        R"(test.rules:1:11: error[E0104]: expected `}` to close the `event` that begins on line 1
  1 | event f() { if x { y() }
    |           ^ never closed
)");
  CHECK(wrong("let a = 1\n}\n") == R"(test.rules:2:1: error[E0105]: unmatched `}`
  2 | }
    | ^
)");
  Parsed lost("event e() {\n  draw(me, 2\n  move c to discard\n}\nevent f() { x() }\nevent g() { y( }\n");
  CHECK(lost.diagnostics.errors() == 2);
  CHECK(lost.declarations() == 1);
}

struct Case {
  std::string text, message;
};

TEST_CASE("errors: messages") {
  const Case cases[] = {
      {"event f() {\n x = 3 +\n}", "2:9: error[E0101]: expected an expression, found the end of the line"},
      {"event f() {\n x = = 3\n}", "2:6: error[E0101]: expected an expression, found `=`"},
      {"event f() { x = 1 y = 2 }", "expected the end of the line, found `y`"},
      {"event f() { let where = 3 }", "E0113]: `where` is a reserved word and can't be a name"},
      {"event where() { }", "E0113]: `where` is a reserved word and can't be a name"},
      {"event take(of: player) { }", "E0113]: `of` is a reserved word and can't be a name"},
      {"event f() {\n log \"abc\n}", "E0106]: unterminated string"},
      {"event f() {\n log \"abc {x\"\n}", "E0106]: unterminated string"},
      {"event f() { x = 1.5 }", "E0109]: `1.5` is not an integer"},
      {"event f() { x = 3 # why\n}", "E0107]: invalid character `#`"},
      {"event f() { let q = “a” }", "use straight quotes"},
      {"value x: int = 99999999999999999999", "E0108]: number too large"},
      {"zone draw: pile, facedwon", "E0116]: unknown zone property `facedwon`"},
      {"zone draw: pile, facedwon", "did you mean `facedown`?"},
      {"player { role: Role, secrt }", "did you mean `secret`?"},
      {"action a { }", "missing window of action `a`"},
      {"modify playable(p) where broken to p.hand", "E0116]: expected `when`, found `where`"},
      {"after play(c) where c is red { }", "E0116]: expected `when`, found `where`"},
      {"event f() {\n foo\n}", "E0103]: `foo` is not a statement"},
      {"event f() { size(x) }", "E0114]: unused expression"},
      {"event f() { me.towels }", "E0114]: unused expression"},
      {"foo", "E0102]: unknown declaration `foo`"},
      {"instead turn(me) { }", "did you mean `instead of`?"},
      {"move c to d", "put statements in a block"},
      {"window w { ask all of players }", "expected `at once` or `in real time` after `ask all of`"},
      {"window w { ask p untill pass }", "did you mean `until`?"},
      {"window w \"Which?\" { ask p }", "write the question after `ask`"},
      {"event e() { choose c from hand \"a\" \"b\" }", "E0115]: duplicate clause"},
      {"event e() { choose kept: two from hand }", "expected a name, found `from`"},
      {"event e() { each p in players draw(p) }", "found `draw`"},
      {"setup {\n if a then\n}", "expected a statement, found the end of the line"},
      {"value v(): int = if a then b", "expected `else`, found the end of the file"},
      {"card X Y", "a name can't contain a blank"},
      {"deck D: C from splash.csv", "expected a string, found `splash`"},
      {"value f(x: int where x > 3): int = x", "`where` is only allowed in parameters of actions and plays"},
      {"scenario \"t\" { giben a = 3 }", "did you mean `given`?"},
      {"scenario \"t\" in four {\n when main of a begin\n}", "expected `begins`, found `begin`"},
      {"scenario \"t\" in four { given a.hand }", "E0117]: missing value in `given`"},
      {"forbid jam Miss", "unexpected `Miss` after `jam`"},
      {"board b: track 24", "E0112]: unknown kind of board `track`"},
      {"die K { 1..6 }", "expected `}`, found `1`"},
      {"piece K x 4 on field { covers 2 points }", "E0116]"},
  };
  for (const Case& c : cases) {
    Parsed p(c.text);
    INFO(c.text << "\n" << p.messages());
    CHECK(p.diagnostics.has_errors());
    CHECK(p.messages().find(c.message) != std::string::npos);
    // Messages never contain lists of tokens or the parser's internal terms.
    for (const char* token : {"K_", "EOF", "NUM", "<", "token", "mismatched", "viable"})
      CHECK(p.messages().find(token) == std::string::npos);
  }
}

TEST_CASE("errors: at most twelve errors are reported") {
  std::string text;
  for (int i = 0; i < 100; ++i) text += "event e() { move c discard }\n";
  CHECK(Parsed(text).diagnostics.errors() == parse::kMostErrors);
}

TEST_CASE("errors: no prefix and no mutation of a valid text crashes the parser") {
  const std::string good = R"(game "x"
card Hat: Yellow, towels 4 "Label" {
  text "When {x} flip"
  while in table {
    action flip_hat(c: French in me.hand where fits(c)) in incoming, once per window { if flip(me).icon == Ducky then stopped += 1 }
  }
  play in main (target in others where in_reach(me, target)) when a < b to target.table { ask p, again until pass }
}
deck Cards: Item { each s in Suit: Card(suit: s) x 2 }
option reward = a | b { instead of bounty(p) { if p may "Draw?" then proceed else cancel } }
scenario "t" in four {
  given a.hand = [a Ducky], only a, b are in
  when main of a begins, a plays Miss as Splash on b, then Hat
  then a can't play Hat and b knows top of draw
}
)";
  CHECK(Parsed(good).messages() == "");
  for (std::size_t i = 0; i < good.size(); i += 3) {
    Parsed prefix(good.substr(0, i));
    std::string without = good;
    without.erase(i, 1);
    Parsed erased(without);
    std::string doubled = good;
    doubled.insert(i, 1, "{}()[].,;:=\"+\n"[i % 14]);
    Parsed inserted(doubled);
  }
}

TEST_CASE("parse: `=` in a condition") {
  const auto messages = [](const std::string& rules) { return Parsed("game \"G\"\nplayers 2\n" + rules).messages(); };
  CHECK(messages("action one in main { if me.n = 3 then me.n = 4 }\n")
            .find("expected a condition, found an assignment") != std::string::npos);
  CHECK(messages("scenario \"y\" for 2 players { then a.n = 3 }\n").find("found an assignment") != std::string::npos);
  CHECK(messages("event e(p: player) { if p.n == 3 then p.n = 4 p.n = 5 }\n").find("found an assignment") ==
        std::string::npos);
  CHECK(messages("remove action x\n") == "");
  CHECK(messages("event e() { for p in players { } }\n").find("`each p in players") != std::string::npos);
}

TEST_CASE("errors: syntax of other languages is explained with its equivalent") {
  // Each row contains a text, the code of its only error, and a part of the message.
  const std::vector<std::array<std::string, 3>> habits = {
      {"event e() { if a && b then x() }", "E0101", "unexpected `&&`|write `and`"},
      {"event e() { if a || b then x() }", "E0101", "unexpected `||`|write `or`"},
      {"event e() { if a <> b then x() }", "E0101", "unexpected `<>`|write `!=`"},
      {"event e() { if a => b then x() }", "E0101", "unexpected `=>`|write `>=`"},
      {"event e() { if !a then x() }", "E0107", "write `not`"},
      {"event e() { me.score++ }", "E0101", "write `me.score += 1`"},
      {"event e() { ++me.score }", "E0101", "write `me.score += 1`"},
      {"event e() { n-- }", "E0101", "write `n -= 1`"},
      {"event e() { me.score == 3 }", "E0101", "use `=` to assign a value"},
      {"event e() { if a { x() } elif b { y() } }", "E0103", "write `else if`"},
      {"event e() { print \"hello\" }", "E0103", "`log"},
      {"event e() { put c to discard }", "E0103", "`move c to discard`"},
      {"event e() { winner (players where rich) with most gold }", "E0103", "`winners p`"},
      {"event e() { deal 2 cards from deck to p.hand }", "E0101", "leave out `cards`: `deal 2 from …`"},
      {"event e() { if me.purse has Gem then x() }", "E0101", "`any x in me.purse has x is Gem`"},
      {"Players 2..5", "E0102", "keywords are lower case: `players`"},
      {"player { zone purse }", "E0101", "missing visibility for zone `purse`|`: owner`"},
      {"player { zone hand: private }", "E0116", "`public`, `owner`, `team` or `hidden`"},
      {"enum Role { king \"the King\", thief }", "E0101", "an enum constant can't have a label"},
      {"deck Coins: Coin into bag { Coin(5) 4 }", "E0306", "`Coin(5) x 4`"},
  };
  for (const auto& [text, code, parts] : habits) {
    Parsed p(text + "\n");
    INFO(text << "\n" << p.messages());
    CHECK(p.diagnostics.errors() == 1);
    CHECK(p.messages().find("[" + code + "]") != std::string::npos);
    std::istringstream wanted(parts);
    for (std::string part; std::getline(wanted, part, '|');)
      if (!part.empty()) CHECK(p.messages().find(part) != std::string::npos);
  }
}

TEST_CASE("errors: an unterminated string is one error, and the next declaration is parsed") {
  Parsed p(R"(action take in main "Take a coin {
  move top of bag to me.purse
  if me.rich then {
    take(me)
  }
}
event e() { mvoe c to discard }
)");
  CHECK(p.diagnostics.errors() == 2);
  CHECK(p.messages().find("test.rules:1:21: error[E0106]") == 0);
  CHECK(p.messages().find("test.rules:7:13: error[E0103]") != std::string::npos);
}

// Syntax from other languages or from rulebooks produces a message with the equivalent in this language.
TEST_CASE("errors: foreign syntax is reported with a fix") {
  const auto says = [](const std::string& text, const std::string& way_out) {
    const std::string messages = wrong(text);
    INFO(text << "\n" << messages);
    CHECK(messages.find(way_out) != std::string::npos);
    CHECK(messages.find("error[", messages.find("error[") + 1) == std::string::npos);   // there is only one error
  };
  const auto in_event = [&](const std::string& statement, const std::string& way_out) {
    says("event e(p: player, n: int) {\n  " + statement + "\n}\n", way_out);
  };
  in_event("for x in players { draw(x) }", "`each p in players { … }`");
  in_event("each player { draw(p) }", "`each x in players { … }`");
  in_event("switch n { }", "`if n == 1 { … }");
  in_event("int x = 3", "`let n = 3`");
  in_event("const x = 3", "`let x = …`");
  in_event("break", "use `stop` to leave a loop");
  in_event("continue", "use `next` to continue");
  in_event("p wins", "`winners p` ends the game");
  in_event("p draws 2 cards", "`draw(p, …)`");
  in_event("discard 1 card from p.hand", "`move c to discard`");
  in_event("exchange p.hand and q.hand", "`swap p.hand with q.hand`");
  in_event("shuffle the deck", "leave out the article");
  in_event("choose a card from p.hand", "`p chooses c from p.hand`");
  in_event("move c from p.hand to discard", "`move c to …`");
  in_event("log \"has \" + n", "insert the value into the string");
  in_event("log 'hello'", "use double quotes");
  in_event("# remark", "a comment begins with //");
  in_event("/* remark */", "a comment begins with //");
  in_event("let x = n % 2", "`a mod b`");
  in_event("let x = n ^ 2", "`**`");
  in_event("let x = n == 1 ? 2 : 3", "`if C then A else B`");
  in_event("let x = 2 if n == 1 else 3", "`if C then A else B`");
  in_event("let x = roll 1d6", "`roll 1..6`");
  in_event("if n === 1 then draw(p)", "write `==`");
  in_event("if n is 1 then draw(p)", "`== 1`");
  in_event("if n is not 1 then draw(p)", "`!= 1`");
  in_event("let x = 1.5", "`unit CL = 2`");
  in_event("let x = n << 1", "`n * 2 ** k`");
  in_event("let x = n >> 1", "`n / 2 ** k`");
  in_event("let x = n !== 1", "write `!=`");
  in_event("let x = n <=> 1", "use `a < b`, `a == b` and `a > b`");
  in_event("let x = p ?? q", "`a or else b`");
  in_event("let x = p?.n", "write `.`");
  in_event("let x = p->n", "write `.`");
  in_event("let x = |p.hand|", "`size(S)`");
  in_event("let x = n × 2", "write `*`");
  in_event("let x = n ÷ 2", "write `/`");
  in_event("if n ≤ 2 then draw(p)", "write `<=`");
  in_event("if n == 1 xor n == 2 then draw(p)", "`A != B`");
  in_event("if n equals 1 then draw(p)", "write `==`");
  in_event("if n between 1 and 3 then draw(p)", "`n in 1..3`");
  in_event("if p.hand contains c then draw(p)", "`x in hand`");
  in_event("if n == 1: x = 2", "`if C then …`");
  in_event("p.n *= 2", "write `p.n = p.n * …`");
  in_event("p.n /= 2", "write `p.n = p.n / …`");
  in_event("p.n %= 2", "write `p.n = p.n mod …`");
  in_event("p.n := 2", "write `p.n = …`");
  in_event("p.n <- 2", "write `p.n = …`");
  in_event("p.n =+ 2", "write `+=` to add");
  in_event("p.n =- 2", "write `-=` to subtract");
  in_event("if n // 2 == 1 then draw(p)", "use `/` for a division");
  says("event e(n: int) { let x = n // 2 }", "use `/` for a division");
  says("def foo(p) { }", "`event draw(p: player) { … }`");
  says("class Foo { }", "`record R { n: 0..9 }`");
  says("import seats", "`use std.seats`");
  says("rule \"Draw two\" { }", "`action`");
  says("on gain(p, n) { draw(p) }", "`after draw(p) { … }`");
  says("when gain(p, n) { draw(p) }", "`after draw(p) { … }`");
  says("win when lives == 5", "`end when C { winners p }`");
  says("var score = 0", "`table { n: 0..9 = 0 }`");
  says("phase attack { ask active }", "`play { turns");
  says("turn { draw(active) }", "`play { turns");
  says("deck More: Item into draw { 3 Apple }", "`Apple x 3`");
  says("deck More: Item into draw { Apple * 3 }", "`Apple x 3`");
  says("modify reach(_) = 2", "use `by +1` to add, `to 2` to replace");
  says("value foo(p: player) -> int = 1", "a colon before the type: `: int`");
  says("function foo: int = 1", "`foo()`");
  says("action foo in main if me.lives > 2 { draw(me) }", "begins with `when`");
  says("action foo(target player) in main { draw(target) }", "`target: player`");
  says("players 2 to 4", "`players 2..4`");
  says("enum Suit = hearts, spades", "`enum Suit { … }`");
  in_event("move c into discard", "`to discard`");
  in_event("move c to discard face down", "write `facedown`");
  in_event("turn discard face up", "write `faceup`");
  in_event("if size p.hand > 2 { draw(p) }", "add brackets: `size(…)`");
  says("action x in main when size hand > 2 { draw(me) }", "add brackets: `size(…)`");
  says("table { zone pit: pile, face down; zone top: pile }", "test.rules:1:25: error[E0101]: `face down` is one word");
  says("event e(p: player), once per turn { draw(p) }",
       "test.rules:1:21: error[E0101]: `once per turn` is only allowed for actions and plays");
  says("after draw(p), once per round { gain(p) }", "`once per round` is only allowed for actions and plays");
  says("deck More: Item in draw { Apple x 3 }", "`into draw`");
  says("action lay(c: Item from me.hand, p: player) in main { draw(me) }", "`Item in me.hand`");
  says("action lay(c: Item in me.hand) during main { draw(me) }", "is offered: `in main`");
  says("action lay[c: Item in me.hand] in main { draw(me) }", "round brackets: `lay(…)`");
  says("action slap in race, take 300 ms { draw(me) }", "`takes 300 ms`");
  says("play { turns from host { draw(active) } }", "`turns clockwise from first of players …`");
}

TEST_CASE("errors: a comment that resembles a division") {
  const auto warned = [](const std::string& rules) {
    const std::string messages = Parsed(rules).messages();
    INFO(rules << messages);
    CHECK((messages.empty() || messages.find("warning[W0016]: this comment may be a division") != std::string::npos));
    return !messages.empty();
  };
  for (const char* divides : {"n // 2", "n//2", "n //2", "f(n) // 2", "l[0] // 10", "n // 2 + 1", "n // 2 * m"})
    CHECK(warned(fmt::format("value v: int = {}\n", divides)));
  for (const char* remark :
       {"n  // 2", "n // 2 cards", "n // half", "n  // 2 + 1", "n // 2, as printed", "n // 2.", "n // (2)"})
    CHECK_FALSE(warned(fmt::format("value v: int = {}\n", remark)));
  CHECK_FALSE(warned("event e() { // 2\n}\n// 3\nevent f() { }\n"));
  CHECK(wrong("event f(n: int) { x(n  // see (2)\n}\n").find("this comment extends") == std::string::npos);
  CHECK(wrong("event f(n: int) { x =+ 1 }\n")
            .find("test.rules:1:21: error[E0101]: `=+` is an assignment followed by a sign") == 0);
  CHECK(Parsed("event f(n: int) { x = -1; x = +1; x=-1 }\n").messages() == "");
}

TEST_CASE("errors: unexpected lines in a scenario") {
  const auto says = [](const std::string& lines, const std::string& way_out) {
    const std::string messages = wrong("scenario \"s\" for 2 players {\n" + lines + "\n}\n");
    INFO(lines << "\n" << messages);
    CHECK(messages.find(way_out) != std::string::npos);
    CHECK(messages.find("error[", messages.find("error[") + 1) == std::string::npos);
  };
  const std::string begins = "  when main of a begins\n";
  says(begins + "  then a.n == 3\n    b.n == 1", "another check begins with `and`: `and b.n == 1`");
  says(begins + "  then\n    a.n == 3\n    b.n == 1", "another check begins with `and`: `and b.n == 1`");
  says(begins + "  then a.n == 3\n  and b.n == 1\n    a can't use x",
       "another check begins with `and`: `and a can't use x`");
  says("  when main of a begins\n    a uses x\n  then a.n == 3", "another step begins with `and`: `and a uses x`");
  says("  given a.n = 3\n    b.n = 2\n" + begins + "  then a.n == 3",
       "separate values with a comma, or begin the line with `given`: `given b.n = 2`");
  says("  given\n    a.n = 3\n" + begins + "  then a.n == 3", "write the values on the same line");
  says("  given: a.n = 3\n" + begins + "  then a.n == 3", "write the values on the same line");
  says("  gvien a.n = 3\n" + begins + "  then a.n == 3", "did you mean `given`?");
  CHECK(
      Parsed("scenario \"s\" for 2 players {\n" + begins + "  then\n    a.n == 3\n    and b.n == 1\n}\n").messages() ==
      "");
}

TEST_CASE("errors: a rule may begin with a negative number") {
  Parsed p(
      "card Pear: Item {\n  whenever -1 > me.lives { draw(me) }\n}\nevent e() { repeat -n { }\n  with -1 < "
      "size(players) { }\n}\n");
  CHECK(p.messages() == "");
}

TEST_CASE("errors: each mistake of a beginner causes one message with the right form") {
  struct Mistake {
    std::string_view rules, place, message;
  };
  const Mistake mistakes[] = {
      {"card Water Pistol: Item", "1:6: error[E0101]: a name can't contain a blank",
       "write `card WaterPistol: TYPE \"Water Pistol\"`"},
      {"card water pistol", "1:6: ", "write `card WaterPistol: TYPE \"water pistol\"`"},
      {"character Big Bob: Hero", "1:11: ", "write `character BigBob: TYPE \"Big Bob\"`"},
      {"action throw it away(c in me.hand) in main { }", "1:8: ", "write `action throw_it_away`"},
      {"option long game = false", "1:8: ", "write `option long_game`"},
      {"table { zone discard pile: pile, faceup }", "1:14: ", "write `zone discard_pile`"},
      {"play { phase draw cards { ask active } }", "1:14: ", "write `phase draw_cards`"},
      {"player { life points: 0..9 = 3 }", "1:10: error[E0101]: a name can't contain a blank", "write `life_points`"},
      {"card Water-Pistol: Item", "1:6: error[E0101]: a name can't contain a hyphen", "write `Water_Pistol`, or"},
      {"deck D: Item into draw { Jack-in-box x 3 }", "1:26: ", "write `Jack_in_box`"},
      {"player { life-points: 0..9 = 3 }", "1:10: ", "write `life_points`"},
      {"event e(p: player) { p.life-points += 1 }", "1:24: ", "write `life_points`"},
      {"card Sponge x 3", "1:13: error[E0101]: a card has no number of copies",
       "`deck Cards: T into draw { Sponge x 3 }`"},
      {"card Sponge: Item x 3", "1:19: error[E0101]: a card has no number of copies", "{ Sponge x 3 }`"},
      {"game \"x\" extends \"splash\"", "1:18: error[E0101]: expected the name of a game, found `\"splash\"`",
       "`extends splash`"},
      {"game \"x\" extends splash.rules", "1:18: error[E0101]: expected the name of a game", "`extends splash`"},
      {"game \"x\" extends ../classics/crazy-eights.rules.txt", "1:18: ", "`extends crazy_eights`"},
      {"spieler { zone hand: owner }", "1:1: error[E0102]: unknown declaration `spieler`",
       "keywords are English: write `player` or `players`"},
      {"joueurs 2..4", "1:1: ", "keywords are English: write `players`"},
      {"Karte Towel: Item", "1:1: ", "keywords are English: write `card`"},
      {"Événement e() { x() }", "1:1: ", "keywords are English: write `event`"},
      {"event e() { wenn x > 3 dann y() }", "1:13: error[E0103]", "write `if` or `when`"},
      {"event e() { if x > 3 dann y() }", "1:22: error[E0101]: expected `{` or `then`, found `dann`", "write `then`"},
      {"event e() { mélanger draw }", "1:13: ", "write `shuffle`"},
      {"event e() { x = 21,5 }", "1:17: error[E0109]: `21,5` is not an integer", "write `21`; decimals need a unit"},
      {"table { score: 0..1,000 = 0 }", "1:19: error[E0109]: `1,000` is not an integer", "without the comma: `1000`"},
      {"setup:\n  shuffle draw\n  deal 3 from draw to each hand\n", "1:6: error[E0101]: unexpected `:` after `setup`",
       "use braces: `setup { … }`"},
      {"setup: shuffle draw", "1:6: ", "use braces: `setup { … }`"},
      {"play:\n  rounds 3 { x() }\n", "1:5: ", "use braces: `play { … }`"},
      {"end when x { the winner is the player with most score }", "1:14: ", "write `winners players with most score`"},
      {"the winner is the player with the lowest score",
       "1:1: ", "write `end when C { winners players with least score }`"},
      {"end when x { winners players with highest score }", "1:30: ", "write `winners players with most score`"},
      {"event e(p: player n: 0..9) { x() }", "1:19: error[E0101]: expected `,` before `n`", "`, n: …`"},
      {"event e() { take(p 2) }", "1:20: error[E0101]: expected `,` before `2`", "with a comma: `p, 2`"},
      {"table { zone draw: pile facedown }", "1:25: error[E0101]: expected `,` before `facedown`",
       "write `pile, facedown`"},
      {"event e() { x = 50% }", "1:17: error[E0101]: unexpected `50%`", "write `n * 50 / 100` for a share"},
      {"event e() { if chance 50% { x() } }", "1:23: ", "`roll 1..100 <= 50` for a chance"},
      {"event e() { all players draw 2 }", "1:13: error[E0101]: unexpected `draw` after `all players`",
       "`each p in players { draw(p, 2) }`"},
      {"event e() { each player draws a card }", "1:13: ", "`each p in players { draw(p) }`"},
      {"event e() { players draw 2 cards }", "1:13: ", "`each p in players { draw(p, 2) }`"},
      {"play { phase main { ask each player } }", "1:25: ", "write `ask each of players`"},
      {"play { phase main { ask every player } }", "", "write `ask each of players`"},
      {"players 2–6", "1:10: error[E0107]: invalid character `–`", "write a range with two dots: `2..6`"},
      {"table { n: 0 — 99 = 0 }", "1:14: ", "write a range with two dots: `0..99`"},
      {"event e() { if x > 3 shuffle draw }", "1:22: error[E0101]: expected `{` or `then`, found `shuffle`",
       "write `if C then …` or `if C { … }`"},
      {"event e() {\n  if x > 3\n    shuffle draw\n}", "2:11: ", "write `if C then …` or `if C { … }`"},
      {"event e() { let n = if x > 3 1 else 2 }", "1:30: ", "write `if C then A else B`"},
  };
  for (const Mistake& m : mistakes) {
    INFO(m.rules);
    const std::string found = wrong(std::string(m.rules));
    INFO(found);
    CHECK(test::has(found, "test.rules:" + std::string(m.place)));
    CHECK(test::has(found, std::string(m.message)));
    CHECK(found.find("error[") == found.rfind("error["));
  }
}

TEST_CASE("errors: other encodings than UTF-8") {
  CHECK(wrong("\xFF\xFEg\0a\0") ==
        "test.rules:1:1: error[E0002]: `test.rules` is encoded as UTF-16\n"
        "  save the file as UTF-8 in your editor\n");
  CHECK(test::has(wrong(std::string("g\0a\0m\0", 6)), "is encoded as UTF-16"));
  CHECK(test::has(wrong(std::string("game\0", 5)), "E0004"));
  CHECK(wrong("game \"Caf\xE9\"") ==
        "test.rules:1:10: error[E0002]: invalid UTF-8 byte in `test.rules`\n"
        "  save the file as UTF-8 in your editor\n");
}

TEST_CASE("errors: names that resemble mistakes are correct") {
  for (const std::string rules :
       {"table { setup: 0..9 = 0 }", "let play = 3", "event e() { x = y-z; }", "value karte(): int = 3",
        "card A\ncard B\n", "enum E { a b c }", "event e() { let l = [1,2]; x(1,2) }", "table { spieler: 0..9 = 0 }"}) {
    INFO(rules);
    CHECK(Parsed(rules).messages() == "");
  }
}

}   // namespace cardwright::parse_tests
