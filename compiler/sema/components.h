// Declares the checks of a game's components: enums, character types with their characters, card types, cards and their
// attributes.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/sema/context.h"

namespace cardwright::sema {

struct Declared {
  model::AttributeId id;
  const Node* initial;
};

// Returns false if a board that other rules need is missing.
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
// A number that represents a part of an area: a piece, a die.
bool is_part(const SemaContext& sema, const Type& t);
// The element type of a set that holds such a value.
Type element_of_set(const SemaContext& sema, const Type& t);
Int greatest_in_set(const SemaContext& sema, const Type& number);
bool fits_in_set(const SemaContext& sema, const Type& t);
// Returns whether no mask can hold sets of these elements, so that they take Layout::words words.
bool has_wide_sets(const SemaContext& sema, const Type& element);
model::KindId implicit_kind(SemaContext& sema, model::CardTypeId type);
std::vector<std::string> attributes_in_order(const SemaContext& sema, std::uint32_t type);
// Returns the kind of a card with this name, or the kinds of all cards of a type with this name.
std::vector<Int> kinds_meant(const SemaContext& sema, std::string_view name);
// Returns the declaration of kind `what` in a card, or else in the nearest of its types. If `card` is null, only types
// are searched.
const Node* said_by_card(SemaContext& sema, const Node* card, std::optional<model::CardTypeId> type, NodeKind what);
const Node* said_by_kind(SemaContext& sema, std::uint32_t kind, NodeKind what);

}   // namespace cardwright::sema
