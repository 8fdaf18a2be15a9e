// Tests the comparison of two bench_table result files: which differences count as regressions.
#include <catch2/catch.hpp>

#include <filesystem>
#include <fstream>

#include "tools/bench/results.h"

namespace {

using namespace bench;

Results one_game() {
  Results results;
  results.version = "1";
  results.reference = 100e6;
  results.speeds = {{"ludo", 4, "jit", "playout", 20e6, 1e6, 0.2, 0.5},
                    {"ludo", 4, "interp", "playout", 2e6, 1e5, 0.02, {}}};
  Weight weight{"ludo", 4};
  weight.playout_work = 1e7;
  weight.state_bytes = 500;
  results.weights = {weight};
  return results;
}

}   // namespace

TEST_CASE("a busier machine is not a regression, but slower code is", "[bench]") {
  const Results before = one_game();
  Results after = before;
  after.speeds[0].per_second /= 2;   // the whole machine is slower, so the ratio is the same
  CHECK(compare(before, after).losses == 0);

  after.speeds[0].to_reference = 0.192;   // 4 % slower
  CHECK(compare(before, after).losses == 0);
  after.speeds[0].to_reference = 0.188;   // 6 % slower
  const Difference slower = compare(before, after);
  CHECK(slower.losses == 1);
  CHECK(slower.text.find("LOSS   -6.0 %  ludo 4 jit playout") != std::string::npos);
  after.speeds[0].to_reference = 0.22;
  CHECK(compare(before, after).losses == 0);
  CHECK(compare(before, after).text.find("gain  +10.0 %") != std::string::npos);
}

TEST_CASE("compile time and code size count, other games don't", "[bench]") {
  const Results before = one_game();
  Results after = before;
  after.weights[0].playout_work = 1.2e7;
  after.weights[0].state_bytes = 600;
  CHECK(compare(before, after).losses == 2);
  after.weights[0].players = 5;
  CHECK(compare(before, after).losses == 0);
}

TEST_CASE("results round-trip through their file format", "[bench]") {
  const std::filesystem::path file = std::filesystem::temp_directory_path() / "cardwright-bench-test.json";
  const Results before = one_game();
  write_results(before, file);
  const Results read = read_results(file);
  CHECK(compare(before, read).text == "3 rows compared, 0 losses\n");
  CHECK(read.speeds[0].to_hand == 0.5);
  CHECK_FALSE(read.speeds[1].to_hand);
  std::ofstream(file) << "{}";
  CHECK_THROWS_WITH(read_results(file), Catch::Contains("is not a result file of bench_table"));
  std::filesystem::remove(file);
}
