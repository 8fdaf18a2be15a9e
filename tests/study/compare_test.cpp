// Two games compared: what differs is found, what doesn't is not, and it hangs on nothing but the seed.
#include <catch2/catch.hpp>

#include <cmath>
#include <fstream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cardwright/study.hpp"
#include "tests/cli/run.h"

using namespace cardwright;
using namespace cardwright::test;
using Json = nlohmann::json;

namespace {

// The first wins by the toss of a thousand-sided coin, so often; a game takes `least` to 9 turns. `before`: what chance
// does first, so that the deals of two games have nothing in common.
struct Coin {
  int sides = 500, least = 1;
  std::string before = {};
};

std::string coin_file(const TemporaryFolder& folder, const std::string& name, const Coin& coin) {
  const std::string path = fmt::format("{}/{}.rules", folder.path, name);
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

const study::Figure& row(const study::Comparison& c, const std::string& table, const std::string& name) {
  for (const study::FigureTable& t : c.figures.tables)
    for (const study::Figure& figure : t.rows)
      if (t.title == table && figure.name == name) return figure;
  throw std::runtime_error("no row " + table + " " + name);
}

study::CompareSettings with_seed(std::uint64_t seed, std::uint64_t pairs = 1'000'000) {
  study::CompareSettings settings;
  settings.play.seed = seed;
  settings.pairs = pairs;
  return settings;
}

}  // namespace

TEST_CASE("compare: a game under another name is the same", "[study]") {
  const TemporaryFolder folder;
  const api::Game a = coin(folder, "A"), b = coin(folder, "B", {500, 1, "t = roll 1..1000;"});
  int found = 0;
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    const study::Comparison c = study::compare(a, b, with_seed(seed));
    found += c.discoveries > 0;
    CHECK(c.stopped == study::Stopped::decided);
  }
  CHECK(found <= 5);
}

TEST_CASE("compare: a difference of one point is found", "[study]") {
  const TemporaryFolder folder;
  const api::Game a = coin(folder, "A"), b = coin(folder, "B", {510, 1, "t = roll 1..1000;"});
  int found = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    study::CompareSettings settings = with_seed(seed, 200'000);
    settings.margin = 0.005;
    const study::Comparison c = study::compare(a, b, settings);
    const study::Figure& first = row(c, "wins by seat", "a");
    found += first.verdict == study::Verdict::differs;
    CHECK(row(c, "length", "turns").verdict != study::Verdict::differs);
    CHECK(first.difference->interval->low < 0.01);
    CHECK(first.difference->interval->high > 0.01);
  }
  CHECK(found >= 19);
}

TEST_CASE("compare: lengths have intervals and medians", "[study]") {
  const TemporaryFolder folder;
  const study::Comparison c = study::compare(coin(folder, "A"), coin(folder, "B", {500, 2}), with_seed(1));
  const study::Figure& turns = row(c, "length", "turns");
  CHECK(turns.verdict == study::Verdict::differs);
  CHECK(turns.difference->interval->low < 0.5);
  CHECK(turns.difference->interval->high > 0.5);
  CHECK(turns.median->low <= 5);
  CHECK(turns.median->high >= 5);
  CHECK(turns.histogram.size() == 9);
  CHECK(turns.histogram_b.size() == 8);
  CHECK(row(c, "wins by seat", "a").verdict == study::Verdict::same);
}

TEST_CASE("compare: the same deals on both sides save games", "[study]") {
  const TemporaryFolder folder;
  const study::Comparison paired = study::compare(coin(folder, "A"), coin(folder, "B", {500, 2}), with_seed(1)),
                          apart = study::compare(coin(folder, "A"), coin(folder, "C", {500, 2, "t = roll 1..1000;"}),
                                                 with_seed(1));
  CHECK(paired.correlation > 0.9);
  CHECK(std::abs(apart.correlation) < 0.2);
  CHECK(apart.pairs > 4 * paired.pairs);
}

TEST_CASE("compare: the answer does not depend on threads", "[study]") {
  const api::Ruleset splash = api::Ruleset::load("splash");
  const api::Game a = splash.compile({}, api::EngineKind::interpreter),
                  b = splash.compile({0, {{"snorkel", "icon20"}}}, api::EngineKind::interpreter);
  std::vector<std::string> answers;
  for (const int threads : {1, 2, 7}) {
    study::CompareSettings settings = with_seed(3, 2'000);
    settings.play.threads = threads;
    const study::Comparison c = study::compare(a, b, settings);
    answers.push_back(fmt::format("{} {} {}", c.pairs, c.looks, study::as_json(c.figures)));
  }
  CHECK(answers[0] == answers[1]);
  CHECK(answers[0] == answers[2]);
}

TEST_CASE("compare: settings that mean nothing are refused", "[study]") {
  const TemporaryFolder folder;
  const api::Game a = coin(folder, "A");
  for (const auto change :
       {+[](study::CompareSettings& s) { s.margin = 0; }, +[](study::CompareSettings& s) { s.until = 1; },
        +[](study::CompareSettings& s) { s.pairs = 249; }, +[](study::CompareSettings& s) { s.play.threads = -1; }}) {
    study::CompareSettings settings;
    change(settings);
    CHECK_THROWS_AS(study::compare(a, a, settings), api::Error);
  }
}

TEST_CASE("cli: compare says first what differs, then what that comes to", "[cli][study]") {
  const TemporaryFolder folder;
  const std::string a = coin_file(folder, "A", {}), b = coin_file(folder, "B", {600});
  const Ran ran = run("compare " + a + " " + b);
  CHECK(ran.code == 0);
  CHECK(ran.err.empty());
  CHECK(has(ran.out, "A → B, 2 players"));
  CHECK(has(ran.out, "+ if t <= 600"));
  CHECK(has(ran.out, "wins by seat: a, b"));
  CHECK(ran.out.find("+ if t <= 600") < ran.out.find("pairs of games, until all that matters was decided"));

  const Json json = Json::parse(run("compare " + a + " " + b + " --json --engine interp").out);
  CHECK(json["stopped"] == "decided");
  CHECK(json["differences"] == 1);
  CHECK(json["tables"][0]["rows"][0]["name"] == "turns");
}

TEST_CASE("cli: a house rule is compared with its base", "[cli][study]") {
  const TemporaryFolder folder;
  const std::string base = coin_file(folder, "A", {});
  std::ofstream(folder.path + "/house.rules")
      << "game \"House\" extends A\nreplace setup { t = roll 1..1000; n = 9 }\n";
  const Ran ran = run("compare " + folder.path + "/house.rules");
  INFO(ran.err);
  CHECK(ran.code == 0);
  CHECK(has(ran.out, "0 scenarios of the base kept"));
  CHECK(has(ran.out, "differs   turns"));
  std::ofstream(folder.path + "/of_splash.rules")
      << "game \"Mine\" extends splash\nforbid dry_off when me.towels > 1\n";
  const Ran bundled = run("compare " + folder.path + "/of_splash.rules --policy careful --pairs 250 --engine interp");
  INFO(bundled.err);
  CHECK(bundled.code == 0);
  CHECK(has(bundled.out, "Splash → Mine"));
  const Ran alone = run("compare " + base);
  CHECK(alone.code == 2);
  CHECK(has(alone.err, "extends no game: say what to compare it with"));
}

TEST_CASE("cli: compare refuses what is no share, and says when a requirement is not met", "[cli][study]") {
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
