// Where a game has several boards, what belongs to one of them is named after it: `field.cell`, `field.e4`,
// `field.row(1)`.
#pragma once

#include "compiler/sema/sema.h"

namespace cardwright::sema {

// Sets Ruleset::several_boards. If there are several, the trees are rewritten: `field.row` is one name from here on,
// wherever it stands, and what a library declares that is used on a board, and all that it calls a cell, has the
// board's name in front.
void name_after_boards(Ruleset& ruleset);
// … of an expression that stands in a text, and was parsed later.
void name_after_boards(Ruleset& ruleset, ast::Node& part);

}   // namespace cardwright::sema
