// Checks that scenarios detect broken rules. The folder `mutants` of a game contains house-rules files. Each of them
// breaks the rule that one scenario tests, and is named after the first word of the scenario's title (s07.rules for "S7
// …").
#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>

#include <fmt/format.h>
#include <unistd.h>

#include "api/compile/compile.h"
#include "cardwright/tools.hpp"

namespace cardwright::api {

namespace fs = std::filesystem;

namespace {

// Normalizes names so that "S7", "s07" and "S07 a title" are equal.
std::string plain(std::string_view name) {
  std::string out;
  for (const char c : name.substr(0, name.find(' '))) {
    if (c == '0' && !out.empty() && !std::isdigit(static_cast<unsigned char>(out.back()))) continue;
    out += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return out;
}

const ast::Node* scenario_named(const detail::RulesetData& data, const std::string& name) {
  for (const ast::Node* node : data.parsed().units.back().root->children)
    if (node && node->kind == ast::NodeKind::scenario && plain(node->text) == name) return node;
  return nullptr;
}

std::string scenes(const detail::RulesetData& data) {
  std::string text;
  for (const ast::Node* node : data.parsed().units.back().root->children)
    if (node && node->kind == ast::NodeKind::scene) text += std::string(data.sources.text(node->range)) + "\n";
  return text;
}

// A temporary file with the house rules and the text of one scenario, because a scenario must be in the file that it
// tests.
class Combined {
 public:
  Combined(const fs::path& mutant, const std::string& more)
      : path_(fs::temp_directory_path() / fmt::format("cardwright-mutant-{}.rules", getpid())) {
    std::ifstream in(mutant, std::ios::binary);
    std::ofstream out(path_, std::ios::binary);
    out << in.rdbuf() << "\n" << more << "\n";
  }
  ~Combined() {
    std::error_code none;
    fs::remove(path_, none);
  }
  std::string path() const { return path_.string(); }

 private:
  fs::path path_;
};

ScenarioResult run_one(const detail::RulesetData& data, const fs::path& mutant) {
  ScenarioResult result;
  result.title = mutant.stem().string();
  result.engine = "interp";
  const ast::Node* scenario = scenario_named(data, plain(result.title));
  if (!scenario) {
    result.found = "no scenario with this name";
    return result;
  }
  result.title = scenario->text;
  result.place = mutant.string();
  const Combined combined(mutant, scenes(data) + std::string(data.sources.text(scenario->range)));
  try {
    const ScenarioRun run = run_scenarios(Ruleset::load(combined.path()), {EngineKind::interpreter});
    if (run.report.errors)
      result.found = run.report.text;
    else if (run.results.size() != 1)
      result.found = "scenario not found in the combined rules";
    else if (run.results[0].passed)
      result.found = "the scenario passes although its rule is broken";
    else
      result.passed = true;
    if (result.passed) result.expected = run.results[0].expected, result.rule = run.results[0].found;
  } catch (const Error& error) {
    result.found = error.report().text + error.what();
  }
  return result;
}

}   // namespace

std::vector<ScenarioResult> run_mutants(const Ruleset& rules) {
  std::vector<fs::path> mutants;
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(fs::path(rules.path()).parent_path() / "mutants", none))
    if (entry.path().extension() == ".rules") mutants.push_back(entry.path());
  std::sort(mutants.begin(), mutants.end());
  std::vector<ScenarioResult> results;
  for (const fs::path& mutant : mutants) results.push_back(run_one(*rules.data(), mutant));
  return results;
}

}   // namespace cardwright::api
