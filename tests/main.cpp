// Implements the main function of cardwright_tests, which runs Catch2 with one output line per test case.
// Input: Catch2's own arguments; --update rewrites golden files instead of comparing them; --share I/N runs every Nth
// of the selected tests, starting at the Ith (from 0), so that N processes run each test once.
// Output: the console reporter ends with "N passed, N failed". The file named by CARDWRIGHT_TALLY also receives the two
// numbers, even if a test crashes, so that a launcher need not parse the output.
#define CATCH_CONFIG_RUNNER
#include <catch2/catch.hpp>

#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <optional>
#include <string>
#include <vector>

namespace {

bool on_console = true;
unsigned long passed = 0;
unsigned long failed = 0;

void write_tally() {
  const char* path = std::getenv("CARDWRIGHT_TALLY");
  if (path == nullptr) return;
  if (std::FILE* file = std::fopen(path, "w")) {
    std::fprintf(file, "%lu %lu\n", passed, failed);
    std::fclose(file);
  }
}

// A listener receives every event before the reporter does, so the last line can't be printed here.
struct Count : Catch::TestEventListenerBase {
  using TestEventListenerBase::TestEventListenerBase;

  void testCaseEnded(const Catch::TestCaseStats& stats) override {
    // Catch2 does not count allowed or expected failures ([!mayfail], [!shouldfail]) as failed.
    const bool ok = stats.totals.testCases.failed == 0;
    ++(ok ? passed : failed);
    write_tally();
    if (on_console) std::cout << (ok ? "ok      " : "FAILED  ") << stats.testInfo.name << std::endl;
  }
};
CATCH_REGISTER_LISTENER(Count)

std::string as_filter(const std::string& name) {
  std::string filter = "\"";
  for (const char c : name) {
    if (c == ',' || c == '"' || c == '[' || c == '\\') filter += '\\';
    filter += c;
  }
  return filter + "\",";
}

// Returns the names of a share of the selected tests as a Catch2 filter; nothing if `share` is invalid.
std::optional<std::vector<std::string>> tests_of(const std::string& share, const Catch::Config& config) {
  std::size_t which = 0, shares = 0;
  char rest = 0;
  if (std::sscanf(share.c_str(), "%zu/%zu%c", &which, &shares, &rest) != 2 || which >= shares) return std::nullopt;
  const auto& all = Catch::getAllTestCasesSorted(config);
  const auto chosen = config.hasTestFilters() ? Catch::filterTests(all, config.testSpec(), config) : all;
  std::vector<std::string> names;
  for (std::size_t t = which; t < chosen.size(); t += shares)
    if (!chosen[t].isHidden() || config.hasTestFilters()) names.push_back(as_filter(chosen[t].name));
  return names;
}

}   // namespace

int main(int argc, char** argv) {
  Catch::Session session;
  bool update = false;
  std::string share;
  session.cli(session.cli() | Catch::clara::Opt(update)["--update"]("rewrite golden files (sets CARDWRIGHT_UPDATE=1)") |
              Catch::clara::Opt(share, "I/N")["--share"]("run every N-th of the chosen tests, from the I-th on"));
  if (const int wrong = session.applyCommandLine(argc, argv)) return wrong;
  std::size_t expected = 0;
  if (!share.empty()) {
    const auto tests = tests_of(share, Catch::Config(session.configData()));
    if (!tests) {
      std::cerr << "cardwright_tests: --share takes I/N with I below N, such as 0/8, not `" << share << "`\n";
      return 1;
    }
    if (tests->empty()) return 0;
    session.configData().testsOrTags = *tests;
    expected = tests->size();
  }
  if (update) setenv("CARDWRIGHT_UPDATE", "1", 1);
  setenv("CARDWRIGHT_CACHE", "off", 1);   // tests must not depend on cached programs

  const Catch::ConfigData& config = session.configData();
  const bool lists = config.showHelp || config.listTests || config.listTags || config.listReporters ||
                     config.listTestNamesOnly || config.libIdentify;
  on_console = config.reporterName == "console" && config.outputFilename.empty() && !lists;

  const int result = session.run();
  if (!on_console) return result;
  if (passed + failed < expected) {
    std::cerr << "cardwright_tests: " << expected - passed - failed << " tests were not run\n";
    ++failed;
    write_tally();
  }
  std::cout << passed << " passed, " << failed << " failed" << std::endl;
  return passed + failed == 0 ? 1 : result != 0 ? result : static_cast<int>(failed != 0);
}
