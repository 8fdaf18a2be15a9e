// From a path to a Program: load, parse, analyse, lower, passes. A table's Program is shared while somebody uses it.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "cardwright/cardwright.hpp"
#include "cardwright/tools.hpp"
#include "compiler/model/model.h"
#include "compiler/sema/sema.h"
#include "compiler/support/diagnostics.h"
#include "runtime/program.h"

namespace cardwright::api::detail {

// One table's worth of a ruleset.
struct Compiled {
  std::shared_ptr<const RulesetData> ruleset;        // owns the sources and the AST that ranges point into
  std::unique_ptr<model::Model> model;
  std::unique_ptr<Program> program;
  std::string key;                                   // players and options
  sema::Configuration configuration;                 // as it was asked for
  std::vector<std::pair<std::string, std::string>> options;   // every option with its value
  Report report;                                     // warnings
};

struct RulesetData {
  std::string path, shown, name, title;
  int least = 1, most = 1, usual = 1;
  std::vector<RulesetOption> options;
  std::uint64_t source_hash = 0;                     // of the bytes of all files

  // The front end's own.
  mutable SourceMap sources;
  std::unique_ptr<sema::Ruleset> parsed;
  Report report;                                     // of loading: warnings

  mutable std::mutex mutex;                          // guards the caches, and sources while compiling
  mutable std::map<std::string, std::weak_ptr<const Compiled>> compiled;
  mutable std::map<std::string, std::weak_ptr<const GameData>> games;
};

// The configuration checked, and with the number of players filled in. Options nobody asked for stay open, since rules
// may let one option imply another. Throws Error(caller).
sema::Configuration complete(const RulesetData& rules, const Configuration& configuration);
// The Model alone. Throws Error like compile().
std::unique_ptr<model::Model> analyse(const RulesetData& rules, const sema::Configuration& configuration);
// Model and Program for a complete configuration, from the cache if they are there. Throws Error(author).
std::shared_ptr<const Compiled> compile(const std::shared_ptr<const RulesetData>& rules, const sema::Configuration& configuration);
Report report_of(const Diagnostics& diagnostics, const SourceMap& sources);

}  // namespace cardwright::api::detail
