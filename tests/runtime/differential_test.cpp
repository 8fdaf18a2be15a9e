// The most important test of the project: the same seed and choices produce the same game on both engines and in both
// forms.
//
// Splash is played with all combinations of options in the interpreter, but only with a pairwise cover on the JIT,
// because compiling is slow. The small rulesets are played with all combinations in the interpreter and with one on the
// JIT. The longer games Quickshot, Kill Shot and Panic Fire are played with a pairwise cover in the interpreter and
// with few configurations on the JIT, and Splatter SHOOT with few configurations on each. `differential`
// (differential.cpp) runs the same comparison with any number of games.
#include <catch2/catch.hpp>

#include <atomic>

#include "cardwright/tools.hpp"
#include "tests/support/differential.h"
#include "tests/support/files.h"
#include "tests/support/pairwise_cover.h"
#include "tests/support/parallel_jobs.h"

using namespace cardwright;
using namespace cardwright::test;

namespace {

using api::EngineKind;
using api::Ruleset;

std::string both_engines(const Ruleset& rules, const api::Configuration& table, std::uint64_t seed, int games,
                         const Limits& limits = {}) {
  const api::Game interp = rules.compile(table, EngineKind::interpreter);
  const api::Game jit = rules.compile(table, EngineKind::jit);
  for (int i = 0; i < games; ++i) {
    const auto index = static_cast<std::uint64_t>(i);
    std::string wrong = compare_engines(*interp.data(), *jit.data(), seed, index, nullptr, limits);
    Course here, there;
    if (wrong.empty()) wrong = compare_forms(*interp.data(), seed, index, &here, limits);
    if (wrong.empty()) wrong = compare_forms(*jit.data(), seed, index, &there, limits);
    if (wrong.empty() && i % 20 == 0) wrong = compare_dropped(*jit.data(), seed, index, limits);
    if (wrong.empty())
      wrong = compare_courses(here, there, fmt::format("game {} seed {}, interpreter and JIT", index, seed), true);
    if (!wrong.empty()) return in_words(table) + ": " + wrong;
  }
  return {};
}

std::string all_forms(const Ruleset& rules, const api::Configuration& table, std::uint64_t seed, int games) {
  const api::Game interp = rules.compile(table, EngineKind::interpreter);
  for (int i = 0; i < games; ++i) {
    const auto index = static_cast<std::uint64_t>(i);
    std::string wrong = compare_forms(*interp.data(), seed, index);
    if (wrong.empty() && i % 20 == 0) wrong = compare_dropped(*interp.data(), seed, index);
    if (!wrong.empty()) return in_words(table) + ": " + wrong;
  }
  return {};
}

// Provides a Ruleset per thread, because a Ruleset compiles its tables sequentially.
class PerThread {
 public:
  explicit PerThread(const std::string& what) : what_(what), rules_(64) {}
  const Ruleset& operator[](int thread) {
    auto& rules = rules_[static_cast<std::size_t>(thread)];
    if (!rules) rules = Ruleset::load(what_);
    return *rules;
  }

 private:
  std::string what_;
  std::vector<std::optional<Ruleset>> rules_;
};

// Returns the trap from "// traps: range" in the first line, for a ruleset whose games are expected to fail sometimes.
std::string expected_trap(const std::string& path) {
  const std::string text = text_of(path), mark = "// traps: ";
  if (!text.starts_with(mark)) return {};
  return text.substr(mark.size(), text.find('\n') - mark.size());
}

}   // namespace

TEST_CASE("differential: Splash at every table, interpreter", "[differential][splash]") {
  PerThread rules("splash");
  const auto tables = full_product(rules[0]);
  INFO(tables.size() << " tables");
  CHECK(tables.size() >= 5 * 2 * 2 * 2);
  constexpr int kGames = 4;
  CHECK(run_jobs(tables.size(), [&](int thread, std::size_t i) {
          return all_forms(rules[thread], tables[i], 100 + i, kGames);
        }) == "");
}

TEST_CASE("differential: Splash on both engines", "[differential][splash][jit]") {
  if (!api::jit_is_available()) return;
  PerThread rules("splash");
  const auto tables = pairwise_cover(rules[0]);
  INFO(tables.size() << " tables");
  constexpr int kGames = 100;
  CHECK(run_jobs(tables.size(), [&](int thread, std::size_t i) {
          return both_engines(rules[thread], tables[i], 500 + i, kGames);
        }) == "");
}

TEST_CASE("differential: simultaneous and real-time games, interpreter", "[differential][races]") {
  struct Bundled {
    const char* name;
    int games;
  };
  for (const auto& [name, games] : {Bundled{"quickshot", 20}, Bundled{"kill_shot", 1}, Bundled{"panic_fire", 1}}) {
    PerThread rules(name);
    const auto tables = pairwise_cover(rules[0]);
    INFO(name << ": " << tables.size() << " tables");
    CHECK(tables.size() >= 16);
    const int each = games;
    CHECK(run_jobs(tables.size(), [&](int thread, std::size_t i) {
            return all_forms(rules[thread], tables[i], 300 + i, each);
          }) == "");
  }
}

