// Tests runs in parts: merged in any order and from any engine, the parts equal a run that is not divided.
#include <catch2/catch.hpp>

#include <algorithm>
#include <atomic>
#include <random>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cardwright/parts.hpp"
#include "cardwright/statistics.hpp"
#include "runtime/state/hash.h"
#include "tests/support/command.h"
#include "tests/support/files.h"

using namespace cardwright;
using namespace cardwright::test;
using Json = nlohmann::json;

namespace {

api::Game splash(api::EngineKind engine = api::EngineKind::interpreter) {
  return api::Ruleset::load("splash").compile({}, engine);
}

api::SimulateSettings run_of(std::uint64_t games) {
  api::SimulateSettings settings;
  settings.games = games;
  settings.threads = 1;
  return settings;
}

std::string whole(const api::Game& game, std::uint64_t games) {
  const auto settings = run_of(games);
  api::SimulationPart part(game, settings);
  part.play({0, games}, settings);
  return part.text();
}

// Divides [0, games) into ranges at random numbers.
std::vector<api::GameRange> cut(std::uint64_t games, std::mt19937_64& random) {
  std::vector<std::uint64_t> at = {0, games};
  for (std::uint64_t i = random() % 9; i > 0; --i) at.push_back(random() % (games + 1));
  std::sort(at.begin(), at.end());
  std::vector<api::GameRange> out;
  for (std::size_t i = 1; i < at.size(); ++i) out.push_back({at[i - 1], at[i]});
  return out;
}

}   // namespace

TEST_CASE("parts: any partition, merged in any order, equals the run in one piece", "[study][parts]") {
  const api::Game game = splash();
  constexpr std::uint64_t kGames = 400;
  const std::string expected = whole(game, kGames);
  std::mt19937_64 random(7);
  for (int i = 0; i < 25; ++i) {
    std::vector<std::string> parts;
    for (const api::GameRange& range : cut(kGames, random)) {
      auto settings = run_of(kGames);
      settings.threads = 1 + static_cast<int>(random() % 3);
      api::SimulationPart part(game, settings);
      part.play(range, settings);
      parts.push_back(part.text());
    }
    // Merges two random parts until one is left.
    while (parts.size() > 1) {
      std::shuffle(parts.begin(), parts.end(), random);
      api::SimulationPart one = api::SimulationPart::read(game, parts[parts.size() - 1]);
      one.add(api::SimulationPart::read(game, parts[parts.size() - 2]));
      parts.resize(parts.size() - 2);
      parts.push_back(one.text());
    }
    CHECK((parts[0] == expected));
  }
}

TEST_CASE("parts: engines may be mixed, and the statistics equal those of simulate", "[study][parts]") {
  const api::Game interpreted = splash();
  constexpr std::uint64_t kGames = 600;
  const auto settings = run_of(kGames);
  api::SimulationPart first(interpreted, settings);
  first.play({0, 250}, settings);
  if (api::jit_is_available()) {
    const api::Game compiled = splash(api::EngineKind::jit);
    api::SimulationPart second(compiled, settings);
    second.play({250, kGames}, settings);
    first.add(api::SimulationPart::read(interpreted, second.text()));
  } else {
    first.play({250, kGames}, settings);
  }
  CHECK((first.text() == whole(interpreted, kGames)));
  const api::Statistics merged = first.statistics(), once = api::simulate(interpreted, settings);
  CHECK(merged.digest == once.digest);
  CHECK(statistics::as_json(statistics::figures_of(merged)) == statistics::as_json(statistics::figures_of(once)));
  CHECK(merged.asked_per_game == once.asked_per_game);
}

// Checks that four parts of a run, merged out of order, equal the undivided run.
static void check_merged(const api::Game& game, api::SimulateSettings settings) {
  api::SimulationPart all(game, settings);
  all.play({0, settings.games}, settings);
  std::vector<std::string> texts;
  for (std::uint64_t i = 1; i <= 4; ++i) {
    settings.threads = static_cast<int>(i);
    api::SimulationPart part(game, settings);
    part.play(api::shard(settings.games, i, 4), settings);
    CHECK(part.missing(api::shard(settings.games, i, 4)).empty());
    texts.push_back(part.text());
  }
  api::SimulationPart merged = api::SimulationPart::read(game, texts[2]);
  for (const std::size_t i : {0u, 3u, 1u}) merged.add(api::SimulationPart::read(game, texts[i]));
  CHECK((merged.text() == all.text()));
  const api::Statistics one = all.statistics(), four = merged.statistics();
  CHECK(statistics::as_json(statistics::figures_of(one)) == statistics::as_json(statistics::figures_of(four)));
  CHECK_FALSE(four.stopped);
}

