// Tests runtime error messages: they name the variable, its value and declared bounds in the terms of the rules, and
// the location, the same on every engine and in both forms.
#include <catch2/catch.hpp>

#include <fmt/format.h>

#include "cardwright/cardwright.hpp"
#include "tests/support/files.h"

using namespace cardwright;
using namespace cardwright::test;

namespace {

const std::string kGame = R"(game "Wrong"
players 2
enum Colour { red, green }
card type Chip { n: 0..9 = 0 }
deck Chips: Chip into bag { Chip x 9 }
deck Sides: Colour { red }
table { zone bag: set, public; zone spot: slot, public }
table { line: list of player up to 3; pot: 0..9 = 0; n: 0..1000000000000 = 7; grid: 0..3 per 2..4 = 0 }
table { colour: Colour; wait: duration = 1 s; lines: list of list of 0..3 up to 2 up to 2 }
player { zone hand: public; chips: 0..20 = 18; hold: 0..9 per Colour = 9; side: Colour; plan: Colour }
area nest x 2 { h: 0..3 = 3 }
record Debt { a: 0..3 = 0 }
player { debt: Debt }
table { seen: set of 0..9 = [] }
play { phase main { go(first of players); if n == 5 then ask first of players } }
end when play is over { winners nobody }
)";

struct Wrong {
  const char *rules, *trap, *details;
};
const Wrong kWrong[] = {
    {"event go(p: player) { p.chips += 5 }", "value out of range",
     "`chips` of a would be 23, but is declared as 0..20 (wrong.rules:10)"},
    {"event go(p: player) { p.hold[green] += 5 }", "value out of range",
     "`hold[green]` of a would be 14, but is declared as 0..9 (wrong.rules:10)"},
    {"event go(p: player) { pot -= 1 }", "value out of range",
     "`pot` would be -1, but is declared as 0..9 (wrong.rules:8)"},
    {"event go(p: player) { nest[2].h += 1 }", "value out of range",
     "`h[2]` would be 4, but is declared as 0..3 (wrong.rules:11)"},
    {"event go(p: player) { p.debt.a = n }", "value out of range", "would be 7, but is declared as 0..3"},
    {"event more(k: 0..3) { pot = k }\nevent go(p: player) { more(n) }", "value out of range",
     "`n`: `k` of `more` would be 7, but is declared as 0..3"},
    {"event more(k: 0..3) { pot = k }\ninstead of more(k) { proceed(n) }\nevent go(p: player) { more(1) }",
     "value out of range", "`k` of `more` would be 7, but is declared as 0..3"},
    {"function f(k: 0..3): int = k * 2\nevent go(p: player) { pot = f(n) }", "value out of range",
     "`k` of `f` would be 7, but is declared as 0..3"},
    {"function f(k: int): 0..3 = k * 2\nevent go(p: player) { pot = f(n) }", "value out of range",
     "the result of `f` would be 14, but is declared as 0..3"},
    {"function f(k: int): 0..3 { if k > 3 then return k; return 1 }\nevent go(p: player) { pot = f(n) }",
     "value out of range", "the result of `f` would be 7, but is declared as 0..3"},
    {"event more(): 0..3 { return n }\nevent go(p: player) { pot = more() }", "value out of range",
     "the result of `more` would be 7, but is declared as 0..3"},
    {"window w(k: 0..3): 0..9 { ask first of players or pass; return k }\nevent go(p: player) { pot = open w(n) }",
     "value out of range", "`k` of `w` would be 7, but is declared as 0..3"},
    {"value v(p: player): 0..3 = 2\nmodify v(_) by n\nevent go(p: player) { pot = v(p) }", "value out of range",
     "the result of `v` would be 9, but is declared as 0..3"},
    {"value v(p: player): 0..3 = n\nmodify v(_) to 2\nevent go(p: player) { pot = v(p) + 9 }", "value out of range",
     "`pot` would be 11, but is declared as 0..9 (wrong.rules:8)"},
    {"value v(p: player): 0..3 = n at most 3\nevent go(p: player) { pot = v(p) + 9 }", "value out of range",
     "`pot` would be 12, but is declared as 0..9 (wrong.rules:8)"},
    {"value v(p: player): 0..3 = n\nevent go(p: player) { if any q in players has v(q) > 2 then pot = 1 }",
     "value out of range", "the result of `v` would be 7, but is declared as 0..3"},
    {"event go(p: player) { var x: 0..3 = n; pot = x }", "value out of range",
     "`x` would be 7, but is declared as 0..3"},
    {"event go(p: player) { var x: 0..3 = 0; x -= n; pot = 2 * x }", "value out of range",
     "`x` would be -7, but is declared as 0..3"},
    {"event go(p: player) { var l: list of 0..3 up to 4 = []; l += n; pot = size(l) }", "value out of range",
     "an element of `l` would be 7, but is declared as 0..3"},
    {"function f(l: list of 0..3 up to 4): int = size(l)\nevent go(p: player) { pot = f([n, 1]) }",
     "value out of range", "`l` of `f` would hold 7, but is declared as list of 0..3"},
    {"event go(p: player) { var t: 0..3 per Colour = 0; t[green] = n; pot = t[red] }", "value out of range",
     "an entry of `t` would be 7, but is declared as 0..3"},
    {"event go(p: player) { var t: int per Colour = n; var u: 0..3 per Colour = 0; u = t; pot = u[red] }",
     "value out of range", "`u` would hold 7, but is declared as 0..3 per Colour"},
    {"event go(p: player) { var t: int per 2..4 = 0; t[pot + 1] = 9; pot = t[2] }", "index out of range",
     "1 is outside 2..4"},
    {"event go(p: player) { var s: set of 0..9 = []; s += n + 5; pot = size(s) }", "value out of range",
     "`s` would hold 12, but is declared as set of 0..9"},
    {"event go(p: player) { var s: set of 0..61 = []; s += n * 10; pot = size(s) }", "value out of range",
     "`s` would hold 70, but is declared as set of 0..61"},
    {"event go(p: player) { seen += n * 10; pot = size(seen) }", "value out of range",
     "`seen` would hold 70, but is declared as set of 0..9"},
    {"event go(p: player) { seen = [pot, n + 5]; pot = size(seen) }", "value out of range",
     "`seen` would hold 12, but is declared as set of 0..9"},
    {"table { heaps: list of set of 0..3 up to 4 }\nevent go(p: player) { heaps += [pot, n]; pot = size(heaps) }",
     "value out of range", "an element of `heaps` would hold 7, but is declared as set of 0..3"},
    {"event go(p: player) { if [pot, n * 10] == seen then pot = 1 }", "value out of range",
     "a set of numbers would contain 70, but can contain only 0..61"},
    {"function debt_of(k: int): Debt = Debt(k)\nevent go(p: player) { let d = debt_of(n); pot = d.a }",
     "value out of range", "`a` of `Debt` would be 7, but is declared as 0..3"},
    {"sequence up(k: int): 0..3 { yield k }\nevent go(p: player) { each x in up(n) { pot += x } }",
     "value out of range", "the yielded value of `up` would be 7, but is declared as 0..3"},
    {"event go(p: player) { n = roll n..pot }", "value out of range", "`roll n..pot`: the range 7..0 is empty"},
    {"event go(p: player) { if colour == red then pot = 1 }", "read before it was set",
     "`colour` has no value yet, declared Colour (wrong.rules:9)"},
    {"event go(p: player) { if p.plan == red then pot = 1 }", "read before it was set",
     "`plan` of a has no value yet, declared Colour (wrong.rules:10)"},
    {"event go(p: player) { n = n / pot }", "division by zero", "`n / pot`: 7 is divided by 0"},
    {"event go(p: player) { n = 1000000000000; pot = size(players where n * n > 3) }", "number too large",
     "`n * n`: the operands are 1000000000000 and 1000000000000"},
    {"event go(p: player) { let q = the player where chips == 18; q.chips = 1 }", "not exactly one",
     "`the player where chips == 18`: found 2"},
    {"event go(p: player) { repeat 4 { line += p } }", "no room in a list", "`line += p`: the list holds at most 3"},
    {"event go(p: player) { lines += [1, 2]; lines += [3]; lines += [1] }", "no room in a list",
     "`lines += [1]`: the list holds at most 2"},
    {"event go(p: player) { line += p; let q = line[pot + 3]; q.chips = 1 }", "index out of range",
     "`line[3]` is beyond the end of the list"},
    {"event go(p: player) { var l: list of 0..9 up to 4 = [1, 2]; pot = l[n] }", "index out of range",
     "`l[n]`: index 7 in a list of length 2"},
    {"event go(p: player) { grid[pot] = 1 }", "index out of range", "`grid[0]` is outside 2..4"},
    {"event go(p: player) { repeat 2 { move first of bag to spot } }",
     "a second card in a slot, which holds at most one", "`spot` would hold 2 cards"},
    {"event go(p: player) { deal 1 of Sides to each p.side }", "nothing left in a pool",
     "the pool `Sides` (wrong.rules:6)"},
    {"function f(q: int): int = if q == 0 then 0 else f(q - 1) + 1\nevent go(p: player) { pot = f(20) }",
     "too deeply nested", "active 16 times at once"},
    {"event back(p: player)\ninstead of back(p) { go(p) }\nevent go(p: player) { p.chips = 1 }\ninstead of go(p) when "
     "n == 7 { back(p) }",
     "too deeply nested", "instead of back → instead of go → instead of back"},
    {"event more(p: player) { p.chips = 1 }\nevent go(p: player) { repeat 20 { afterwards { more(p) } } }",
     "too many afterwards", "the limit is 15"},
    {"event go(p: player) { repeat up to 1000000000 times while pot == 0 { n = 3 } }", "too much work for one decision",
     "`repeat up to 1000000000 times while pot == 0`: 10000000 steps without a decision"},
};

