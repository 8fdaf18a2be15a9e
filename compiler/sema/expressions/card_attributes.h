// Evaluates the attributes of cards: the printed values, those of a copy, and default values.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "compiler/sema/context/context.h"

namespace cardwright::sema {

std::optional<Int> attribute_value(SemaContext& sema, model::AttributeId attribute, const Node* value);
std::optional<Int> attribute_text(SemaContext& sema, model::AttributeId attribute, std::string_view text, Range range);
bool fits_attribute(SemaContext& sema, const Type& type, std::string_view name, Int value, Range range,
                    bool table = false);
model::KindId implicit_kind(SemaContext& sema, model::CardTypeId type);
// Returns the declaration of node kind `what` in the card, or else in the nearest of its card types. If `card` is null,
// searches only the card types.
const Node* said_by_card(SemaContext& sema, const Node* card, std::optional<model::CardTypeId> type, NodeKind what);
const Node* said_by_kind(SemaContext& sema, std::uint32_t kind, NodeKind what);
const Node* members_of_node(const Node* n);
// Builds the printed text of a card, which is fixed before the game and can contain only attributes in braces.
std::string printed_text(SemaContext& sema, const Node* text, std::uint32_t type, std::string_view what);
std::optional<Int> attribute_of_copy(SemaContext& sema, std::uint32_t attribute, Range range);
// Returns the `text` of a card type or of its nearest base type. It is the default text of the type's cards.
std::string text_of_type(SemaContext& sema, std::uint32_t type);

}   // namespace cardwright::sema
