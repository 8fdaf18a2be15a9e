// Tests the contract of State::resample (resample_contract.h) in all bundled games and in difficult small rulesets.
// bin/worlds tests any number of worlds.
#include <catch2/catch.hpp>

#include <algorithm>
#include <set>

#include "cardwright/tools.hpp"
#include "tests/support/files.h"
#include "tests/support/resample_contract.h"

using namespace cardwright;
using namespace cardwright::test;

TEST_CASE("contract: in all bundled games no world can be distinguished from the truth, at any seat",
          "[knowledge][worlds][contract]") {
  api::detail::WorldCounts all;
  for (const std::string& name : api::bundled_games()) {
    const api::Game game = api::Ruleset::load(name).compile();
    const std::uint64_t before = all.worlds;
    for (std::uint64_t index = 0; all.worlds < before + 100; ++index) {
      const Contract one = check_contract(game, 23, index, 37, 1);
      all.worlds += one.counts.worlds, all.drawn += one.counts.drawn, all.other_options += one.counts.other_options,
          all.failed += one.counts.failed;
      REQUIRE(one.broken == "");
    }
  }
  INFO(all.worlds << " worlds in " << all.drawn << " tries");
  CHECK(all.failed == 0);
  CHECK(all.other_options == 0);   // the deciding player has the same options for all unknown cards
  CHECK(all.drawn < all.worlds * 2);
}

TEST_CASE("contract: small rulesets offer the same options in all indistinguishable worlds",
          "[knowledge][worlds][contract]") {
  for (const std::string& path : rules_in(checkout("tests/rulesets/small"))) {
    if (path.find("trap_") != std::string::npos) continue;
    const api::Game game = api::Ruleset::load(path).compile();
    api::detail::WorldCounts all;
    for (std::uint64_t i = 0; i < 40; ++i) {
      api::State state = position(game, 3, i);
      for (int player = 0; player < game.players(); ++player)
        for (std::uint64_t draw = 0; draw < 3; ++draw)
          api::detail::other_world(state.data(), player, i * 8 + draw, &all);
    }
    INFO(path);
    CHECK(all.other_options == 0);
  }
}

TEST_CASE("contract: the deciding player holds one card, and few cards would cause this decision",
          "[knowledge][worlds][contract]") {
  const api::Game game = api::Ruleset::load("splash").compile();
  api::State state = game.new_state(77, 17);
  for (int k = 0; k < 149; ++k) state.apply(state.random_index());
  REQUIRE(state.actor() == 2);
  std::set<std::string> hands;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const api::State world = state.resample(0, seed);
    CHECK(distinguish(state, world, 0) == "");
    const StateReader now(world);
    hands.insert(now.kind(now.cards("hand", 2).at(0)));
  }
  CHECK(hands.size() > 1);
}

TEST_CASE("contract: cards named by a rule are the same in every world, and offered by name",
          "[knowledge][worlds][contract]") {
  const api::Game game = api::Ruleset::load(checkout("tests/rulesets/small/kept_names.rules")).compile();
  const auto words = [](const api::State& state) {
    std::vector<std::string> out;
    for (std::size_t i = 0; i < state.legal_count(); ++i) out.push_back(state.option(i).words);
    return out;
  };
  const std::vector<std::string> pennies{"choose Penny (1)", "choose Penny (2)", "choose Penny (3)",
                                         "choose Penny (4)"},
      low(pennies.begin(), pennies.begin() + 3);
  for (const auto& [action, named, questions] : std::vector<std::tuple<std::string, std::vector<std::string>, int>>{
           {"grab", pennies, 2},
           {"choose low", low, 2},
           {"wait", {"choose Nail (5)", "choose Nail (6)", "choose Nail (7)", "choose Nail (8)"}, 1}}) {
    INFO(action);
    api::State state = game.new_state(5);
    std::size_t k = 0;
    while (k < state.legal_count() && state.option(k).words != action) ++k;
    REQUIRE(k < state.legal_count());
    state.apply(k);
    for (int question = 0; question < questions; ++question, state.apply(0)) {
      std::vector<std::string> offered = words(state);
      for (int observer = 0; observer < 2; ++observer)
        for (std::uint64_t seed = 0; seed < 20; ++seed) CHECK(words(state.resample(observer, seed)) == offered);
      offered.pop_back();   // chooses none of the cards
      CHECK(offered == named);
    }
  }
}

