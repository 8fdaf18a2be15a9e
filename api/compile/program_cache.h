// Caches rulesets and Programs on disk (support/disk_cache.h), so that games start without parsing. A cache entry is
// valid only while its source files have the same content and file lookup selects the same files.
#pragma once

#include <memory>

#include "api/compile/compile.h"

namespace cardwright::api::detail {

// Loads all data of the ruleset at `rules.path` except its AST. Returns false and changes nothing if there is no valid
// entry.
bool load_ruleset(RulesetData& rules);
void keep_ruleset(const RulesetData& rules);

// Returns the Program for a requested configuration; null if it is not cached. The caller must hold the mutex of
// `rules`.
std::shared_ptr<Compiled> load_program(const std::shared_ptr<const RulesetData>& rules, const Configuration& asked);
void keep_program(const Compiled& compiled, const Configuration& asked);

}   // namespace cardwright::api::detail
