// Tests for information leaks: in 1,000 random positions of Splash each player has the same view in all worlds that the
// player can't distinguish, and these worlds differ. Planted leaks must be found.
#include <catch2/catch.hpp>

#include "cardwright/tools.hpp"
#include "tests/support/files.h"
#include "tests/support/leak_probe.h"
#include "tests/support/pairwise_cover.h"
#include "tests/support/parallel_jobs.h"

using namespace cardwright;
using namespace cardwright::test;

namespace {

std::string search(const Probe& probe, const std::vector<api::Game>& games, std::uint64_t first, std::uint64_t count,
                   int draws) {
  Worlds worlds;
  for (std::uint64_t i = first; i < first + count; ++i) {
    const api::Game& game = games[i % games.size()];
    const api::State state = position(game, 40, i);
    if (std::string leak = find_leak(probe, state, i * 100, draws, &worlds); !leak.empty())
      return fmt::format("position {} with {} players: {}", i, game.players(), leak);
  }
  return too_true(worlds);
}

std::vector<api::Game> tables() {
  const api::Ruleset rules = api::Ruleset::load("splash");
  std::vector<api::Game> out;
  for (int players = 4; players <= 8; ++players) out.push_back(rules.compile({players, {}}));
  return out;
}

int another_player(const StateReader& now, int player) { return (player + 1) % now.players(); }

}   // namespace

TEST_CASE("knowledge: 1,000 positions of Splash leak no hidden information", "[knowledge][splash]") {
  const auto games = tables();
  constexpr std::uint64_t kBlock = 50;
  CHECK(run_jobs(1000 / kBlock,
                 [&](int, std::size_t job) { return search(Probe{}, games, job * kBlock, kBlock, 4); }) == "");
}

TEST_CASE("knowledge: small rulesets leak no hidden information", "[knowledge]") {
  for (const std::string& path : rules_in(checkout("tests/rulesets/small"))) {
    if (path.find("trap_") != std::string::npos) continue;
    const api::Game game = api::Ruleset::load(path).compile();
    for (std::uint64_t i = 0; i < 3; ++i) {
      INFO(path << ", position " << i);
      CHECK(find_leak(Probe{}, position(game, 2, i), i, 4) == "");
    }
  }
}

TEST_CASE("knowledge: positions of Splatter SHOOT leak no hidden information", "[knowledge][shoot]") {
  const api::Game game = api::Ruleset::load("splatter_shoot").compile();
  Worlds worlds;
  for (std::uint64_t i = 0; i < 40; ++i) {
    INFO("position " << i);
    CHECK(find_leak(Probe{}, position(game, 60, i), i * 100, 2, &worlds) == "");
  }
  CHECK(too_true(worlds) == "");
}

// In every state of every ruleset, each player's knowledge of a card must be consistent with the true state.
TEST_CASE("knowledge: the true zone of every card is possible for every player", "[knowledge]") {
  struct Table {
    api::Ruleset rules;
    api::Configuration table;
  };
  std::vector<Table> tables;
  for (const char* folder : {"rulesets", "rulesets/classics"})
    for (const auto& entry : std::filesystem::directory_iterator(checkout(folder))) {
      const std::string path = entry.path() / (entry.path().filename().string() + ".rules");
      if (!std::filesystem::exists(path)) continue;
      const api::Ruleset rules = api::Ruleset::load(path);
      for (api::Configuration& table : pairwise_cover(rules)) tables.push_back({rules, std::move(table)});
    }
  std::sort(tables.begin(), tables.end(),
            [](const Table& a, const Table& b) { return a.rules.title() < b.rules.title(); });
  CHECK(run_jobs(tables.size(), [&](int, std::size_t t) -> std::string {
          const api::Game game = tables[t].rules.compile(tables[t].table);
          for (std::uint64_t i = 0; i < 3; ++i) {
            api::State state = game.new_state(91 + t, i);
            for (int decision = 0; decision < 300; ++decision) {
              if (std::string bad = StateReader(state).wrong_knowledge(); !bad.empty())
                return fmt::format("{} with {}, game {}, decision {}: {}", tables[t].rules.title(),
                                   in_words(tables[t].table), i, decision, bad);
              if (state.is_over()) break;
              state.apply(state.random_index());
            }
          }
          return {};
        }) == "");
}

