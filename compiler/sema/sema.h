// From the tree of a ruleset's files to its checked meaning.
// In:    ast::Files that parse/ made.   Out: a Model for one player count and one set of options.
// Tests: tests/sema/
#pragma once

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "compiler/ast/ast.h"
#include "compiler/model/model.h"
#include "compiler/support/diagnostics.h"

namespace cardwright::sema {

// What was asked for on the command line.
struct Configuration {
  int players = 0;                   // 0: the usual number
  std::vector<std::pair<std::string, std::string>> options;   // name, value; value "" or "on" switches on; a title picks a variant
};

struct Option {
  std::string name;
  std::string label;
  std::vector<std::string> values;   // the first is the default, unless `initial` says otherwise
  std::string initial;
  bool number = false;               // lo..hi
  std::int64_t lo = 0, hi = 0;
  Range range;
};
struct Variant {
  std::string title;
  std::vector<std::pair<std::string, std::string>> settings;
  Range range;
};
struct ScenarioInfo {
  std::string title;
  int players = 0;
  std::vector<std::pair<std::string, std::string>> options;
  Range range;
};

// One file of a ruleset. Units stand in the order in which their rules count: imports before the file that uses them,
// the base before the house file.
struct Unit {
  const ast::Node* root = nullptr;   // NodeKind::file
  std::string folder;
  std::uint32_t depth = 0;           // in the `extends` chain
  bool library = false;
  const ast::Node* arguments = nullptr;   // list of arg, of the `use` that brought it
};

// The file, its libraries and what it extends.
class Ruleset {
 public:
  std::string name;                  // file name without its ending
  std::string title;
  int least_players = 2, most_players = 2, usual_players = 2;
  std::vector<Option> options;
  std::vector<Variant> variants;
  std::vector<ScenarioInfo> scenarios;    // of the last file of the chain
  std::vector<Unit> units;
  Range players_range;

  bool broken = false;               // something went wrong while reading: the trees have holes

  ast::Arena arena;                  // owns the trees
  mutable std::map<std::string, SourceId> data;   // CSV files that were read, by path
};

// Where files may come from. Nothing outside these folders is ever read.
class Loader {
 public:
  // `rulesets` holds folders NAME/NAME.rules, `stdlib` NAME.rules.
  Loader(std::string rulesets, std::string stdlib) : rulesets_(std::move(rulesets)), stdlib_(std::move(stdlib)) {}
  // `path` is a file or a bundled name. Null when there is nothing to work on; messages are in `diagnostics`.
  std::unique_ptr<Ruleset> load(const std::string& path, Diagnostics& diagnostics);

 private:
  std::string rulesets_, stdlib_;
};

// Null when there were errors.
std::unique_ptr<model::Model> analyse(const Ruleset& ruleset, const Configuration& configuration, Diagnostics& diagnostics);

// Looks at the ruleset at its least, usual and greatest number of players and with every option value once.
void check_everything(const Ruleset& ruleset, Diagnostics& diagnostics);

}  // namespace cardwright::sema
