// differential [GAMES] [SEED] [GAME]: plays random games on both engines and in both forms until they differ.
//
// Each configuration of the pairwise cover gets an equal share of the games. The program compares the complete states
// of interpreter and JIT at every decision, the decisions of a stepwise game with those of a traced playout, and
// untraced playouts by their final states. Prints the progress; exit code 0 means no difference.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <mutex>

#include "cardwright/tools.hpp"
#include "tests/support/differential.h"
#include "tests/support/pairwise_cover.h"
#include "tests/support/parallel_jobs.h"

using namespace cardwright;
using namespace cardwright::test;

namespace {

constexpr std::uint64_t kBlock = 500;   // consecutive games of one table

struct Progress {
  std::mutex mutex;
  std::uint64_t games = 0, decisions = 0;
  std::chrono::steady_clock::time_point start = std::chrono::steady_clock::now();
  void add(std::uint64_t more_games, std::uint64_t more_decisions) {
    const std::lock_guard lock(mutex);
    games += more_games;
    decisions += more_decisions;
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    std::fprintf(stderr, "\r%llu games, %llu decisions, %.0f s ", static_cast<unsigned long long>(games),
                 static_cast<unsigned long long>(decisions), seconds);
  }
};

std::string block(const api::Game& interp, const api::Game& jit, std::uint64_t seed, std::uint64_t first,
                  std::uint64_t count, Progress& progress) {
  std::uint64_t decisions = 0;
  for (std::uint64_t index = first; index < first + count; ++index) {
    std::string wrong = compare_engines(*interp.data(), *jit.data(), seed, index, &decisions);
    if (wrong.empty()) {
      const Course stepwise = play_stepwise(*interp.data(), seed, index, false);
      wrong = compare_courses(stepwise, play_out(*jit.data(), seed, index, true),
                              fmt::format("game {} stepwise interp, traced jit", index), true);
      if (wrong.empty())
        wrong = compare_courses(stepwise, play_out(*jit.data(), seed, index, false),
                                fmt::format("game {} stepwise interp, playout jit", index), false);
      if (wrong.empty() && index % 10 == 0) wrong = compare_forms(*interp.data(), seed, index);
      if (wrong.empty() && index % 10 == 0) wrong = compare_forms(*jit.data(), seed, index);
      if (wrong.empty() && index % 10 == 0) wrong = compare_dropped(*jit.data(), seed, index);
    }
    if (!wrong.empty()) return wrong;
  }
  progress.add(count, decisions);
  return {};
}

}   // namespace

int main(int argc, char** argv) try {
  setenv("CARDWRIGHT_CACHE", "off", 1);   // the code to compare must be compiled in this run
  const std::uint64_t games = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 10'000;
  const std::uint64_t seed = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 1;
  const std::string name = argc > 3 ? argv[3] : "splash";
  const api::Ruleset rules = api::Ruleset::load(name);
  const auto tables = pairwise_cover(rules);
  std::fprintf(stderr, "%s: %zu tables\n", name.c_str(), tables.size());
  std::vector<api::Game> interp, jit;
  for (const auto& table : tables) {
    interp.push_back(rules.compile(table, api::EngineKind::interpreter));
    jit.push_back(rules.compile(table, api::EngineKind::jit));
  }
  const std::uint64_t per_table = (games + tables.size() - 1) / tables.size();
  const std::uint64_t blocks = (per_table + kBlock - 1) / kBlock;
  Progress progress;
  const std::string wrong = run_jobs(tables.size() * blocks, [&](int, std::size_t job) -> std::string {
    const std::size_t t = job % tables.size();
    const std::uint64_t first = job / tables.size() * kBlock;
    const std::string found = block(interp[t], jit[t], seed, first, std::min(kBlock, per_table - first), progress);
    return found.empty() ? found : in_words(tables[t]) + ": " + found;
  });
  std::fprintf(stderr, "\n%s", wrong.c_str());
  if (wrong.empty())
    std::printf("no difference in %llu games, %llu decisions\n", static_cast<unsigned long long>(progress.games),
                static_cast<unsigned long long>(progress.decisions));
  return wrong.empty() ? 0 : 1;
} catch (const api::Error& error) {
  std::fprintf(stderr, "%s\n%s", error.what(), error.report().text.c_str());
  return 2;
}
