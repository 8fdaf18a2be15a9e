// Reads the theme files beside the rules of a game (include/cardwright/theme.hpp).
#pragma once

#include "api/compile/compile.h"
#include "cardwright/theme.hpp"
#include "runtime/program/program.h"

namespace cardwright::api::detail {

// Reads and merges the theme files. Adds warnings to `diagnostics`, which must use the sources of `rules`; the `report`
// of the result is empty.
Look read_look(const RulesetData& rules, const Program& program, Diagnostics& diagnostics);

}   // namespace cardwright::api::detail
