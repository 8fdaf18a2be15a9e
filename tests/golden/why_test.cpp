// "Why can't I play this?" for each card of Splash: every different answer that came up in random games, with the part
// of the condition that fails and its line. Of the answers "it is for main, and this is …" one per action is enough.
#include <map>
#include <set>

#include "cardwright/tools.hpp"
#include "tests/golden/golden.h"

namespace cardwright::golden {
namespace {

constexpr int kGames = 40;

// Kinds of Splash, as its rules write them: each `card NAME: TYPE` of the file.
std::vector<std::string> cards_of(const fs::path& rules) {
  std::vector<std::string> names;
  std::istringstream in(read_text(rules));
  for (std::string line; std::getline(in, line);) {
    if (!line.starts_with("card ") || line.starts_with("card type ")) continue;
    names.push_back(line.substr(5, line.find_first_of(": ,{", 5) - 5));
  }
  return names;
}

}  // namespace

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
          if (answer.find("you have no ") == std::string::npos && !answer.ends_with(": you can, now")) answers[card].insert(answer);
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
      const std::size_t window = answer.find(": it is for ");
      if (window != std::string::npos && !windows.insert(answer.substr(0, answer.find(',', window))).second) continue;
      text += "  " + answer + "\n";
    }
  }
  check_golden("why/splash.txt", text);
}

TEST_CASE("golden: why something can't be done with certain things", "[golden][why]") {
  std::string text;
  const auto ask = [&](const std::string& name, const api::Configuration& configuration, std::uint64_t seed, int decisions, const std::vector<std::string>& questions) {
    api::State state = api::Ruleset::load(name).compile(configuration).new_state(seed);
    for (int decision = 0; decision < decisions && !state.is_over(); ++decision) {
      std::set<std::string> answers;
      for (const std::string& question : questions)
        for (const std::string& answer : state.why(state.actor(), question)) answers.insert(question + " -> " + answer);
      text += name.substr(name.find_last_of('/') + 1) + ", decision " + std::to_string(decision) + ", " + api::Game::seat_name(state.actor()) + "\n";
      for (const std::string& answer : answers) text += "  " + answer + "\n";
      state.apply(state.random_index());
    }
    CHECK_FALSE(state.failure());
  };
  ask((root() / "tests/system/rules/shown_yard.rules").string(), {2, {}}, 1, 6, {"hit b", "hit a", "hit", "go c3", "Go to c1", "c3", "b", "hit x", "nothing at all"});
  ask("splatter_shoot", {4, {{"map", "bar"}, {"scale", "short_edge"}, {"far_moves", "on"}}}, 3, 14,
      {"attack a", "attack b", "attack c with Hunting Rifle", "attack d", "step N", "jump E", "go j10", "m8", "take t1"});
  ask((root() / "tests/system/rules/asked_why.rules").string(), {3, {}}, 1, 1,
      {"Prince on b", "Prince", "Guard on b", "go e5", "go b1", "go a2", "buy Prince", "buy Guard"});
  check_golden("why/with_things.txt", text);
}

}  // namespace cardwright::golden
