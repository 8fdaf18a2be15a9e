// Scenarios mean something: with the rule that a scenario names disabled, that scenario fails.
//
// rulesets/splash/mutants/sNN.rules are house rules that break one rule of Splash each. Scenario SNN, copied word for word
// out of splash.rules, is run under them; under a house rule that changes nothing all of them still hold.
#include <catch2/catch.hpp>

#include <fmt/format.h>

#include "cardwright/tools.hpp"
#include "tests/system/places.h"
#include "tests/system/workers.h"

using namespace cardwright;
using namespace cardwright::test;

namespace {

// From `begin` to the brace that closes the block which opens there.
std::string block_at(const std::string& text, std::size_t begin) {
  int depth = 0;
  bool quoted = false, comment = false;
  for (std::size_t i = begin; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '\n') comment = quoted = false;
    if (comment) continue;
    if (c == '"') quoted = !quoted;
    if (!quoted && c == '/' && i + 1 < text.size() && text[i + 1] == '/') comment = true;
    if (quoted || comment) continue;
    if (c == '{') ++depth;
    if (c == '}' && --depth == 0) return text.substr(begin, i + 1 - begin) + "\n";
  }
  return {};
}

// The declarations that begin a line so.
std::string blocks(const std::string& text, const std::string& beginning) {
  std::string out;
  for (std::size_t at = text.find("\n" + beginning); at != std::string::npos; at = text.find("\n" + beginning, at + 1)) out += block_at(text, at + 1);
  return out;
}

std::string scenario(const std::string& text, int number) { return blocks(text, "scenario \"S" + std::to_string(number) + " "); }

api::ScenarioRun run_under(const std::string& rules, const std::vector<api::EngineKind>& engines) {
  const Folder folder;
  return api::run_scenarios(api::Ruleset::load(folder.write("house.rules", rules)), engines);
}

}  // namespace

TEST_CASE("mutants: every scenario of Splash fails without its rule", "[scenarios][mutants][splash]") {
  const std::string text = text_of(checkout("rulesets/splash/splash.rules"));
  const std::string scenes = blocks(text, "scene ");
  REQUIRE_FALSE(scenes.empty());
  CHECK(run_jobs(40, [&](int, std::size_t job) -> std::string {
          const int number = static_cast<int>(job) + 1;
          const std::string mine = scenario(text, number);
          if (mine.empty()) return fmt::format("there is no scenario S{}", number);
          const std::string name = fmt::format("rulesets/splash/mutants/s{:02}.rules", number);
          const auto run = run_under(text_of(checkout(name)) + "\n" + scenes + mine, {api::EngineKind::interpreter});
          if (run.report.errors > 0) return name + " with its scenario:\n" + run.report.text;
          if (run.results.size() != 1) return fmt::format("{}: {} results", name, run.results.size());
          return run.results[0].passed ? fmt::format("S{} holds under {} all the same", number, name) : "";
        }, 40) == "");
}

TEST_CASE("mutants: under a house rule that changes nothing the forty hold", "[scenarios][splash]") {
  const std::string text = text_of(checkout("rulesets/splash/splash.rules"));
  std::string house = "game \"Splash: as it is\" extends splash\n" + blocks(text, "scene ");
  for (int number = 1; number <= 40; ++number) house += scenario(text, number);
  const auto run = run_under(house, {api::EngineKind::interpreter});
  INFO(run.report.text);
  CHECK(run.results.size() == 40);
  for (const auto& result : run.results) {
    INFO(result.title << " at " << result.place << "\nexpected " << result.expected << "\nbut " << result.found);
    CHECK(result.passed);
  }
}
