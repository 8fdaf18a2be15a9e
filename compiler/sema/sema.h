// From the tree of a ruleset's files to its checked meaning.
// In:    ast::Files that parse/ made.   Out: a Model for one player count and one set of options.
// Tests: tests/sema/
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

// Among the measures that are asked for: whose each turn is. No measure of the rules has such a name.
inline constexpr const char* kTurnOrder = "turn order";
inline constexpr const char* kFigures = "built-in figures";   // … and what those are counted from
inline constexpr const char* kCoverage = "rule coverage";   // … which rules and statements take effect
inline constexpr const char* kFlowMarks = "flow marks";   // … when an action is done, and a turn, round or phase begins
// Returns whether this measure is one that every game has.
inline bool is_standard_measure(std::string_view name) {
  return name == kTurnOrder || name == kFigures || name == kCoverage || name == kFlowMarks;
}

// What was asked for on the command line.
struct Configuration {
  int players = 0;   // 0: the usual number
  // name, value; value "" or "on" switches on; a title picks a variant
  std::vector<std::pair<std::string, std::string>> options;
  bool plain = false;   // how it is lowered, of which sema takes no notice
  std::vector<std::string> measures;   // that are noted: their names, `own` or `all`
  // Names of policies that somebody will play by; `sensible`: seats may differ; `bots`: the one that is for bots, if
  // any.
  std::vector<std::string> policies = {};
};

struct Option {
  const ast::Node* node = nullptr;   // the declaration that counts: the base's, or what replaced it
  std::string name;
  std::string label;
  std::vector<std::string> values;   // the first is the default, unless `initial` says otherwise
  std::string initial;
  bool number = false;   // lo..hi
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
  bool own = true;   // of the game's files or a file of measures, and not of a library
  Range range;
};
struct ScenarioInfo {
  std::string title;
  int players = 0;
  std::vector<std::pair<std::string, std::string>> options;
  bool at_once = false;   // some of its claims are evaluated before the game runs on
  Range range;
};

// One file of a ruleset. Units stand in the order in which their rules count: imports before the file that uses them,
// the base before the house file.
struct Unit {
  const ast::Node* root = nullptr;   // NodeKind::file
  std::string folder;
  std::uint32_t depth = 0;   // in the `extends` chain
  bool library = false;
  const ast::Node* arguments = nullptr;   // list of arg, of the `use` that brought it
  const ast::Node* on = nullptr;   // the board that it says
  bool standard = false;   // a library of ours
  bool measures = false;   // a file of measures beside the game, which changes no rules
};

// The file, its libraries and what it extends.
class Ruleset {
 public:
  std::string name;   // file name without its ending
  std::string title;
  int least_players = 2, most_players = 2, usual_players = 2;
  std::vector<Option> options;
  std::vector<Variant> variants;
  std::vector<MeasureInfo> measures;   // of all files, whatever the options are
  std::vector<ScenarioInfo> scenarios;   // of the last file of the chain, or of what it extends: see Excerpt
  std::uint32_t scenario_depth = 0;   // which file of the chain that is
  std::vector<Unit> units;
  Range players_range;

  std::string stdlib;   // folder of the libraries that come with Cardwright

  std::vector<Allowance> allowances;   // of all files
  std::vector<Diagnostic> warnings;   // of the text, wherever else it is right
  bool broken = false;   // something went wrong while reading: the trees have holes
  bool several_boards = false;   // what belongs to one is named after it: see several_boards.h

  ast::Arena arena;   // owns the trees
  mutable std::map<std::string, SourceId> files;   // all that were read, those of data too, by canonical path
  mutable std::map<std::string, std::string> ways;   // where a file was looked for; which it was, or empty for none
};

// What the ruleset says about options that meet, as it is written.
struct Relation {
  enum class Kind : std::uint8_t { implies, conflict, require, voids, warns } kind;
  // `one implies other unless …`, `require one with other`, `one is void with other`, `warn when one`
  std::string one, other, unless;
  std::string why;
  std::set<std::string> options;   // that it depends on, by way of `let`s too
  Range range;
};

// What comes of the options that were asked for.
struct Resolution {
  std::vector<std::pair<std::string, std::string>> options;   // all of them, in the order of the text
  std::vector<std::size_t> refused_by;   // conflicts and requirements, as positions in relations()
};

// What of the last file is to count: so the scenarios of a game are played by house rules, and with some of those left
// out.
struct Excerpt {
  bool of_base = false;   // the scenarios of the game that the last file extends, instead of its own
  std::optional<std::string> scenario;   // this one alone
  std::set<std::size_t> left_out = {};   // declarations of the last file, by position
  std::optional<std::string> text = {};   // of the last file, instead of its contents on disk
};

// Where files may come from. Nothing outside these folders is ever read.
class Loader {
 public:
  // `rulesets` holds the bundled games (bundled.h), `stdlib` NAME.rules.
  Loader(std::string rulesets, std::string stdlib) : rulesets_(std::move(rulesets)), stdlib_(std::move(stdlib)) {}
  // `path` is a file or a bundled name; `measures` a library beside it that only measures, or empty. `known` are files
  // that were read before, and are not read again. Null when there is nothing to work on; messages are in
  // `diagnostics`.
  std::unique_ptr<Ruleset> load(const std::string& path, Diagnostics& diagnostics,
                                std::map<std::string, SourceId> known = {}, const Excerpt& excerpt = {},
                                const std::string& measures = {});

 private:
  std::string rulesets_, stdlib_;
};

// The settings that a configuration asks for: presets taken apart, values checked. Nothing when something is wrong.
std::optional<std::map<std::string, std::string, std::less<>>> requested(const Ruleset& ruleset,
                                                                         const Configuration& configuration,
                                                                         Diagnostics& diagnostics);

// Says that an option has no such value, and which it has.
void bad_value(const Option& option, const std::string& value, Range range, Diagnostics& diagnostics);

// Implications, conflicts and voids of options, in the order in which they count, and what they make of a
// configuration.
std::vector<Relation> relations(const Ruleset& ruleset, Diagnostics& diagnostics);
Resolution resolve(const Ruleset& ruleset, const Configuration& configuration, Diagnostics& diagnostics);

// Null when there were errors.
std::unique_ptr<model::Model> analyse(const Ruleset& ruleset, const Configuration& configuration,
                                      Diagnostics& diagnostics);

// Analyses the ruleset for its usual, least and greatest number of players, and for every value of an option and every
// variant at the usual number. Returns these tables, the usual one first, without those that the rules themselves
// refuse or that have errors.
std::vector<Configuration> check_everything(const Ruleset& ruleset, Diagnostics& diagnostics);

// Reports allowances of the file itself that covered no warning. Call it after all warnings have been reported.
void report_unused_allowances(const Ruleset& ruleset, Diagnostics& diagnostics);

}   // namespace cardwright::sema
