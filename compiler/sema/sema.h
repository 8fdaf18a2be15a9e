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

// Names of the standard measures, which can't be the names of measures in rules. This one records whose turn it is.
inline constexpr const char* kTurnOrder = "turn order";
inline constexpr const char* kFigures = "built-in figures";   // the values of the standard figures
inline constexpr const char* kCoverage = "rule coverage";   // which rules and statements take effect
inline constexpr const char* kFlowMarks = "flow marks";   // when an action ends, and when a turn, round or phase begins
// Returns whether every game has this measure.
inline bool is_standard_measure(std::string_view name) {
  return name == kTurnOrder || name == kFigures || name == kCoverage || name == kFlowMarks;
}

// The configuration requested on the command line.
struct Configuration {
  int players = 0;   // 0 for the default number
  // Names and values. An empty value or "on" enables an option; a title selects a variant.
  std::vector<std::pair<std::string, std::string>> options;
  bool plain = false;   // disables optimizations in lowering; sema ignores it
  std::vector<std::string> measures;   // the measures to record: names, `own` or `all`
  // Names of the policies in use. `sensible`: seats may differ. `bots`: the policy declared for bots, if any.
  std::vector<std::string> policies = {};
};

struct Option {
  const ast::Node* node = nullptr;   // the declaration in effect: of the base, or its replacement
  std::string name;
  std::string label;
  std::vector<std::string> values;   // the first is the default, unless `initial` is set
  std::string initial;
  bool number = false;   // an integer from lo to hi
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
  bool own = true;   // declared by the game or a file of measures, not by a library
  Range range;
};
struct ScenarioInfo {
  std::string title;
  int players = 0;
  std::vector<std::pair<std::string, std::string>> options;
  bool at_once = false;   // some claims are evaluated before the game continues
  Range range;
};

// One file of a ruleset. Units are ordered by precedence: libraries before the file that uses them, the base before the
// house file.
struct Unit {
  const ast::Node* root = nullptr;   // NodeKind::file
  std::string folder;
  std::uint32_t depth = 0;   // position in the `extends` chain
  bool library = false;
  const ast::Node* arguments = nullptr;   // list of arg, of the `use` that loaded it
  const ast::Node* on = nullptr;   // the board that the `use` names
  bool standard = false;   // part of the standard library
  bool measures = false;   // a file of measures, which changes no rules
};

// A file with its libraries and the files that it extends.
class Ruleset {
 public:
  std::string name;   // the file name without its extension
  std::string title;
  int least_players = 2, most_players = 2, usual_players = 2;
  std::vector<Option> options;
  std::vector<Variant> variants;
  std::vector<MeasureInfo> measures;   // of all files, for all options
  std::vector<ScenarioInfo> scenarios;   // of the last file of the chain, or of the file that it extends: see Excerpt
  std::uint32_t scenario_depth = 0;   // position of that file in the chain
  std::vector<Unit> units;
  Range players_range;

  std::string stdlib;   // folder of the standard library

  std::vector<Allowance> allowances;   // of all files
  std::vector<Diagnostic> warnings;   // warnings about the text, reported only if there are no errors
  bool broken = false;   // a file had syntax errors, so the trees are incomplete
  bool several_boards = false;   // names that belong to a board have the board's name as a prefix: see several_boards.h

  ast::Arena arena;   // owns the trees
  mutable std::map<std::string, SourceId> files;   // all files that were read, including data files, by canonical path
  // resolved path for each path that was tried, or empty if it does not exist
  mutable std::map<std::string, std::string> ways;
};

// A declared relation between options, as source text.
struct Relation {
  enum class Kind : std::uint8_t { implies, conflict, require, voids, warns } kind;
  // `one implies other unless …`, `require one with other`, `one is void with other`, `warn when one`
  std::string one, other, unless;
  std::string why;
  std::set<std::string> options;   // the options that it depends on, including those behind `let`s
  Range range;
};

// The option values that result from the requested ones.
struct Resolution {
  std::vector<std::pair<std::string, std::string>> options;   // all options, in source order
  std::vector<std::size_t> refused_by;   // the violated conflicts and requirements, as indexes into relations()
};

// Restricts the last file, for example to run the scenarios of a game with house rules, or without some of its
// declarations.
struct Excerpt {
  bool of_base = false;   // use the scenarios of the game that the last file extends, instead of its own
  std::optional<std::string> scenario;   // use only this scenario
  std::set<std::size_t> left_out = {};   // skipped declarations of the last file, by index
  std::optional<std::string> text = {};   // text of the last file, instead of its contents on disk
};

// Loads files. It never reads a file outside these folders.
class Loader {
 public:
  // `rulesets` contains the bundled games (bundled.h), `stdlib` the libraries NAME.rules.
  Loader(std::string rulesets, std::string stdlib) : rulesets_(std::move(rulesets)), stdlib_(std::move(stdlib)) {}
  // `path` is a file or the name of a bundled game; `measures` is a file of measures beside it, or empty. `known` maps
  // files that are already loaded and must not be read again. Returns null if nothing can be analyzed; messages are in
  // `diagnostics`.
  std::unique_ptr<Ruleset> load(const std::string& path, Diagnostics& diagnostics,
                                std::map<std::string, SourceId> known = {}, const Excerpt& excerpt = {},
                                const std::string& measures = {});

 private:
  std::string rulesets_, stdlib_;
};

// Returns the settings that a configuration requests, with presets expanded and values checked; nothing after an error.
std::optional<std::map<std::string, std::string, std::less<>>> requested(const Ruleset& ruleset,
                                                                         const Configuration& configuration,
                                                                         Diagnostics& diagnostics);

// Reports an invalid value of an option, and lists the valid ones.
void bad_value(const Option& option, const std::string& value, Range range, Diagnostics& diagnostics);

// Return the declared relations between options in order of precedence, and the option values that result for a
// configuration.
std::vector<Relation> relations(const Ruleset& ruleset, Diagnostics& diagnostics);
Resolution resolve(const Ruleset& ruleset, const Configuration& configuration, Diagnostics& diagnostics);

// Returns null after an error.
std::unique_ptr<model::Model> analyse(const Ruleset& ruleset, const Configuration& configuration,
                                      Diagnostics& diagnostics);

// Analyzes the ruleset for the default, minimum and maximum number of players, and, with the default number, for every
// option value and variant. Returns the valid configurations, the default one first. Configurations with errors, or
// that the rules reject, are left out.
std::vector<Configuration> check_everything(const Ruleset& ruleset, Diagnostics& diagnostics);

// Reports allowances in the file itself that suppressed no warning. Call it after all warnings have been reported.
void report_unused_allowances(const Ruleset& ruleset, Diagnostics& diagnostics);

}   // namespace cardwright::sema
