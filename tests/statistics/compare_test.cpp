// Tests the comparison of two games: it finds differences that exist, and no others, and its result depends only on the
// seed.
#include <catch2/catch.hpp>

#include <cmath>
#include <fstream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cardwright/statistics.hpp"
#include "tests/support/command.h"

using namespace cardwright;
using namespace cardwright::test;
using Json = nlohmann::json;

namespace {

// The first player wins if a thousand-sided die shows at most `sides`; a game takes `least` to 9 turns. `before`
// consumes random numbers first, so that the deals of two games are unrelated.
struct Coin {
  int sides = 500, least = 1;
  std::string before = {};
};

std::string coin_file(const TemporaryFolder& folder, const std::string& name, const Coin& coin) {
  const std::string path = fmt::format("{}/{}.rules", folder.path(), name);
  std::ofstream(path) << fmt::format(R"(game "{}"
players 2
table {{ t: 1..1000 = 1; n: 0..9 = 0 }}
action wait in toss {{ n -= 1 }}
setup {{ {} t = roll 1..1000; n = roll {}..9 }}
play {{
  turns clockwise from first of players until n == 0 {{ phase toss {{ ask active }} }}
  if t <= {} {{ winners first of players }} else {{ winners last of players }}
}}
)",
                                     name, coin.before, coin.least, coin.sides);
  return path;
}

api::Game coin(const TemporaryFolder& folder, const std::string& name, const Coin& coin = {}) {
  return api::Ruleset::load(coin_file(folder, name, coin)).compile({}, api::EngineKind::interpreter);
}

// Returns a game in which two players draw five of twenty cards. The higher roll wins, and the charm adds `more` to its
// owner's roll. The other 19 cards are named `others`.
api::Game charm(const TemporaryFolder& folder, const std::string& name, int more, const std::string& others = "Stone") {
  const std::string path = fmt::format("{}/{}.rules", folder.path(), name);
  std::ofstream(path) << fmt::format(R"(game "{0}"
players 2
card type Thing
card Charm: Thing
card {2}: Thing
deck Cards: Thing into draw {{ Charm {2} x 19 }}
player {{ zone hand: owner; luck: 0..9999 = 0 }}
table {{ zone draw: pile, facedown }}
action take in main {{ move top of draw to me.hand }}
action take_too in main {{ move top of draw to me.hand }}
setup {{ shuffle draw }}
play {{ turns clockwise from first of players up to 10 {{ phase main {{ ask active }} }}
  each p in players {{ p.luck = roll 1..4000; if any c in p.hand has c is Charm {{ p.luck += {1} }} }} }}
end when play is over {{ winners players with most it.luck }}
)",
                                     name, more, others);
  return api::Ruleset::load(path).compile({.measures = {api::kFigures}});
}

const statistics::Figure& row(const statistics::Comparison& c, const std::string& table, const std::string& name) {
  for (const statistics::FigureTable& t : c.figures.tables)
    for (const statistics::Figure& figure : t.rows)
      if (t.title == table && figure.name == name) return figure;
  throw std::runtime_error("no row " + table + " " + name);
}

statistics::CompareSettings with_seed(std::uint64_t seed, std::uint64_t pairs = 1'000'000) {
  statistics::CompareSettings settings;
  settings.play.seed = seed;
  settings.pairs = pairs;
  return settings;
}

}   // namespace

TEST_CASE("compare: a game equals its copy under another name", "[study]") {
  const TemporaryFolder folder;
  const api::Game a = coin(folder, "A"), b = coin(folder, "B", {500, 1, "t = roll 1..1000;"});
  int found = 0;
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    const statistics::Comparison c = statistics::compare(a, b, with_seed(seed));
    found += c.discoveries > 0;
    CHECK(c.stopped == statistics::Stopped::decided);
  }
  CHECK(found <= 5);
}

TEST_CASE("compare: a difference of one point is found", "[study]") {
  const TemporaryFolder folder;
  const api::Game a = coin(folder, "A"), b = coin(folder, "B", {510, 1, "t = roll 1..1000;"});
  int found = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    statistics::CompareSettings settings = with_seed(seed, 200'000);
    settings.margin = 0.005;
    const statistics::Comparison c = statistics::compare(a, b, settings);
    const statistics::Figure& first = row(c, "wins by seat", "a");
    found += first.verdict == statistics::Verdict::differs;
    CHECK(row(c, "length", "turns").verdict != statistics::Verdict::differs);
    CHECK(first.difference->interval->low < 0.01);
    CHECK(first.difference->interval->high > 0.01);
  }
  CHECK(found >= 19);
}