// Removes the folder from source locations.
std::string without(const std::string& folder, std::string text) {
  for (std::size_t at; (at = text.find(folder + "/")) != std::string::npos;) text.erase(at, folder.size() + 1);
  return text;
}

// Returns the failures of the same game on all engines, with and without optimizations.
std::vector<api::Failure> failures_of(const api::Ruleset& rules) {
  std::vector<api::Failure> all;
  for (const api::EngineKind engine : {api::EngineKind::interpreter, api::EngineKind::jit})
    for (const bool plain : {false, true}) {
      if (engine == api::EngineKind::jit && !api::jit_is_available()) continue;
      const api::Game game = rules.compile({0, {}, plain}, engine);
      api::SimulateSettings settings;
      settings.games = 3;
      for (const api::FailureCount& f : api::simulate(game, settings).failures) all.push_back(f.failure);
      api::State state = game.new_state(1);
      if (state.failure()) all.push_back(*state.failure());
    }
  return all;
}

}   // namespace

TEST_CASE("traps: an error is reported with its variable, value and bounds", "[traps]") {
  const TemporaryFolder folder;
  for (const Wrong& w : kWrong) {
    INFO(w.rules);
    const api::Ruleset rules = api::Ruleset::load(folder.write("wrong.rules", kGame + w.rules + "\n"));
    const std::vector<api::Failure> failures = failures_of(rules);
    CHECK(failures.size() == (api::jit_is_available() ? 8u : 4u));
    for (const api::Failure& f : failures) {
      CHECK(f.trap == w.trap);
      INFO(f.text());
      CHECK(without(folder.path(), f.details).find(w.details) != std::string::npos);
    }
  }
}

TEST_CASE("traps: failures of one kind are counted together, whatever their values", "[traps]") {
  const TemporaryFolder folder;
  const api::Ruleset rules =
      api::Ruleset::load(folder.write("wrong.rules", kGame + "event go(p: player) { p.chips += roll 3..6 }\n"));
  api::SimulateSettings settings;
  settings.games = 100;
  for (const int threads : {1, 3}) {
    settings.threads = threads;
    const auto failures = api::simulate(rules.compile(), settings).failures;
    REQUIRE(failures.size() == 1);
    CHECK(failures[0].count == 100);
    CHECK(failures[0].first_game == 0);
    settings.games = 1;
    // Failures of several games are counted together, with the details of the first game.
    CHECK(failures[0].failure.details == api::simulate(rules.compile(), settings).failures[0].failure.details);
    settings.games = 100;
  }
}
