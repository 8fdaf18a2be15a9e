// Looks up declared areas, pieces, dice and teams.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "compiler/sema/context/context.h"

namespace cardwright::sema {

bool one_each(const AreaInfo& area);
bool is_team(const SemaContext& sema, const Type& t);
Type area_type(const SemaContext& sema, std::uint32_t area);
// Returns whether this is the type of a part of an area, such as a piece or a die. A part is represented by its number.
bool is_part(const SemaContext& sema, const Type& t);
const model::Dice* dice_of(const SemaContext& sema, const Type& t);
const std::string* die_with_face(const SemaContext& sema, std::uint32_t variable);
std::optional<std::uint32_t> area_in(const SemaContext& sema, const Node* node);
// Returns the plural of an area's name: `fronts` for `front`.
std::string plural_of(std::string_view name);
bool is_plural_of(std::string_view all, std::string_view name);
std::optional<std::uint32_t> area_named(const SemaContext& sema, std::string_view name);
std::optional<std::uint32_t> area_of_players(const SemaContext& sema, std::string_view name);

}   // namespace cardwright::sema