TEST_CASE("parts: parts contain measures, statistics and tension, but no failed games", "[study][parts]") {
  const TemporaryFolder folder;
  const std::string pushes = folder.write(
      "pushes.rules",
      "library pushes\nmeasure pushed \"Pushes\" per p: count after push(p, _)\n"
      "measure pushed_along per turn: mean n after push(_, n)\nmeasure deep: share n > 3 after push(_, n)\n");
  const std::vector<std::string> figures = {"actions", "cards", "pace", "fairness"};
  api::SimulateSettings settings = run_of(200);
  settings.figures = figures;
  const auto compiled = [](const std::string& name, const std::string& measures, std::vector<std::string> asked) {
    asked.push_back(api::kFigures);
    return api::Ruleset::load(name, measures).compile({.measures = asked}, api::EngineKind::interpreter);
  };
  check_merged(compiled("splash", "", {"own"}), settings);
  check_merged(compiled("quickshot", "", {}), settings);
  const api::Game deep = compiled(checkout("tests/rulesets/small/trap_deep.rules"), pushes, {"own"});
  check_merged(deep, settings);
  CHECK(api::simulate(deep, settings).failed > 20);
  settings.games = 20;
  settings.figures.push_back("tension");
  check_merged(compiled("crazy_eights", "", {}), settings);
  settings.policies = {api::policy_from("bots:5")};
  CHECK_THROWS_WITH(api::SimulationPart(deep, settings), Catch::Contains("tension` requires uniform play"));
}

TEST_CASE("parts: a part stopped while tension is measured can be resumed", "[study][parts]") {
  const api::Game game = api::Ruleset::load("crazy_eights").compile({}, api::EngineKind::interpreter);
  api::SimulateSettings settings = run_of(12);
  settings.figures = {"tension"};
  std::atomic<bool> stop{false};
  api::SimulateSettings stopped = settings;
  stopped.stop = &stop;
  stopped.on_tension_progress = [&](std::uint64_t done, std::uint64_t all) {
    CHECK(all == 12);
    stop = done > 0;
  };
  api::SimulationPart part(game, settings);
  part.play({0, 12}, stopped);
  CHECK(part.covered().count() == 12);
  if (part.missing({0, 12}).empty()) return;   // the run finished before it could be stopped
  CHECK(part.statistics().stopped);
  api::SimulationPart again = api::SimulationPart::read(game, part.text());
  again.play({0, 12}, settings);
  CHECK(again.missing({0, 12}).empty());
  api::SimulationPart whole(game, settings);
  whole.play({0, 12}, settings);
  CHECK((again.text() == whole.text()));
}

TEST_CASE("parts: parts with other measures are rejected, and the message names them", "[study][parts]") {
  const api::Ruleset rules = api::Ruleset::load("splash");
  const auto part = [&](const std::vector<std::string>& measures) {
    const api::Game game = rules.compile({.measures = measures}, api::EngineKind::interpreter);
    const api::SimulateSettings settings = run_of(10);
    return std::pair(game, api::SimulationPart(game, settings).text());
  };
  const auto [splashes, text] = part({"splashes", api::kTurnOrder});
  const auto [hats, other] = part({"good_hats", api::kFigures});
  CHECK_THROWS_WITH(api::SimulationPart::read(hats, text),
                    "the part file has different measures: it has the measure `splashes`, the turn order, and this "
                    "run has the measure `good_hats`, the standard figures instead");
  CHECK_THROWS_WITH(api::SimulationPart::read(rules.compile({}, api::EngineKind::interpreter), other),
                    Catch::Contains("and this run has nothing instead"));
}

TEST_CASE("parts: parts contain races, errors and long games", "[study][parts]") {
  for (const char* name : {"quickshot", "kill_shot"}) {
    const api::Game game = api::Ruleset::load(name).compile();
    const auto settings = run_of(60);
    api::SimulationPart part(game, settings), rest(game, settings);
    part.play({20, 60}, settings);
    rest.play({0, 20}, settings);
    rest.add(api::SimulationPart::read(game, part.text()));
    CHECK((rest.text() == whole(game, 60)));
  }
}

