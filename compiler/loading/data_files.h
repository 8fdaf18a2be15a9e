// Reads the data files that the rules name, such as `deck main from "cards.csv"`.
#pragma once

#include "compiler/loading/ruleset.h"
#include "support/source.h"

namespace cardwright::loading {

// Fills Ruleset::data_files. Errors are stored there instead of reported, because only sema knows which declarations
// the options select.
void read_data_files(Ruleset& ruleset, SourceMap& sources);

}   // namespace cardwright::loading
