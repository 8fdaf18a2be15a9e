// Declares the positions of cards on a board.
#pragma once

#include "compiler/sema/context/context.h"

namespace cardwright::sema {

void declare_board_cards(SemaContext& sema);

}   // namespace cardwright::sema
