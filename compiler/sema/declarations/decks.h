// Checks decks, which define the copies of each card, and decks of roles and characters.
#pragma once

#include <optional>

#include "compiler/sema/context/context.h"

namespace cardwright::sema {

inline constexpr Int kMostCards = 4'096;

void declare_decks(SemaContext& sema);
void ensure_cards(SemaContext& sema);
void enum_csv(SemaContext& sema, std::uint32_t id);
void enum_csv_attributes(SemaContext& sema, std::uint32_t id);
std::optional<SourceId> read_beside(SemaContext& sema, const Node* path, std::uint32_t unit);
std::optional<Int> attribute_of_copy(SemaContext& sema, std::uint32_t attribute, Range range);

}   // namespace cardwright::sema
