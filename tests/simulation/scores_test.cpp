// Tests figures about winners: places in the turn order, scores by seat and by policy, variables by which wins are
// grouped, and intervals of measured shares.
#include <catch2/catch.hpp>

#include <cmath>
#include <fstream>
#include <map>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cardwright/observing.hpp"
#include "cardwright/parts.hpp"
#include "cardwright/statistics.hpp"
#include "tests/support/command.h"

using namespace cardwright;
using namespace cardwright::test;
using Json = nlohmann::json;

namespace {

api::Game made(const std::string& text, const std::vector<std::string>& measures = {}) {
  const TemporaryFolder folder;
  std::ofstream(folder.path() + "/made.rules") << text;
  return api::Ruleset::load(folder.path() + "/made.rules")
      .compile({.measures = measures}, api::EngineKind::interpreter);
}

// The first player wins at once with the given chance of 1 to 4 quarters; otherwise the last player wins, after every
// player had a turn.
std::string early(int players, int quarters, const std::string& way) {
  return fmt::format(R"(game "Early"
players {0}
table {{ r: 0..4 = 0 }}
action look in main {{ r = roll 1..4; if active == first of everyone and r <= {1} then winners active }}
play {{ turns {2} from first of players up to {0} {{ phase main {{ ask active }} }} }}
end when play is over {{ winners last of players }}
)",
                     players, quarters, way);
}

std::map<std::string, api::Share> places_of(const std::string& rules, std::uint64_t games) {
  std::map<std::string, api::Share> out;
  api::SimulateSettings settings;
  settings.games = games;
  settings.threads = 1;
  for (const api::ShareGroup& group : api::simulate(made(rules, {api::kTurnOrder}), settings).groups)
    if (group.name == "place in the turn order")
      for (const api::Share& share : group.shares) out[share.name] = share;
  return out;
}

constexpr const char* kPaid = R"(game "Paid"
players 2
table { coin: 0..1 = 0 }
player { coins: 0..50 = 0 }
action earn in main { me.coins += 1 }
action rest in main { me.coins += 0 }
setup { coin = roll 0..1 }
play { turns clockwise from first of players up to 10 { phase main { ask active } } }
value payoff(p: player): int = 3 * p.coins - 7
end when play is over { winners if coin == 1 then first of players else last of players }
)";

}   // namespace