TEST_CASE("contract: other players see that a piece carries a card, but not which one",
          "[knowledge][worlds][contract]") {
  const api::Game game = api::Ruleset::load(checkout("tests/rulesets/small/carried_cards.rules")).compile();
  for (const std::string action : {"pack", "load"}) {
    INFO(action);
    api::State state = game.new_state(5);
    std::size_t k = 0;
    while (k < state.legal_count() && !state.option(k).words.starts_with(action)) ++k;
    REQUIRE(k < state.legal_count());
    REQUIRE(state.actor() == 0);
    state.apply(k);
    const std::string carried = action == "pack" ? "mule pack " : "cart 1 load ";
    const auto reads = [&](int player) {
      const std::string table = fmt::format("{}", fmt::join(state.table_in_words(player), "\n"));
      const std::size_t at = table.find(carried);
      return at == std::string::npos ? table : table.substr(at + carried.size(), 6);
    };
    CHECK(reads(0) != "a card");
    CHECK(reads(1) == "a card");
    for (std::uint64_t seed = 0; seed < 20; ++seed)
      for (int player = 0; player < 2; ++player) CHECK(distinguish(state, state.resample(player, seed), player) == "");
  }
}

TEST_CASE("contract: the log reveals no more than the table about cards in a secret variable",
          "[knowledge][log][contract]") {
  const api::Game game = api::Ruleset::load(checkout("tests/rulesets/small/noted_cards.rules")).compile();
  api::Log log(game);
  api::State state = game.new_state(5, 0, &log);
  REQUIRE(state.option(0).words == "note");
  const std::size_t before = log.size();
  state.apply(0, &log);
  const auto lines = [&](int player) { return log.lines(player, before); };
  const auto has = [](const std::vector<std::string>& all, const std::string& begin) {
    return std::any_of(all.begin(), all.end(), [&](const std::string& line) { return line.starts_with(begin); });
  };
  CHECK(has(lines(0), "a: guess is now a card"));
  CHECK(has(lines(0), "a: row is now a card, Gem ("));
  CHECK(has(lines(-1), "a: guess is now Gem ("));
  CHECK_FALSE(has(lines(1), "a: guess"));
  CHECK_FALSE(has(lines(-2), "a: guess"));
}

TEST_CASE("contract: named cards that a rule chooses by secrets reveal nothing when stored",
          "[knowledge][worlds][contract]") {
  const api::Game game = api::Ruleset::load(checkout("tests/rulesets/small/kept_names.rules")).compile();
  std::set<std::vector<std::string>> offers;
  for (std::uint64_t deal = 1; deal <= 20; ++deal) {
    api::State state = game.new_state(deal);
    std::size_t k = 0;
    while (state.option(k).words != "spot") ++k;
    state.apply(k);
    REQUIRE(state.actor() == 0);
    std::vector<std::string> offered;
    for (std::size_t i = 0; i < state.legal_count(); ++i) offered.push_back(state.option(i).words);
    offers.insert(offered);
  }
  CHECK(offers.size() == 1);   // the same options, whatever cards the other player has
}

TEST_CASE("contract: if sampling finds no world, a walk from the truth does", "[knowledge][worlds][contract]") {
  const TemporaryFolder folder;
  const api::Game game = api::Ruleset::load(folder.write("rare.rules", R"(game "Rare"
players 2
card type Chip { n: 1..400 }
deck Chips: Chip into stock { each k in 1..400: Chip(n: k) }
player { zone hand: owner; shown: 0..9 = 0 }
table { zone stock: pile, facedown }
setup {
  shuffle stock
  let pair = stock where n <= 2
  move pair to (first of players).hand
  deal 2 from stock to each hand
}
action show in main when size(me.hand where n <= 2) == 2 { me.shown += 1 }
play { turns clockwise from first of players up to 4 { phase main { ask each of players or pass } } }
end when play is over { winners players with most shown }
)"))
                             .compile();
  const api::State state = game.new_state(1);
  REQUIRE(state.actor() == 0);   // only this player, who has both cards with n <= 2, can act
  api::detail::WorldCounts counts;
  std::set<std::vector<Int>> hands;
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    const api::State world(api::detail::other_world(state.data(), 1, seed, &counts));
    CHECK(distinguish(state, world, 1) == "");
    hands.insert(StateReader(world).cards("hand", 0));
  }
  CHECK(counts.failed == 0);
  CHECK(counts.walked > 6);
  CHECK(hands.size() > 6);   // the hand's other two cards differ between the worlds
}