// Each planted leak replaces one observed function with a function that reveals too much.
TEST_CASE("knowledge: planted leaks are all found", "[knowledge][leaks][splash]") {
  const auto games = tables();
  struct Leak {
    const char* name;
    std::function<void(Probe&)> plant;
  };
  const auto with_view_suffix = [](std::function<std::string(const StateReader&, const api::State&, int)> what) {
    return [what](Probe& probe) {
      probe.view = [what](const api::State& state, int player) {
        return state.view(player) + what(StateReader(state), state, player);
      };
    };
  };
  const std::vector<Leak> leaks = {
      {"the view names a card in another hand",
       with_view_suffix([](const StateReader& now, const api::State&, int player) {
         const auto hand = now.cards("hand", another_player(now, player));
         return hand.empty() ? std::string() : now.kind(hand.back());
       })},
      {"the view gives card ids, and not in a random order",
       with_view_suffix([](const StateReader& now, const api::State&, int player) {
         return fmt::format("{}", fmt::join(now.cards("hand", another_player(now, player)), " "));
       })},
      {"the view is longer when a hidden card is",
       with_view_suffix([](const StateReader& now, const api::State&, int player) {
         std::size_t letters = 0;
         for (const Int card : now.cards("hand", another_player(now, player))) letters += now.kind(card).size();
         return std::string(letters, ' ');
       })},
      {"the view tells how many Misses another one holds",
       with_view_suffix([](const StateReader& now, const api::State&, int player) {
         int misses = 0;
         for (const Int card : now.cards("hand", another_player(now, player))) misses += now.kind(card) == "Miss";
         return std::to_string(misses);
       })},
      {"the view tells a secret role", with_view_suffix([](const StateReader& now, const api::State&, int player) {
         return now.constant("role", another_player(now, player));
       })},
      {"the view carries the state's hash",
       with_view_suffix([](const StateReader&, const api::State& state, int) { return std::to_string(state.hash()); })},
      {"the view lists what is left in the pile", with_view_suffix([](const StateReader& now, const api::State&, int) {
         return fmt::format("{}", fmt::join(now.cards("draw"), " "));
       })},
      {"the table in words names a hidden card",
       [](Probe& probe) {
         probe.table = [](const api::State& state, int player) {
           const StateReader now(state);
           auto lines = state.table_in_words(player);
           const auto hand = now.cards("hand", another_player(now, player));
           lines.push_back(hand.empty() ? "" : now.kind(hand[0]));
           return lines;
         };
       }},
      {"an option is missing when another holds a Miss",
       [](Probe& probe) {
         probe.legal = [](const api::State& state) {
           const StateReader now(state);
           auto ids = Probe{}.legal(state);
           for (const Int card : now.cards("hand", another_player(now, state.actor())))
             if (now.kind(card) == "Miss" && !ids.empty()) ids.pop_back();
           return ids;
         };
       }},
      {"the prompt tells who holds most Splashes",
       [](Probe& probe) {
         probe.question = [](const api::State& state, int player) {
           const StateReader now(state);
           std::string out = Probe{}.question(state, player);
           for (int seat = 0; seat < now.players(); ++seat) {
             int splashes = 0;
             for (const Int card : now.cards("hand", seat)) splashes += now.kind(card) == "Splash";
             out += fmt::format(" {}", splashes);
           }
           return out;
         };
       }},
      {"resample gives the true state back",
       [](Probe& probe) { probe.resample = [](const api::State& state, int, std::uint64_t) { return state; }; }},
      {"resample is for another player",
       [](Probe& probe) {
         probe.resample = [](const api::State& state, int player, std::uint64_t seed) {
           return state.resample(another_player(StateReader(state), player), seed);
         };
       }},
  };
  for (const Leak& leak : leaks) {
    Probe probe;
    leak.plant(probe);
    INFO(leak.name);
    CHECK(search(probe, games, 0, 60, 3) != "");
  }
}
