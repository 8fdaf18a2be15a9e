// What is kept on disk of rulesets and Programs (support/disk_cache.h), so that a game begins without parsing. What was
// kept counts only while every file that it was made of still has the same bytes, and would still be the one that is
// taken.
#pragma once

#include <memory>

#include "api/compile/compile.h"

namespace cardwright::api::detail {

// What is known of the ruleset at `path` without its trees. False, and nothing changed, if that is not there.
bool load_ruleset(RulesetData& rules);
void keep_ruleset(const RulesetData& rules);

// The Program for a configuration as it was asked for; null if it is not there. With the ruleset locked.
std::shared_ptr<Compiled> load_program(const std::shared_ptr<const RulesetData>& rules, const Configuration& asked);
void keep_program(const Compiled& compiled, const Configuration& asked);

}   // namespace cardwright::api::detail
