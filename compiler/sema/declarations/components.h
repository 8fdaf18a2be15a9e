// Checks the components of a game: enums, character types with their characters, card types, cards and their
// attributes.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/sema/context/context.h"

namespace cardwright::sema {

struct Declared {
  model::AttributeId id;
  const Node* initial;
};

// Declares all types. Returns false if a board that other rules need is missing.
bool declare_types(SemaContext& sema);
bool is_used(SemaContext& sema, const Node* library);
std::optional<model::AttributeId> attribute_of_type(const SemaContext& sema, model::CardTypeId type,
                                                    std::string_view name);
std::vector<std::uint32_t> types_with(const SemaContext& sema, std::uint32_t type, std::string_view name);
std::optional<model::AttributeId> attribute_of_enum(const SemaContext& sema, model::EnumId id, std::string_view name);
bool is_a(const SemaContext& sema, std::uint32_t type, std::uint32_t base);
std::vector<Int> kinds_of_type(const SemaContext& sema, std::uint32_t type);
std::optional<std::uint32_t> type_of_card(const SemaContext& sema, std::string_view name);
std::optional<Int> attribute_value(SemaContext& sema, model::AttributeId attribute, const Node* value);
std::optional<Int> attribute_text(SemaContext& sema, model::AttributeId attribute, std::string_view text, Range range);
bool fits_attribute(SemaContext& sema, const Type& type, std::string_view name, Int value, Range range,
                    bool table = false);
std::string split_words(std::string_view name);
bool one_each(const AreaInfo& area);
bool is_team(const SemaContext& sema, const Type& t);
bool has_constant(const SemaContext& sema, std::uint32_t id, std::string_view name);
Type area_type(const SemaContext& sema, std::uint32_t area);
// Returns whether the type is a part of an area (a piece or a die), which is represented by a number.
bool is_part(const SemaContext& sema, const Type& t);
// Returns the element type of a set that can contain values of type `t`.
Type element_of_set(const SemaContext& sema, const Type& t);
Int greatest_in_set(const SemaContext& sema, const Type& number);
bool fits_in_set(const SemaContext& sema, const Type& t);
// Returns whether sets of these elements do not fit into one mask, so that they take Layout::words words.
bool has_wide_sets(const SemaContext& sema, const Type& element);
model::KindId implicit_kind(SemaContext& sema, model::CardTypeId type);
std::vector<std::string> attributes_in_order(const SemaContext& sema, std::uint32_t type);
// Returns the kind of the card with this name, or the kinds of all cards of the card type with this name.
std::vector<Int> kinds_meant(const SemaContext& sema, std::string_view name);
// Returns the declaration of node kind `what` in the card, or else in the nearest of its card types. If `card` is null,
// searches only the card types.
const Node* said_by_card(SemaContext& sema, const Node* card, std::optional<model::CardTypeId> type, NodeKind what);
const Node* said_by_kind(SemaContext& sema, std::uint32_t kind, NodeKind what);

}   // namespace cardwright::sema
