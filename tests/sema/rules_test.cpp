// Tests the Model of triggers, modifiers, actions and plays.
#include "tests/support/analyze.h"

namespace cardwright::sema_tests {

TEST_CASE("sema: patterns narrow, bind or ignore") {
  const std::string m = printed(
      "table { boss: player? = none }\nafter take(boss, n) when n > 1 { boss.gold += n }\nbefore take(_) { checkpoint "
      "}");
  CHECK(has(m, "after (== variable:boss, n#0)"));
  CHECK(has(m, "before (_, _)"));
  CHECK(messages("after take(a, b, c) { checkpoint }") == "22:18 E0401 `take` has 2 parameters");
  CHECK(messages("after main(p) { checkpoint }") ==
        "22:7 E0201 unknown event `main` (it is a phase: write `phase main`)");
}

TEST_CASE("sema: instead of") {
  CHECK(messages("instead of take(p) { }") ==
        "22:1 E0402 empty `instead of take` (to prevent the event, write `cancel`)");
  CHECK(messages("event e() { proceed }") ==
        "22:13 E0403 `proceed` is allowed only in an `instead of` (it runs the event that the rule replaces)");
  CHECK(has(printed("instead of take(p, n) { proceed(p, n + 1) }"), "evaluate (proceed(p#0, add(n#1, 1)))"));
}

TEST_CASE("sema: `announced`") {
  CHECK(messages("after take(p, n) { if announced.n > n then p.gold = 1 }").empty());
  CHECK(has(messages("after take(p) { p.gold = announced.m }"), "`take` has no parameter `m`"));
  CHECK(has(messages("after take(p) { announced.n = 2 }"), "cannot assign to a parameter of an event"));
  CHECK(has(messages("value v: int = announced.n"), "`announced` can only be read in rules of an event"));
  CHECK(has(messages("after take(p) { afterwards { p.gold = announced.n } }"), "because the event is over by then"));
}

TEST_CASE("sema: the order of replacements") {
  CHECK(has(messages("event e(n: int), n orders replacements { }"), "expected a player"));
  CHECK(has(messages("event e(p: player), q orders replacements { }"), "`q`"));
}

TEST_CASE("sema: a character has a card's rules") {
  const std::string rules =
      "character type Hero { }\ncharacter Ann: Hero { has Hat }\nplayer { hero: Hero, public }\ndeck Heroes: Hero, one "
      "of each\n"
      "value luck(p: player): int = 1\ncard Hat: Thing, colour red { while in table { modify luck(me) by +2 } }\ndeck "
      "Hats: Thing into draw { Hat x 2 }\n"
      "action bet in main when luck(me) > 0 { me.gold = luck(me) }";
  const std::string m = printed(rules);
  CHECK(has(m, "\"modify luck of Hat\" of Hat in table"));
  CHECK(has(m, "\"modify luck of Ann\" of Ann"));
  CHECK(messages("character type Hero { }\ncharacter Ann: Hero { has Hat }\nplayer { hero: Hero, public }\ncard Hat: "
                 "Thing, colour red { while in table { before turn(me) { move this to discard } } }") ==
        "25:71 E0205 no card in scope for `this`: the rule belongs to a character that `has` the card");
}

TEST_CASE("sema: plays") {
  const std::string m = printed(
      "card type Toy: Thing { plays to me.table replacing any Toy; play in main }\ncard Ball: Toy, colour blue\ndeck "
      "Toys: Toy into draw { Ball x 2 }");
  CHECK(has(m, "plays Ball from hand to me#0.table"));
  CHECK(has(m, "when logical_not(exists card#2(zone:table(me#0, -), equal(kind_of(card#2), Ball)))"));
  CHECK(has(m, "where counts_as {Ball}(this#1, me#0)"));
  const std::string t = printed(
      "card Curse: Thing, colour red { play in main (victim in others) to victim.table }\ndeck Curses: Thing into draw "
      "{ Curse x 2 }");
  CHECK(has(t, "where logical_not(exists card#3(zone:table(victim#2, -), equal(kind_of(card#3), Curse)))"));
}

TEST_CASE("sema: conditions are placed where they can be explained") {
  const std::string m = printed(
      "action give(c: Stone in me.hand, to in others where to.gold < 3) in main when me.gold > 1 and c.worth > 0 { "
      "move c to to.hand }");
  CHECK(has(m, "when less(1, variable:gold(me#0))"));
  CHECK(has(m, "where logical_and(counts_as {Stone}(c#1, me#0), less(0, attribute:worth(c#1)))"));
  CHECK(has(m, "where less(variable:gold(to#2), 3)"));
}

TEST_CASE("sema: rules may watch actions") {
  const std::string m = printed("action pay(n: 1..3) in main { me.gold += n }\nafter pay(n) when n == 3 { take(me) }");
  CHECK(has(m, "evaluate (call_event:pay(me#0, n#1))"));
  CHECK(has(m, "after (me#0, n#1)"));
}

TEST_CASE("sema: windows, `ask`, and variables of windows and events") {
  CHECK(messages("action a in mian { take(me) }") == "22:13 E0201 unknown window `mian` (did you mean `main`?)");
  CHECK(messages("window w(p: player) { take(p) }") == "22:8 E0405 the window `w` has no `ask` (`ask p until pass`)");
  CHECK(messages("event e(p: player) { ask p }") ==
        "22:22 E0405 `ask` is allowed only in a window or a phase (declare `window w(p: player) { ask p }` and `open "
        "w(p)`)");
  CHECK(has(messages("event f(p: player) { ask p \"Which?\" }"), "for yes or no, `p chooses c from p.hand"));
  CHECK(has(printed("event w(p: player) { var n = 0\n take(p) }\nafter take(p) when during w { w.n += 1 }"),
            "assign_event_field:w (add(event_field:w, 1))"));
  CHECK(has(messages("event w(p: player) { var n = 0\n take(p) }\nafter take(p) { w.m = 1 }"),
            "E0206 the event `w` has no member `m`"));
  CHECK(has(messages("event w(p: player) { var n = 0\n take(p) }\nafter take(p) { w.p = p }"),
            "cannot assign to a parameter of an event (declare a `var` in the event)"));
  CHECK(has(messages("event w(p: player) { take(p)\n var n = 0 }\nafter take(p) { w.n = 1 }"),
            "E0206 the event `w` has no member `n`"));
  CHECK(
      has(messages("event w(p: player) { var n = 0\n take(p) }\nevent x(p: player) { w(p); if w.n > 0 then take(p) }"),
          "E0204 `w` is over, so its variables can no longer be read (return the value from the event: `event w(…): "
          "int`)"));
  CHECK(has(printed("window w(p: player) { var n = 0\n ask p until n > 1 }\nevent e(p: player) { open w(p) }\naction a "
                    "in w { w.n += 1 }"),
            "assign_window_field:w (add(window_field:w, 1))"));
}

TEST_CASE("sema: limits and groups") {
  const std::string m = printed(
      "action a(t in others) in main, once per turn and t as shot { take(t) }\naction b in main, once per turn as shot "
      "{ take(me) }\nforbid any action as shot when size(players) == 2");
  CHECK(has(m, "once per turn and target as shot"));
  CHECK(has(m, "forbid \"a\" \"b\""));
}

TEST_CASE("sema: values that can be stored") {
  CHECK(messages("kept value v(p: player, n: 0..9): int = n + size(p.hand)").find("E0") == std::string::npos);
  CHECK(has(messages("kept value v(n: int): int = n + size(draw)"),
            "E0304 a `kept` value is stored for every `n`, so the parameter needs a range (`n: 0..9`)"));
  CHECK(has(messages("kept value v(s: set of player): int = size(s) + size(draw)"),
            "E0301 a `kept` value can't have a parameter of type `set of player`"));
  CHECK(
      has(messages("kept value v(p: player): list of player up to 2 = [p]"),
          "E0112 a `kept` value can't be a list; the type of this one is `list of player up to 2` (remove `kept`, or"));
}

TEST_CASE("sema: iteration over players begins at the right seat") {
  CHECK(has(printed("action a in main { each p in others { take(p) } }"),
            "each p#1 1 (set_minus(players_in, set_of_one(me#0)), -, next_player(me#0))"));
  CHECK(has(printed("setup { each p in players { take(p) } }"), "each p#0 1 (players_in, -, a)"));
  CHECK(has(printed("event e() { each p in everyone { take(p) } }"), "each p#0 1 (everyone, -, a)"));
}

TEST_CASE("sema: loops and leaving") {
  CHECK(messages("event e() { stop }") == "22:13 E0403 `stop` outside a loop");
  CHECK(messages("event e() { while draw is empty { checkpoint } }") ==
        "22:13 E0404 unbounded loop (write `repeat up to 20 times while C { }`)");
  CHECK(messages("action a in main { end main }\naction b in main { end phase }\naction c in main { end phase main "
                 "}\nevent e() { end turn }\nafter take(p) { end e }") == "");
  CHECK(messages("action a in main { end mian }") ==
        "22:20 E0201 unknown event, window or phase `mian` (did you mean `main`?)");
  CHECK(messages("event e(): int { if draw is empty then return 3 }") ==
        "22:7 E0313 `e` may end without a `return`, but returns `int` (declare the result optional with `?`)");
}

TEST_CASE("sema: dependencies of a card's rules") {
  CHECK(has(printed("card type Lone: Thing { while in hand { after take(me) { checkpoint } } }\ndeck More: Lone into "
                    "draw { Lone(colour: red) }"),
            "of Lone in hand"));
  const std::string m = printed(
      "player { pick: card? = none }\ncard type Worn: Thing { in force while me.pick == this }\ncard Hat: Worn, colour "
      "red { after take(me) { checkpoint } }\ndeck More: Thing into draw { Hat }");
  CHECK(has(m, "\"after take of Hat\" of Hat ["));
  CHECK(has(m, "when equal(variable:pick(me#0), this#1)"));
  CHECK(
      messages("area shelf x 2 { zone box: public }\ncard Cup: Thing, colour red { while in box { after take(p) { log "
               "\"{here}\" } } }\ndeck More: Thing into draw { Cup }") == "");
  CHECK(messages("event e() { log \"{here}\" }") ==
        "22:19 E0205 `here` is not defined in this context (`here` is the part of an area that contains the card; use "
        "it in a `while in` rule)");
}

TEST_CASE("sema: warnings apply to the whole ruleset") {
  const auto warned = [](const std::string& rules) {
    std::string all = game(
        "action a in main when me.table is empty { me.gold += 1\n me.role = Cop }\nvalue payoff(p: player): int = "
        "p.gold + (if p is Cop then 1 else 0) + (if chief == p then 1 else 0)\nsetup { each p in players { take(p) } "
        "}\n" +
        rules);
    const std::string idle = "; plays to discard";   // would cause a warning, because no card is played
    all.erase(all.find(idle), idle.size());
    return run({{"game.rules", all}}, 0, {}, true)->messages();
  };
  CHECK(warned("") == "");
  CHECK(warned("card Ghost: Thing, colour red") ==
        "26:6 W0001 unused card `Ghost`: no deck contains it (add it to a deck, or remove the card)");
  CHECK(warned("window w(p: player) { ask p or pass }\naction b in w { take(me) }") ==
        "26:8 W0002 unused window `w`: no rule opens it (write `open w(…)` to open it)\n27:8 W0003 action `b` is never "
        "offered, because no rule opens its window");
  CHECK(warned("event e() { checkpoint }") ==
        "26:7 W0004 unused event `e`: no rule triggers it (write `e(…)` to trigger it)");
  CHECK(warned("option fast\nvalue quick(): int = 3\nwith fast { action b in main { me.gold = quick() } }") == "");
  CHECK(warned("action b in main when me.gold > 20 { take(me) }") ==
        "26:23 W0008 this is never true (the left side ranges from 0 to 20, the right side from 20 to 20)");
  CHECK(
      warned("after take(p) { take(p) }") ==
      "26:7 W0009 endless cycle of events: `take` → `take` (add a condition somewhere in the cycle: `when …`, `if …`)");
}

TEST_CASE("messages for common beginner mistakes", "[strangers]") {
  CHECK(has(messages("event win(p: player) { if p in players with most p.gold then p.gold = 0 }"),
            "`in` binds more tightly"));
  CHECK(has(messages("after play Stnoe { }"), "unknown card or card type `Stnoe` (did you mean `Stone`?)"));
  CHECK(has(messages("after play Stone { }"), "`Stone` is never played"));
  CHECK(has(messages("deck Roles: Role { Cop x 2, Thief x 2 }\nsetup { deal Roles to each p.role }"),
            "the number to deal from this deck is missing (`deal 1 of Roles to each p.role`)"));
  CHECK(has(messages("action keep(ns: set of 1..5) in main { }"), "`ns: any numbers in …`"));
  CHECK(has(messages("event ask_it(c: Thing) { if c is Stone(worth: 2) then log \"yes\" }"),
            "`is` can't test attributes of a card"));
  CHECK(has(messages("table { seen: 0..9 per Colour = 0 }\nsetup { seen += 1 }"),
            "a table can only be assigned with `=`: `seen`"));
  CHECK(messages("table { seen: 0..9 per Colour = 0 }\nsetup { seen = 1 }").empty());
  CHECK(messages("deck Roles: Role { Cop x 2, Thief x 2 }\nsetup { deal 1 of Roles to each p.role }\naction look(t in "
                 "others) in main { peek t.role }")
            .empty());
  CHECK(has(messages("deck Roles: Role { Cop x 2, Thief x 2 }\ndeck More: Role { Cop x 4 }\nsetup { deal 1 of Roles to "
                     "each p.role; deal 1 of More to each p.role }"),
            "`role` is already dealt from `Roles`, and a variable can be dealt from one deck only"));
}

TEST_CASE("sema: a secret variable must have an owner", "[strangers]") {
  const std::string no_owner =
      "is not a player variable, so it can't be `secret` (write `hidden`, and `peek` to show it to a player)";
  for (const char* rules :
       {"table { code: 0..9 = 0, secret }", "area nook x 2 { code: 0..9 = 0, secret }", "turn var code = 0, secret",
        "board yard: grid 3 x 3\npiece man x 2 on yard { code: 0..9 = 0, secret }"}) {
    INFO(rules);
    CHECK(has(messages(rules), "E0310 `code` " + no_owner));
  }
  CHECK(messages("player { code: 0..9 = 0, secret; area nook x 2 { deep: 0..9 = 0, secret } }").empty());
  CHECK(messages("board yard: grid 3 x 3\npiece man, one per player on yard { code: 0..9 = 0, secret }").empty());
}

TEST_CASE("sema: a duplicate clause is reported", "[strangers]") {
  const char* const twice[] = {
      "action x in main, free, free { take(me) }",
      "action x in main, secret, secret { take(me) }",
      "action x in main, main { take(me) }",
      "action x in main, must, must if me.gold > 1 { take(me) }",
      "action x in main { take(me) } late or late { take(me) }",
      "card Pip: Thing, colour red, colour green",
      "value x: int = 3 at most 2 at most 1",
      "window x { ask each of players or pass or pass }",
      "window x { ask each of players, again, again until me.gold > 2 }",
      "window x { ask all of players at once at once }",
      "variant \"V\" { fast = on, fast = off }",
      "scenario \"x\" with fast, fast = off { then size(players) > 1 }",
      "use std.french with ace_is: 1, ace_is: 14",
  };
  for (const std::string rules : twice) {
    INFO(rules);
    CHECK(has(messages("option fast\n" + rules), "E0115 duplicate "));
  }
  CHECK(has(messages("card Pip: Thing, colour red { colour = green }"), "E0115 duplicate attribute `colour`"));
  CHECK(has(messages("card Pip: Thing { colour = red; colour = green }"), "E0115 duplicate attribute `colour`"));
  CHECK_FALSE(
      has(messages("option fast\ncard Pip: Thing, colour red { with fast { colour = green } }\ndeck Pips: Thing "
                   "into draw { Pip }"),
          "E0115"));
  CHECK(has(messages("deck More: Thing into draw { Leaf(worth: 1, worth: 2) }"), "E0115 duplicate argument `worth`"));
  CHECK(has(messages("player { code: 0..9 = 0, secret, hidden }"), "E0310 duplicate visibility of `code`"));
  CHECK(has(messages("player { zone box: pile, row, facedown }"), "E0310 duplicate shape of zone `box`"));
  CHECK(has(messages("player { zone box: pile, facedown, refill from hand, refill from table }"),
            "E0310 duplicate `refill from` of zone `box`"));
  CHECK(has(messages("end when size(players) == 1 \"alone\" { winners players \"nobody else\" }"),
            "E0115 duplicate reason for the end of the game"));
}

TEST_CASE("sema: scenarios report no errors in components that are already invalid", "[scenarios]") {
  const std::string scenario =
      "scenario \"x\" for 2 players { given a.hand = [Twig, Leaf]\nwhen main of a begins\nthen Twig in a.hand }";
  const std::string deck = "card Twig: Thing, colour red\ndeck More: Thing into nowhere { Twig x 2 }\n";
  CHECK(messages(deck + scenario, 2) == messages(deck, 2));
  CHECK_FALSE(messages(deck, 2).empty());
  // An error in a rule does not suppress the scenario's messages.
  CHECK(has(messages("after take(p, n) { p.gold += nothing_such }\n" + scenario, 2), "Twig"));
}

TEST_CASE("sema: a scenario setup sets each variable once", "[strangers]") {
  const std::string begin = "scenario \"x\" for 2 players { given a.gold = 2";
  CHECK(has(messages(begin + ", a.gold = 3\nthen a.gold == 3 }", 2), "E0115 duplicate assignment"));
  CHECK(has(messages(begin + "\ngiven a.gold = 3\nthen a.gold == 3 }", 2), "E0115 duplicate assignment"));
  CHECK(messages(begin + "\nthen a.gold == 2 }", 2).empty());
  CHECK(messages("scenario \"x\" for 2 players { given players.gold = 4, a.gold = 2\nthen b.gold == 4 }", 2).empty());
  CHECK(messages("scene s for 2 players { a.gold = 2 }\nscenario \"x\" in s { given a.gold = 3\nthen a.gold == 3 }", 2)
            .empty());
}

TEST_CASE("sema: reading variables of a closed window") {
  const std::string vote =
      "window vote() { var who: player? = none\nask each of players }\naction name(p: player) in vote { vote.who = p; "
      "poll() }\n";
  CHECK(messages(vote +
                 "event poll { if vote.who is in then take(vote.who) }\nevent elect { let v = open vote(); if v.who "
                 "is in then take(v.who) }\naction call in main { elect() }") == "");
  CHECK(messages(vote +
                 "event poll { }\nevent elect { open vote()\nif vote.who is in then take(vote.who) }\naction call "
                 "in main { elect() }")
            .starts_with("27:4 E0204 `vote` is closed, so its variables can no longer be read (store its result: after "
                         "`let w = open vote(…)` you can read `w.x`)"));
  // In each of these rules, the window may be closed when its variable is read: `open vote()` comes directly before, on
  // some path, in the previous iteration, or in a called event.
  for (const char* rule :
       {"open vote()\nvote.who = chief", "if chief is in { open vote() }\nif vote.who is in then take(vote.who)",
        "each p in players { if vote.who is none then take(p)\nopen vote() }",
        "hold()\nif vote.who is in then take(vote.who)",
        "if chief is none { take(active) } else { hold() }\nlog \"{vote.who}\""}) {
    INFO(rule);
    CHECK(has(messages(vote + "event poll { }\nevent hold { open vote() }\nevent elect { " + rule +
                       " }\naction call in main { elect() }"),
              "E0204 `vote` is closed"));
  }
  CHECK(messages(vote + "event poll { }\nevent elect { if chief is none { open vote() } else { if vote.who is in then "
                        "take(vote.who) } }\naction call in main { elect() }") == "");
  // Here, the read variables belong to the outer `vote`, which is still open.
  CHECK(messages(vote + "event poll { if vote.who is none { open vote()\ntake(vote.who or else chief or else active) } "
                        "}\naction call in main { open vote() }") == "");
}

TEST_CASE("sema: none in positions that can't be none") {
  const std::string call = "action call in main { hit(me, chief) }";
  CHECK(messages("event hit(p: player, by: player) { by.gold = 1 }\n" + call) ==
        "23:31 E0302 expected `player` for `by`, but this may be none (check first that it `is in`)");
  CHECK(messages("event hit(p: player, by: player?) { if by is in then by.gold = 1 }\n" + call) == "");
  // An event whose player is none has no effect.
  CHECK(messages("event hit(by: player) { by.gold = 1 }\naction call in main { hit(chief) }") == "");
  CHECK(messages("value best(p: player): int = most of c.worth for c in p.hand") ==
        "22:30 E0302 expected `int` for `best`, but this may be none (check first that it `is not none`, or add a "
        "fallback: `or else …`)");
  CHECK(messages("function best(p: player): int { if p.gold > 1 then return 2\nreturn least of c.worth for c in p.hand "
                 "where colour == red }")
            .find("23:8 E0302") == 0);
  CHECK(messages("value best(p: player): int? = most of c.worth for c in p.hand") == "");
  CHECK(messages("value best(p: player): int = (most of c.worth for c in p.hand) or else 0") == "");
  CHECK(messages("value richest: int = most of p.gold for p in players") == "");
  CHECK(messages("table { second: player }\naction call in main { swap chief with second }") ==
        "23:28 E0302 expected `player` for `second`, but this may be none (check first that it `is in`)");
  CHECK(messages("table { second: player }\naction call in main when chief is in { swap chief with second }") == "");
  CHECK(messages("table { second: player? = none }\naction call in main { swap chief with second }") == "");
}

TEST_CASE("sema: facts about all elements from a quantifier") {
  const std::string m = printed(
      "value all_red: bool = every card in discard is Stone and size(discard) > 0\nvalue no_leaf: bool = no card in "
      "(chief or else active).hand is Leaf or Stone\n"
      "value some: bool = any c in discard has c is Leaf and c.worth > 1");
  CHECK(has(m, "exists"));
  CHECK(has(messages("value two: bool = any c in discard has any d in discard has d.worth == worth"),
            "E0203 ambiguous name `worth`: it can refer to `d` or to an outer element (write `d.worth`)"));
  CHECK(
      has(run({{"game.rules",
                game("action same(c in me.hand) in main when any x in me.table has x.colour == colour { take(me) }")}},
              0, {}, true)
              ->messages(),
          "W0008 both sides of the comparison are the same"));
}

}   // namespace cardwright::sema_tests
