// Finds boards by name and by the types of their cells, edges, directions and offsets.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "compiler/sema/context/context.h"

namespace cardwright::sema {

std::string name_on(const SemaContext& sema, const model::Board& board, std::string_view name);
const model::Board& first_grid(const SemaContext& sema);
// Returns the board with this name. Inside a library that is used on a board, the library's name for that board is also
// valid.
std::optional<std::uint32_t> board_named(const SemaContext& sema, const Node* node);
std::optional<std::uint32_t> board_of(const SemaContext& sema, const Type& cell);
std::optional<std::uint32_t> board_of_edge(const SemaContext& sema, const Type& edge);
const model::Board& board_with(const SemaContext& sema, const Type& direction);
const model::Board* board_with_dirs(const SemaContext& sema, std::string_view name);
std::string of_which_board(const SemaContext& sema, std::string_view name);
bool is_offset(const SemaContext& sema, const Type& t);
const Expr* offset(SemaContext& sema, const Expr* east, const Expr* north, Range range);
bool is_direction(const SemaContext& sema, const Type& t);

}   // namespace cardwright::sema
