// Declares the Model data for cards that can be placed on a board: the zone of the board, and the positions, facings
// and shapes of the cards.
#pragma once

#include "compiler/sema/context/context.h"

namespace cardwright::sema {

void declare_board_cards(SemaContext& sema);

}   // namespace cardwright::sema
