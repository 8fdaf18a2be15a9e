// Tests bots: a choice depends only on the seed, iterations, number of trees, and the player's knowledge; small games
// are played perfectly; bots infer hidden cards from other players' decisions.
#include <catch2/catch.hpp>

#include <atomic>
#include <map>
#include <string>
#include <vector>

#include "cardwright/bots.hpp"
#include "cardwright/tools.hpp"
#include "tests/api/hidden.h"
#include "tests/support/files.h"

using namespace cardwright::api;

namespace {

Game compiled(const std::string& name, int players = 0, EngineKind engine = EngineKind::interpreter) {
  return Ruleset::load(name).compile({players, {}}, engine);
}

// Returns a position after `decisions` decisions in which a player has a choice, or the end of the game.
State position(const Game& game, std::uint64_t index, int decisions) {
  State state = game.new_state(3, index);
  while (!state.is_over() && (state.decisions() < decisions || state.legal_count() < 2))
    state.apply(state.random_index());
  return state;
}

}   // namespace

TEST_CASE("bots: a choice depends on seed, iterations and trees, and never on threads or engine", "[bots]") {
  for (const auto& [name, players] : {std::pair{"leduc_poker", 2}, {"splash", 4}, {"goofspiel", 2}, {"hearts", 4}}) {
    const Game game = compiled(name, players);
    std::vector<Game> games{game};
    if (jit_is_available()) games.push_back(compiled(name, players, EngineKind::jit));
    for (std::uint64_t i = 0; i < 3; ++i) {
      std::vector<std::size_t> choices;
      for (const Game& one : games) {
        const State state = position(one, i, 8);
        if (state.is_over()) continue;
        for (const int threads : {1, 2, 7})
          choices.push_back(bot_choice(state, {.iterations = 120, .seed = i, .trees = 4, .threads = threads}));
      }
      INFO(name << ", game " << i);
      for (const std::size_t choice : choices) CHECK(choice == choices[0]);
    }
  }
}

TEST_CASE("bots: a comparison of policies gives the same result with any number of threads", "[bots]") {
  const Game game = compiled("leduc_poker");
  PolicyComparisonSettings settings;
  settings.pairs = 12;
  settings.first = policy_from("bots:40");
  settings.second = policy_from("flat:40");
  settings.threads = 1;
  const PolicyComparison one = compare_policies(game, settings);
  settings.threads = 3;
  const PolicyComparison three = compare_policies(game, settings);
  CHECK(one.games == 24);
  CHECK(one.difference == three.difference);
  CHECK(one.margin == three.margin);
  CHECK(one.points == three.points);
  CHECK(one.first_wins.wins == three.first_wins.wins);
}

TEST_CASE("bots: every game of tic-tac-toe ends in a draw", "[bots]") {
  const Game game = compiled("tic_tac_toe");
  for (std::uint64_t i = 0; i < 6; ++i) {
    State state = game.new_state(1, i);
    while (!state.is_over())
      state.apply(
          bot_choice(state, {.iterations = 3000, .seed = 10 * i + static_cast<std::uint64_t>(state.decisions())}));
    CHECK(state.returns()[0] == state.returns()[1]);
  }
}