TEST_CASE("figures: players without a turn have a place in the turn order", "[figures][measures]") {
  for (const std::uint64_t players : {2, 4}) {
    const auto places = places_of(early(static_cast<int>(players), 2, "clockwise"), 4'000);
    REQUIRE(places.size() == players);
    std::uint64_t wins = 0;
    for (const auto& [name, share] : places) {
      CHECK(share.games == 4'000);
      wins += share.wins;
    }
    CHECK(wins == 4'000);   // each game has one winner, who has one place
    CHECK(places.at("1").rate() == Approx(0.5).margin(0.03));
    CHECK(places.at(fmt::format("{}", players)).rate() == Approx(0.5).margin(0.03));
  }
}

TEST_CASE("figures: players without a turn follow in the direction of the turns", "[figures][measures]") {
  // Three players have a turn, and the player who would be next wins.
  for (const char* way : {"clockwise", "counterclockwise"}) {
    const auto places = places_of(fmt::format(R"(game "Next"
players 5
action wait in main {{ }}
play {{ turns {} from first of players up to 3 {{ phase main {{ ask active }} }} }}
end when play is over {{ winners if {} then seat(4) else seat(3) }}
)",
                                              way, std::string(way) == "clockwise" ? "true" : "false"),
                                  50);
    INFO(way);
    CHECK(places.at("4").wins == 50);
  }
}

TEST_CASE("figures: scores of the simulation are those of the states", "[figures][scores]") {
  const api::Game game = made(kPaid);
  api::SimulateSettings settings;
  settings.games = 300;
  settings.threads = 2;
  const api::Statistics statistics = api::simulate(game, settings);
  REQUIRE(statistics.scores);
  CHECK(statistics.scores->name == "payoff");
  double sums[2] = {}, squares[2] = {};
  for (std::uint64_t i = 0; i < settings.games; ++i) {
    api::State state = game.new_state(settings.seed, i);
    state.playout();
    for (int seat = 0; seat < 2; ++seat) {
      const double score = static_cast<double>(state.returns()[static_cast<std::size_t>(seat)]);
      sums[seat] += score, squares[seat] += score * score;
    }
  }
  for (std::size_t seat = 0; seat < 2; ++seat) {
    const api::ScoreMean& one = statistics.scores->seats[seat];
    CHECK(one.games == 300);
    CHECK(one.mean == Approx(sums[seat] / 300));
    CHECK(one.deviation == Approx(std::sqrt((squares[seat] - sums[seat] * sums[seat] / 300) / 299)));
    CHECK(one.interval().second - one.mean == Approx(1.96 * one.deviation / std::sqrt(300)).epsilon(0.01));
  }
  CHECK(statistics.scores->all.mean == Approx((sums[0] + sums[1]) / 600));
}

TEST_CASE("figures: the bundled games have the same scores on every engine and in parts", "[figures][scores][jit]") {
  for (const char* name : {"hearts", "goofspiel", "go_fish", "kuhn_poker", "crazy_eights"}) {
    INFO(name);
    api::SimulateSettings settings;
    settings.games = 400;
    const api::Ruleset rules = api::Ruleset::load(name);
    const api::Game slow = rules.compile({}, api::EngineKind::interpreter),
                    fast = rules.compile({}, api::EngineKind::jit);
    api::SimulationPart one(slow, settings), two(fast, settings);
    one.play({0, 150}, settings);
    two.play({150, 400}, settings);
    one.add(api::SimulationPart::read(slow, two.text()));
    const api::Statistics whole = api::simulate(fast, settings), parts = one.statistics();
    REQUIRE(whole.scores);
    CHECK(whole.scores->all.games == 400);
    CHECK(whole.scores->all.mean == parts.scores->all.mean);
    CHECK(whole.scores->all.error == parts.scores->all.error);
    CHECK(whole.scores->seats[0].most == parts.scores->seats[0].most);
  }
}

TEST_CASE("figures: the value that finds the winners is a score", "[figures][scores]") {
  const std::string rules = R"(game "Fewest"
players 3
player { points: 0..99 = 0 }
value total(p: player): int = p.points + 1
action wait in main { }
setup { each p in players { p.points = roll 0..9 } }
play { phase main { ask first of players } }
end when play is over { winners players with least total(it) }
)";
  api::SimulateSettings settings;
  settings.games = 500;
  const api::Statistics statistics = api::simulate(made(rules), settings);
  REQUIRE(statistics.scores);
  CHECK(statistics.scores->name == "total");
  CHECK(statistics.scores->least_wins);
  CHECK(statistics.scores->all.mean == Approx(5.5).margin(0.4));
  CHECK(statistics.scores->all.least == 1);
  CHECK(statistics.scores->all.most == 10);
}

TEST_CASE("figures: scores are counted by policy", "[figures][scores]") {
  api::SimulateSettings settings;
  settings.games = 40;
  settings.policies = api::policies_from({"a=bots:30"}, 2);
  const api::Statistics statistics = api::simulate(made(kPaid), settings);
  REQUIRE(statistics.scores);
  REQUIRE(statistics.scores->policies.size() == 2);
  CHECK(statistics.scores->policies[0].name == "bots:30");
  CHECK(statistics.scores->policies[0].mean > statistics.scores->policies[1].mean + 3);
}

TEST_CASE("figures: compare and report show scores", "[figures][scores][study]") {
  const api::Game less = made(kPaid);
  std::string text = kPaid;
  text.replace(text.find("- 7"), 3, "- 5");
  const api::Game more = made(text);
  statistics::CompareSettings settings;
  settings.pairs = 1'500;
  bool seen = false;
  for (const statistics::FigureTable& table : statistics::compare(less, more, settings).figures.tables)
    if (table.title == "scores (payoff)") {
      seen = true;
      REQUIRE(table.rows.size() == 3);
      for (const statistics::Figure& row : table.rows) {
        CHECK(row.difference->value == Approx(2));
        CHECK(row.verdict == statistics::Verdict::differs);
      }
    }
  CHECK(seen);
  api::SimulateSettings play;
  play.games = 100;
  for (const statistics::FigureTable& table : statistics::figures_of(api::simulate(less, play)).tables)
    if (table.title == "scores (payoff)") CHECK(table.rows.size() == 3);
}

TEST_CASE("figures: wins are grouped only by variables that are fixed after setup", "[figures]") {
  const std::string rules = R"(game "Sides"
players 3
enum Role { Cop, Robber }
enum Mood { Calm, Angry }
enum Team { Red, Blue }
player { role: Role; mood: Mood = Calm; team: Team = Red }
event assign(p: player) { p.role = roll Role }
event change(p: player) { p.team = roll Team }
action shout in main { me.mood = Angry; change(me) }
action wait in main { }
setup { each p in players { assign(p); change(p) } }
play { turns clockwise from first of players up to 6 { phase main { ask active } } }
end when play is over { winners players where role == Cop }
)";
  api::SimulateSettings settings;
  settings.games = 50;
  std::string names;
  for (const api::ShareGroup& group : api::simulate(made(rules), settings).groups) names += group.name + " ";
  CHECK(names == "role seat ");
}

