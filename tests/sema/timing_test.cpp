// Tests the meaning of timing clauses and their allowed contexts.
#include "tests/support/analyze.h"

namespace cardwright::sema_tests {

namespace {
std::string race(const std::string& clauses, const std::string& rules = "") {
  return "window race {\n ask all of players in real time until size(draw) == 0\n " + clauses +
         "\n}\nevent go { open race }\naction run(c: Thing in me.hand) in race, takes 100 ms { move c to discard }\n" +
         rules;
}
}   // namespace

TEST_CASE("sema: durations are not numbers") {
  CHECK(has(printed("value t(p: player): duration = 2 s + 3 * 20 ms * p.gold"),
            "value t(p: player): duration\n  = add(2000 ms, multiply("));
  CHECK(messages("value t: duration = 3") ==
        "22:21 E0301 expected `duration` for `t`, found `int` (add a unit: `300 ms`, `2 s`, `1 min`)");
  CHECK(messages("value t: duration = 3 s + 2") ==
        "22:21 E0301 can't combine `duration` with `int` here (add a unit to the other operand: `300 ms`, `2 s`)");
  CHECK(messages("value t: bool = 3 s > 2") ==
        "22:17 E0301 can't compare `duration` with `int` (add a unit: `300 ms`, `2 s`)");
  CHECK(messages("value t: duration = 100 min") == "22:21 E0304 the time is too long; the limit is 71 minutes");
  CHECK(messages("value t: duration = 3 s ± 1 s") ==
        "22:21 E0403 a random time is not allowed here (it is allowed in `think`, `patience`, `sight`, `takes` and "
        "`then busy`)");
}

TEST_CASE("sema: windows in real time") {
  const std::string m =
      printed(race("countdown 3 s\nsight 200 ms\nthink 650 ms spread 30% + 40 ms * me.gold\nafter 9 s { end race "
                   "}\nstalemate when nobody can run { end race }",
                   "modify race.think(p) when p.gold == 0 to 1..2 s\nmodify race.sight(_) by +5 ms"));
  CHECK(has(m,
            "value race.think(me: player): duration\n  = add(latency 1(me#0, 650 ms, 30), multiply(40 ms, "
            "variable:gold(me#0)))"));
  CHECK(has(m, "modify (p#0) to latency(p#0, 1000 ms, 2000 ms)"));
  CHECK(has(m, "value race.patience(me: player): duration\n  = 1000 ms"));
  CHECK(has(m, "stalemate \"run\"\n      end_window:race"));
  CHECK(messages(race("after 3 { }")) ==
        "24:8 E0301 expected `duration`, found `int` (add a unit: `300 ms`, `2 s`, `1 min`)");
  CHECK(messages(race("ask each of players")) ==
        "24:2 E0405 a window with `at once` or `in real time` can't have a second `ask` (use a separate window for "
        "this)");
  CHECK(messages("window w(p: player) { ask p\n sight 3 s }\nevent go { open w(chief or else seat(1)) }") ==
        "23:2 E0403 `sight` needs a window with `in real time` (write `ask all of players in real time until C`)");
  CHECK(messages("modify race.think(_) to 3 s") == "22:1 E0201 unknown value `race.think`");
}

TEST_CASE("sema: a landing makes no decision") {
  const std::string asked =
      "`walk` happens while time runs, so no player can be asked (use a separate action, or ask after the window "
      "has closed)";
  CHECK(messages(race("after 3 s { }", "action walk in race { if me may \"Rest?\" then take(me) }")) ==
        "28:26 E0410 " + asked);
  CHECK(
      messages(race("after 3 s { }", "action walk in race { take(me) }\nafter take(p) { p chooses c from p.hand }")) ==
      "29:17 E0410 " + asked);
  CHECK(messages(race("after 3 s { open race }")).starts_with("24:14 E0410"));
  CHECK(messages(
            "window w { ask all of players at once }\nevent go { open w }\naction a in w { me chooses c from me.hand "
            "}") == "");
}

TEST_CASE("sema: simultaneous decisions") {
  const std::string m = printed(
      "window w { ask all of players at once or pass within 6 s otherwise a }\nevent go { open w }\naction a in w { "
      "take(me) } late { take(me, 2) }");
  CHECK(has(m, "at once within 6000 ms, otherwise a"));
  CHECK(has(m, "ask:w 10 (players_in, -, -, -, -)"));
  CHECK(messages("window w { ask all of players at once until size(draw) == 0 }\nevent go { open w }") ==
        "22:12 E0405 this clause can't be combined with `at once`, where each player is asked once (write `ask all of "
        "players at once or pass`)");
  CHECK(messages("window w(p: player) { ask p within 6 s }") ==
        "22:36 E0405 a deadline is allowed only in `ask all of … at once` (`ask all of players at once within 6 "
        "s otherwise random`)");
}

TEST_CASE("sema: timers fire as events") {
  const std::string m = printed(race("after 3 s { }",
                                     "player { timer doom }\nafter take(p) { start p.doom for 700 ms }\nafter doom(p) "
                                     "when p.gold > 0 { p.gold = 0 }\nforbid run when me.doom is running"));
  CHECK(has(m, "timer player.doom"));
  CHECK(has(m, "start_timer:doom (p#0, 700 ms)"));
  CHECK(has(m, "after (p#0)"));
  CHECK(has(m, "when timer_running:doom(me#0)"));
  CHECK(messages("player { timer doom }\nafter take(p) { start doom for 1 s }") ==
        "23:23 E0201 unknown timer `doom` (it belongs to a player: write `me.doom`)");
}

TEST_CASE("sema: a duration can be removed") {
  const std::string race =
      "window race { ask all of players in real time until false\n sight 10 ms\n think 100 ms\n after 5 s { end race } "
      "}\naction go in race { checkpoint }\nevent e(p: player) { open race() }\n";
  CHECK(messages(race + "modify race.think(_) by -50 ms").find("E0") == std::string::npos);
  CHECK(has(messages(race + "modify race.think(_) by -50"), "`duration`"));
  CHECK(has(messages("event e(p: player) { p.late = -50 ms }\nplayer { late: 0..9 = 0 }"), "`duration`"));
}

}   // namespace cardwright::sema_tests
