// Tests which players read the values in a text: exactly those whose knowledge determines the value, as in conditions.
#include <catch2/catch.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "cardwright/tools.hpp"
#include "tests/api/rules_text.h"
#include "tests/support/leak_probe.h"

using namespace cardwright::api;
using cardwright::test::find_leak;
using cardwright::test::game_of;
using cardwright::test::Probe;
using cardwright::test::words_of;

namespace {

// Two kinds of cards, in hands and in a facedown pile. Player b decides, and has peeked at one card of a.
std::string with_label(const std::string& label, const std::string& more = "") {
  return R"(game "Readers"
players 2
card type Coin "{n}" { n: 1..9 }
card Gold: Coin
card Iron: Coin
deck Coins: Coin into bag { Gold(n: 1) x 3, Iron(n: 2) x 5 }
player { zone hand: owner; zone past: pile, faceup; points: 0..9 = 0 }
table { zone bag: pile, facedown; zone row: public }
)" + more +
         R"(
setup { shuffle bag; deal 3 from bag to each hand; peek random of seat(1).hand by seat(2) }
action ask in main ")" +
         label + R"(" { me.points += 1 }
action wait in main { me.points = 0 }
play { turns clockwise from seat(2) up to 2 { phase main { ask active } } }
end when play is over { winners players with most points }
)";
}

// Returns the labels of the first option in several games.
std::set<std::string> labels_of(const Game& game) {
  std::set<std::string> found;
  for (std::uint64_t index = 0; index < 12; ++index) found.insert(words_of(game.new_state(3, index))[0]);
  return found;
}

std::string leak_in(const Game& game) {
  for (std::uint64_t index = 0; index < 12; ++index) {
    const State state = game.new_state(3, index);
    if (std::string leak = find_leak(Probe{}, state, index, 8); !leak.empty()) return leak;
  }
  return {};
}

std::vector<std::string> lines_with(const Log& log, int reader, const std::string& part) {
  std::vector<std::string> lines = log.lines(reader);
  std::erase_if(lines, [&](const std::string& line) { return line.find(part) == std::string::npos; });
  return lines;
}

}   // namespace

TEST_CASE("texts: a label hides what the player can't know", "[texts][knowledge]") {
  const std::string sums =
      "function golds(p: player): int { var n = 0; each c in p.hand & all Gold { n += 1 }; return n }";
  for (const char* value :
       {"size(seat(1).hand & all Gold)", "size((all Gold) - bag)", "size((all Gold) & bag)", "first of seat(1).hand",
        "sum of c.n for c in seat(1).hand & all Gold", "size(seat(1).hand where it is Gold)", "golds(seat(1))",
        "(all Gold) within bag", "(all Gold) & bag is empty", "bag disjoint from all Gold",
        "me knows first of seat(1).hand"}) {
    INFO(value);
    const Game game = game_of(with_label(fmt::format("{{{}}}", value), sums));
    CHECK(labels_of(game) == std::set<std::string>{"?"});
    CHECK(leak_in(game) == "");
  }
}

TEST_CASE("texts: a label shows what the player knows", "[texts][knowledge]") {
  const std::string functions = R"(
enum Mark { least, other }
function mark(c: Coin): Mark { if c.n == 1 then return least; return other }
function marks(p: player): int { var n = 0; each c in p.hand { if mark(c) == least { n += 1 } }; return n }
)";
  const Game game =
      game_of(with_label("{marks(me)} {size(me.hand & all Gold)} {size(seat(1).hand)} {size(bag)}", functions));
  std::set<std::string> expected;
  for (std::uint64_t index = 0; index < 12; ++index) {
    const State state = game.new_state(3, index);
    const std::string words = words_of(state)[0];
    CHECK(words.find('?') == std::string::npos);
    CHECK(words.ends_with(" 3 2"));
    CHECK(words[0] == words[2]);   // both count the Gold in the player's own hand
    expected.insert(words);
  }
  CHECK(expected.size() > 1);
  CHECK(leak_in(game) == "");
}

