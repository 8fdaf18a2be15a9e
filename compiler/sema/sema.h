// The interface of semantic analysis: turns the syntax trees of a ruleset into a checked Model for one number of
// players and one set of options.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "compiler/ast/ast.h"
#include "compiler/model/model.h"
#include "support/diagnostics.h"

namespace cardwright::sema {

// Names of the standard measures. Measures in rules can't have these names. kTurnOrder records whose turn it is.
inline constexpr const char* kTurnOrder = "turn order";
inline constexpr const char* kFigures = "built-in figures";   // records the values of the standard figures
inline constexpr const char* kCoverage = "rule coverage";   // records which rules and statements take effect
// records when an action ends and when a turn, round or phase begins
inline constexpr const char* kFlowMarks = "flow marks";
// Returns whether `name` is a standard measure, which exists in every game.
inline bool is_standard_measure(std::string_view name) {
  return name == kTurnOrder || name == kFigures || name == kCoverage || name == kFlowMarks;
}

// The configuration requested by the user.
struct Configuration {
  int players = 0;   // 0 for the default number
  // Pairs of name and value. An empty value or "on" enables an option; the title of a variant selects that variant.
  std::vector<std::pair<std::string, std::string>> options;
  bool plain = false;   // disables optimizations in lowering; sema ignores it
  std::vector<std::string> measures;   // measures to record: names, `own` or `all`
  // Names of the policies in use. `sensible` lets seats use different policies; `bots` selects the policy declared for
  // bots, if any.
  std::vector<std::string> policies = {};
};

struct Option {
  const ast::Node* node = nullptr;   // the declaration in effect: the original one or its replacement
  std::string name;
  std::string label;
  std::vector<std::string> values;   // the first is the default unless `initial` is set
  std::string initial;
  bool number = false;   // the option is an integer from lo to hi
  std::int64_t lo = 0, hi = 0;
  Range range;
};
struct Variant {
  std::string title;
  std::vector<std::pair<std::string, std::string>> settings;
  Range range;
};
struct MeasureInfo {
  std::string name;
  std::string label;
  bool own = true;   // declared by the game or by a file of measures, not by a library
  Range range;
};
struct ScenarioInfo {
  std::string title;
  int players = 0;
  std::vector<std::pair<std::string, std::string>> options;
  bool at_once = false;   // some claims are evaluated before the game continues
  Range range;
};

// One file of a ruleset. Units are ordered by precedence: libraries precede the file that uses them, and the base game
// precedes the file that extends it.
struct Unit {
  const ast::Node* root = nullptr;   // NodeKind::file
  std::string folder;
  std::uint32_t depth = 0;   // position in the `extends` chain
  bool library = false;
  const ast::Node* arguments = nullptr;   // arguments of the `use` that loaded the file, as a list of arg nodes
  const ast::Node* on = nullptr;   // the board that the `use` names, if any
  bool standard = false;   // belongs to the standard library
  bool measures = false;   // a file of measures, which can't change rules
};

// A game file with its libraries and the files that it extends.
class Ruleset {
 public:
  std::string name;   // the file name without its extension
  std::string title;
  int least_players = 2, most_players = 2, usual_players = 2;
  std::vector<Option> options;
  std::vector<Variant> variants;
  std::vector<MeasureInfo> measures;   // from all files, for all options
  // from the last file of the chain, or from the file that it extends (see Excerpt)
  std::vector<ScenarioInfo> scenarios;
  std::uint32_t scenario_depth = 0;   // position of that file in the chain
  std::vector<Unit> units;
  Range players_range;

  std::string stdlib;   // folder of the standard library

  std::vector<Allowance> allowances;   // from all files
  std::vector<Diagnostic> warnings;   // warnings about the source text, reported only if there are no errors
  bool broken = false;   // a file had syntax errors, so the trees are incomplete
  // names that belong to a board are prefixed with the board's name (see several_boards.h)
  bool several_boards = false;

  ast::Arena arena;   // owns the trees
  mutable std::map<std::string, SourceId> files;   // all files that were read, including data files, by canonical path
  // maps each tried path to its resolved path, or to an empty string if the file does not exist
  mutable std::map<std::string, std::string> ways;
};

// A declared relation between options. Its parts are source text.
struct Relation {
  enum class Kind : std::uint8_t { implies, conflict, require, voids, warns } kind;
  // `one implies other unless …`, `require one with other`, `one is void with other`, `warn when one`
  std::string one, other, unless;
  std::string why;
  // the options that the relation depends on, including those that it uses through `let`s
  std::set<std::string> options;
  Range range;
};

// The values of all options that result from the requested values.
struct Resolution {
  std::vector<std::pair<std::string, std::string>> options;   // in source order
  std::vector<std::size_t> refused_by;   // indexes into relations() of the violated conflicts and requirements
};

// Restricts the analysis of the last file, for example to run a base game's scenarios with house rules, or to skip some
// declarations.
struct Excerpt {
  bool of_base = false;   // use the scenarios of the game that the last file extends, instead of those in the last file
  std::optional<std::string> scenario;   // use only this scenario
  std::set<std::size_t> left_out = {};   // indexes of declarations in the last file to skip
  std::optional<std::string> text = {};   // text to use for the last file instead of its contents on disk
};

// Loads rules files. Never reads a file outside the folders of the rules file, the bundled games and the standard
// library.
class Loader {
 public:
  // `rulesets` is the folder of the bundled games (see bundled.h); `stdlib` is the folder of the libraries NAME.rules.
  Loader(std::string rulesets, std::string stdlib) : rulesets_(std::move(rulesets)), stdlib_(std::move(stdlib)) {}
  // Loads a ruleset. `path` is a file or the name of a bundled game; `measures` is a file of measures in the same
  // folder, or empty. `known` maps paths of files that are already loaded and must not be read again. Reports errors to
  // `diagnostics` and returns null if nothing can be analyzed.
  std::unique_ptr<Ruleset> load(const std::string& path, Diagnostics& diagnostics,
                                std::map<std::string, SourceId> known = {}, const Excerpt& excerpt = {},
                                const std::string& measures = {});

 private:
  std::string rulesets_, stdlib_;
};

// Returns the option values that a configuration requests, after expanding presets and checking the values. Returns
// nullopt after an error.
std::optional<std::map<std::string, std::string, std::less<>>> requested(const Ruleset& ruleset,
                                                                         const Configuration& configuration,
                                                                         Diagnostics& diagnostics);

// Reports an invalid value of an option and lists the valid values.
void bad_value(const Option& option, const std::string& value, Range range, Diagnostics& diagnostics);

// relations() returns the declared relations between options in order of precedence. resolve() returns the option
// values that result for a configuration.
std::vector<Relation> relations(const Ruleset& ruleset, Diagnostics& diagnostics);
Resolution resolve(const Ruleset& ruleset, const Configuration& configuration, Diagnostics& diagnostics);

// Builds the Model for one configuration. Returns null after an error.
std::unique_ptr<model::Model> analyse(const Ruleset& ruleset, const Configuration& configuration,
                                      Diagnostics& diagnostics);

// Analyzes the ruleset with the default, minimum and maximum number of players and, with the default number, for every
// option value and variant. Returns the valid configurations; the default one is first. Omits configurations that have
// errors or that the rules reject.
std::vector<Configuration> check_everything(const Ruleset& ruleset, Diagnostics& diagnostics);

// Reports each allowance in the ruleset's own file that suppressed no warning. Call it after all warnings have been
// reported.
void report_unused_allowances(const Ruleset& ruleset, Diagnostics& diagnostics);

}   // namespace cardwright::sema
