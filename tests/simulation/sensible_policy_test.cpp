// Tests `--policy sensible`: players take only options that the rules call sensible, on both engines.
#include <catch2/catch.hpp>

#include <algorithm>
#include <map>
#include <string>

#include "cardwright/cardwright.hpp"
#include "api/game/timing.h"
#include "tests/support/files.h"

using namespace cardwright::api;

namespace {

// The number of games with each ending, out of 60.
using Endings = std::map<std::string, std::uint64_t>;

using Policy = PlayerPolicy::Kind;

Endings played(const std::string& rules, Policy policy) {
  const cardwright::TemporaryFolder folder;
  const std::string path = folder.write("sensible.rules", "game \"Sensible\"\nplayers 2\n" + rules +
                                                              "end when play is over \"over\" { winners nobody }\n");
  Statistics first;
  for (const EngineKind engine : {EngineKind::interpreter, EngineKind::jit}) {
    if (engine == EngineKind::jit && !jit_is_available()) continue;
    SimulateSettings settings;
    settings.games = 60;
    settings.threads = 1;
    settings.policies = {PlayerPolicy{policy, {}, 0, 0}};
    Statistics run = simulate(Ruleset::load(path).compile({}, engine), settings);
    REQUIRE(run.failures.empty());
    if (engine == EngineKind::interpreter)
      first = std::move(run);
    else
      CHECK(run.digest == first.digest);
  }
  Endings endings;
  for (const EndingCount& e : first.endings) endings[e.text] = e.games;
  return endings;
}

const std::string kSilly = R"(table { silly: 0..100 = 0 }
action be_silly in main, sensible if false { silly += 1 }
action be_wise in main { }
end when silly > 0 "silly" { winners nobody }
)";

}   // namespace

TEST_CASE("sensible: in turns, only sensible options are taken if there are any", "[sensible]") {
  const std::string rules =
      kSilly + "play { turns clockwise from first of players up to 20 { phase main { ask active } } }\n";
  CHECK(played(rules, Policy::uniform) == Endings{{"silly", 60}});
  CHECK(played(rules, Policy::sensible) == Endings{{"over", 60}});
}

TEST_CASE("sensible: each value of a parameter is considered", "[sensible]") {
  const std::string rules = R"(table { sum: 0..100 = 0 }
action take(n: 1..6, k: 1..2) in main, sensible if n * k == 4 { sum = n * k }
end when sum > 0 and sum != 4 "other" { winners nobody }
end when sum == 4 and turn_number > 10 "four" { winners nobody }
play { turns clockwise from first of players up to 20 { phase main { ask active } } }
)";
  CHECK(played(rules, Policy::uniform)["other"] == 60);
  CHECK(played(rules, Policy::sensible) == Endings{{"four", 60}});
}

TEST_CASE("sensible: if no option is sensible, all are taken", "[sensible]") {
  const std::string rules = R"(table { left: 0..100 = 0; right: 0..100 = 0 }
action go_left in main, sensible if left > 0 { left += 1 }
action go_right in main, sensible if right > 0 { right += 1 }
end when left > 0 and right > 0 "both" { winners nobody }
end when left > 10 "left" { winners nobody }
end when right > 10 "right" { winners nobody }
play { turns clockwise from first of players up to 50 { phase main { ask active } } }
)";
  Endings ended = played(rules, Policy::sensible);
  CHECK(ended["both"] == 0);
  CHECK(ended["left"] > 10);
  CHECK(ended["right"] > 10);
}

