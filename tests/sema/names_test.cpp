// Tests name lookup, type checking and narrowing, and the messages for their errors.
#include "tests/support/analyze.h"

namespace cardwright::sema_tests {

TEST_CASE("sema: the smallest game") {
  CHECK(messages("") == "");
  const std::string m = printed("");
  CHECK(has(m, "7 cards"));
  CHECK(has(m, "ask:main 32 (active_player, -, -, -, -)"));
  CHECK(has(m, "window main() (a phase)"));
}

TEST_CASE("sema: misspelled names get a suggestion") {
  CHECK(messages("event e(p: player) { move p.hand to discrad }") ==
        "22:37 E0201 unknown zone `discrad` (did you mean `discard`?)");
  CHECK(messages("event e(p: player) { tkae(p) }") == "22:22 E0201 unknown event `tkae` (did you mean `take`?)");
  CHECK(messages("event e(p: player) { p.glod = 3 }") ==
        "22:24 E0206 a player has no member `glod` (did you mean `gold`?)");
  CHECK(messages("event e(p: player) { if gold > 3 then take(p) }") ==
        "22:25 E0201 unknown name `gold` (it belongs to a player: write `me.gold` or `p.gold`)");
  CHECK(messages("event e() { let x = me.gold }") ==
        "22:21 E0205 no player in scope for `me` (`me` exists in rules of characters and cards, in actions and in "
        "plays; elsewhere, add a parameter to the event)");
}

TEST_CASE("sema: without a similar name, the available names are listed") {
  CHECK(has(messages("event e(p: player) { if p.role == Queen then take(p) }"), "(expected one of `Cop`, `Thief`)"));
  CHECK(has(messages("event e(p: player) { each c in p.hand { if c.splendour == 3 then take(p) } }"),
            "(expected one of `colour`, `kind`, `worth`)"));
  CHECK(has(messages("event e(p: player, r: Role) { if p.role is not r then take(p) }"),
            "`is` names a constant; `==` and `!=` compare with the value of `r`"));
}

TEST_CASE("sema: an attribute of several card types, also as a table") {
  const std::string types = "card type Gun { jam: 0..3 per Role }\ncard type Lock { jam: Role }\n";
  CHECK(has(messages(types + "event e() { each c in draw { let j = c.jam; gain(j) } }"),
            "ambiguous attribute `jam`: several card types declare it with different types (narrow the card first: `if "
            "c is Gun then …`, or declare `jam` in a common base type)"));
  CHECK(!has(messages(types + "value v(c: Gun, r: Role): int = c.jam[r]\nvalue w(c: Lock): Role = c.jam"), "several"));
}

TEST_CASE("sema: a name that is used before its line") {
  const auto o = run({{"game.rules", game("event e(p: player) {\n  p.gold = n\n  let n = 3\n  p.gold = n\n}")}});
  CHECK(has(o->messages(), "unknown name `n` (move its declaration before this line)"));
  REQUIRE(o->diagnostics.all().front().notes.size() == 1);
}

TEST_CASE("sema: statements that are written like events") {
  CHECK(has(messages("event e(p: player) { eliminate(p) }"),
            "(`eliminate` is a statement without parentheses: `eliminate p`)"));
  CHECK(has(messages("event e(p: player) { winner(p) }"), "winners p"));
  const std::string ending = messages("end when turn_number > 3 { winner (players with most gold) }");
  CHECK(has(ending, "E0201 unknown event `winner` (use `winners p` to end the game)"));
  CHECK(!has(ending, "E0409"));
}

TEST_CASE("sema: a house file states whether it replaces a deck or a count") {
  const auto house = [](const std::string& text) {
    return run({{"base.rules", game("")}, {"game.rules", "game \"House\" extends base\n" + text + "\n"}})->messages();
  };
  CHECK(has(house("deck Cards: Thing into draw { Leaf x 9 }"),
            "duplicate deck `Cards` (use `replace deck Cards …` to replace the list, or `deck Cards: Card x "
            "3` to change one count)"));
  CHECK(house("replace deck Cards: Thing into draw { Stone x 1 Leaf x 9 }") == "");
  CHECK(house("deck Cards: Leaf x 9") == "");
}

TEST_CASE("sema: two libraries that replace the same event") {
  const auto both =
      run({{"base.rules", game("")},
           {"one.rules", "library one\nreplace event take(p: player, n: int = 1) { move top of draw to p.hand }\n"},
           {"two.rules", "library two\nreplace event take(p: player, n: int = 1) { move bottom of draw to p.hand }\n"},
           {"game.rules", "game \"House\" extends base\nuse one\nuse two\n"}});
  CHECK(has(both->messages(),
            "conflicting replacements of the event `take` in two files (remove one of them, or make one file extend "
            "the other)"));
}

TEST_CASE("sema: a rule that another one always hides") {
  const auto hidden = [](const std::string& rules) {
    const std::string all =
        run({{"game.rules",
              game("value goal(p: player): int = 3\nend when any p in players has p.gold > goal(p) { winners p }\n" +
                   rules)}},
            0, {}, true)
            ->messages();
    return all.find("W0015") != std::string::npos;
  };
  CHECK(hidden("modify goal(_) to 4\nmodify goal(_) to 5"));
  CHECK(hidden("modify goal(p) when p.gold > 3 to 4\nmodify goal(_) to 5"));
  CHECK(hidden("instead of take(p, n) { cancel }\ninstead of take(p, n) { p.gold = 3 }"));
  CHECK_FALSE(hidden("modify goal(_) to 5\nmodify goal(p) when p.gold > 3 to 4"));
  CHECK_FALSE(hidden("modify goal(_) to 5\nmodify goal(_) by +1"));
  CHECK_FALSE(hidden("instead of take(p, n) { p.gold = 3 }\ninstead of take(p, n) { proceed }"));
}

TEST_CASE("sema: an error does not cause further errors") {
  CHECK(messages(
            "event e(p: player) {\n  let x = nothing_such\n  if x > 3 and x in [1, 2] then move x to y.z\n  p.gold = "
            "x\n}") == "23:11 E0201 unknown name `nothing_such`\n24:43 E0201 unknown name `y`");
}

TEST_CASE("sema: optional players are narrowed") {
  CHECK(messages("event e(by: player?) { by.gold = 1 }") ==
        "22:24 E0302 this player may be none (check it first: `if p is in …`, or `when p is in`)");
  CHECK(messages("event e(by: player?) { if by is in then by.gold = 1 }") == "");
  CHECK(messages("event e(by: player?) { if by is none then return\n by.gold = 1 }") == "");
  CHECK(messages("event e(by: player?) { if by is not none and by.gold > 2 then take(by) }") == "");
  CHECK(messages("event e(by: player?) { if by == chief then by.gold = 1 }") != "");
  CHECK(messages("value rich(p: player): bool = chief is in and chief.gold > p.gold") == "");
}

TEST_CASE("sema: the top card may be used without a test for none") {
  CHECK(messages("event e(p: player) { p.gold = (top of discard).worth }") == "");
  CHECK(messages("event e(c: card?) { let n = c.worth + 1 }") ==
        "22:29 E0302 this number may be none (check first that it `is not none`, or add a fallback: `or else 0`)");
}

TEST_CASE("sema: `is` finds the variable of a player") {
  CHECK(has(printed("value v(p: player): bool = p is Thief"), "equal(variable:role(p#0), Thief)"));
  CHECK(has(printed("value v(p: player): bool = p is Thief or Cop"), "in_set(variable:role(p#0), {Thief Cop})"));
  CHECK(has(printed("value v(c: card): bool = c is Stone"), "counts_as {Stone}(c#0, -)"));
  CHECK(
      has(printed("value v(): bool = Stone in discard"), "exists card#0(zone:discard, counts_as {Stone}(card#0, -))"));
}

TEST_CASE("sema: bare attributes belong to the element") {
  CHECK(has(printed("value v(): int = size(players where gold > 3)"),
            "filter it#0(players_in, less(3, variable:gold(it#0)))"));
  CHECK(
      messages("table { gold: int = 0 }\nvalue v(): int = size(players where gold > 3)") ==
      "23:37 E0203 ambiguous name `gold`: both an attribute of `it` and a name in the enclosing scope (use `it.gold`)");
}

TEST_CASE("sema: conditions have no side effects") {
  CHECK(messages("action a in main when roll 6 == 3 { take(me) }") ==
        "22:23 E0312 rolling has an effect, which is not allowed in a condition or value (use a separate statement, "
        "and store its result with `let x = …` or in a variable)");
  CHECK(messages("function f(p: player): int { p.gold = 3\n return 1 }") ==
        "22:30 E0312 assigning has an effect, which is not allowed in a condition or value (use a separate statement, "
        "and store its result with `let x = …` or in a variable)");
}

TEST_CASE("sema: values with circular definitions") {
  CHECK(messages("value a(): int = b()\nvalue b(): int = a()") ==
        "22:7 E0207 cyclic computation: `a` → `b` → `a` (only functions can be recursive, and only if they return a "
        "single value or a set)");
  CHECK(messages("function f(n: int): int = f(n - 1)") == "");
  CHECK(has(messages("function f(n: int): int nested up to 65 = f(n - 1)"),
            "nesting depth out of range; expected 1 to 64"));
  CHECK(has(messages("function f(n: int) = f(n - 1)"), "`f` is recursive, so its type must be declared"));
  CHECK(has(messages("function f(n: int): list of int up to 3 = f(n - 1)"),
            "E0207 `f` is recursive (only functions can be recursive, and only if they return a single value or "
            "a set)"));
  CHECK(has(messages("record R { a: int = 0 }\nfunction f(n: int): R = f(n - 1)"), "E0207"));
  CHECK(has(messages("function f(n: int): int = g(n) + h(n)\nfunction g(n: int): int = f(n)\nfunction h(n: int): int = "
                     "v(n)\nvalue v(n: int): int = g(n)"),
            "E0207"));
}

TEST_CASE("sema: an impossible type is reported once") {
  CHECK(messages("event e() { let x = list of p == chief for p in players }") ==
        "22:21 E0112 a list can't contain `bool` (use a set of the elements for which it is true: `players where …`)");
}

TEST_CASE("sema: constants that are lists of sets") {
  const std::string list = "const pairs = subsets(Role, 2..2)\n";
  CHECK(has(printed(list + "value v(r: set of Role): int = count of p within r for p in pairs"),
            "aggregate p#1 4(set_list:pairs, within(listed_set:pairs(p#1), r#0), -)"));
  CHECK(messages(list + "event e() { each a in pairs, b in pairs after a where a disjoint from b { take(chief) } }") ==
        "");
  CHECK(messages(list + "event e() { each a in pairs after 3 { take(chief) } }") ==
        "23:35 E0301 expected an element of `pairs` after `after`");
  CHECK(has(messages("const pairs = subsets(Role, 9..9)\nvalue v(): int = size(pairs)"),
            "`pairs` has 0 elements; it may have 1 to 4096"));
  CHECK(has(messages(list + "action a(ps: up to 2 cards in pairs) in main { take(me) }"),
            "expected a set, found a list"));
}

TEST_CASE("sema: sequences can only be iterated") {
  const std::string odd =
      "sequence odd(to: int): int { each n in 1..9 where n <= to { if n mod 2 == 1 then yield n } }\n";
  CHECK(messages(odd + "value v(): int = sum of n for n in odd(5) where n > 1") == "");
  CHECK(messages(odd + "event e() { each n in odd(5) where n > 1 { take(chief) } }") == "");
  CHECK(messages(odd + "value v(): bool = any n in (odd(5) where it > 3) has n == 4") == "");
  CHECK(messages(odd + "value v(): int = size(odd(5))").find("E0301 a sequence can be used only in a loop") ==
        std::string::npos);
  CHECK(has(messages(odd + "value v(): int = size(odd(5))"), "a sequence can be used only in a loop"));
  CHECK(has(messages(odd + "event e() { let x = odd(5) }"), "a sequence can be used only in a loop"));
  CHECK(has(messages("function f(): int { yield 3 }"), "`yield` outside a sequence"));
  CHECK(has(messages("sequence s(n: int): int { each m in s(n) { yield m } }"), "E0207"));
  CHECK(has(messages("sequence s(): player { yield 3 }"), "expected `player`"));
}

TEST_CASE("sema: each parameter of an action has its own `where`") {
  CHECK(messages("action a(p in others where gold > 3, n: 1..3 where n > 1) in main { p.gold = n }") == "");
  CHECK(has(printed("action a(p in others where it != chief, q in others where it == chief) in main { take(p) }"),
            "not_equal(p#1, variable:chief)"));
}

TEST_CASE("names: an unsupported feature is rejected with its equivalent", "[sema]") {
  CHECK(has(messages("table { l: list of 0..9 up to 3 per player }"),
            "a table can't contain lists: `list of 0..9 up to 3` (declare the list in `player { … }`, so that "
            "each player has one)"));
  CHECK(has(messages("table { l: list of 0..9 up to 3 per Role }"),
            "(declare the list in an area: `area line x 5 { items: … }`, and then use `line[2].items`)"));
  CHECK(has(messages("record R { n: 0..9 = 0 }\nrecord S { rs: list of R up to 3 }\ntable { s: S }"),
            "a field can't have type `list of R up to 3` (declare the list as a separate variable)"));
  for (const char* rules :
       {"board b: hexagons 3", "board b: graph 3", "board b: track 20", "table { l: list of 0..9 up to 3 = [1] }"}) {
    INFO(rules << "\n" << messages(rules));
    CHECK(has(messages(rules), "E0112"));
  }
}

TEST_CASE("sema: duplicate declarations, and whole tables") {
  CHECK(has(messages("action go in main { checkpoint }\naction go(n: 1..3) in main { checkpoint }"),
            "duplicate action `go`"));
  CHECK(has(messages("action go(c: 1..3, c: player) in main { checkpoint }"), "duplicate parameter in `go`: `c`"));
  CHECK(has(messages("action go(c: 1..3, d: 1..3 where d > c, d: 1..3 where d < c) in main { checkpoint }"),
            "duplicate parameter in `go`: `d`"));
  const std::string tables = "enum Hue { red, green }\nplayer { nums: 0..9 per Hue = 0; far: 0..9 per 0..100 = 0 }\n";
  const auto in_event = [&](const std::string& s) {
    return messages(tables + "event e(p: player, q: player) { " + s + " }");
  };
  CHECK(has(in_event("swap p.far with q.far"), "only tables with the same keys can be swapped"));
  CHECK(has(in_event("reveal p.far"), "this table is too large to show; show one entry"));
  CHECK(has(in_event("let z = [p.nums]"), "a set can't contain `0..9 per Hue`"));
  CHECK(has(in_event("log \"{p.nums}\""), "a string can't contain the value of a list or a table"));
  CHECK(has(in_event("if p.nums == q.nums then checkpoint"), "tables can't be compared with `==`"));
  CHECK(has(messages(tables + "kept value z(p: player): 0..9 per Hue = p.nums"),
            "24:12 E0301 `z` is a table, so it can't have parameters"));
}

TEST_CASE("sema: messages contain the fix", "[newcomer]") {
  const auto in_event = [](const std::string& s) { return messages("event e(p: player, c: Thing) { " + s + " }"); };
  CHECK(has(in_event("let n = 3; n = 4"),
            "22:43 E0403 cannot assign to `n`, which is not a variable (declare it with `var`: `var n = …`)"));
  CHECK(has(in_event("each q in players { q = p }"), "E0403 cannot assign to `q`, which is not a variable"));
  CHECK(has(in_event("let k = first of (d in p.hand where d.worth == 2)"),
            "expected a set before `where`, found condition `d in p.hand` (write `(p.hand where …)`, where `it` is the "
            "element"));
  CHECK(in_event("let k = first of (p.hand where worth == 2)") == "");
  CHECK(has(messages("board yard: grid 5 x 5\nevent e(at: yard.cell) { let s = around([c3]) }\n"),
            "add the library that declares it: `use std.grid on yard`"));
  CHECK(has(messages("event e() { let s = partners(chief) }"), "add the library that declares it: `use std.teams`"));
  CHECK(has(messages("card Moss: Thing, colour blue { play in main (t in others where it.gold == worth) { } }"),
            "it belongs to a card: write `this.worth`"));
  CHECK(has(
      run({{"game.rules", "game \"T\"\nplayers: 2..4\n"}})->messages(),
      "2:1 E0505 missing number of players; this declares a variable `players` (remove the colon: `players 2..5`)"));
  CHECK(has(messages("event e(p: player) { if p wins then p.gold = 1 }"),
            "E0403 `p wins` is allowed only in scenarios (use `winners p` to end the game)"));
}

TEST_CASE("sema: a constant has its declared type", "[newcomer]") {
  const auto const_messages = [](const std::string& s) {
    return messages(s + "\nevent e(p: player) { if p.gold > 3 then take(p) }");
  };
  CHECK(const_messages("const x: bool = 2") == "22:17 E0301 expected `bool` for `x`");
  CHECK(const_messages("const x: 0..3 = 9") == "22:17 E0304 9 is out of range 0..3");
  CHECK(const_messages("const x: Colour = Cop") == "22:19 E0301 expected `Colour` for `x`");
  CHECK(const_messages("const x: int = true") == "22:16 E0301 expected `int` for `x`");
  CHECK(const_messages("const x: 0..3 = size(players)\nconst y: Colour = red\nconst z: bool = x > 2\nconst l: set of "
                       "Colour = [red, green]") == "");
}

TEST_CASE("sema: claims of scenarios are independent", "[newcomer]") {
  const auto claims = [](const std::string& claim) {
    return messages("scenario \"s\" for 2 players {\n  when main of a begins\n  then " + claim + "\n}", 2);
  };
  CHECK(has(claims("a loses or b wins"),
            "24:8 E0602 the assertion `a loses` can't be combined with `not` or `or` (join assertions with `and`; `a "
            "wins` means"));
  CHECK(has(claims("not (a wins)"),
            "(join assertions with `and`; `a loses` means that the game is over and others have won)"));
  CHECK(has(claims("not (a may pass)"), "the opposite is `a can't …`"));
  CHECK(claims("a may pass and not (a.gold > 3)") == "");
  CHECK(has(claims("a may choose b, Stone"),
            "24:24 E0602 `Stone` is not a condition (write each choice separately: `a may choose b and a may choose "
            "Stone`)"));
  CHECK(has(claims("a can't choose b, Thing(worth: 2)"), "`a can't choose b and a can't choose Thing(worth: 2)`"));
  CHECK(claims("a may choose b, a.gold == 3") == "");
}

TEST_CASE("sema: a label with placeholders is not a card name", "[newcomer]") {
  CHECK(has(
      messages("card type Tile \"{colour} {n}\" { colour: Colour, n: 1..3; plays to discard }\nscenario \"s\" for 2 "
               "players {\n  given a.hand = [\"red 2\"]\n  when main of a begins\n  then a.gold == 0\n}",
               2),
      "E0602 unknown card label \"red 2\" (if the label contains expressions in braces, write the card's attributes "
      "instead: `red five`)"));
}

TEST_CASE("sema: a claim about a text that is never logged", "[newcomer]") {
  const std::string ask =
      "action ask_it in main { me chooses one \"What?\" { \"Discard\" { take(me) } \"Take {1 + 1} more\" { take(me, 2) "
      "} } }\n";
  const auto warned = [&](const std::string& claim) {
    return run({{"game.rules",
                 game(ask + "scenario \"s\" for 2 players {\n  when main of a begins\n  and a uses ask_it\n  then " +
                      claim + "\n}")}},
               0, {}, true)
        ->messages();
  };
  CHECK(has(warned("a can't choose \"Discrad\""),
            "26:23 W0008 this is always true: no choice has the option \"Discrad\" (did you mean `Discard`?)"));
  CHECK_FALSE(has(warned("a can't choose \"Discard\""), "no choice has"));
  CHECK_FALSE(has(warned("a can't choose \"Take 2 more\""), "no choice has"));
  CHECK(has(warned("a can't choose \"Take 2\""), "no choice has"));
  CHECK(has(warned("a may choose \"Discard\" and log has \"\""),
            "W0008 this is always true: every line contains an empty string"));
}

TEST_CASE("sema: a conflict between a library or a base and the game is shown in both", "[newcomer]") {
  const auto notes = [](const Outcome& o) {
    std::string all;
    for (const Diagnostic& d : o.diagnostics.all())
      for (const auto& [range, text] : d.notes)
        all += fmt::format("{}:{} {}\n", std::filesystem::path(o.sources.name(range.source)).filename().string(),
                           o.sources.place(range.source, range.begin).line, text);
    return all;
  };
  std::string no_hand = game("use std.french\nuse std.tricks\nsetup { deal_none() }\nevent deal_none() { }");
  for (std::size_t at; (at = no_hand.find("hand")) != std::string::npos;) no_hand.replace(at, 4, "fist");
  const auto tricks = run({{"game.rules", no_hand}});
  CHECK(has(tricks->messages(),
            "tricks.rules:12:47 E0206 a player has no member `hand` (the library needs it: declare it in `player { … "
            "}`, for example `zone hand: owner`)"));
  CHECK(has(notes(*tricks), "game.rules:23 used here"));
  const std::string base = game(
      "event hit(p: player, n: int) { take(p, n) }\naction go in main { hit(me, 1) }\nevent more(p: player) { hit(p, "
      "2); hit(p, 3) }\nbefore hit(p, n) when n > 1 { more(p) }");
  const auto replaced =
      run({{"base.rules", base},
           {"game.rules", "game \"House\" extends base\nreplace event hit(p: player) { take(p) }\n"}});
  // The error is reported once, although the base uses the event several times.
  CHECK(replaced->messages() ==
        "2:15 E0309 the parameters differ from those of the declaration that this replaces (use the same parameters, "
        "or also replace the rules that call it)");
  CHECK(notes(*replaced).find('\n') == notes(*replaced).size() - 1);
  CHECK(has(notes(*replaced), "base.rules:2"));
  const auto longer = run({{"base.rules", base},
                           {"game.rules",
                            "game \"House\" extends base\nreplace event hit(p: player, n: int, by: player, k: int) { "
                            "take(p, n + k) }\n"}});
  CHECK(longer->messages() == replaced->messages());
}

TEST_CASE("sema: a deck's declared total is ignored if a house file removes a card from it", "[newcomer]") {
  std::string base = game("");
  base.replace(base.find("{ Stone x 4 Leaf x 3 }"), 22, "{ each card x 4 total 8 }");
  const auto house = [&](const std::string& deck, const std::string& rules) {
    std::string all = base;
    all.replace(all.find("total 8"), 7, deck);
    return run({{"base.rules", all}, {"game.rules", "game \"House\" extends base\n" + rules + "\n"}})->messages();
  };
  CHECK(house("total 8", "") == "");
  CHECK(house("total 8", "remove card Leaf") == "");
  CHECK(has(house("total 9", ""), "E0306 the deck `Cards` has 8 cards, not 9"));
  base += "card type Other\ncard Rune: Other\ncard Sigil: Other\n";
  CHECK(has(house("total 9", "remove card Rune"), "E0306 the deck `Cards` has 8 cards, not 9"));
}

}   // namespace cardwright::sema_tests