TEST_CASE("parts: missing games are known, and duplicate games are rejected", "[study][parts]") {
  const api::Game game = splash();
  const auto settings = run_of(100);
  api::SimulationPart part(game, settings);
  part.play({10, 30}, settings);
  part.play({50, 60}, settings);
  CHECK(part.missing({0, 100}) == std::vector<api::GameRange>{{0, 10}, {30, 50}, {60, 100}});
  CHECK(part.statistics().games == 30);
  CHECK(part.statistics().stopped);
  part.play({0, 100}, settings);   // plays only the missing games
  CHECK((part.text() == whole(game, 100)));
  api::SimulationPart again(game, settings);
  again.play({99, 100}, settings);
  CHECK_THROWS_WITH(part.add(again), Catch::Contains("games 99 to 99 are in two parts"));
  api::SimulationPart other(game, run_of(101));
  CHECK_THROWS_WITH(part.add(other), Catch::Contains("`games` is 100 and 101"));
}

TEST_CASE("parts: a damaged part is rejected, wherever the damage is", "[study][parts]") {
  const api::Game game = splash();
  const std::string text = whole(game, 50);
  std::mt19937_64 random(3);
  for (int i = 0; i < 200; ++i) {
    std::string torn = text;
    if (i % 2)
      torn.resize(random() % text.size());
    else
      torn[random() % text.size()] ^= static_cast<char>(1 + random() % 127);
    CHECK_THROWS_AS(api::SimulationPart::read(game, torn), api::Error);
  }
  const api::Game other = api::Ruleset::load("splash").compile({4, {}});
  CHECK_THROWS_WITH(api::SimulationPart::read(other, text), Catch::Contains("different rules"));
}

TEST_CASE("parts: a part of an earlier format is rejected, and the message says what to do", "[study][parts]") {
  const api::Game game = splash();
  const std::string text = whole(game, 10);
  std::string line = text.substr(0, text.find('\n'));
  const std::string format = "\"format\":3,";
  const std::size_t at = line.find(format);
  REQUIRE(at != std::string::npos);
  line.erase(at, format.size());   // files of format 1 contained no format number
  const auto hash = hash_bytes(reinterpret_cast<const Byte*>(line.data()), static_cast<Int>(line.size()));
  CHECK_THROWS_WITH(api::SimulationPart::read(game, line + fmt::format("\n\"{:016x}\"\n", hash)),
                    Catch::Contains("the part file has format 1") && Catch::Contains("play the part again"));
}

TEST_CASE("parts: a shard is one of a given number", "[study][parts]") {
  CHECK(api::shard(10, 1, 3) == api::GameRange{0, 3});
  CHECK(api::shard(10, 3, 3) == api::GameRange{6, 10});
  CHECK(api::shard(1'000'000'000'000, 256, 256).to == 1'000'000'000'000);
  CHECK_THROWS_AS(api::shard(10, 0, 3), api::Error);
  CHECK_THROWS_AS(api::shard(10, 4, 3), api::Error);
}

TEST_CASE("cli: parts of simulate and compare merge to the run in one piece", "[cli][study][parts]") {
  const TemporaryFolder folder;
  const std::string at = folder.path() + "/";
  const auto play = [&](const std::string& what) {
    CHECK(run(what + " -o " + at + "whole.json").code == 0);
    std::string parts;
    for (const char* i : {"2", "3", "1"}) {
      CHECK(run(what + " --shard " + i + "/3 -o " + at + i + ".json").code == 0);
      parts += " " + at + i + ".json";
    }
    const Ran merged = run("merge" + parts + " -o " + at + "merged.json --json");
    INFO(merged.err);
    CHECK(merged.code == 0);
    CHECK((slurp(at + "merged.json") == slurp(at + "whole.json")));
    Json once = Json::parse(run(what + " --json").out), all = Json::parse(merged.out);
    once.erase("machine");
    all.erase("machine");
    CHECK((once == all));
  };
  play("simulate splash --games 500 --engine interp");
  play("simulate splash --games 300 --engine interp --measure own --figures actions,pace,cards");
  play("simulate connect_four --games 5 --engine interp --figures tension,fairness");
  play("compare splash --with snorkel=icon20 --pairs 700 --engine interp");
  play("compare crazy_eights --with most_draws=4 --pairs 300 --engine interp --figures actions,cards,pace");
  // The first part is already conclusive.
  play("compare splash --with snorkel=icon20 --pairs 9000 --margin 40% --engine interp");
}

TEST_CASE("cli: a killed run can be resumed", "[cli][study][parts]") {
  const TemporaryFolder folder;
  const std::string at = folder.path() + "/", what = "simulate splash --games 40000 --engine interp ";
  CHECK(run(what + "-o " + at + "whole.json").code == 0);
  for (const char* signal : {"KILL", "TERM", "USR1"}) {
    std::filesystem::remove(at + "part.json");
    // At USR1, the run writes its results and continues.
    const std::string command = program() + " " + what + "-o " + at +
                                "part.json >/dev/null 2>&1 & p=$!; sleep 0.5; kill -USR1 $p; sleep 0.2; kill -" +
                                signal + " $p; wait $p 2>/dev/null; true";
    CHECK(std::system(("sh -c '" + command + "'").c_str()) == 0);
    CHECK(run(what + "-o " + at + "part.json --resume").code == 0);
    INFO(signal);
    CHECK((slurp(at + "part.json") == slurp(at + "whole.json")));
  }
}

