// Tests the answers to "Why can't I play this?" for each card of Splash: the expected file lists every different answer
// from random games, with the failing part of the condition and its line, but only one answer "only possible in main,
// and this is …" for each action.
#include <map>
#include <set>

#include "cardwright/tools.hpp"
#include "tests/support/golden.h"

namespace cardwright::golden {
namespace {

constexpr int kGames = 40;

// Returns the card kinds in a rules file: each `card NAME: TYPE`.
std::vector<std::string> cards_of(const fs::path& rules) {
  std::vector<std::string> names;
  std::istringstream in(read_text(rules));
  for (std::string line; std::getline(in, line);) {
    if (!line.starts_with("card ") || line.starts_with("card type ")) continue;
    names.push_back(line.substr(5, line.find_first_of(": ,{", 5) - 5));
  }
  return names;
}

}   // namespace

TEST_CASE("golden: why each card of Splash can't be played", "[golden][why]") {
  const api::Ruleset rules = api::Ruleset::load("splash");
  const api::Game game = rules.compile({5, {}});
  const std::vector<std::string> cards = cards_of(rules.path());
  REQUIRE(cards.size() >= 10);
  std::map<std::string, std::set<std::string>> answers;
  for (int index = 0; index < kGames; ++index) {
    api::State state = game.new_state(7, static_cast<std::uint64_t>(index));
    while (!state.is_over()) {
      for (const std::string& card : cards)
        for (const std::string& answer : state.why(state.actor(), card))
          if (answer.find("you have no ") == std::string::npos && !answer.ends_with(": you can do this now"))
            answers[card].insert(answer);
      state.apply(state.random_index());
    }
    CHECK_FALSE(state.failure());
  }
  std::string text;
  for (const std::string& card : cards) {
    text += card + "\n";
    CHECK_FALSE(answers[card].empty());
    std::set<std::string> windows;
    for (const std::string& answer : answers[card]) {
      const std::size_t window = answer.find(": only possible in ");
      if (window != std::string::npos && !windows.insert(answer.substr(0, answer.find(',', window))).second) continue;
      text += "  " + answer + "\n";
    }
  }
  check_golden("why/splash.txt", text);
}

TEST_CASE("golden: why an action can't use certain cards or players", "[golden][why]") {
  std::string text;
  const auto ask = [&](const std::string& name, const api::Configuration& configuration, std::uint64_t seed,
                       int decisions, const std::vector<std::string>& questions) {
    api::State state = api::Ruleset::load(name).compile(configuration).new_state(seed);
    for (int decision = 0; decision < decisions && !state.is_over(); ++decision) {
      std::set<std::string> answers;
      for (const std::string& question : questions)
        for (const std::string& answer : state.why(state.actor(), question)) answers.insert(question + " -> " + answer);
      text += name.substr(name.find_last_of('/') + 1) + ", decision " + std::to_string(decision) + ", " +
              api::Game::seat_name(state.actor()) + "\n";
      for (const std::string& answer : answers) text += "  " + answer + "\n";
      state.apply(state.random_index());
    }
    CHECK_FALSE(state.failure());
  };
  ask((root() / "tests/rulesets/small/shown_yard.rules").string(), {2, {}}, 1, 6,
      {"hit b", "hit a", "hit", "go c3", "Go to c1", "c3", "b", "hit x", "nothing at all"});
  ask("splatter_shoot", {4, {{"map", "bar"}, {"scale", "short_edge"}, {"far_moves", "on"}}}, 3, 24,
      {"attack a", "attack b", "attack c with Hunting Rifle", "attack d", "step N", "jump E", "go j10", "m8",
       "take t1"});
  ask((root() / "tests/rulesets/small/asked_why.rules").string(), {3, {}}, 1, 1,
      {"Prince on b", "Prince", "Guard on b", "go e5", "go b1", "go a2", "buy Prince", "buy Guard"});
  check_golden("why/with_things.txt", text);
}

TEST_CASE("golden: why gives the same answers without optimizations", "[golden][why]") {
  const api::Ruleset rules = api::Ruleset::load((root() / "tests/rulesets/small/asked_why.rules").string());
  const api::State state = rules.compile({3, {}}).new_state(1), plain = rules.compile({3, {}, true}).new_state(1);
  for (const char* what : {"go", "go e5", "buy Prince"}) {
    CHECK_FALSE(state.why(state.actor(), what).empty());
    CHECK(state.why(state.actor(), what) == plain.why(plain.actor(), what));
  }
}

// Takes the option with these words.
void take(api::State& state, const std::string& words) {
  for (std::size_t i = 0; i < state.legal_count(); ++i)
    if (state.option(i).words == words) return state.apply(i);
  FAIL("there is no option " << words);
}

TEST_CASE("golden: why a fence of Quoridor can't be placed there", "[golden][why]") {
  api::State state = api::Ruleset::load("quoridor").compile().new_state(1);
  const auto why = [&](const std::string& what) { return state.why(state.actor(), what); };
  using Answer = std::vector<std::string>;
  take(state, "fence east of d1");
  take(state, "fence east of e1");
  const std::string shut =
      "only if not divides level of e2 or nobody shut in of level + [e2], upright: a would be shut in";
  CHECK(why("fence north of e2") == Answer{"fence north of e2: " + shut});
  const std::string crossed = "is not in level places: another fence would be crossed";
  CHECK(why("fence north of d1") == Answer{"fence north of d1: d1 " + crossed});
  const std::string full = "is not in upright places: a fence is there, or the board ends";
  CHECK(why("fence east of d2") == Answer{"fence east of d2: d2 " + full});
  CHECK(why("fence east of i3") == Answer{"fence east of i3: i3 " + full});
  CHECK(why("fence east of f3") == Answer{"fence east of f3: you can do this now"});
  CHECK(why("walk f1") == Answer{"walk f1: f1 is not in steps of your at: no step leads there"});
}

TEST_CASE("golden: why the Crane can't put something there", "[golden][why]") {
  const api::Configuration table{2, {{"mode", "frag_hunt"}, {"map", "bar"}, {"scale", "short_edge"}}};
  const api::Game game = api::Ruleset::load("splatter_shoot").compile(table);
  std::set<std::string> left = {": you can do this now", ": it is not in disc of ", " is there"};
  std::set<std::string> others;
  for (std::uint64_t index = 0; index < 60 && !left.empty(); ++index)
    for (api::State state = game.new_state(9, index); !state.is_over() && !left.empty();
         state.apply(state.random_index()))
      if (state.question().prompt == "Where to?" && state.question().window.empty())
        for (const char* cell : {"a1", "j10", "c9", "e9", "r18"})
          for (const std::string& answer : state.why(state.actor(), cell)) {
            std::erase_if(left, [&](const std::string& part) { return answer.find(part) != std::string::npos; });
            others.insert(answer);
          }
  for (const std::string& answer : others) UNSCOPED_INFO(answer);
  CHECK(left == std::set<std::string>{});
}

TEST_CASE("golden: why an option can't be chosen uses the names of the asking event", "[golden][why]") {
  const api::Game game = api::Ruleset::load((root() / "tests/rulesets/small/lifted.rules").string()).compile({2, {}});
  using Answer = std::vector<std::string>;
  const auto after = [&](const std::string& words) {
    api::State state = game.new_state(1);
    take(state, words);
    return [state](const std::string& what) { return state.why(0, what); };
  };
  const auto barrel = after("Lift the Barrel"), chest = after("Lift the Chest"), number = after("Say a number");
  CHECK(barrel("b2") == Answer{"b2: only if room for of Barrel, b2: the Chest is there"});
  CHECK(barrel("f6") == Answer{"f6: it is not in disc of Barrel's at, 2"});
  CHECK(barrel("a3") == Answer{"a3: you can do this now"});
  CHECK(chest("a1") == Answer{"a1: only if room for of Chest, a1: the Barrel is there"});
  CHECK(chest("b3") == Answer{"b3: only if b3 in dry"});
  CHECK(chest("d2") == Answer{"d2: only if d2's x is at most 1 (d2's x is 3)"});
  CHECK(chest("b4") == Answer{"b4: only if supposing put down of Chest, b4 holds can walk: a man would be under it"});
  CHECK(number("3") == Answer{"3: only if 3 is not 2 + 1 (2 + 1 is 3)"});
  CHECK(number("4") == Answer{"4: you can do this now"});
}

}   // namespace cardwright::golden
