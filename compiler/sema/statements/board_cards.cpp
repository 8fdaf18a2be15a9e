// Builds the statements that move cards onto a board and off it.
#include "compiler/sema/statements/board_cards.h"

#include "compiler/sema/operations/locals.h"
#include "compiler/sema/operations/board_cards.h"
#include "compiler/sema/operations/logic.h"
#include "compiler/sema/operations/narrowing.h"
#include "compiler/sema/operations/pieces.h"
#include "compiler/sema/statements/assign.h"
#include "compiler/sema/statements/pieces.h"
#include "compiler/sema/symbols/make.h"

namespace cardwright::sema {

Stmt* move_onto_board(SemaContext& sema, const Expr* card, Range range, Block& out) {
  Stmt* s = emit(sema, out, StmtKind::move, range, {card, nullptr, nullptr, nullptr});
  s->ref = sema.model.board_cards->zone.index;
  return s;
}

// Returns true if no card in this set can be on the board.
static bool is_never_on_board(const Expr& e, model::ZoneId board) {
  switch (e.kind) {
    case ExprKind::zone:
    case ExprKind::zone_top:
    case ExprKind::zone_top_n:
    case ExprKind::zone_bottom: return e.ref != board.index;
    case ExprKind::filter: return is_never_on_board(*model::view::filter(e).domain(), board);
    case ExprKind::random_n: return is_never_on_board(*model::view::random_n(e).set(), board);
    case ExprKind::pick_random: return is_never_on_board(*model::view::pick_random(e).set(), board);
    default: return false;
  }
}

// Emits statements that take each card that is on the board off the board. Returns the cards to move.
const Expr* off_board(RuleContext& rule, const Expr* cards, Range range, Block& out) {
  if (is_poison(cards) || !rule.model.board_cards) return cards;
  const bool one = cards->type.kind != TypeKind::set;
  if (!can_be_on_board(rule.sema, one ? cards->type : element_type(cards->type)) ||
      is_never_on_board(*cards, rule.model.board_cards->zone))
    return cards;
  forget_variable(rule, rule.model.board_cards->placing.at.index);
  cards = fields_in_locals(rule, cards, range, out)[0];
  const auto is_on_board = [&](const Expr* card) {
    return negated(rule.sema, make(rule.sema, ExprKind::is_none, boolean_type(), range, {place_of(rule, card, range)}));
  };
  if (!one) {
    const LocalId card = add_local(rule, "", element_type(cards->type), range);
    Block body;
    lift(rule.sema, local(rule, card, range), range, body);
    Stmt* s = emit(rule.sema, out, StmtKind::each, range, {cards, is_on_board(local(rule, card, range)), nullptr});
    s->local = card;
    s->blocks = {std::move(body)};
    return cards;
  }
  const Expr* asked = is_on_board(cards);
  if (cards->type.optional)
    asked = make(rule.sema, ExprKind::logical_and, boolean_type(), range,
                 {negated(rule.sema, make(rule.sema, ExprKind::is_none, boolean_type(), range, {cards})), asked});
  Block body;
  lift(rule.sema, cards, range, body);
  emit(rule.sema, out, StmtKind::if_else, range, {asked})->blocks = {std::move(body), {}};
  return cards;
}

}   // namespace cardwright::sema