TEST_CASE("bots: connect four opens in the middle column", "[bots]") {
  const State state = compiled("connect_four").new_state(1);
  REQUIRE(state.legal_count() == 7);
  for (const std::uint64_t seed : {1u, 2u}) CHECK(bot_choice(state, {.iterations = 20'000, .seed = seed}) == 3);
}

TEST_CASE("bots: states that a player can't distinguish get the same choice", "[bots][leaks]") {
  int compared = 0;
  for (const auto& [name, players] : cardwright::test::kHidden) {
    const Game game = compiled(name, players);
    for (std::uint64_t i = 0; i < 6; ++i) {
      const State state = position(game, i, static_cast<int>(3 + 7 * i));
      if (state.is_over()) continue;
      const BotSettings settings{.iterations = 60, .seed = i};
      const std::size_t choice = bot_choice(state, settings);
      for (std::uint64_t draw = 0; draw < 3; ++draw) {
        INFO(name << ", game " << i << ", world " << draw);
        const State world = state.resample(state.actor(), 100 * i + draw);
        CHECK(bot_choice(world, settings) == choice);
        compared += world.hash() != state.hash();
      }
    }
  }
  CHECK(compared > 60);
}

TEST_CASE("bots: histories that a player can't distinguish get the same choice", "[bots][leaks]") {
  const Game game = compiled("kuhn_poker", 3);
  std::map<std::string, std::size_t> answers;   // seat b's choice for each of its views
  int met_again = 0;
  for (std::uint64_t i = 0; i < 40; ++i)
    for (const std::size_t first : {0u, 1u}) {
      State state = game.new_state(9, i);
      Bot bot(game, 1, {.iterations = 50, .seed = 4});
      bot.saw(state, state.legal()[first]);
      state.apply(first);
      REQUIRE(state.actor() == 1);
      const std::size_t answer = bot.choose(state);
      const auto [before, is_new] = answers.try_emplace(state.view(1), answer);
      met_again += !is_new;
      CHECK(before->second == answer);
    }
  CHECK(met_again > 30);
}

TEST_CASE("bots: a bot infers hidden cards from other players' decisions", "[bots]") {
  const cardwright::TemporaryFolder folder;
  const Game game = Ruleset::load(folder.write("telling.rules", R"(game "Telling"
players 2
card type Card { n: 1..12 }
deck Cards: Card into deck { each k in 1..12: Card(n: k) }
player { zone hand: owner }
table { zone deck: pile, facedown; right: bool = false }
value held(): int = sum of c.n for c in (first of players).hand
setup { shuffle deck; deal 1 from deck to each hand }
action say_low in tell when held() <= 6 { }
action say_high in tell when held() > 6 { }
action guess_low in guess { right = held() <= 6 }
action guess_high in guess { right = held() > 6 }
play {
  phase tell { ask first of players }
  phase guess { ask last of players }
}
end when play is over { winners players where right == (it == last of players) }
)"))
                        .compile();
  int right = 0;
  for (std::uint64_t i = 0; i < 40; ++i) {
    State state = game.new_state(5, i);
    Bot bot(game, 1, {.iterations = 40, .seed = i});
    bot.saw(state, state.legal()[0]);
    state.apply(0);
    state.apply(bot.choose(state));
    right += state.returns()[1] == 1;
  }
  CHECK(right == 40);
}

// Returns a game with two opening moves: one of them loses to one reply of ten; the other wins against every reply with
// correct play. With `veiled`, each player also holds an irrelevant hidden card.
std::string trap(bool veiled) {
  const char* const cards = R"(card type Card { n: 1..4 }
deck Cards: Card into deck { each k in 1..4: Card(n: k) }
player { zone hand: owner }
table { zone deck: pile, facedown }
setup { shuffle deck; deal 1 from deck to each hand }
)";
  return std::string("game \"Trap\"\nplayers 2\n") + (veiled ? cards : "") + R"(
table { careful: bool = false; reply: 0..10 = 0; right: bool = false }
action be_greedy in opening { }
action be_careful in opening { careful = true }
action answer(n: 1..10) in answering { reply = n }
action end_well in closing { right = true }
action end_badly in closing { }
play {
  phase opening { ask first of players }
  phase answering { ask last of players }
  if careful and reply <= 5 { phase closing { ask first of players } }
}
value saved(): bool = if careful then reply > 5 or right else reply != 7
end when play is over { winners players where saved() == (it == first of players) }
)";
}

TEST_CASE("bots: a move that wins only against bad replies is not chosen", "[bots]") {
  const cardwright::TemporaryFolder folder;
  for (const bool veiled : {false, true}) {
    const Game game = Ruleset::load(folder.write(veiled ? "veiled.rules" : "trap.rules", trap(veiled))).compile();
    for (std::uint64_t seed = 0; seed < 5; ++seed) {
      INFO("seed " << seed << (veiled ? ", veiled" : ""));
      const State state = game.new_state(seed);
      REQUIRE(state.legal_count() == 2);
      CHECK(bot_choice(state, {.iterations = 2000, .seed = seed, .search = Search::flat}) == 0);
      CHECK(bot_choice(state, {.iterations = 2000, .seed = seed}) == 1);
      CHECK(bot_choice(state, {.iterations = 4000, .seed = seed, .trees = 4}) == 1);
    }
  }
}

TEST_CASE("bots: a search ends when the result is proven or a stop is requested", "[bots]") {
  const cardwright::TemporaryFolder folder;
  const Game open = Ruleset::load(folder.write("trap.rules", trap(false))).compile(),
             veiled = Ruleset::load(folder.write("veiled.rules", trap(true))).compile();
  CHECK(bot_choice(open.new_state(1), {.iterations = 1'000'000'000}) == 1);
  const std::atomic<bool> stop{true};
  CHECK(bot_choice(veiled.new_state(1), {.iterations = 1'000'000'000, .stop = &stop}) < 2);
}

TEST_CASE("bots: the same question gets the same answer", "[bots]") {
  int asked = 0;
  for (const auto& [name, players] : {std::pair{"hearts", 4}, {"crazy_eights", 2}, {"go_fish", 2}}) {
    const Game game = compiled(name, players);
    State state = game.new_state(6);
    Bot bot(game, 0, {.iterations = 300, .seed = 2, .trees = 2});
    for (int i = 0; i < 40 && !state.is_over(); ++i) {
      if (state.actor() == 0 && state.legal_count() > 1) {
        Bot same(bot);
        const std::size_t answer = bot.choose(state);
        INFO(name << ", decision " << i);
        CHECK(bot.choose(state) == answer);
        CHECK(same.choose(state) == answer);
        ++asked;
      }
      const std::size_t index = state.random_index();
      bot.saw(state, state.legal()[index]);
      state.apply(index);
    }
  }
  CHECK(asked > 15);
}

TEST_CASE("bots: bots play all games with every number of players", "[bots][slow]") {
  for (const std::string& name : bundled_games()) {
    const Ruleset rules = Ruleset::load(name);
    for (int players = rules.least_players(); players <= rules.most_players(); ++players) {
      if (name == "quoridor" && players == 3) continue;   // Quoridor is for two or four players only
      const Game game = rules.compile({players, {}});
      State state = game.new_state(2, static_cast<std::uint64_t>(players));
      std::vector<Bot> bots;
      for (int seat = 0; seat < players; ++seat)
        bots.emplace_back(game, seat, BotSettings{.iterations = 4, .trees = 2});
      for (int i = 0; i < 12 && !state.is_over(); ++i) {
        INFO(name << " for " << players << ", decision " << i);
        const std::size_t choice = bots[static_cast<std::size_t>(state.actor())].choose(state);
        REQUIRE(choice < state.legal_count());
        for (Bot& bot : bots) bot.saw(state, state.legal()[choice]);
        state.apply(choice);
        REQUIRE_FALSE(state.failure());
      }
    }
  }
}

TEST_CASE("bots: go fish is played better than at random", "[bots][slow]") {
  PolicyComparisonSettings settings;
  settings.pairs = 70;
  settings.first = policy_from("bots:500");
  const PolicyComparison result = compare_policies(
      compiled("go_fish", 2, jit_is_available() ? EngineKind::jit : EngineKind::interpreter), settings);
  INFO(result.points << " +- " << result.points_margin);
  CHECK(result.points - result.points_margin > 0.5);
}
