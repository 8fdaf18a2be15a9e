// Tests option ids: ascending and unique within a decision, and with the same meaning in all decisions of all games.
#include <catch2/catch.hpp>

#include <map>

#include <fmt/format.h>

#include "cardwright/tools.hpp"

using namespace cardwright;

namespace {

std::string in_full(const api::Option& option) {
  std::string out = option.action;
  for (const api::Argument& argument : option.arguments) out += ", " + argument.name + ": " + argument.value;
  return out;
}

// Records the meaning of each option id over all games of a ruleset.
class Meanings {
 public:
  explicit Meanings(const api::Game& game) : game_(game) {}
  std::size_t size() const { return meanings_.size(); }

  // Records the ids of the pending decision. Returns the first error; empty if there is none.
  std::string look(const api::State& state) {
    std::int64_t before = -1;
    const bool own_ids = game_.races() || state.still_to_answer() != 0;   // even look-alikes have different ids
    std::map<std::string, std::int64_t> in_words;
    for (std::size_t i = 0; i < state.legal_count(); ++i) {
      const api::Option option = state.option(i);
      const std::string meaning = in_full(option);
      if (option.id != state.legal()[i]) return fmt::format("option {} has two ids", i);
      if (option.id <= before || option.id >= game_.option_ids())
        return fmt::format("id {} stands behind {}", option.id, before);
      before = option.id;
      const auto [other, is_new] = in_words.emplace(meaning + ": " + option.words, option.id);
      if (!is_new && !own_ids) return fmt::format("{} and {} are both {}", other->second, option.id, meaning);
      if (const auto known = meanings_.emplace(option.id, meaning).first; known->second != meaning)
        return fmt::format("id {} is {}, and was {}", option.id, meaning, known->second);
    }
    return {};
  }
  // Returns the first difference in meaning between this game's ids and the other's; empty if there is none.
  std::string differ_in(const api::Game& other) const {
    if (other.option_ids() != game_.option_ids()) return "another number of ids";
    for (const auto& [id, meaning] : meanings_)
      if (const std::string here = in_full(game_.option(id)), there = in_full(other.option(id)); here != there)
        return fmt::format("{} and {}", here, there);
    return {};
  }

 private:
  const api::Game& game_;
  std::map<std::int64_t, std::string> meanings_;
};

}   // namespace

TEST_CASE("options: an id means one option, in every decision of every game", "[options]") {
  for (const std::string& name : api::bundled_games()) {
    INFO(name);
    const api::Ruleset rules = api::Ruleset::load(name);
    const api::Game game = rules.compile();
    Meanings meanings(game);
    int decisions = 0;
    for (std::uint64_t index = 0; index < 20 && decisions < 1'500; ++index) {
      api::State state = game.new_state(61, index);
      for (; !state.is_over() && decisions < 1'500; ++decisions) {
        REQUIRE(meanings.look(state) == "");
        state.apply(state.random_index());
      }
    }
    CHECK(meanings.size() >= 2);
    api::Configuration plain;
    plain.plain = true;
    CHECK(meanings.differ_in(rules.compile(plain)) == "");
  }
}
