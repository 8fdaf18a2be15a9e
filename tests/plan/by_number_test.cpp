// Tests number parameters whose range is too large for a mask: the compiler computes bounds from the condition, and the
// options are the same as if every number were tested.
#include <catch2/catch.hpp>

#include <algorithm>
#include <ctime>
#include <map>
#include <set>
#include <string>

#include <fmt/format.h>

#include "cardwright/cardwright.hpp"
#include "tests/support/files.h"

using namespace cardwright::api;

namespace {

// Returns rules in which every condition occurs twice: directly, and in a function, which hides its bounds from the
// compiler.
std::string twice(const std::vector<std::string>& conditions) {
  std::string rules = R"(game "Numbers"
players 2
player { chips: 0..400 = 200; bet: 0..400 = 7; purse: int = 90 }
table { highest: 0..400 = 20; step: 1..9 = 3; wild: int = 5; odd: bool = false; last: 1..9? = none; signed: -400..400 = -3 }
setup { each p in players { let c = roll 1..400; p.chips = c; let k = roll 0..200; p.bet = k; let u = roll 1..20; p.purse = if u > 18 then unlimited else u * 20 } }
function number(n: int): int { return n }
event change() {
  let h = roll 0..300
  highest = h
  let s = roll 1..9
  step = s
  let w = roll 1..20
  wild = if w == 1 then unlimited else if w == 2 then -unlimited else w * 11 - 60
  odd = w > 10
  let t = roll -400..400
  signed = t
}
)";
  for (std::size_t i = 0; i < conditions.size(); ++i) {
    const std::string& c = conditions[i];
    rules += "function f" + std::to_string(i) + "(n: int, me: player): bool { return " + c + " }\n";
    rules += "action a" + std::to_string(i) + "(n: -150..300) in main when " + c + " { change() }\n";
    rules +=
        "action b" + std::to_string(i) + "(n: -150..300) in main when f" + std::to_string(i) + "(n, me) { change() }\n";
    // With two parameters, the bounds of the last one depend on the first.
    rules += "action c" + std::to_string(i) + "(n: -150..300, k: 1..3) in main when " + c +
             " and k * 20 + n > 200 { change() }\n";
    rules += "action d" + std::to_string(i) + "(n: -150..300, k: 1..3) in main when f" + std::to_string(i) +
             "(n, me) and number(k) * 20 + n > 200 { change() }\n";
  }
  return rules + R"(play { turns clockwise from first of players up to 12 { phase main { ask active or pass } } }
end when play is over { winners players with most it.chips }
)";
}

// Compares the offered options by the action's name without its first letter: `a0` with `b0`, and `c0` with `d0`.
void check_alike(const State& state) {
  std::map<std::string, std::set<std::string>> offered;
  for (std::size_t i = 0; i < state.legal_count(); ++i) {
    const Option option = state.option(i);
    std::string arguments;
    for (const Argument& a : option.arguments) arguments += a.value + " ";
    offered[option.action].insert(arguments);
  }
  for (const auto& [name, arguments] : offered) {
    static const std::map<char, char> other = {{'a', 'b'}, {'b', 'a'}, {'c', 'd'}, {'d', 'c'}};
    if (const auto found = other.find(name[0]); found != other.end() && name != "pass") {
      INFO(name);
      CHECK(offered[found->second + name.substr(1)] == arguments);
    }
  }
}

void check_conditions(const std::vector<std::string>& conditions) {
  const cardwright::TemporaryFolder folder;
  const std::string path = folder.write("numbers.rules", twice(conditions));
  std::set<std::uint64_t> digests;
  for (const EngineKind engine : {EngineKind::interpreter, EngineKind::jit}) {
    if (engine == EngineKind::jit && !jit_is_available()) continue;
    const Game game = Ruleset::load(path).compile({}, engine);
    for (std::uint64_t seed = 0; seed < (engine == EngineKind::jit ? 2 : 12); ++seed)
      for (State state = game.new_state(seed); !state.is_over(); state.apply(state.random_index())) {
        CHECK_FALSE(state.failure());
        check_alike(state);
      }
    SimulateSettings settings;
    settings.games = 200;
    settings.threads = 1;
    digests.insert(simulate(game, settings).digest);
  }
  CHECK(digests.size() == 1);
}

}   // namespace

TEST_CASE("numbers: bounds give the same options as a test of each number", "[numbers]") {
  check_conditions({"n <= me.chips", "n < highest and n > 4", "highest <= n and n <= me.chips", "n == highest",
                    "n == wild", "n == last", "n >= me.purse", "n < wild and n >= signed",
                    "n <= me.purse and n > wild"});
}

TEST_CASE("numbers: bounds with sums, products and similar expressions", "[numbers]") {
  check_conditions({"n - me.bet <= me.chips", "n + me.bet > highest + step", "n * 2 <= me.chips and 3 * n > highest",
                    "me.chips - n >= 10", "max(n, 20) <= highest", "min(n, highest) >= 15", "not (n > me.chips)",
                    "n / 2 >= step", "-n < step", "n + wild <= me.purse", "wild - n < me.purse", "n * -3 < wild"});
}

