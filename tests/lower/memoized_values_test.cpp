// Tests that memoized values always equal newly computed values.
#include <catch2/catch.hpp>

#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>

#include "cardwright/tools.hpp"
#include "api/game/game_data.h"
#include "tests/support/command.h"
#include "tests/support/files.h"

using namespace cardwright;
using namespace cardwright::test;

namespace {

std::vector<std::uint64_t> ends_of(const api::Game& game, int games) {
  std::vector<std::uint64_t> hashes;
  for (int i = 0; i < games; ++i) {
    api::State state = game.new_state(11, static_cast<std::uint64_t>(i));
    state.playout();
    hashes.push_back(state.hash());
  }
  return hashes;
}

// Changes each value that is declared on one line, and can be memoized, into a memoized one (`kept value`). Returns the
// number of changes.
int keep_all(const std::filesystem::path& rules) {
  std::stringstream text;
  text << std::ifstream(rules).rdbuf();
  static const std::regex value(
      R"(^value [a-z_]+(\(([^()]|\([^()]*\))*\))?: *(int|bool|player\??|card\??|set of [a-z]+) *=.*)");
  static const std::regex endless(R"(: int\)|: int,|: card, [a-z]+: |: set of [a-zA-Z]+[,)]|: Purse)");
  std::string out;
  int memoized = 0;
  for (std::string line; std::getline(text, line);) {
    const std::string head = line.substr(0, line.find('='));
    if (std::regex_match(line, value) && !std::regex_search(head, endless)) line = "kept " + line, ++memoized;
    out += line + "\n";
  }
  std::ofstream(rules) << out;
  return memoized;
}

// Returns the number of times that the code of this function marks memoized values as stale.
int marks(const api::Game& game, std::string_view function) {
  const Program& program = game.data()->program();
  int marks = 0;
  for (const ir::Function& f : program.playout.functions) {
    if (f.name != function) continue;
    for (const ir::Block& block : f.blocks)
      for (const ir::Instruction& in : block.code)
        marks += (in.op == ir::Op::store || in.op == ir::Op::store_known) && in.operands[0] == program.stale;
  }
  return marks;
}

}   // namespace

TEST_CASE("memoized: a card that moves elsewhere does not affect a value", "[kept]") {
  const TemporaryFolder folder;
  std::ofstream(folder.path() + "/fog.rules") << R"(game "Fog"
players 2..2
card type Plain { n: 1..4 }
card Fog: Plain { while in shown { modify sight(_) at most 1 } }
deck Cards: Plain into pile { each k in 1..4: Plain(n: k) x 3  Fog(n: 1) x 4 }
player { zone hand: owner; zone shown: public }
table { zone pile: pile, facedown; zone heap: pile, faceup }
kept value sight(p: player): int = 3
setup { shuffle pile; deal 3 from pile to each hand }
event turn_over() { move top of pile to heap }
event look_first() { let c = top of pile; if c is some then move c to heap }
event put(c: card, p: player) { move c to p.shown }
event drop(c: card) { move c to heap }
event clean(p: player) { move p.hand to heap }
action play(c: Plain in me.hand) in main when sight(me) > 0 { put(c, me); turn_over(); look_first(); drop(c); clean(me) }
play { turns clockwise from first of players up to 4 { phase main { ask active until pass } } }
end when play is over { winners players }
)";
  const api::Game game =
      api::Ruleset::load(folder.path() + "/fog.rules").compile({2, {}}, api::EngineKind::interpreter);
  CHECK(marks(game, "event turn_over") == 0);
  CHECK(marks(game, "event clean") == 0);
  CHECK(marks(game, "event put") == 2);   // one for the target zone and one for the source zone
  CHECK(marks(game, "event drop") == 1);
}

TEST_CASE("memoized: a value is recomputed when a dependency has changed", "[kept]") {
  for (const api::EngineKind engine : {api::EngineKind::interpreter, api::EngineKind::jit}) {
    if (engine == api::EngineKind::jit && !api::jit_is_available()) continue;
    for (int players = 2; players <= 4; ++players) {
      const api::Game game =
          api::Ruleset::load(checkout("tests/rulesets/small/kept.rules")).compile({players, {}}, engine);
      for (std::uint64_t seed = 0; seed < 300; ++seed) {
        api::State state = game.new_state(seed);
        state.playout();
        REQUIRE_FALSE(state.failure());   // games end with a trap if a memoized value differs from the recomputed one
      }
    }
  }
}

TEST_CASE("memoized: different hidden cards give different values", "[kept]") {
  const api::Game game =
      api::Ruleset::load(checkout("tests/rulesets/small/kept.rules")).compile({3, {}}, api::EngineKind::interpreter);
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    api::State state = game.new_state(seed);
    for (int step = 0; step < 25 && !state.is_over(); ++step) {
      api::State other = state.resample(state.actor(), seed * 100 + static_cast<std::uint64_t>(step));
      other.playout();
      REQUIRE_FALSE(other.failure());
      state.apply(state.random_index());
    }
  }
}

TEST_CASE("memoized: the same games with every value memoized", "[kept]") {
  const TemporaryFolder folder;
  std::filesystem::copy(checkout("rulesets"), folder.path() + "/rulesets", std::filesystem::copy_options::recursive);
  std::filesystem::copy(checkout("tests/rulesets/small"), folder.path() + "/small",
                        std::filesystem::copy_options::recursive);
  int memoized = 0;
  const auto compare = [&](const std::filesystem::path& plain, const std::filesystem::path& copy) {
    const int here = keep_all(copy);
    if (here == 0) return;
    memoized += here;
    INFO(plain.string());
    const auto is = [&](const char* game) { return plain.string().find(game) != std::string::npos; };
    const int games = is("kill_shot") || is("panic_fire") || is("splatter_shoot") ? 2 : 10;
    const auto ends = ends_of(api::Ruleset::load(plain.string()).compile({}, api::EngineKind::interpreter), games);
    CHECK(ends == ends_of(api::Ruleset::load(copy.string()).compile({}, api::EngineKind::interpreter), games));
  };
  for (const std::string& name : api::bundled_games()) {
    const std::filesystem::path plain = api::find_rules(name);
    compare(plain, folder.path() + "/rulesets/" + std::filesystem::relative(plain, checkout("rulesets")).string());
  }
  for (const std::string& path : rules_in(checkout("tests/rulesets/small")))
    compare(path, folder.path() + "/small/" + std::filesystem::path(path).filename().string());
  CHECK(memoized > 80);
}
