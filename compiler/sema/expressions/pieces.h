// Builds expressions on pieces, such as `tokens at c`, `x is on field` and `footprint(x, c)`, and evaluates `covers`
// declarations.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "compiler/sema/context/context.h"

namespace cardwright::sema {

struct Covered {   // a `covers …` declaration; it can use attributes of a constant or card
  const Node* node;
  std::optional<Element> of = {};
};
std::optional<std::vector<std::pair<Int, Int>>> offsets_of(SemaContext& sema, const Covered& covered);
const Expr* footprint_call(RuleContext& rule, const std::vector<const Node*>& nodes, Range range);
const Expr* piece_of(RuleContext& rule, std::uint32_t area, const Node* node);
const Expr* pieces_where(RuleContext& rule, const Node* what, const Node* where, bool at, Range range);
const Expr* is_on_board(RuleContext& rule, const Node* node, const Expr* x);
// Evaluates the numbers after `covers`. If there is one piece for each constant, the numbers can depend on the
// constant.
std::optional<std::vector<Int>> numbers_covered(SemaContext& sema, const Covered& covered);
// Builds an expression that must be a piece or a card on a board. Reports an error otherwise.
const Expr* placed_thing(RuleContext& rule, const Node* node);

}   // namespace cardwright::sema
