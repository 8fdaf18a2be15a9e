// Builds pieces: areas whose parts are placed on a board.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "compiler/sema/context/context.h"

namespace cardwright::sema {

struct Covered {   // a `covers …` declaration; its names can refer to the attributes of a constant or card
  const Node* node;
  std::optional<Element> of = {};
};

std::string sign_of(SemaContext& sema, const Node* shows);
void count_piece(SemaContext& sema, std::uint32_t area, const Node* node, bool of_players);
void declare_piece(SemaContext& sema, const Node* node);
const Node* said_in(SemaContext& sema, const Node* members, NodeKind kind);
model::VariableId place_variable(SemaContext& sema, const std::string& name, Type type, std::optional<Type> of,
                                 Range range);
void check_first_places(SemaContext& sema);
bool surely_lie(RuleContext& rule, const Expr& set);
bool may_be_lifted(SemaContext& sema, const Type& piece, Range range);
std::optional<std::vector<std::pair<Int, Int>>> offsets_of(SemaContext& sema, const Covered& covered);
std::optional<std::uint32_t> add_shapes(SemaContext& sema, std::uint32_t on, const std::string& name,
                                        std::span<const std::vector<std::pair<Int, Int>>> sorts, bool faces);
const model::Board& board_of_piece(const SemaContext& sema, const model::Placing& placing);
Type spot_type(const SemaContext& sema, const model::Placing& placing);
bool lies_on_this(SemaContext& sema, const model::Placing& placing, const Node* board, Range range,
                  std::string_view name);
bool fits_board(SemaContext& sema, const model::Board& board, const std::vector<std::pair<Int, Int>>& offsets,
                Range range);
Int first_facing(SemaContext& sema, const Node* facing, const Type& direction);
std::optional<std::pair<const model::Placing*, std::string>> placed_by(const SemaContext& sema, std::uint32_t variable);
const Expr* place_of(RuleContext& rule, const Expr* x, Range range);
const Expr* footprint_call(RuleContext& rule, const std::vector<const Node*>& nodes, Range range);
const Expr* piece_of(RuleContext& rule, std::uint32_t area, const Node* node);
const Expr* piece_member(RuleContext& rule, const Expr* of, std::string_view name, Range range, Range whole,
                         bool report);
bool stays_on_board(const SemaContext& sema, const std::optional<std::uint32_t>& shapes, Int sort, Int cell,
                    Int facing);
Int sort_of_part(const SemaContext& sema, std::uint32_t area, Int part);
bool has_piece_member(const SemaContext& sema, std::uint32_t area, std::string_view name);
const Expr* pieces_where(RuleContext& rule, const Node* what, const Node* where, bool at, Range range);
const Expr* lies_on(RuleContext& rule, const Node* node, const Expr* x);
void place_stmt(RuleContext& rule, const Node* node, Block& out);
void lift_stmt(RuleContext& rule, const Node* node, Block& out);
void lift(SemaContext& sema, const Expr* x, Range range, Block& out);

}   // namespace cardwright::sema