TEST_CASE("figures: intervals of a rare measured share are Wilson's, and cover it", "[figures][measures]") {
  // One in a hundred games has the event; 60 runs of 150 games.
  const api::Game game = made(R"(game "Rare"
players 1
table { r: 0..100 = 0 }
action wait in main { }
setup { r = roll 1..100 }
play { phase main { ask first of players } }
end when play is over { winners players }
measure rare "rare": share r == 1 at end
)",
                              {"rare"});
  int covered = 0, without = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    api::SimulateSettings settings;
    settings.games = 150, settings.seed = seed, settings.threads = 1;
    const api::Statistics statistics = api::simulate(game, settings);
    const api::MeasureSums& sums = statistics.measures.at(0).cells.at(0).sums;
    const auto [low, high] = sums.share_interval();
    CHECK(low >= 0);
    CHECK(high > low);
    covered += low <= 0.01 && 0.01 <= high;
    without += sums.x == 0;
    for (const statistics::FigureTable& table : statistics::figures_of(statistics).tables)
      if (table.title == "rare") CHECK(table.rows.at(0).a.interval->low == Approx(low).margin(1e-12));
  }
  CHECK(covered >= 54);
  CHECK(without > 0);   // and these runs have an interval, too
}

TEST_CASE("figures: samples of a game that always agree count as one", "[figures][measures]") {
  // 400 games with 10 samples each, which are equal within a game; half of the games have the event.
  api::MeasureSums sums;
  for (int game = 0; game < 400; ++game) {
    const int x = game % 2 ? 10 : 0;
    sums.add({1, x, 10, api::Wide{x} * x, api::Wide{x} * 10, 100});
  }
  const auto [low, high] = sums.share_interval();
  CHECK(high - low == Approx(2 * 1.96 * 0.5 / 20).epsilon(0.01));
  // If the event never occurs, the interval is that of 400 independent games.
  api::MeasureSums never;
  for (int game = 0; game < 400; ++game) never.add({1, 0, 10, 0, 0, 100});
  CHECK(never.share_interval().second == Approx(1.96 * 1.96 / (400 + 1.96 * 1.96)).epsilon(0.01));
}

TEST_CASE("cli: simulate prints scores", "[cli][figures][scores]") {
  const Ran ran = run("simulate goofspiel --games 300");
  CHECK(ran.code == 0);
  CHECK(has(ran.out, "scores"));
  CHECK(has(ran.out, "all players"));
  const Json json = Json::parse(run("simulate goofspiel --games 300 --json").out);
  CHECK(json["scores"]["name"] == "points");
  CHECK(json["scores"]["seat"].size() == json["players"]);
  CHECK(json["scores"]["all"]["games"] == 300);
}
