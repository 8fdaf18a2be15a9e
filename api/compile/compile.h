// Declares the compiler pipeline from a path to a Program: load, parse, analyze, lower, passes. The Program of a table
// is shared while it is in use, and cached on disk (program_cache.h). With a cached Program, the rules are parsed and
// analyzed only if the AST or the Model is requested.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "cardwright/cardwright.hpp"
#include "cardwright/tools.hpp"
#include "compiler/loading/loader.h"
#include "compiler/model/model.h"
#include "compiler/sema/sema.h"
#include "support/diagnostics.h"
#include "runtime/program/program.h"

namespace cardwright::api::detail {

// A ruleset compiled for one table.
struct Compiled {
  std::shared_ptr<const RulesetData> ruleset;   // owns the sources and the AST that ranges refer to
  std::unique_ptr<Program> program;
  std::uint64_t fingerprint = 0;   // fingerprint of the Program
  std::string key;   // identifies the number of players and the options
  sema::Configuration configuration;   // the requested configuration
  std::vector<std::pair<std::string, std::string>> options;   // all options and their values
  Report report;   // warnings

  // Returns the Model, which is created on first use. Can be called from any thread.
  const model::Model& model() const;
  mutable std::unique_ptr<model::Model> memoized_model;
};

struct RulesetData {
  std::string path, shown, name, title;
  int least = 1, most = 1, usual = 1;
  std::vector<RulesetOption> options;
  std::vector<RulesetMeasure> measures;
  std::string measures_path;   // path of an additional measures file, or empty
  Report report;   // warnings from loading

  // Returns the ASTs of all files; parses them on first use. Can be called from any thread.
  const loading::Ruleset& parsed() const;
  // Returns all files that were read, by canonical path.
  std::map<std::string, SourceId>& files() const { return cached_parse ? cached_parse->files : files_before; }

  mutable SourceMap sources;
  mutable std::unique_ptr<loading::Ruleset> cached_parse;
  mutable std::map<std::string, SourceId> files_before;   // used until the files are parsed
  SourceId keyed_sources = 0;   // number of rules files, which are the first of `sources`; compiling adds data files
  // True until the first table is compiled. Only this table uses the disk cache: the cache serves to start a game
  // quickly, and a process that compiles more tables analyzes variants.
  mutable bool keeps = true;

  mutable std::recursive_mutex mutex;   // guards the mutable members
  mutable std::map<std::string, std::weak_ptr<const Compiled>> compiled;
  mutable std::map<std::string, std::weak_ptr<const GameData>> games;
};

// Validates the configuration and fills in the number of players. Unset options stay unset, because an option can imply
// the value of another. Throws Error(caller).
sema::Configuration complete(const RulesetData& rules, const Configuration& configuration);
// Loads the same rules with only an excerpt of the last file. Does not use the disk cache. Stores errors in `report`.
std::shared_ptr<RulesetData> load_excerpt(const RulesetData& whole, const loading::Excerpt& excerpt);
// Creates the Model without a Program. Throws Error like compile().
std::unique_ptr<model::Model> analyze(const RulesetData& rules, const sema::Configuration& configuration);
// Returns the compiled rules for a complete configuration; returns existing ones if they are in use. Throws
// Error(author).
std::shared_ptr<const Compiled> compile(const std::shared_ptr<const RulesetData>& rules,
                                        const sema::Configuration& configuration);
// Returns the compiled rules for a requested configuration; loads them from disk if they are cached.
std::shared_ptr<const Compiled> compile(const std::shared_ptr<const RulesetData>& rules, const Configuration& asked);
std::string key_of(const sema::Configuration& configuration);
Report report_of(const Diagnostics& diagnostics, const SourceMap& sources);

}   // namespace cardwright::api::detail
