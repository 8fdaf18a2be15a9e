// Parses the expressions in the strings of a ruleset, such as `{p}` in `log "{p} wins"`.
#pragma once

#include "compiler/loading/ruleset.h"
#include "support/source.h"

namespace cardwright::loading {

// Fills Ruleset::text_parts. Errors are stored there instead of reported, because only sema knows which strings can
// contain expressions.
void parse_texts(Ruleset& ruleset, SourceMap& sources);

}   // namespace cardwright::loading
