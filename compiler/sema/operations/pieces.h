// Checks expressions on pieces, which are areas whose parts are placed on a board.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "compiler/sema/context/context.h"

namespace cardwright::sema {

std::string sign_of(SemaContext& sema, const Node* shows);
bool always_on_board(RuleContext& rule, const Expr& set);
const model::Board& board_of_piece(const SemaContext& sema, const model::Placing& placing);
Type spot_type(const SemaContext& sema, const model::Placing& placing);
bool check_own_board(SemaContext& sema, const model::Placing& placing, const Node* board, Range range,
                     std::string_view name);
bool fits_board(SemaContext& sema, const model::Board& board, const std::vector<std::pair<Int, Int>>& offsets,
                Range range);
std::optional<std::pair<const model::Placing*, std::string>> placed_by(const SemaContext& sema, std::uint32_t variable);
const Expr* place_of(RuleContext& rule, const Expr* x, Range range);
const Expr* piece_member(RuleContext& rule, const Expr* of, std::string_view name, Range range, Range whole,
                         bool report);
bool stays_on_board(const SemaContext& sema, const std::optional<std::uint32_t>& shapes, Int sort, Int cell,
                    Int facing);
Int sort_of_part(const SemaContext& sema, std::uint32_t area, Int part);
bool has_piece_member(const SemaContext& sema, std::uint32_t area, std::string_view name);
std::pair<Int, Int> extent(const std::vector<std::pair<Int, Int>>& offsets, bool across);
const model::Placing* placing_of(const SemaContext& sema, const Type& t);
// Returns the facing of a piece, or north if the piece has none. Graphs have no facings.
const Expr* facing_of(RuleContext& rule, const Expr* x, Range range);
const Expr* shape_of(SemaContext& sema, const Expr* x, const Expr* facing, Range range);
const Expr* footprint(SemaContext& sema, const Expr* x, const Expr* cell, const Expr* facing, bool surely, Range range);

void narrow_own_place(RuleContext& rule);
// Returns the constant of the enum for which the piece exists.
const Expr* constant_of_part(SemaContext& sema, const Expr* part, Range range);

}   // namespace cardwright::sema
