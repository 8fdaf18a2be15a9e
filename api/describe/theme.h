// The looks beside the files of a game: see include/cardwright/look.hpp.
#pragma once

#include "api/compile/compile.h"
#include "cardwright/theme.hpp"
#include "runtime/program/program.h"

namespace cardwright::api::detail {

// Warnings go into `diagnostics`, whose sources are the ruleset's; the report of the result stays empty.
Look read_look(const RulesetData& rules, const Program& program, Diagnostics& diagnostics);

}   // namespace cardwright::api::detail