TEST_CASE("differential: simultaneous and real-time games, on both engines", "[differential][races][jit]") {
  if (!api::jit_is_available()) return;
  CHECK(both_engines(Ruleset::load("quickshot"),
                     {5, {{"flipping", "leader"}, {"edition", "wild"}, {"mode", "longshot"}}}, 700, 20) == "");
  CHECK(both_engines(Ruleset::load("kill_shot"), {3, {{"night_mission", "on"}, {"taliban", "on"}}}, 701, 1) == "");
  CHECK(both_engines(Ruleset::load("panic_fire"), {3, {{"auto_shield", "off"}}}, 702, 2) == "");
}

TEST_CASE("differential: Splatter SHOOT, which has long games", "[differential][shoot]") {
  const std::vector<api::Configuration> tables = {
      {4, {}},
      {3, {{"mode", "hill_up"}, {"map", "bar"}, {"scale", "short_edge"}}},
      {2, {{"mode", "two_flags"}, {"parties", "one_one"}, {"cards", "beginner"}}},
      {4, {{"mode", "last_man"}, {"parties", "two_two"}, {"map", "bar"}}},
      {3, {{"mode", "frag_hunt"}, {"scale", "short_edge"}}}};
  PerThread rules("splatter_shoot");
  CHECK(run_jobs(tables.size(),
                 [&](int thread, std::size_t i) { return all_forms(rules[thread], tables[i], 800 + i, 1); }) == "");
  if (api::jit_is_available())
    CHECK(both_engines(Ruleset::load("splatter_shoot"), {4, {{"mode", "instant_death"}, {"longer_game", "on"}}}, 810,
                       2) == "");
}

TEST_CASE("differential: small rulesets, on both engines and in both forms", "[differential]") {
  const bool jit = api::jit_is_available();
  const Limits limits{100'000, 20'000};
  struct Job {
    std::string path;
    Ruleset rules;
    api::Configuration table;
    bool compiled;   // true for one table of each ruleset, because compiling takes longer than playing
  };
  std::vector<Job> jobs;
  for (const std::string& path : rules_in(checkout("tests/rulesets/small"))) {
    const Ruleset rules = Ruleset::load(path);
    const auto tables = full_product(rules);
    for (std::size_t i = 0; i < tables.size(); ++i)
      jobs.push_back({path, rules, tables[i], jit && i + 1 == tables.size()});
  }
  CHECK(run_jobs(jobs.size(), [&](int, std::size_t i) {
          const Job& job = jobs[i];
          const std::string wrong = job.compiled ? both_engines(job.rules, job.table, 900 + i, 60, limits)
                                                 : all_forms(job.rules, job.table, 900 + i, 60);
          return wrong.empty() ? wrong : job.path + "\n" + wrong;
        }) == "");
}

TEST_CASE("differential: failing games fail identically, and only some games fail", "[differential][traps]") {
  const Limits limits{100'000, 20'000};
  for (const std::string& path : rules_in(checkout("tests/rulesets/small"))) {
    const std::string expected = expected_trap(path);
    const Ruleset rules = Ruleset::load(path);
    const api::Game game = rules.compile();
    int failed = 0;
    std::string other;
    for (std::uint64_t i = 0; i < 200; ++i) {
      const Course course = play_out(*game.data(), 3, i, false, limits);
      if (course.failure.empty()) continue;
      ++failed;
      // The rule stack names the rule, its file and its line.
      if (expected.empty() || course.failure.find(expected) == std::string::npos ||
          course.failure.find(std::filesystem::path(path).filename().string() + ":") == std::string::npos)
        other = course.failure;
    }
    INFO(path << ": " << failed << " of 200 games failed\n" << other);
    CHECK(other == "");
    CHECK((failed > 0) == !expected.empty());
  }
}

TEST_CASE("differential: the digest depends on neither engine nor threads", "[differential]") {
  const Ruleset rules = Ruleset::load("splash");
  std::vector<std::uint64_t> digests;
  for (const EngineKind engine : {EngineKind::interpreter, EngineKind::jit}) {
    if (engine == EngineKind::jit && !api::jit_is_available()) continue;
    const api::Game game = rules.compile({}, engine);
    for (const int threads : {1, 2, 5}) {
      api::SimulateSettings settings;
      settings.games = 500;
      settings.seed = 77;
      settings.threads = threads;
      digests.push_back(api::simulate(game, settings).digest);
    }
  }
  for (const std::uint64_t digest : digests) CHECK(digest == digests[0]);
  // Games are independent: the digest of the second half added to the first is the digest of all games.
  api::SimulateSettings half;
  half.games = 250;
  half.seed = 77;
  const api::Game game = rules.compile();
  const std::uint64_t first = api::simulate(game, half).digest;
  half.first_game = 250;
  CHECK(first + api::simulate(game, half).digest == digests[0]);
}
