// Checks decks, which define the copies of each card, and decks of roles and characters.
#pragma once

#include "compiler/sema/context/context.h"

namespace cardwright::sema {

void declare_decks(SemaContext& sema);
void ensure_cards(SemaContext& sema);
void enum_csv(SemaContext& sema, std::uint32_t id);
void enum_csv_attributes(SemaContext& sema, std::uint32_t id);

}   // namespace cardwright::sema
