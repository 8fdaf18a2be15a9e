// Declares variables, zones, areas and teams.
#pragma once

#include "compiler/sema/context/context.h"

namespace cardwright::sema {

void name_areas(SemaContext& sema);
void count_areas(SemaContext& sema);
void set_parts(SemaContext& sema, std::uint32_t area, Int count, Int each);
void forget_area(SemaContext& sema, std::uint32_t area);
void declare_area_member(SemaContext& sema, std::uint32_t area, const Node* member);
void check_area_names(SemaContext& sema);
void declare_state(SemaContext& sema);
void finish_variables(SemaContext& sema);

}   // namespace cardwright::sema
