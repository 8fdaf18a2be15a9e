// Tests that rules mean the same with and without optimizations: every bundled game and small ruleset is interpreted
// with a pairwise cover of its configurations, and compiled with one of them.
#include <catch2/catch.hpp>

#include "cardwright/tools.hpp"
#include "tests/support/files.h"
#include "tests/support/parallel_jobs.h"
#include "tests/support/unoptimized.h"

using namespace cardwright;
using namespace cardwright::test;

namespace {

using api::EngineKind;
using api::Ruleset;

struct Job {
  std::string what;
  api::Configuration table;
  EngineKind engine;
  int games;
};

// Adds the jobs for a ruleset. The last table is also compiled.
void add_jobs(std::vector<Job>& jobs, const std::string& what, int games) {
  const auto tables = pairwise_cover(Ruleset::load(what));
  for (const api::Configuration& table : tables) jobs.push_back({what, table, EngineKind::interpreter, games});
  if (api::jit_is_available()) jobs.push_back({what, tables.back(), EngineKind::jit, games});
}

std::string run(const std::vector<Job>& jobs) {
  const Limits limits{100'000, 20'000};
  return run_jobs(jobs.size(), [&](int, std::size_t i) {
    const Job& job = jobs[i];
    const std::string wrong =
        compare_with_unoptimized(Ruleset::load(job.what), job.table, job.engine, 400 + i, job.games, limits);
    return wrong.empty() ? wrong : job.what + "\n" + wrong;
  });
}

}   // namespace

TEST_CASE("plain: bundled games are the same without optimizations", "[differential][plain]") {
  std::vector<Job> jobs;
  for (const std::string& game : api::bundled_games())
    // A decision reads its memoized tables thousands of times, so without memoization it exceeds the work limit.
    if (game != "splatter_shoot") add_jobs(jobs, game, game == "kill_shot" || game == "panic_fire" ? 1 : 3);
  CHECK(run(jobs) == "");
}

TEST_CASE("plain: small rulesets are the same without optimizations", "[differential][plain]") {
  std::vector<Job> jobs;
  for (const std::string& path : rules_in(checkout("tests/rulesets/small")))
    // Without optimizations, trap_long reaches the work limit at a different place.
    if (path.find("trap_long") == std::string::npos) add_jobs(jobs, path, 20);
  CHECK(run(jobs) == "");
}
