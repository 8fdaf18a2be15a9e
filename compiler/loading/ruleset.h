// Defines a loaded ruleset: the trees of its files, and the options, variants, measures and scenarios that they
// declare.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "compiler/ast/ast.h"
#include "support/diagnostics.h"

namespace cardwright::loading {

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
  bool at_once = false;   // some assertions are evaluated before the game continues
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

// An expression in a string, such as `{p}` in `log "{p} wins"`.
struct TextPart {
  const ast::Node* tree = nullptr;   // null after a syntax error
  std::vector<Diagnostic> errors;
};

// A data file, or the reason why it can't be used.
struct DataFile {
  std::optional<SourceId> source;
  Code code = "file_not_found"_code;   // the error, if there is no source
  std::string message = {}, help = {};
};

// A game file with its libraries and the games that it extends.
class Ruleset {
 public:
  std::string name;   // the file name without its extension
  std::string title;
  int least_players = 2, most_players = 2, usual_players = 2;
  std::vector<Option> options;
  std::vector<Variant> variants;
  std::vector<MeasureInfo> measures;   // from all files, for all options
  // The scenarios of the last file of the `extends` chain, or of the file that it extends (see loading::Excerpt).
  std::vector<ScenarioInfo> scenarios;
  std::uint32_t scenario_depth = 0;   // position of that file in the chain
  std::vector<Unit> units;
  Range players_range;

  std::string stdlib;   // folder of the standard library

  std::vector<Allowance> allowances;   // from all files
  std::vector<Diagnostic> warnings;   // warnings that are reported only if there are no errors
  bool broken = false;   // a file had syntax errors, so the trees are incomplete
  // If true, names that belong to a board have the board's name as a prefix (several_boards.h).
  bool several_boards = false;

  ast::Arena arena;   // owns the trees
  // The expressions in strings, by source and offset.
  std::map<std::pair<SourceId, std::uint32_t>, TextPart> text_parts;
  std::map<const ast::Node*, DataFile> data_files;   // by the node of the path
  std::map<std::string, SourceId> files;   // all files that were read, including data files, by canonical path
  // Maps each path that was tried to its canonical path, or to an empty string if the file does not exist.
  std::map<std::string, std::string> ways;
};

}   // namespace cardwright::loading
