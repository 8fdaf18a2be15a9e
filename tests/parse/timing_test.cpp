// Tests the parsing of time: distributions, clauses of windows and actions, delays, timers, steps of scenarios.
#include "tests/parse/parsing.h"

namespace cardwright::parse_tests {

TEST_CASE("parse: times and latencies") {
  CHECK(
      stmts(R"(think 650 ms spread 30% + 40 ms * n
patience 1..3 s
sight 2 min)") ==
      R"(race_clause'think'(latency(binary'+'(binary'spread'(650ms 30) binary'*'(40ms n)))) race_clause'patience'(latency(range_lit(1s 3s))) race_clause'sight'(latency(2min)))");
  CHECK(stmts(R"(think 900 ms spread 30% at first, then 600 ms ± 50 ms, at least 120 ms)") ==
        R"(race_clause'think'(latency(binary'spread'(900ms 30) binary'±'(600ms 50ms) 120ms)))");
}

TEST_CASE("parse: simultaneous and real-time windows") {
  CHECK(stmts(R"(ask all of ps at once or pass within 6 s otherwise random
together within 500 ms)") == R"(ask_stmt#10(ps - - - 6s random) race_clause'together'(500ms))");
  CHECK(
      stmts(R"(countdown 3 s then { x() }
after 5 s of quiet { y() }
after (if a then 1 s else 2 s) { z() }
stalemate when nobody can play or reload { w() }
stalemate { w() })") ==
      R"(race_clause'countdown'(3s [call_stmt(call'x'([]))]) race_clause'quiet'(5s [call_stmt(call'y'([]))]) race_clause'after'(if_expr(a 1s 2s) [call_stmt(call'z'([]))]) race_clause'stalemate'(- [call_stmt(call'w'([]))] [word'play' word'reload']) race_clause'stalemate'(- [call_stmt(call'w'([]))]))");
}

TEST_CASE("parse: delays, pauses and timers") {
  CHECK(
      stmts(R"(delay p by 1 s
delay players in a or b by t
pause race for 3 s then { x() }
pause race for 3 s
start p.doom for 700 ms
stop me.doom
stop)") ==
      R"(delay_stmt(p - 1s) delay_stmt(players [word'a' word'b'] t) pause_stmt'race'(3s [call_stmt(call'x'([]))]) pause_stmt'race'(3s) timer_stmt(member'doom'(p) 700ms) timer_stmt(member'doom'(me)) stop_stmt)");
  CHECK(stmts("start(p); stop = 3; let hand = start") ==
        R"(call_stmt(call'start'([arg(p)])) assign_stmt'='(stop 3) let_stmt'hand'(- start))");
  CHECK(expr("p.doom is running") == R"(is_expr'running'(member'doom'(p)))");
  CHECK(decls("player {\n timer doom\n timer: int\n}") ==
        R"(player_state([timer_decl'doom' field'timer'(type_name'int' - [])]))");
}

TEST_CASE("parse: actions that take time") {
  CHECK(
      decls(
          R"(action a in w, must if c, sensible if d, takes 3 ms ± 1 ms, at least 2 ms, by hand, then busy 5 ms when e { } late { x() })") ==
      R"(action_decl'a'([] [word'w'] [] e - [] - timing#3(latency(binary'±'(3ms 1ms) - 2ms) latency(5ms) d c [call_stmt(call'x'([]))])))");
  CHECK(decls("modify race.think(p) when c to 0 ms") == R"(modify_decl'race.think'([pattern(p)] c 0ms))");
}

TEST_CASE("parse: scenarios against the clock") {
  CHECK(
      decls(R"(scenario "s" {
  when at 1000 ms a uses grab with Coin in 300 ms, b uses put in 2 s
  and  5 s pass
})") ==
      R"(scenario's'(- - [when_line(timed_step(step'uses'(a grab - Coin) 1000ms 300ms) timed_step(step'uses'(b put) - 2s) step'time'(5s))]))");
}

}   // namespace cardwright::parse_tests
