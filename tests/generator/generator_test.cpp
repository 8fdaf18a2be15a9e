// Tests generated rulesets with all checks (checks.h), and the reducer. `generated` (generated.cpp) runs the same
// checks on any number of seeds.
#include <catch2/catch.hpp>

#include <atomic>

#include "tests/generator/checks.h"
#include "tests/generator/files.h"
#include "tests/generator/record.h"
#include "tests/generator/reduce.h"
#include "tests/generator/writer.h"
#include "tests/support/files.h"
#include "tests/support/parallel_jobs.h"

using namespace cardwright;
using namespace cardwright::test;

namespace {

constexpr std::uint64_t kSeeds = 300, kCompiled = 25;   // one in kCompiled is also played on the JIT, which is slow

std::string without_blanks(std::string text) {
  std::erase(text, ' ');
  return text;
}

}   // namespace

TEST_CASE("generator: all checks pass on 300 rulesets", "[generator][differential]") {
  const TemporaryFolder folder;
  std::atomic<std::uint64_t> refused{0}, decisions{0}, without{0};
  const bool jit = api::jit_is_available();
  CHECK(run_jobs(kSeeds, [&](int, std::size_t job) -> std::string {
          const std::uint64_t seed = job + 1;
          const std::string path = put_files(fmt::format("{}/{}", folder.path(), seed), write_ruleset(seed));
          const Checked found = check_rules(path, {jit && seed % kCompiled == 0, 1, seed});
          decisions += found.decisions;
          without += found.decisions == 0;
          const bool not_compiled = found.wrong.starts_with("refused: ");
          refused += not_compiled;
          return found.wrong.empty() || not_compiled ? "" : fmt::format("seed {}: {}", seed, found.wrong);
        }) == "");
  INFO(refused << " refused, " << without << " without a decision, " << decisions << " decisions");
  CHECK(refused <= kSeeds / 20);
  CHECK(without <= kSeeds / 5);
  CHECK(decisions > 5'000);
}

// Negates the condition of the oracle in five rulesets that have one. The checks must report most of these failures.
TEST_CASE("generator: a failing oracle is reported", "[generator]") {
  const TemporaryFolder folder;
  int tried = 0, found = 0;
  for (std::uint64_t seed = 1; tried < 5; ++seed) {
    auto files = write_ruleset(seed);
    const std::string ok = "if not ok then oracle_failed", wrong = "if ok then oracle_failed";
    const auto at = files.find(ok);
    if (at == files.npos) continue;
    ++tried;
    const std::string path = put_files(fmt::format("{}/{}", folder.path(), seed), files.replace(at, ok.size(), wrong));
    found += check_rules(path, {false, 1, seed}).wrong.starts_with("oracle: ");
  }
  CHECK(found >= 3);   // some oracles are not evaluated in these games
}

TEST_CASE("generator: a seed always gives the same ruleset", "[generator]") {
  for (const std::uint64_t seed : {1, 2, 77}) CHECK(write_ruleset(seed) == write_ruleset(seed));
  CHECK(write_ruleset(1) != write_ruleset(2));
}

TEST_CASE("generator: the reducer retains the failure and little else", "[generator]") {
  const std::string text = "a {\n  b(1 + (2 * x)) and more\n  c\n}\nd {\n  e\n}\n";
  const auto small =
      Reducer(text, [](const std::string& rules) { return rules.find('x') != std::string::npos; }).smallest();
  CHECK(without_blanks(small) == "x\n");
  const auto block =
      Reducer(text, [](const std::string& rules) { return rules.find("{\n  e\n}") != std::string::npos; }).smallest();
  CHECK(without_blanks(block) == "{\ne\n}\n");
}

TEST_CASE("generator: an interrupted run can be resumed", "[generator]") {
  const TemporaryFolder folder;
  const std::string path = folder.path() + "/record", run = "generated --seeds 1..300";
  Tally piece{100, 1, 50, 700, 2, 3, {{7, "plain: the digests differ"}, {9, "leak: of player 0"}}};
  const RunRecord fresh(path, run);
  CHECK(fresh.tally().rulesets == 0);
  fresh.add(1, 99, piece);
  piece.wrong.clear();
  fresh.add(200, 299, piece);
  // The end of the file is an incomplete piece, as after an interrupted run.
  std::ofstream(path, std::ios::app) << "wrong 150 crash: Segmentation fault\ndone 100..199 100 0 5";

  const RunRecord again(path, run);
  CHECK(again.has(1));
  CHECK_FALSE(again.has(100));
  CHECK(again.has(200));
  CHECK(again.tally().text() ==
        "200 rulesets, 2 refused, 100 games, 1400 decisions, 4 without a decision, 6 games ended by a trap, 1 leak, 1 "
        "plain");
  again.add(100, 199, piece);
  const RunRecord whole(path, run);
  CHECK(whole.has(100));
  CHECK(whole.tally().wrong ==
        std::map<std::uint64_t, std::string>{{7, "plain: the digests differ"}, {9, "leak: of player 0"}});
  CHECK_THROWS_WITH(RunRecord(path, "generated --seeds 1..400"), Catch::Contains("is of another run"));
}
