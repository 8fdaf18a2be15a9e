// Tests the C++ interface: value semantics of states, saving and loading, logs, and bot strength.
#include <catch2/catch.hpp>

#include "cardwright/bots.hpp"
#include "cardwright/tools.hpp"
#include "tests/support/files.h"

using namespace cardwright::api;

namespace {

Game splash(int players = 5) { return Ruleset::load("splash").compile({players, {}}); }

State in_the_middle(const Game& game, std::uint64_t index, int decisions) {
  State state = game.new_state(11, index);
  for (int i = 0; i < decisions && !state.is_over(); ++i) state.apply(state.random_index());
  return state;
}

}   // namespace

TEST_CASE("api: a state has value semantics", "[api]") {
  const Game game = splash();
  State state = in_the_middle(game, 0, 30);
  REQUIRE_FALSE(state.is_over());
  const State copy = state;
  CHECK(copy.whole_hash() == state.whole_hash());
  state.apply(0);
  CHECK(copy.whole_hash() != state.whole_hash());
  State again = copy;
  again.apply(0);
  CHECK(again.whole_hash() == state.whole_hash());
}

TEST_CASE("api: a saved state can be restored, a damaged one is rejected", "[api]") {
  const Game game = splash();
  const State state = in_the_middle(game, 1, 40);
  REQUIRE_FALSE(state.is_over());
  const std::string saved = state.save();
  State back = game.restore(saved);
  CHECK(back.whole_hash() == state.whole_hash());
  CHECK(back.actor() == state.actor());
  CHECK(std::vector(back.legal().begin(), back.legal().end()) ==
        std::vector(state.legal().begin(), state.legal().end()));
  std::string damaged = saved;
  damaged[damaged.size() / 2] ^= 4;
  CHECK_THROWS_AS(game.restore(damaged), Error);
  CHECK_THROWS_AS(game.restore("nonsense"), Error);
  CHECK_THROWS_AS(splash(6).restore(saved), Error);
}

TEST_CASE("api: playing option by option gives the same result as a playout", "[api]") {
  const Game game = splash();
  SimulateSettings settings;
  settings.games = 20;
  settings.seed = 3;
  settings.threads = 1;
  std::uint64_t decisions = 0;
  for (std::uint64_t i = 0; i < settings.games; ++i) {
    State state = game.new_state(settings.seed, i);
    while (!state.is_over()) state.apply(state.random_index());
    decisions += static_cast<std::uint64_t>(state.decisions());
  }
  CHECK(simulate(game, settings).decisions == decisions);
}

TEST_CASE("api: a playout from the middle of a game ends like the single steps", "[api]") {
  const Game game = splash();
  for (std::uint64_t i = 0; i < 20; ++i) {
    State state = in_the_middle(game, i, 25);
    State other = state;
    while (!state.is_over()) state.apply(state.random_index());
    other.playout();
    CHECK(state.hash() == other.hash());
    CHECK(state.winners() == other.winners());
  }
}

TEST_CASE("api: a resampled state has the same view and the same options for its player", "[api]") {
  const Game game = splash();
  for (std::uint64_t i = 0; i < 50; ++i) {
    const State state = in_the_middle(game, i, 10 + static_cast<int>(i));
    if (state.is_over()) continue;
    const int player = state.actor();
    const State other = state.resample(player, i);
    CHECK(other.view(player) == state.view(player));
    CHECK(std::vector(other.legal().begin(), other.legal().end()) ==
          std::vector(state.legal().begin(), state.legal().end()));
    CHECK(other.table_in_words(player) == state.table_in_words(player));
  }
}

