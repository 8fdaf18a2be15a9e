// Tests that scenarios are effective: each one fails if the rule that it tests is broken.
//
// Each rulesets/GAME/mutants/xNN.rules is a house file that breaks one rule of a game. Scenario XNN, copied verbatim
// from the game's rules, must fail with this file. With a house file that changes nothing, all scenarios still pass.
#include <catch2/catch.hpp>

#include <fmt/format.h>

#include "cardwright/tools.hpp"
#include "tests/support/files.h"
#include "tests/support/parallel_jobs.h"

using namespace cardwright;
using namespace cardwright::test;

namespace {

// Returns the block from `begin` to its closing brace.
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

// Returns the declarations whose first line begins with `beginning`.
std::string blocks(const std::string& text, const std::string& beginning) {
  std::string out;
  for (std::size_t at = text.find("\n" + beginning); at != std::string::npos; at = text.find("\n" + beginning, at + 1))
    out += block_at(text, at + 1);
  return out;
}

struct Bundled {
  std::string name;
  char letter;
  int scenarios;
};
const Bundled kGames[] = {{"splash", 'S', 40},
                          {"quickshot", 'Q', 20},
                          {"kill_shot", 'K', 29},
                          {"panic_fire", 'P', 27},
                          {"splatter_shoot", 'H', 42}};

std::string rules_of(const Bundled& game) {
  return text_of(checkout(fmt::format("rulesets/{0}/{0}.rules", game.name)));
}
std::string scenario(const std::string& text, char letter, int number) {
  return blocks(text, fmt::format("scenario \"{}{} ", letter, number));
}

api::ScenarioRun run_under(const std::string& rules, const std::vector<api::EngineKind>& engines) {
  const TemporaryFolder folder;
  return api::run_scenarios(api::Ruleset::load(folder.write("house.rules", rules)), engines);
}

}   // namespace

TEST_CASE("mutants: every scenario of a bundled game fails without its rule", "[scenarios][mutants]") {
  for (const Bundled& game : kGames) {
    const std::string text = rules_of(game), scenes = blocks(text, "scene ");
    CHECK(run_jobs(
              static_cast<std::size_t>(game.scenarios),
              [&](int, std::size_t job) -> std::string {
                const int number = static_cast<int>(job) + 1;
                const std::string mine = scenario(text, game.letter, number);
                if (mine.empty()) return fmt::format("there is no scenario {}{}", game.letter, number);
                const std::string name = fmt::format("rulesets/{}/mutants/{}{:02}.rules", game.name,
                                                     static_cast<char>(game.letter - 'A' + 'a'), number);
                const auto run =
                    run_under(text_of(checkout(name)) + "\n" + scenes + mine, {api::EngineKind::interpreter});
                if (run.report.errors > 0) return name + " with its scenario:\n" + run.report.text;
                if (run.results.size() != 1) return fmt::format("{}: {} results", name, run.results.size());
                return run.results[0].passed
                           ? fmt::format("{}{} holds under {} all the same", game.letter, number, name)
                           : "";
              },
              40) == "");
  }
}

TEST_CASE("mutants: all scenarios pass with a house file that changes nothing", "[scenarios][mutants]") {
  for (const Bundled& game : kGames) {
    const std::string text = rules_of(game);
    std::string house = fmt::format("game \"As it is\" extends {}\n", game.name) + blocks(text, "scene ");
    for (int number = 1; number <= game.scenarios; ++number) house += scenario(text, game.letter, number);
    const auto run = run_under(house, {api::EngineKind::interpreter});
    INFO(game.name << "\n" << run.report.text);
    CHECK(run.results.size() == static_cast<std::size_t>(game.scenarios));
    for (const auto& result : run.results) {
      INFO(result.title << " at " << result.place << "\nexpected " << result.expected << "\nbut " << result.found);
      CHECK(result.passed);
    }
  }
}
