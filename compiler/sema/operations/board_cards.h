// Checks the use of cards that are placed on a board, like pieces.
#pragma once

#include <string>
#include <string_view>

#include "compiler/sema/context/context.h"

namespace cardwright::sema {

const Expr* cards_on_board(SemaContext& sema, Range range);
bool can_be_on_board(const SemaContext& sema, const Type& t);
bool has_place_member(const SemaContext& sema, const Type& card, std::string_view name);
bool all_on_board(const SemaContext& sema, const Type& t);
std::string placed_word(const SemaContext& sema, const Type& t);

}   // namespace cardwright::sema
