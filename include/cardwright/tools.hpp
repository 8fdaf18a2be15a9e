// Functions for the command-line tools: paths, messages, output of compiler stages, and scenarios.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cardwright/cardwright.hpp"

namespace cardwright::api {

std::string_view version();   // "0.1.0"

// Returns the names of the bundled games, sorted.
std::vector<std::string> bundled_games();
// Returns the path of a .rules file: `what` if it is a path, or the path of the bundled game with this name. Throws
// Error(caller) for an unknown name, and suggests a similar one.
std::string find_rules(const std::string& what);
// Returns the folder that contains `rulesets` and `stdlib`.
std::string share_folder();
// Returns the folder with the scripts of report pages (`report.js`); empty if they have not been built yet.
std::string pages_folder();
// Returns the path of the table core as WebAssembly; empty if it has not been built yet.
std::string web_runtime_path();

// Converts text to one line of UTF-8: control characters and invalid bytes, which file names can contain, become
// escapes such as `\xff`.
std::string printable(std::string_view text);

// Returns a configuration as command-line arguments: "--players 5 --with snorkel=icon20".
std::string as_arguments(const Configuration& configuration);

// Returns "did you mean `x`?" for the candidate most similar to `word`; empty if none is similar.
std::string guess(std::string_view word, const std::vector<std::string>& candidates);

// Returns the detailed explanation of a diagnostic's code ("E0301"). Throws Error(caller) for an unknown code.
std::string explain(std::string_view code);
// Returns one line per code, in ascending order: "  E0301  no such name".
std::string list_codes();

// Disables waiting for background compilers. By default, destroying a Game with EngineKind::automatic and ending the
// process both wait until the compiler stops. After this call, neither waits; while compiles_in_background() is true,
// the process must then exit with _exit().
void never_wait_for_compilers();
bool compiles_in_background();

// The compiler stages and program forms that print() can return as text.
enum class Stage : std::uint8_t { ast, model, plan, ir, llvm };
enum class Form : std::uint8_t { playout, step };
std::string print(const Ruleset& rules, const Configuration& configuration, Stage stage, Form form);
// Returns the IR after each run of this pass, while the Program and its playout form are created. The pass "lower"
// returns the initial IR. Throws Error(caller) with a list of passes if the name is unknown.
std::string print_after(const Ruleset& rules, const Configuration& configuration, const std::string& pass);

struct ScenarioResult {
  std::string title;
  std::string engine;   // "interp", "jit"; empty if all requested engines agree
  bool passed = false;
  std::string place;   // place of the line that failed: "splash.rules:412"
  std::string expected, found;   // the expected and the actual value, in the notation of scenarios
  std::string rule;   // the rule that caused the failure, if known
  std::string offered;   // options that were available at this point: "b: play Net, pass"
  std::vector<std::string> log;   // all log lines since the scenario began, including hidden information

  bool operator==(const ScenarioResult&) const = default;
};
struct ScenarioRun {
  std::vector<ScenarioResult> results;   // in source order; one per scenario, or one per engine if they differ
  Report report;   // diagnostics of the rules; if they have errors, `results` is empty
};
// Finds errors like Ruleset::check, but does not play games. Checks the lowest, usual and highest number of players and
// every value of every option, even if no scenario uses them.
Report find_errors(const Ruleset& rules);
// Runs the scenarios of a file, each with its own players and options. `filter` selects scenarios whose title contains
// it. `plain` disables optimizations, as in Configuration.
ScenarioRun run_scenarios(const Ruleset& rules, const std::vector<EngineKind>& engines, std::string_view filter = {},
                          bool plain = false);
// The result of a base game's scenario under house rules.
struct BaseScenario {
  // unchanged: the scenario passes. changed: it fails. skipped: it cannot be played, because it does not compile with
  // the house rules. overridden: the house file replaces the scenario, or removes it, optionally with a reason.
  enum class Fate : std::uint8_t { unchanged, changed, skipped, overridden } fate = Fate::unchanged;
  ScenarioResult result;   // result under the house rules; for skipped and overridden, `found` is the reason
  // For changed: the declarations in the house file that cause the failure, "house.rules:12: modify reach(me) to 3".
  std::vector<std::string> by;
};
// Throws Error: caller (the file extends no game), author (errors in the house rules).
std::vector<BaseScenario> run_base_scenarios(const Ruleset& house, std::string_view filter = {});
// Checks that each house-rules file in the `mutants` folder next to the game makes the scenario with the same name
// fail. `passed` is true if the scenario fails; `expected` and `rule` then describe this failure.
std::vector<ScenarioResult> run_mutants(const Ruleset& rules);

}   // namespace cardwright::api