TEST_CASE("api: a search without knowledge plays the same game, and knowledge queries are rejected", "[api]") {
  const Game game = splash();
  State state = in_the_middle(game, 5, 20);
  State world = state.resample(state.actor(), 3);
  REQUIRE(world.keeps_knowledge());
  State knowing = world;
  world.drop_knowledge();
  while (!knowing.is_over()) {
    REQUIRE(world.actor() == knowing.actor());
    REQUIRE(std::vector(world.legal().begin(), world.legal().end()) ==
            std::vector(knowing.legal().begin(), knowing.legal().end()));
    const std::size_t choice = knowing.random_index();
    REQUIRE(world.random_index() == choice);
    CHECK(world.option(choice).words.size() > 0);
    knowing.apply(choice);
    world.apply(choice);
  }
  CHECK(world.is_over());
  CHECK(world.hash() == knowing.hash());
  CHECK(world.returns() == knowing.returns());

  const State copy = [&] {
    State of = state;
    of.drop_knowledge();
    return State(of);
  }();
  CHECK_FALSE(copy.keeps_knowledge());
  CHECK(state.keeps_knowledge());
  CHECK_FALSE(copy.view(-1).empty());
  CHECK_FALSE(copy.table_in_words(-1).empty());
  Log log(game);
  State other = copy;
  CHECK_THROWS_AS(other.apply(0, &log), Error);
  CHECK(log.size() == 0);
  CHECK_THROWS_AS(copy.view(0), Error);
  CHECK_THROWS_AS(copy.table_in_words(0), Error);
  CHECK_THROWS_AS(copy.resample(0, 1), Error);
  CHECK_THROWS_AS(copy.save(), Error);
  try {
    copy.save();
  } catch (const Error& error) {
    CHECK(std::string(error.what()).find("drop_knowledge") != std::string::npos);
  }
}

TEST_CASE("api: option ids round-trip", "[api]") {
  const Game game = splash();
  State state = in_the_middle(game, 2, 20);
  REQUIRE_FALSE(state.is_over());
  for (std::size_t i = 0; i < state.legal_count(); ++i) {
    CHECK(state.option(i).id == state.legal()[i]);
    CHECK_FALSE(state.option(i).words.empty());
  }
  CHECK_THROWS_AS(state.apply(state.legal_count()), Error);
  CHECK_THROWS_AS(state.apply_id(-1), Error);
}

TEST_CASE("api: a log shows each player only what they may know, and can be truncated", "[api]") {
  const Game game = splash();
  Log log(game);
  State state = game.new_state(4, 0, &log);
  std::vector<std::size_t> sizes;
  for (int i = 0; i < 40 && !state.is_over(); ++i) {
    sizes.push_back(log.size());
    state.apply(state.random_index(), &log);
  }
  const auto all = log.lines(-1), mine = log.lines(0);
  CHECK(all.size() >= mine.size());
  // Reading the log in two parts gives the same lines.
  for (const std::size_t at : sizes) {
    auto later = log.lines(0, at);
    REQUIRE(later.size() <= mine.size());
    CHECK(std::equal(later.rbegin(), later.rend(), mine.rbegin()));
  }
  const auto before = log.lines(0, sizes[10]);
  const std::size_t received = mine.size() - before.size();
  log.cut(sizes[10]);
  CHECK(log.size() == sizes[10]);
  CHECK(log.lines(0).size() == received);
}

TEST_CASE("api: Wilson's interval", "[api]") {
  const auto [low, high] = Share{"x", 100, 50, 100, 0.5, 0.5}.interval();
  CHECK(low == Approx(0.4038).margin(0.0005));
  CHECK(high == Approx(0.5962).margin(0.0005));
  CHECK(Share{"x", 10, 0, 10, 0, 0}.interval().first == 0);
}

TEST_CASE("api: bots choose only sensible options, and search a limited number of turns in long games", "[api][bots]") {
  const cardwright::TemporaryFolder folder;
  const std::string file = folder.write("long.rules", R"(game "Long"
players 2
player { gold: 0..999 = 0 }
action dig in main "Dig" { me.gold += 1 }
action rest in main "Rest" { }
action leap in main, sensible if false "Leap" { eliminate me }
play { turns clockwise from first of players up to 400 { phase main { ask active } } }
end when size(players) < 2 { winners players }
end when play is over { winners players with most gold }
)");
  const Game game = Ruleset::load(file).compile();
  int dug = 0;
  for (std::uint64_t deal = 0; deal < 20; ++deal) {
    const State state = game.new_state(deal);
    const std::string words = state.option(bot_choice(state, {.iterations = 60, .seed = deal})).words;
    CHECK(words != "Leap");
    dug += words == "Dig";
  }
  // If a search played complete games of 400 turns, one more gold would hardly affect the result.
  CHECK(dug >= 18);
}

TEST_CASE("api: bots beat uniformly random players", "[api][slow]") {
  PolicyComparisonSettings settings;
  settings.pairs = 50;
  settings.first = policy_from("bots:80");
  const Game game =
      Ruleset::load("splash").compile({4, {}}, jit_is_available() ? EngineKind::jit : EngineKind::interpreter);
  const PolicyComparison result = compare_policies(game, settings);
  INFO(result.first << " against " << result.second << ", difference " << result.difference << " +- " << result.margin);
  CHECK(result.first_is_better());
}
