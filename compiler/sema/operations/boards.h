// Checks operations on boards: cells, edges, directions and offsets.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "compiler/sema/context/context.h"

namespace cardwright::sema {

// Returns the board with this name. Inside a library that is used on a board, the library's name for that board is also
// valid.
std::optional<std::uint32_t> board_named(const SemaContext& sema, const Node* node);
std::optional<std::uint32_t> board_of(const SemaContext& sema, const Type& cell);
bool is_direction(const SemaContext& sema, const Type& t);
const model::Board& board_with(const SemaContext& sema, const Type& direction);
const model::Board* board_with_dirs(const SemaContext& sema, std::string_view name);
std::optional<Type> direction_on(const RuleContext& rule, const Type& cells, const Node* added);
std::string of_which_board(const SemaContext& sema, std::string_view name);
std::string of_one_board(const SemaContext& sema, std::string_view board, std::string_view name);
const Expr* board_member(SemaContext& sema, std::uint32_t board, const Node* node, Range at);
std::optional<std::uint32_t> board_of_edge(const SemaContext& sema, const Type& edge);
const Expr* cells_of_edge(RuleContext& rule, std::uint32_t board, const Expr* edge, Range range);
bool is_offset(const SemaContext& sema, const Type& t);
const Expr* as_offset(RuleContext& rule, const Expr* e);
const Expr* offset(SemaContext& sema, const Expr* east, const Expr* north, Range range);
const Expr* offset_arithmetic(RuleContext& rule, std::string_view op, const Expr* a, const Expr* b, Range range);
const Expr* moved(RuleContext& rule, const Expr* of, const Expr* direction, bool back, Range range);
const Expr* rotated(RuleContext& rule, const Expr* direction, const Expr* by, Range range);
std::string name_on(const SemaContext& sema, const model::Board& board, std::string_view name);
const model::Board& first_grid(const SemaContext& sema);

}   // namespace cardwright::sema