TEST_CASE("compare: cards are compared at the same draw, actions and pace game by game", "[study][figures]") {
  const TemporaryFolder folder;
  const std::string cards = "cards: increase in the win rate when drawn";
  statistics::CompareSettings settings = with_seed(4, 30'000);
  settings.until = 0.0001;   // no interval becomes this narrow, so all games are played
  settings.play.figures = {"actions", "cards", "pace"};
  const api::Game none = charm(folder, "none", 0), much = charm(folder, "much", 400);
  const statistics::Comparison c = statistics::compare(none, much, settings);
  const statistics::Figure& found = row(c, cards, "Charm");
  CHECK(found.verdict == statistics::Verdict::differs);
  REQUIRE(found.difference->interval);
  CHECK(found.difference->interval->low < 9.5);   // true value in percent: d - d²/2 with d = 400/4000
  CHECK(found.difference->interval->high > 9.5);
  CHECK(std::abs(found.b->value - 9.5) < 2);
  CHECK(row(c, cards, "Stone").difference->value == Approx(-0.5).margin(0.3));   // excludes the charm: -9.5 / 19
  const statistics::Figure& taken = row(c, "actions: taken when offered", "take");
  CHECK(taken.a.value == Approx(0.5).margin(0.02));
  CHECK(taken.verdict == statistics::Verdict::same);
  const statistics::Figure& options = row(c, "pace", "options of a decision");
  CHECK(options.a.value == 2);
  CHECK(options.difference->value == 0);
  CHECK(row(c, "dead turns", "turns in which the active player decides nothing").a.value == 0);
  settings.pairs = 8'000;
  const statistics::Comparison same = statistics::compare(none, charm(folder, "too", 0), settings);
  CHECK(same.discoveries == 0);
  settings.play.threads = 3;
  const statistics::Comparison threads = statistics::compare(none, charm(folder, "too", 0), settings);
  CHECK(statistics::as_json(same.figures) == statistics::as_json(threads.figures));
}

TEST_CASE("compare: cards and actions that only one of the games has are marked", "[study][figures]") {
  const TemporaryFolder folder;
  statistics::CompareSettings settings = with_seed(4, 260);
  settings.play.figures = {"actions", "cards"};
  const statistics::Comparison c = statistics::compare(charm(folder, "a", 0), charm(folder, "b", 0, "Leaf"), settings);
  int tables = 0;
  for (const statistics::FigureTable& table : c.figures.tables) {
    if (table.topic != statistics::Topic::cards) continue;
    ++tables;
    CHECK(table.only_a == std::vector<std::string>{"Stone"});
    CHECK(table.only_b == std::vector<std::string>{"Leaf"});
  }
  CHECK(tables == 2);
  const api::Game plain = api::Ruleset::load("splash").compile();
  CHECK_THROWS_WITH(statistics::compare(plain, plain, settings), Catch::Contains("kFigures"));
}

TEST_CASE("compare: tension is measured in the first pairs", "[study][figures]") {
  const TemporaryFolder folder;
  statistics::CompareSettings settings = with_seed(4, 400);
  settings.until = 0.0001;
  settings.play.figures = {"tension"};
  const statistics::Comparison c = statistics::compare(charm(folder, "none", 0), charm(folder, "all", 4000), settings);
  const statistics::Figure& open = row(c, "uncertainty", "uncertainty, relative to the maximum");
  CHECK(open.a.games == 300);
  CHECK(open.a.value > 0.97);   // without an effective charm, only the final rolls decide the game
  CHECK(open.b->value < open.a.value - 0.1);
  CHECK(open.verdict == statistics::Verdict::differs);
}

TEST_CASE("compare: means of measures have an interval in their own unit", "[study]") {
  const api::Ruleset rules = api::Ruleset::load("hearts");
  const api::Game game = rules.compile({.measures = {"own"}});
  statistics::CompareSettings settings = with_seed(4, 1'500);
  settings.until = 0.0001;
  const statistics::Comparison c = statistics::compare(game, game, settings);
  std::size_t means = 0;
  for (const statistics::FigureTable& table : c.figures.tables)
    for (const statistics::Figure& figure : table.rows)
      if (table.topic == statistics::Topic::measures && figure.difference->interval) {
        ++means;
        CHECK(figure.difference->interval->half() < 0.5 + std::abs(figure.a.value));
      }
  CHECK(means > 0);
}

TEST_CASE("compare: a fixed number of pairs has ordinary intervals", "[study]") {
  const TemporaryFolder folder;
  const api::Game a = coin(folder, "A"), b = coin(folder, "B", {.sides = 500, .before = "t = roll 1..1000;"});
  // The games are unrelated, so a difference of shares has the standard deviation √½.
  int covered = 0;
  for (std::uint64_t seed = 1; seed <= 160; ++seed) {
    statistics::CompareSettings settings = with_seed(seed, 200);
    settings.fixed = true;
    const statistics::Comparison c = statistics::compare(a, b, settings);
    CHECK(c.pairs == 200);
    CHECK(c.stopped == statistics::Stopped::exhausted);
    const statistics::Interval interval = *row(c, "wins by seat", "a").difference->interval;
    // The interval of a row that differs is wider, because such rows are selected from many.
    CHECK(interval.half() == Approx(1.96 * std::sqrt(0.5 / 200)).epsilon(0.2));
    covered += interval.low <= 0 && 0 <= interval.high;
  }
  CHECK(covered >= 144);
  // A difference is found with few pairs, for which anytime-valid intervals are wide.
  const api::Game rare = coin(folder, "Rare", {.sides = 250, .before = "t = roll 1..1000;"});
  statistics::CompareSettings settings = with_seed(1, 200);
  settings.fixed = true;
  CHECK(row(statistics::compare(a, rare, settings), "wins by seat", "a").verdict == statistics::Verdict::differs);
  settings.until = 0.01;
  CHECK_THROWS_WITH(statistics::compare(a, b, settings), Catch::Contains("a fixed number of pairs"));
}

TEST_CASE("compare: the estimate of the pairs that a precision needs is about right", "[study]") {
  const TemporaryFolder folder;
  const api::Game a = coin(folder, "A"), b = coin(folder, "B", {.sides = 500, .before = "t = roll 1..1000;"});
  statistics::CompareSettings settings = with_seed(3, 600);
  settings.until = 0.03;
  const std::uint64_t needed = statistics::compare(a, b, settings).needed;
  settings.pairs = 100'000;
  const statistics::Comparison whole = statistics::compare(a, b, settings);
  CHECK(whole.stopped == statistics::Stopped::precise);
  CHECK(whole.needed == 0);
  CHECK(static_cast<double>(needed) > 0.5 * static_cast<double>(whole.pairs));
  CHECK(static_cast<double>(needed) < 1.6 * static_cast<double>(whole.pairs));
}

TEST_CASE("compare: one long game does not hide a clear difference", "[study]") {
  // Side B takes one turn more; in one of 4,000 games, both sides take very different numbers of turns.
  const TemporaryFolder folder;
  const auto long_game = [&](const std::string& name, int more, int factor) {
    const std::string path = fmt::format("{}/{}.rules", folder.path(), name);
    std::ofstream(path) << fmt::format(R"(game "{}"
players 2
table {{ n: 0..2000 = 0; r: 0..4000 = 0 }}
action wait in main {{ n -= 1 }}
setup {{ n = roll 1..8; r = roll 1..4000; n += {}; if r == 1 {{ n += {} }} }}
play {{ turns clockwise from first of players until n == 0 {{ phase main {{ ask active }} }} }}
end when play is over {{ winners first of players }}
)",
                                       name, more, factor);
    return api::Ruleset::load(path).compile({}, api::EngineKind::interpreter);
  };
  statistics::CompareSettings settings = with_seed(2, 12'000);
  settings.until = 0.0001;
  const statistics::Comparison c = statistics::compare(long_game("Short", 0, 0), long_game("Long", 1, 60), settings);
  const statistics::Figure& turns = row(c, "length", "turns");
  CHECK(turns.difference->value == Approx(1).margin(0.1));
  CHECK(turns.difference->interval);
  CHECK(turns.verdict == statistics::Verdict::differs);
}

TEST_CASE("compare: lengths have intervals and medians", "[study]") {
  const TemporaryFolder folder;
  const statistics::Comparison c = statistics::compare(coin(folder, "A"), coin(folder, "B", {500, 2}), with_seed(1));
  const statistics::Figure& turns = row(c, "length", "turns");
  CHECK(turns.verdict == statistics::Verdict::differs);
  CHECK(turns.difference->interval->low < 0.5);
  CHECK(turns.difference->interval->high > 0.5);
  CHECK(turns.median->low <= 5);
  CHECK(turns.median->high >= 5);
  CHECK(turns.histogram.size() == 9);
  CHECK(turns.histogram_b.size() == 8);
  CHECK(row(c, "wins by seat", "a").verdict == statistics::Verdict::same);
}

TEST_CASE("compare: the same deals on both sides reduce the number of games", "[study]") {
  const TemporaryFolder folder;
  const statistics::Comparison paired =
                                   statistics::compare(coin(folder, "A"), coin(folder, "B", {500, 2}), with_seed(1)),
                               apart = statistics::compare(
                                   coin(folder, "A"), coin(folder, "C", {500, 2, "t = roll 1..1000;"}), with_seed(1));
  CHECK(paired.correlation > 0.9);
  CHECK(std::abs(apart.correlation) < 0.2);
  CHECK(apart.pairs > 4 * paired.pairs);
}

TEST_CASE("compare: the result does not depend on threads", "[study]") {
  const api::Ruleset splash = api::Ruleset::load("splash");
  const api::Game a = splash.compile({}, api::EngineKind::interpreter),
                  b = splash.compile({0, {{"snorkel", "icon20"}}}, api::EngineKind::interpreter);
  std::vector<std::string> answers;
  for (const int threads : {1, 2, 7}) {
    statistics::CompareSettings settings = with_seed(3, 2'000);
    settings.play.threads = threads;
    const statistics::Comparison c = statistics::compare(a, b, settings);
    answers.push_back(fmt::format("{} {} {}", c.pairs, c.analyses, statistics::as_json(c.figures)));
  }
  CHECK(answers[0] == answers[1]);
  CHECK(answers[0] == answers[2]);
}

TEST_CASE("compare: meaningless settings are rejected", "[study]") {
  const TemporaryFolder folder;
  const api::Game a = coin(folder, "A");
  for (const auto change :
       {+[](statistics::CompareSettings& s) { s.margin = 0; }, +[](statistics::CompareSettings& s) { s.until = 1; },
        +[](statistics::CompareSettings& s) { s.pairs = 249; },
        +[](statistics::CompareSettings& s) { s.play.threads = -1; }}) {
    statistics::CompareSettings settings;
    change(settings);
    CHECK_THROWS_AS(statistics::compare(a, a, settings), api::Error);
  }
}

TEST_CASE("cli: compare prints differences first, then their effect", "[cli][study]") {
  const TemporaryFolder folder;
  const std::string a = coin_file(folder, "A", {}), b = coin_file(folder, "B", {600});
  const Ran ran = run("compare " + a + " " + b);
  CHECK(ran.code == 0);
  CHECK(ran.err.empty());
  CHECK(has(ran.out, "A → B, 2 players"));
  CHECK(has(ran.out, "+ if t <= 600"));
  CHECK(has(ran.out, "seat: a, b"));
  CHECK(ran.out.find("+ if t <= 600") < ran.out.find("pairs of games (stopped when all main figures were decided"));

  const Json json = Json::parse(run("compare " + a + " " + b + " --json --engine interp").out);
  CHECK(json["stopped"] == "decided");
  CHECK(json["analyses"] > 0);
  CHECK(json["differences"] == 1);
  CHECK(json["tables"][0]["rows"][0]["name"] == "turns");
}

TEST_CASE("cli: a house rule is compared with its base", "[cli][study]") {
  const TemporaryFolder folder;
  const std::string base = coin_file(folder, "A", {});
  std::ofstream(folder.path() + "/house.rules")
      << "game \"House\" extends A\nreplace setup { t = roll 1..1000; n = 9 }\n";
  const Ran ran = run("compare " + folder.path() + "/house.rules");
  INFO(ran.err);
  CHECK(ran.code == 0);
  CHECK(has(ran.out, "0 scenarios of the base unchanged"));
  CHECK(has(ran.out, "differs   turns"));
  std::ofstream(folder.path() + "/of_splash.rules")
      << "game \"Mine\" extends splash\nforbid dry_off when me.towels > 1\n";
  const Ran bundled = run("compare " + folder.path() + "/of_splash.rules --policy careful --pairs 250 --engine interp");
  INFO(bundled.err);
  CHECK(bundled.code == 0);
  CHECK(has(bundled.out, "Splash → Mine"));
  const Ran alone = run("compare " + base);
  CHECK(alone.code == 2);
  CHECK(has(alone.err, "nothing to compare"));
}

TEST_CASE("cli: compare rejects an invalid share, and reports an unmet requirement", "[cli][study]") {
  const TemporaryFolder folder;
  const std::string two = coin_file(folder, "A", {}) + " " + coin_file(folder, "B", {600});
  for (const char* wrong : {"--margin 0", "--margin 2", "--until x", "--until 150%", "--pairs 12"}) {
    const Ran ran = run("compare " + two + " " + wrong);
    INFO(wrong);
    CHECK(ran.code == 2);
    CHECK(!ran.err.empty());
  }
  CHECK(run("compare " + two + " --require same").code == 1);
  CHECK(run("compare " + coin_file(folder, "A", {}) + " " + coin_file(folder, "C", {}) + " --require same").code == 0);
}
