// From a path to a Program: load, parse, analyse, lower, passes. A table's Program is shared while somebody uses it,
// and kept on disk (kept.h): then nothing is parsed or analysed unless somebody asks for the trees or the Model.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "cardwright/cardwright.hpp"
#include "cardwright/tools.hpp"
#include "compiler/model/model.h"
#include "compiler/sema/sema.h"
#include "support/diagnostics.h"
#include "runtime/program/program.h"

namespace cardwright::api::detail {

// One table's worth of a ruleset.
struct Compiled {
  std::shared_ptr<const RulesetData> ruleset;   // owns the sources and the AST that ranges point into
  std::unique_ptr<Program> program;
  std::uint64_t fingerprint = 0;   // of the Program
  std::string key;   // players and options
  sema::Configuration configuration;   // as it was asked for
  std::vector<std::pair<std::string, std::string>> options;   // every option with its value
  Report report;   // warnings

  // Made when it is first asked for; from any thread.
  const model::Model& model() const;
  mutable std::unique_ptr<model::Model> memoized_model;
};

struct RulesetData {
  std::string path, shown, name, title;
  int least = 1, most = 1, usual = 1;
  std::vector<RulesetOption> options;
  std::vector<RulesetMeasure> measures;
  std::string measures_path;   // of a file of measures beside it, or empty
  Report report;   // of loading: warnings

  // The trees of all files; parses what was not parsed yet. From any thread.
  const sema::Ruleset& parsed() const;
  // All files that were read, by canonical path.
  std::map<std::string, SourceId>& files() const { return cached_parse ? cached_parse->files : files_before; }

  mutable SourceMap sources;
  mutable std::unique_ptr<sema::Ruleset> cached_parse;
  mutable std::map<std::string, SourceId> files_before;   // until they are parsed
  SourceId keyed_sources = 0;   // the first ones: files of rules. Data is added while compiling
  // the first table is kept on disk: who compiles many doesn't begin a game
  mutable bool keeps = true;

  mutable std::recursive_mutex mutex;   // guards what is mutable here
  mutable std::map<std::string, std::weak_ptr<const Compiled>> compiled;
  mutable std::map<std::string, std::weak_ptr<const GameData>> games;
};

// The configuration checked, and with the number of players filled in. Options nobody asked for stay open, since rules
// may let one option imply another. Throws Error(caller).
sema::Configuration complete(const RulesetData& rules, const Configuration& configuration);
// The same rules with no more than an excerpt of the last file; nothing of it is kept on disk. What is wrong stands in
// `report`.
std::shared_ptr<RulesetData> load_excerpt(const RulesetData& whole, const sema::Excerpt& excerpt);
// The Model alone. Throws Error like compile().
std::unique_ptr<model::Model> analyse(const RulesetData& rules, const sema::Configuration& configuration);
// The Program for a complete configuration, shared if somebody has it. Throws Error(author).
std::shared_ptr<const Compiled> compile(const std::shared_ptr<const RulesetData>& rules,
                                        const sema::Configuration& configuration);
// The same for one as it was asked for; from the disk if it is there.
std::shared_ptr<const Compiled> compile(const std::shared_ptr<const RulesetData>& rules, const Configuration& asked);
std::string key_of(const sema::Configuration& configuration);
Report report_of(const Diagnostics& diagnostics, const SourceMap& sources);

}   // namespace cardwright::api::detail
