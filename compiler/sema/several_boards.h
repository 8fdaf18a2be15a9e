// If a game has several boards, names that belong to one of them get its name as a prefix: `field.cell`, `field.e4`,
// `field.row(1)`.
#pragma once

#include "compiler/sema/sema.h"

namespace cardwright::sema {

// Sets Ruleset::several_boards. If it is true, rewrites the trees: `field.row` becomes a single name everywhere, and
// the declarations and cell names of a library used on a board get the board's name as a prefix.
void name_after_boards(Ruleset& ruleset);
// Does the same for an expression in a text, which is parsed later.
void name_after_boards(Ruleset& ruleset, ast::Node& part);

}   // namespace cardwright::sema
