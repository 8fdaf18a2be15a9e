// Evaluates the attributes of cards: printed values, values of a copy, and default values.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/sema/context/context.h"

namespace cardwright::sema {

std::optional<Int> attribute_value(SemaContext& sema, model::AttributeId attribute, const Node* value);
std::optional<Int> attribute_text(SemaContext& sema, model::AttributeId attribute, std::string_view text, Range range);
// Returns the cards that a field of a CSV file can mean. If no card has this name, finds the printed names, and then
// names without regard to case and blanks. An element is ~0 if the card was declared with errors.
std::vector<std::uint32_t> kinds_of_text(const SemaContext& sema, std::string_view text);
bool fits_attribute(SemaContext& sema, const Type& type, std::string_view name, Int value, Range range,
                    bool table = false);
model::KindId implicit_kind(SemaContext& sema, model::CardTypeId type);
// Returns the declaration of node kind `what` in the card or, if it has none, in its nearest card type that has one. If
// `card` is null, searches only the card types.
const Node* find_card_member(SemaContext& sema, const Node* card, std::optional<model::CardTypeId> type, NodeKind what);
const Node* find_kind_member(SemaContext& sema, std::uint32_t kind, NodeKind what);
const Node* members_of_node(const Node* n);
// Builds the string printed on a card. Its braces can contain only attributes of the card, because it is fixed before
// the game.
std::string printed_text(SemaContext& sema, const Node* text, std::uint32_t type, std::string_view what);
// Returns the `text` of a card type or of its nearest base type. This is the default for the cards of the type.
std::string text_of_type(SemaContext& sema, std::uint32_t type);

}   // namespace cardwright::sema
