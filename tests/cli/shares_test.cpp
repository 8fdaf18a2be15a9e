// Tests `cardwright_tests --share I/N`, with which `selftest` uses all cores.
#include <algorithm>
#include <sstream>
#include <vector>

#include <catch2/catch.hpp>

#include "tests/support/command.h"

using namespace cardwright::test;

namespace {

Ran run_tests(const std::string& arguments) {
  const TemporaryFolder folder;
  const std::string tests = std::filesystem::read_symlink("/proc/self/exe").string();
  const std::string command = tests + " " + arguments + " >" + folder.path() + "/out 2>" + folder.path() + "/err";
  const int status = std::system(command.c_str());
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, slurp(folder.path() + "/out"), slurp(folder.path() + "/err")};
}

std::vector<std::string> named(const std::string& arguments) {
  std::istringstream lines(run_tests("--list-test-names-only " + arguments).out);
  std::vector<std::string> names;
  for (std::string name; std::getline(lines, name);) names.push_back(name);
  std::ranges::sort(names);
  return names;
}

}   // namespace

TEST_CASE("shares: all shares together run each test once, including names with commas", "[cli]") {
  std::vector<std::string> shared;
  for (const char* share : {"0/3", "1/3", "2/3"})
    for (std::string& name : named(std::string("--share ") + share)) shared.push_back(std::move(name));
  std::ranges::sort(shared);
  CHECK(shared.size() > 500);
  CHECK(shared == named(""));
}

TEST_CASE("shares: an invalid share is rejected", "[cli]") {
  for (const char* share : {"3/3", "0/0", "-1/3", "1", "1/3x"}) {
    const Ran ran = run_tests(std::string("--share=") + share);
    INFO(share);
    CHECK(ran.code == 1);
    CHECK(has(ran.err, "--share takes I/N with I below N"));
  }
}
