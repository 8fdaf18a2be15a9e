// Checks expressions on graphs, which are boards whose cells are points connected by lines.
#pragma once

#include <string_view>

#include "compiler/sema/context/context.h"

namespace cardwright::sema {

const Expr* cells_next_to(RuleContext& rule, const Expr* cell, Range range);
bool is_next_of_graph(const SemaContext& sema, const Type& t, std::string_view member);
bool is_word_of_grids(const SemaContext& sema, std::string_view name);
const Expr* graph_has_no(SemaContext& sema, const model::Board& board, std::string_view what, Range range);

const Expr* cells_of_edge(RuleContext& rule, std::uint32_t board, const Expr* edge, Range range);

}   // namespace cardwright::sema