TEST_CASE("numbers: other conditions are tested for each number within the bounds", "[numbers]") {
  check_conditions({"n mod step == 0 and n <= me.chips", "n <= me.chips and n mod step == 1",
                    "n != highest and n < highest + 5", "odd and n < 50", "(n < 10 or n > highest) and n <= me.chips",
                    "n mod 10 == 0 and n >= me.purse and n < wild", "n * n <= highest", "n < n + step and n < 3"});
}

TEST_CASE("numbers: a bound is evaluated only after its guard, and only for some number", "[numbers]") {
  const cardwright::TemporaryFolder folder;
  const std::string path = folder.write("guarded.rules", R"(game "Guarded"
players 2
player { chips: 0..400 = 200 }
table { least: 1..400; known: bool = false; half: 0..9 = 0 }
action tell in main when not known { least = 30; known = true }
action raise(n: 1..1200) in main when known and n >= least and n < least + 5 { half += 1 }
action split(n: 1..1200) in main when n > 1500 and n > 9 / half { half += 1 }
play { turns clockwise from first of players up to 6 { phase main { ask active or pass } } }
end when play is over { winners players with most it.chips }
)");
  for (const EngineKind engine : {EngineKind::interpreter, EngineKind::jit}) {
    if (engine == EngineKind::jit && !jit_is_available()) continue;
    const Game game = Ruleset::load(path).compile({}, engine);
    State state = game.new_state(1);
    CHECK(state.legal_count() == 2);   // `tell` and pass
    state.apply(0);
    REQUIRE_FALSE(state.failure());
    CHECK(state.legal_count() == 6);
    CHECK(state.option(0).arguments[0].value == "30");
    CHECK(state.option(4).arguments[0].value == "34");
  }
}

// Iterating over such a range would take the interpreter hundreds of times as long.
TEST_CASE("numbers: only the numbers within the bounds of a wide range are tested", "[numbers]") {
  const cardwright::TemporaryFolder folder;
  const auto seconds = [&](int most) {
    const std::string path = folder.write("wide.rules", fmt::format(R"(game "Wide"
players 2
player {{ chips: 0..100000 = 20 }}
action raise(n: 1..{}) in main when n > me.chips and n < me.chips + 5 {{ me.chips = 20 }}
play {{ turns clockwise from first of players up to 200 {{ phase main {{ ask active or pass }} }} }}
end when play is over {{ winners players with most it.chips }}
)",
                                                                    most));
    const Game game = Ruleset::load(path).compile({}, EngineKind::interpreter);
    double best = 1e9;
    for (int i = 0; i < 5; ++i) {   // the fastest run, because other processes compete
      const std::clock_t begun = std::clock();
      State state = game.new_state(1);
      for (; !state.is_over(); state.apply(0)) REQUIRE(state.legal_count() == 5);
      best = std::min(best, static_cast<double>(std::clock() - begun) / CLOCKS_PER_SEC);
    }
    return best;
  };
  CHECK(seconds(30'000) < 20 * seconds(30));
}

TEST_CASE("numbers: a choice from a range contains the numbers within its bounds", "[numbers]") {
  const cardwright::TemporaryFolder folder;
  const std::string path = folder.write("choice.rules", R"(game "Choice"
players 2
player { gold: 0..400 = 200; spent: 0..400 = 0 }
action buy in main {
  me chooses n from 1..me.gold where it >= 195 and it != 197 "How much?"
  me.spent = n
}
action give in main { me may choose n from 1..me.gold where it > me.gold - 4 "How much?" { me.spent = n } }
action miss in main { me may choose n from 5..me.spent "How much?" { me.spent = n } }
play { turns clockwise from first of players up to 6 { phase main { ask active or pass } } }
end when play is over { winners players with most it.spent }
)");
  const auto numbers = [](State& state) {
    std::vector<std::string> out;
    for (std::size_t i = 0; i < state.legal_count(); ++i) {
      const Option option = state.option(i);
      out.push_back(option.arguments.empty() ? option.action : option.arguments[0].value);
    }
    return out;
  };
  for (const EngineKind engine : {EngineKind::interpreter, EngineKind::jit}) {
    if (engine == EngineKind::jit && !jit_is_available()) continue;
    const Game game = Ruleset::load(path).compile({}, engine);
    State bought = game.new_state(1), given = game.new_state(1), nothing = game.new_state(1);
    bought.apply(0);
    CHECK(numbers(bought) == std::vector<std::string>{"195", "196", "198", "199", "200"});
    bought.apply(3);
    CHECK(bought.everything().find("199") != std::string::npos);
    given.apply(1);
    REQUIRE(given.legal_count() == 5);
    CHECK(numbers(given)[3] == "200");
    State declined = given;
    given.apply(0);
    CHECK(given.everything().find("197") != std::string::npos);
    declined.apply(4);
    CHECK(declined.everything().find("197") == std::string::npos);
    nothing.apply(2);
    CHECK_FALSE(nothing.failure());
    CHECK(nothing.actor() == 1);
  }
}
