// Declares variables, zones, areas and teams, and resolves types.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "compiler/sema/context/context.h"

namespace cardwright::sema {

void name_areas(SemaContext& sema);
void count_areas(SemaContext& sema);
void set_parts(SemaContext& sema, std::uint32_t area, Int count, Int each);
void forget_area(SemaContext& sema, std::uint32_t area);
void declare_area_member(SemaContext& sema, std::uint32_t area, const Node* member);
void check_area_names(SemaContext& sema);
// Returns the plural of an area's name: `fronts` for `front`.
std::string plural_of(std::string_view name);
bool is_plural_of(std::string_view all, std::string_view name);
std::optional<std::uint32_t> area_named(const SemaContext& sema, std::string_view name);
std::optional<std::uint32_t> area_of_players(const SemaContext& sema, std::string_view name);
void declare_state(SemaContext& sema);
void finish_variables(SemaContext& sema);
std::optional<Type> type(SemaContext& sema, const Node* node, bool report = true);
Type type_or_poison(SemaContext& sema, const Node* node);
std::string show(const SemaContext& sema, const Type& t);

}   // namespace cardwright::sema
