// What tools need beside the games themselves: places, messages, the compiler's stages, scenarios.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cardwright/cardwright.hpp"

namespace cardwright::api {

std::string_view version();   // "0.1.0"

// Names of the bundled games, sorted.
std::vector<std::string> bundled_games();
// Path of a .rules file: `what` itself, or that of a bundled game. Throws Error(caller), with a guess at the name
// meant.
std::string find_rules(const std::string& what);
// Folder that holds `rulesets` and `stdlib`.
std::string share_folder();
// Folder with the scripts of pages, `report.js`; empty where this build has none, since nobody has asked for a page
// yet.
std::string pages_folder();
// The table core as WebAssembly; empty where this build has none, since nobody has exported a game yet.
std::string web_runtime_path();

// In one line of UTF-8: control characters and strange bytes, which names of files may hold, as `\n` and `\xff`.
std::string printable(std::string_view text);

// A configuration as arguments of any command: "--players 5 --with snorkel=icon20".
std::string as_arguments(const Configuration& configuration);

// "did you mean `x`?" for the candidate that `word` is a slip of; empty if there is none.
std::string guess(std::string_view word, const std::vector<std::string>& candidates);

// The long text behind a diagnostic's code ("E0301"). Throws Error(caller) when there is no such code.
std::string explain(std::string_view code);
// "  E0301  no such name", a line per code, in ascending order.
std::string list_codes();

// Whoever drops a Game for EngineKind::automatic waits until its compiler has noticed; and a process that ends does.
// After this nobody waits: the process promises to leave by _exit() as long as compiles_in_background().
void never_wait_for_compilers();
bool compiles_in_background();

// A compiler's stage as text.
enum class Stage : std::uint8_t { ast, model, plan, ir, llvm };
enum class Form : std::uint8_t { playout, step };
std::string print(const Ruleset& rules, const Configuration& configuration, Stage stage, Form form);
// The IR behind each run of a pass, on the way to the Program and to the form for playouts: "lower" for what it begins
// with. Throws Error(caller) where none of that name runs, with those that do.
std::string print_after(const Ruleset& rules, const Configuration& configuration, const std::string& pass);

struct ScenarioResult {
  std::string title;
  std::string engine;   // "interp", "jit"; empty where all that were asked for say the same
  bool passed = false;
  std::string place;   // of the line that went wrong: "splash.rules:412"
  std::string expected, found;   // in the author's words
  std::string rule;   // which rule made it so, where it is known
  std::string offered;   // what could be done there, and by whom: "b: play Net, pass"
  std::vector<std::string> log;   // all that was told since the scenario began, as one reads it who may read everything

  bool operator==(const ScenarioResult&) const = default;
};
struct ScenarioRun {
  std::vector<ScenarioResult> results;   // per scenario in the order written; one for each engine where they differ
  Report report;   // of the rules themselves; results are empty when they are wrong
};
// The errors that Ruleset::check finds: for the least, usual and greatest number of players and for every value of
// every option, whether scenarios use them or not. No games are played.
Report find_errors(const Ruleset& rules);
// Runs the scenarios of a file, each with its own players and options. `filter` keeps those whose title contains it;
// `plain` is as in Configuration.
ScenarioRun run_scenarios(const Ruleset& rules, const std::vector<EngineKind>& engines, std::string_view filter = {},
                          bool plain = false);
// What becomes of a scenario of the game that house rules extend.
struct BaseScenario {
  // answered: the house file replaces it, or removes it and may say why.
  enum class Fate : std::uint8_t { kept, changed, not_asked, answered } fate = Fate::kept;
  ScenarioResult result;   // under the house rules; not_asked and answered: `found` says why
  std::vector<std::string>
      by;   // changed: the house file's declarations that make it so, "house.rules:12: modify reach(me) to 3"
};
// Throws Error: caller (the file extends no game), author (the house rules are wrong).
std::vector<BaseScenario> run_base_scenarios(const Ruleset& house, std::string_view filter = {});
// For every house rule in the folder `mutants` beside the game: does the scenario that it is named after fail with it,
// as it must? `passed` says so; `expected` and `rule` then tell at what it failed.
std::vector<ScenarioResult> run_mutants(const Ruleset& rules);

}   // namespace cardwright::api