TEST_CASE("sensible: passing is always sensible, if it is allowed", "[sensible]") {
  const auto rules = [](const std::string& ask) {
    return "table { silly: 0..100 = 0 }\naction be_silly in main, sensible if false { silly += 1 }\nend when silly > 0 "
           "\"silly\" { winners nobody }\n"
           "play { turns clockwise from first of players up to 20 { phase main { " +
           ask + " } } }\n";
  };
  CHECK(played(rules("ask active or pass"), Policy::uniform)["silly"] == 60);
  CHECK(played(rules("ask active or pass"), Policy::sensible) == Endings{{"over", 60}});
  CHECK(played(rules("ask active until pass"), Policy::sensible) == Endings{{"over", 60}});
  CHECK(played(rules("ask active until pass when turn_number < 99"), Policy::sensible) == Endings{{"over", 60}});
  CHECK(played(rules("ask active until pass when turn_number > 99"), Policy::sensible) == Endings{{"silly", 60}});
  CHECK(played(rules("ask each of players until all pass"), Policy::sensible) == Endings{{"over", 60}});
}

TEST_CASE("sensible: the policy also applies to simultaneous decisions and to cards", "[sensible]") {
  const std::string rules = R"(table { zone discard: public; silly: bool = false }
player { zone hand: owner }
card type Item
card Good: Item { play in answers to discard { } }
card Bad: Item { play in answers, sensible if me.hand is empty to discard { silly = true } }
deck Cards: Item into bag { Good x 8, Bad x 8 }
table { zone bag: pile, facedown }
setup { each p in players { each c in all Good at i { if i mod 2 == seat_of(p) then move c to p.hand }; each c in all Bad at i { if i mod 2 == seat_of(p) then move c to p.hand } } }
window answers() { ask all of players at once }
end when silly "silly" { winners nobody }
play { rounds 4 { open answers() } }
)";
  CHECK(played(rules, Policy::uniform)["silly"] > 40);
  CHECK(played(rules, Policy::sensible) == Endings{{"over", 60}});
}

TEST_CASE("sensible: an unknown condition counts as true", "[sensible]") {
  const std::string rules = R"(player { luck: 0..1 = 0, hidden }
table { tried: 0..100 = 0 }
setup { each p in players { let r = roll 0..1; p.luck = r } }
action dare in main, sensible if me.luck == 1 { tried += 1 }
action wait in main { }
end when turn_number > 30 and tried > 0 "tried" { winners nobody }
play { turns clockwise from first of players up to 40 { phase main { ask active } } }
)";
  CHECK(played(rules, Policy::sensible) == Endings{{"tried", 60}});
}

TEST_CASE("sensible: the policy is rejected for a game in which it has no effect", "[sensible]") {
  const Game game = Ruleset::load("leduc_poker").compile({}, EngineKind::interpreter);
  SimulateSettings settings;
  settings.games = 1;
  settings.policies = {policy_from("sensible")};
  try {
    simulate(game, settings);
    FAIL("it was played");
  } catch (const Error& error) {
    CHECK(error.blame() == Blame::caller);
    CHECK(std::string(error.what()).find("no action has `sensible if`") != std::string::npos);
  }
}

TEST_CASE("sensible: bots try only options of the decision, the same on both engines", "[sensible][jit]") {
  if (!jit_is_available()) return;
  for (const std::string name : {"splatter_shoot", "splash"}) {
    const Game interpreted = Ruleset::load(name).compile({}, EngineKind::interpreter),
               compiled = Ruleset::load(name).compile({}, EngineKind::jit);
    State one = interpreted.new_state(5), other = compiled.new_state(5);
    for (int decision = 0; decision < 400 && !one.is_over(); ++decision) {
      const std::vector<std::int64_t> all(one.legal().begin(), one.legal().end()),
          same(other.legal().begin(), other.legal().end());
      const auto few = detail::sensible_options(one.data()), alike = detail::sensible_options(other.data());
      INFO(name << ", decision " << decision << ": " << one.question().place);
      REQUIRE(all == same);
      REQUIRE(few == alike);
      for (const std::int64_t id : few) REQUIRE(std::find(all.begin(), all.end(), id) != all.end());
      const std::size_t k = one.random_index();
      one.apply(k), other.apply(k);
    }
  }
}
