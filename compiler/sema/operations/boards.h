// Checks operations on boards: cells, edges, directions and offsets.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "compiler/sema/context/context.h"

namespace cardwright::sema {

std::optional<Type> direction_on(const RuleContext& rule, const Type& cells, const Node* added);
std::string of_one_board(const SemaContext& sema, std::string_view board, std::string_view name);
const Expr* board_member(SemaContext& sema, std::uint32_t board, const Node* node, Range at);
const Expr* offset_arithmetic(RuleContext& rule, std::string_view op, const Expr* a, const Expr* b, Range range);
const Expr* moved(RuleContext& rule, const Expr* of, const Expr* direction, bool back, Range range);
const Expr* rotated(RuleContext& rule, const Expr* direction, const Expr* by, Range range);

}   // namespace cardwright::sema