TEST_CASE("parts: checkpoints contain all finished games, however slow they are", "[study][parts]") {
  // Every checkpoint is due at once, so each saves the games since the last one.
  const api::Game game = api::Ruleset::load("tic_tac_toe").compile({}, api::EngineKind::interpreter);
  api::SimulateSettings settings = run_of(12);
  settings.policies = api::policies_from({"bots:20"}, 2);
  settings.threads = 2;
  api::SimulationPart part(game, settings);
  std::vector<std::uint64_t> saved;
  std::atomic<bool> now{true};
  part.play({0, 12}, settings,
            {[&] {
               saved.push_back(part.covered().count());
               now = true;
             },
             1e9, &now});
  CHECK(saved.size() >= 4);   // each thread plays one game between two checkpoints
  CHECK(std::is_sorted(saved.begin(), saved.end()));
  CHECK(saved.back() == 12);
  CHECK(part.missing({0, 12}).empty());
  // The same for pairs of games. The results don't depend on the checkpoints.
  statistics::CompareSettings pairs;
  pairs.pairs = 300;
  pairs.play.threads = 2;
  statistics::ComparisonPart once(game, game, pairs), often(game, game, pairs);
  once.play({0, 300}, pairs);
  std::size_t times = 0;
  often.play({0, 300}, pairs, {[&] { ++times; }, 0, nullptr});
  CHECK(times >= 5);
  CHECK((once.text() == often.text()));
}

TEST_CASE("cli: merge reports missing and mismatched parts", "[cli][study][parts]") {
  const TemporaryFolder folder;
  const std::string at = folder.path() + "/", what = "simulate splash --games 90 --engine interp ";
  run(what + "--shard 1/3 -o " + at + "1.json");
  run(what + "--shard 3/3 -o " + at + "3.json");
  const Ran some = run("merge " + at + "1.json " + at + "3.json");
  CHECK(some.code == 4);
  CHECK(has(some.err, "30 of 90 are missing (--shard 30..59)"));
  CHECK(run(what + "--shard 30..59 -o " + at + "2.json").code == 0);
  CHECK(run("merge " + at + "1.json " + at + "2.json " + at + "3.json").code == 0);
  CHECK(run("merge " + at + "1.json " + at + "1.json").code == 2);
  run("simulate splash --games 90 --seed 2 --shard 2/3 --engine interp -o " + at + "other.json");
  const Ran other = run("merge " + at + "1.json " + at + "other.json");
  CHECK(other.code == 2);
  CHECK(has(other.err, "`seed` is 1 there and 2 here"));
  // Parts that can't be read with the game of the first one: other options, another game, another command.
  run("simulate splash --games 90 --with self_target=off --shard 2/3 --engine interp -o " + at + "option.json");
  run("simulate hearts --games 90 --shard 2/3 --engine interp -o " + at + "hearts.json");
  run("skill tic_tac_toe --ladder uniform bots:2 --deals 8 --shared-deals 4 --shard 2/2 -o " + at + "skill.json");
  for (const auto& [part, why] :
       {std::pair("option.json", "option `self_target` is on there and off here"),
        std::pair("hearts.json", "the game is splash there and hearts here"),
        std::pair("skill.json", "the other part was written by `simulate`, and this one by `skill`")}) {
    const Ran refused = run("merge " + at + "1.json " + at + part);
    INFO(refused.err);
    CHECK(refused.code == 2);
    CHECK(has(refused.err, why));
    CHECK(run("merge " + at + part + " " + at + "1.json").code == 2);
  }
  std::ofstream(at + "none.json") << "{}\n";
  const Ran none = run("merge " + at + "none.json");
  CHECK(none.code == 2);
  CHECK(has(none.err, "none.json: not a part file"));
  CHECK(has(run("merge " + at + "1.json " + at + "none.json").err, "none.json: not a part file"));
  CHECK(has(run("merge " + folder.path()).err, "can't read " + folder.path()));
  for (const char* wrong : {"--shard 4/3 -o x", "--shard 0/3 -o x", "--shard x -o x", "--shard auto -o x",
                            "--shard 1/3", "--resume", "--shard 5..90 -o x"}) {
    INFO(wrong);
    CHECK(run(what + wrong).code == 2);
  }
}
