// Adds prefixes to names in games with several boards. A name that belongs to a board gets the board's name as a
// prefix: `field.cell`, `field.e4`, `field.row(1)`.
#pragma once

#include "compiler/loading/ruleset.h"

namespace cardwright::loading {

// Sets Ruleset::several_boards. If there are several boards, also rewrites the trees: `field.row` becomes a single name
// everywhere, and the declarations and cell names of a library that is used on a board get the board's name as a
// prefix.
void name_after_boards(Ruleset& ruleset);
// Rewrites an expression inside a string in the same way.
void name_after_boards(Ruleset& ruleset, ast::Node& part);

}   // namespace cardwright::loading