TEST_CASE("texts: shown values and conditions on the first card of a hidden hand reveal nothing",
          "[texts][knowledge]") {
  const Game shown = game_of(with_label("x", "player { shows \"{first of it.hand}\" }"));
  CHECK(leak_in(shown) == "");
  std::string rules = with_label("x");
  rules.replace(rules.find("\"x\" {"), 5, "when me knows first of seat(1).hand {");
  CHECK(leak_in(game_of(rules)) == "");
}

TEST_CASE("texts: an option names the player's own copy of a card", "[texts][knowledge]") {
  std::string rules = with_label("x");
  rules.replace(rules.find("ask in main \"x\""), 15, "ask(c: Coin in (all Gold) - bag) in main \"take {c}\"");
  const Game game = game_of(rules);
  std::size_t own = 0;
  for (std::uint64_t index = 0; index < 12; ++index) {
    const State state = game.new_state(3, index);
    const std::vector<std::string> words = words_of(state);
    own += std::ranges::count(words, "take 1");
    CHECK(std::ranges::count(words, "take a card") == 0);
  }
  CHECK(own > 0);
}

TEST_CASE("texts: a label doesn't name a top card that is not decided yet", "[texts][knowledge]") {
  std::string rules = with_label("{top of seat(1).past} {top of bag}");
  rules.replace(rules.find("peek random"), 0, "move seat(1).hand to seat(1).past; shuffle seat(1).past; ");
  const std::size_t peek = rules.find("peek random");
  rules.erase(peek, rules.find('}', peek) - peek);
  const Game game = game_of(rules);
  CHECK(labels_of(game) == std::set<std::string>{"? a card"});
  std::string decided = rules;
  decided.replace(decided.find("shuffle seat(1).past; "), 22, "");
  CHECK(labels_of(game_of(decided)).count("? a card") == 0);
}

TEST_CASE("texts: the log names a card that the action shows", "[texts][knowledge]") {
  for (const char* body : {"= if (no x in p.hand has x.n > c.n) then most else less",
                           "{ if (no x in p.hand has x.n > c.n) then return most; return less }"}) {
    std::string rules =
        with_label("x", fmt::format("enum Mark {{ most, less }}\nfunction mark(p: player, c: Coin): Mark {}", body));
    rules.replace(rules.find("ask in main \"x\" { me.points += 1 }"), 34,
                  "show(c: Coin in me.hand) in main \"Show {c} ({mark(me, c)})\" { move c to row }");
    const Game game = game_of(rules);
    Log log(game);
    State state = game.new_state(3, 0, &log);
    const std::string words = words_of(state)[0];
    CHECK(words.find('?') == std::string::npos);
    state.apply(0, &log);
    CHECK(lines_with(log, 1, "Show") == std::vector<std::string>{"b: " + words});
    const std::vector<std::string> others = lines_with(log, 0, "Show");
    REQUIRE(others.size() == 1);
    CHECK(others[0] == "b: " + words.substr(0, words.find('(')) + "(?)");
  }
}

TEST_CASE("texts: an event names a winner that follows from public cards", "[texts][knowledge]") {
  const Game game = game_of(R"(game "Winner"
players 2
card type Coin "{n}" { n: 1..9 }
deck Coins: Coin into bag { each n in 1..9: Coin(n: n) }
player { zone hand: owner; zone played: slot, public; won: 0..9 = 0 }
table { zone bag: pile, facedown; zone past: public }
function top_one(): player = first of (players with most (card of it.played).n)
function held_one(): player = first of (players with most size(it.hand & all Coin where it.n > 4))
action play(c: Coin in me.hand) in main "Play {c}" { move c to me.played }
setup { shuffle bag; deal 3 from bag to each hand }
event judge(w: player) { log "{w} wins" }
event guess(w: player) { log "{w} is rich" }
play { rounds 1 {
  phase main { ask each of players }
  let w = top_one()
  judge(w)
  guess(held_one())
} }
end when play is over { winners players with most won }
)");
  Log log(game);
  State state = game.new_state(1, 0, &log);
  while (!state.is_over()) state.apply(0, &log);
  for (int reader : {0, 1}) {
    const std::vector<std::string> lines = lines_with(log, reader, "wins");
    REQUIRE(lines.size() == 1);
    CHECK((lines[0] == "a wins" || lines[0] == "b wins"));
    CHECK(lines_with(log, reader, "is rich") == std::vector<std::string>{"? is rich"});
  }
}