TEST_CASE("contract: in a simultaneous decision no player knows who has passed or had no choice",
          "[knowledge][worlds][contract]") {
  const TemporaryFolder folder;
  const api::Game game = api::Ruleset::load(folder.write("bids.rules", R"(game "Bids"
players 3
card type Chip
deck Chips: Chip into bag { Chip x 3 }
player { purse: 0..3 = 0, secret; bids: 0..99 = 0, hidden }
table { zone bag: public }
window bidding() { ask all of players at once or pass }
action bid(n: 1..3 where n <= me.purse) in bidding { me.bids += n }
setup { each p in players { p.purse = roll 0..3 }; (first of players).purse = 3; (last of players).purse = 3 }
play { turns clockwise from first of players up to 4 { phase main { open bidding() } } }
end when play is over { winners players with most bids }
)"))
                             .compile();
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {   // in some of these games, the second player has no choice
    api::State state = game.new_state(seed);
    REQUIRE(state.actor() == 0);
    state.apply(state.legal_count() - 1);   // the player passes
    REQUIRE(state.actor() != 0);
    std::set<std::uint64_t> pending;
    for (std::uint64_t draw = 0; draw < 20; ++draw) {
      const api::State world = state.resample(2, draw);
      CHECK(distinguish(state, world, 2) == "");
      pending.insert(world.still_to_answer());
    }
    CHECK(pending == std::set<std::uint64_t>{7});   // in sampled worlds, all players still have to answer
  }
}

namespace {

void use(api::State& state, std::string_view words) {
  for (std::size_t i = 0; i < state.legal_count(); ++i)
    if (state.option(i).words == words) return state.apply(i);
  FAIL("nobody may " << words);
}
// Returns the depth of a card in that pile, from 0; 99 if the card is not drawn yet; -1 if it is elsewhere.
Int depth(const StateReader& now, std::string_view pile, Int card) {
  const auto from_top = cards_from_top(now.program().layout, now.bytes(), now.instance(pile));
  const auto at = std::find(from_top.begin(), from_top.end(), card);
  return at == from_top.end() ? (now.zone_of(card) == now.instance(pile) ? 99 : -1) : at - from_top.begin();
}

}   // namespace

TEST_CASE("contract: a player who saw arranged cards knows among which positions they are",
          "[knowledge][worlds][contract][arrange]") {
  const TemporaryFolder folder;
  const api::Game game = api::Ruleset::load(folder.write("leaves.rules", R"(game "Leaves"
players 2
card type Leaf { n: 1..20 }
deck Leaves: Leaf into draw { each k in 1..20: Leaf(n: k) }
player { zone hand: owner; won: 0..99 = 0 }
table { zone draw: pile, facedown }
setup { shuffle draw }
action look in main "look" { peek top 2 of draw by me }
action sort in main "sort" { arrange top 4 of draw "Which comes first?" }
action take in main "take" { move 1 cards from draw to me.hand }
action stir in main "stir" { shuffle draw }
play { turns clockwise from first of players up to 20 { phase main { ask active until pass } } }
end when play is over { winners players with most size(it.hand) }
)"))
                             .compile();
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    api::State state = game.new_state(seed);
    use(state, "look");
    const StateReader before(state);
    const auto top = cards_from_top(before.program().layout, before.bytes(), before.instance("draw"));
    const Int first = top.at(0), second = top.at(1);
    use(state, "pass");
    use(state, "sort");
    // Returns the positions of the two cards in the worlds that the first player can't distinguish: pairs of depths in
    // the pile, with -1 for a card in the second player's hand.
    const auto thought = [&] {
      std::set<std::pair<Int, Int>> all;
      for (std::uint64_t draw = 0; draw < 300; ++draw) {
        const api::State world = state.resample(0, draw);
        REQUIRE(distinguish(state, world, 0) == "");
        const StateReader now(world);
        all.insert({depth(now, "draw", first), depth(now, "draw", second)});
      }
      return all;
    };
    const auto expected = [](Int least, Int most) {
      std::set<std::pair<Int, Int>> all;
      for (Int a = least; a <= most; ++a)
        for (Int b = least; b <= most; ++b)
          if (a != b) all.insert({a, b});
      return all;
    };
    CHECK(thought() == expected(0, 3));   // the second player is arranging the cards
    while (state.question().prompt == "Which comes first?") state.apply(state.random_index());
    CHECK(thought() == expected(0, 3));
    use(state, "take");
    CHECK(thought() == expected(-1, 2));
    use(state, "take");
    const auto two = thought();
    CHECK(two.contains({-1, -1}));
    // Both cards were taken (1 pair), or one of them, with the other at one of two depths (4), or neither (2).
    CHECK(two.size() == 7);
    use(state, "stir");
    for (const auto& [a, b] : thought()) CHECK(((a == -1 || a == 99) && (b == -1 || b == 99)));
  }
}
