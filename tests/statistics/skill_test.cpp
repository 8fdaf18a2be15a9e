// Tests the measurement of skill and of luck in the deal, and the comparison of two policies.
#include <catch2/catch.hpp>

#include <fstream>
#include <random>

#include <nlohmann/json.hpp>

#include "cardwright/skill.hpp"
#include "cardwright/sprt.hpp"
#include "tests/support/command.h"

using namespace cardwright;
using namespace cardwright::test;
using Json = nlohmann::json;

namespace {

// Returns a game won by the player who is dealt the higher number, or by the player who names the higher one.
std::string game_file(const TemporaryFolder& folder, bool dealt) {
  const std::string path = folder.path() + (dealt ? "/dealt.rules" : "/named.rules");
  std::ofstream(path) << (dealt ? R"(game "Dealt"
players 3
player { n: 0..9999 = 0 }
action wait in name { }
setup { each p in players { p.n = roll 0..9999 } }
play {
  turns clockwise from first of players up to 3 { phase name { ask active } }
  winners players with most n
}
)"
                                : R"(game "Named"
players 3
player { n: 0..99 = 0 }
action name(k: 0..99) in say { me.n = k }
play {
  turns clockwise from first of players up to 3 { phase say { ask active } }
  winners players with most n
}
)");
  return path;
}

statistics::SkillSettings small(std::vector<api::PlayerPolicy> ladder) {
  statistics::SkillSettings settings;
  settings.ladder = std::move(ladder);
  settings.deals = 150;
  settings.shared_deals = 60;
  settings.replays = 10;
  return settings;
}

}   // namespace

TEST_CASE("skill: the better policy has an edge with a confidence interval", "[study][skill]") {
  const api::Game game = api::Ruleset::load("tic_tac_toe").compile();
  const statistics::Skill skill = statistics::skill(game, small({{}, statistics::SkillSettings::bots(30)}));
  REQUIRE(skill.rungs.size() == 1);
  CHECK(skill.whole);
  CHECK(skill.rungs[0].edge.interval->low > 0.2);
  CHECK(skill.rungs[0].games == 2 * skill.rungs[0].deals);
  // A policy has no edge over itself.
  const statistics::Skill none = statistics::skill(game, small({{}, {}}));
  CHECK(none.rungs[0].edge.interval->low < 0);
  CHECK(none.rungs[0].edge.interval->high > 0);
  // The game has no cards and no dice, so the deal decides nothing.
  CHECK(skill.deal_shares[0].share.value < 0.05);
}

TEST_CASE("skill: another policy seed changes the choices, independent of threads", "[study][skill]") {
  const api::Game game = api::Ruleset::load("splash").compile();
  api::SimulateSettings settings;
  settings.games = 300;
  const std::uint64_t one = api::simulate(game, settings).digest;
  settings.policy_seed = 1;
  const std::uint64_t two = api::simulate(game, settings).digest;
  settings.policy_seed = 2;
  const std::uint64_t three = api::simulate(game, settings).digest;
  CHECK(one != two);
  CHECK(two != three);
  settings.threads = 3;
  CHECK(api::simulate(game, settings).digest == three);
}

TEST_CASE("skill: the deal decides a game of chance, and not a game of choices", "[study][skill]") {
  const TemporaryFolder folder;
  const auto share = [&](bool dealt) {
    const api::Game game = api::Ruleset::load(game_file(folder, dealt)).compile({}, api::EngineKind::interpreter);
    return statistics::skill(game, small({{}, statistics::SkillSettings::bots(2)})).deal_shares[0].share;
  };
  CHECK(share(true).value > 0.99);
  const statistics::Estimate named = share(false);
  CHECK(named.value < 0.1);
  CHECK(named.interval->low == 0);
}

TEST_CASE("skill: parts and threads make no difference", "[study][skill][parts]") {
  const api::Game game = api::Ruleset::load("tic_tac_toe").compile();
  statistics::SkillSettings settings =
      small({{}, statistics::SkillSettings::bots(5), statistics::SkillSettings::bots(20)});
  statistics::SkillPart whole(game, settings);
  settings.play.threads = 1;
  whole.play({0, settings.deals}, settings);
  std::vector<std::string> parts;
  for (std::uint64_t i = 1; i <= 3; ++i) {
    settings.play.threads = static_cast<int>(i);
    statistics::SkillPart part(game, settings);
    part.play(api::shard(settings.deals, i, 3), settings);
    parts.push_back(part.text());
  }
  statistics::SkillPart all = statistics::SkillPart::read(game, parts[2]);
  all.add(statistics::SkillPart::read(game, parts[0]));
  CHECK(!all.missing({0, settings.deals}).empty());
  all.add(statistics::SkillPart::read(game, parts[1]));
  CHECK(all.missing({0, settings.deals}).empty());
  CHECK((all.text() == whole.text()));
}

