// Loads rules files: finds and parses them, and completes their trees. The trees do not change after loading.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "compiler/loading/ruleset.h"
#include "support/diagnostics.h"

namespace cardwright::loading {

// Restricts the analysis of the last file, for example to run the base game's scenarios with the rules of the
// extension, or to skip some declarations.
struct Excerpt {
  bool of_base = false;   // use the scenarios of the game that the last file extends instead of its own
  std::optional<std::string> scenario;   // use only this scenario
  std::set<std::size_t> left_out = {};   // indexes of declarations in the last file to skip
  std::optional<std::string> text = {};   // used instead of the last file's contents on disk
};

// Loads rules files. Never reads a file outside the folders of the rules file, the bundled games and the standard
// library.
class Loader {
 public:
  // `rulesets` is the folder of the bundled games. `stdlib` is the folder that contains the libraries as NAME.rules.
  Loader(std::string rulesets, std::string stdlib) : rulesets_(std::move(rulesets)), stdlib_(std::move(stdlib)) {}
  // Loads a ruleset. `path` is a file or the name of a bundled game; `measures` is a file of measures in the same
  // folder, or empty. `known` maps the path of each loaded file to its source; these files are not read
  // again. Reports errors to `diagnostics` and returns null if nothing can be analyzed.
  std::unique_ptr<Ruleset> load(const std::string& path, Diagnostics& diagnostics,
                                std::map<std::string, SourceId> known = {}, const Excerpt& excerpt = {},
                                const std::string& measures = {});

 private:
  std::string rulesets_, stdlib_;
};

}   // namespace cardwright::loading