TEST_CASE("skill: impossible comparisons are rejected", "[study][skill]") {
  const api::Game game = api::Ruleset::load("tic_tac_toe").compile();
  CHECK_THROWS_WITH(statistics::skill(game, small({{}})), Catch::Contains("at least two policies"));
  api::PlayerPolicy timed;
  timed.kind = api::PlayerPolicy::Kind::bots;
  timed.seconds = 0.1;
  CHECK_THROWS_WITH(statistics::skill(game, small({{}, timed})), Catch::Contains("the speed of the machine"));
}

TEST_CASE("cli: skill prints its ladder", "[cli][study][skill]") {
  const std::string what =
      "skill tic_tac_toe --ladder uniform bots:5 bots:20 --deals 60 --shared-deals 20 --replays 5 ";
  const Ran ran = run(what);
  INFO(ran.err);
  CHECK(ran.code == 0);
  for (const char* part : {"bots:5 over uniform", "bots:20 over bots:5", "bots:20 over uniform", "all uniform"})
    CHECK(has(ran.out, part));
  const Json json = Json::parse(run(what + "--json").out);
  CHECK(json["rungs"].size() == 3);
  CHECK(json["whole"] == true);
  const TemporaryFolder folder;
  CHECK(run(what + "--shard 2/2 -o " + folder.path() + "/2").code == 0);
  CHECK(run(what + "--shard 1/2 -o " + folder.path() + "/1").code == 0);
  Json merged = Json::parse(run("merge " + folder.path() + "/1 " + folder.path() + "/2 --json").out), once = json;
  merged.erase("machine");
  once.erase("machine");
  CHECK((merged == once));
  CHECK(run("skill tic_tac_toe --ladder uniform").code == 2);
  CHECK(run("skill tic_tac_toe --ladder uniform strong").code == 2);
}

TEST_CASE("cli: compare --sprt stops at a decision, at the same pair for any number of threads", "[cli][study][sprt]") {
  const std::string what = "compare tic_tac_toe --policy bots:20 --against uniform --pairs 2000 --json --sprt ";
  std::string first;
  for (const char* threads : {" --threads 1", " --threads 3"}) {
    const Ran ran = run(what + "0,50" + threads);
    INFO(ran.err);
    REQUIRE(ran.code == 0);
    const Json json = Json::parse(ran.out);
    CHECK(json["sprt"]["better"] == "accepted");
    CHECK(json["games"] < 1000);
    if (first.empty()) first = ran.out;
    CHECK((ran.out == first));
  }
  const std::string alike = "compare tic_tac_toe --against uniform --pairs 2000 --json --sprt 0,200";
  CHECK(Json::parse(run(alike).out)["sprt"]["better"] == "refused");
  CHECK(has(run("compare tic_tac_toe --policy bots:20 --against uniform --pairs 1 --sprt 0,5").out, "undecided"));
  for (const char* wrong : {"5", "5,0", "a,b", "0,5000", "0,5,7"}) {
    INFO(wrong);
    CHECK(run(what + wrong).code == 2);
  }
}

TEST_CASE("study: the test of two policies is wrong in at most 5 % of runs", "[study][sprt]") {
  const statistics::Sprt sprt{0, 40};
  // Returns the share of runs that accept an advantage of 40 when the true advantage is `elo`, both in normalized Elo.
  // A pair consists of two independent games, each of which is won or lost.
  const auto accepted = [&](double elo) {
    int yes = 0, runs = 300;
    for (int r = 0; r < runs; ++r) {
      std::mt19937_64 random(static_cast<std::uint64_t>(r) + 1);
      // Win probability: the results 0 and 1 have a standard deviation of ½.
      const double p = 0.5 + 0.5 * elo / 347.4356;
      statistics::PairResults results{};
      for (;;) {
        for (int i = 0; i < 50; ++i) {
          std::bernoulli_distribution win(p);
          ++results[static_cast<std::size_t>(2 * win(random) + 2 * win(random))];
        }
        const double ratio = sprt.log_ratio(results);
        if (ratio >= statistics::Sprt::kBound) ++yes;
        if (std::abs(ratio) >= statistics::Sprt::kBound) break;
      }
    }
    return double(yes) / runs;
  };
  CHECK(accepted(0) <= 0.05 + 3 * std::sqrt(0.05 * 0.95 / 300));
  CHECK(accepted(40) >= 0.95 - 3 * std::sqrt(0.05 * 0.95 / 300));
  CHECK(sprt.log_ratio({}) == 0);
  CHECK(sprt.log_ratio({0, 0, 0, 0, 10}) > 0);
  CHECK(sprt.log_ratio({10, 0, 0, 0, 0}) < 0);
}
