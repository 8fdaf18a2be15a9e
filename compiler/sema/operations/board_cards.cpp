// Checks the use of cards on a board. A card whose type declares `covers` can be placed like a piece. While it is
// placed, the board is its zone. When it moves to another zone, it is taken off the board.
#include "compiler/sema/operations/board_cards.h"

#include "compiler/sema/symbols/components.h"
#include "compiler/sema/symbols/errors.h"
#include "compiler/sema/symbols/make.h"
#include "compiler/sema/symbols/types.h"

namespace cardwright::sema {

// Returns the set of cards on the board.
const Expr* cards_on_board(SemaContext& sema, Range range) {
  if (!sema.model.board_cards) {
    error(sema, "wrong_type"_code, range, "no card of this game can be on a board",
          "declare `covers 1 x 1` in a card type");
    return poison(sema, range);
  }
  Expr* e =
      make(sema, ExprKind::zone,
           set_type(sema.model.board_cards->type.valid() ? card_type(sema.model.board_cards->type.index) : card_type()),
           range, {nullptr});
  e->ref = sema.model.board_cards->zone.index;
  return e;
}

// Returns whether some cards of this type may be on a board.
bool can_be_on_board(const SemaContext& sema, const Type& t) {
  if (t.kind != TypeKind::card || !sema.model.board_cards) return false;
  for (std::uint32_t k = 0; k < sema.model.kinds.size(); ++k)
    if (sema.model.board_cards->sort_of[k] != kNone &&
        (t.ref >= sema.types.cards.size() || is_a(sema, sema.model.kinds[k].type.index, t.ref)))
      return true;
  return false;
}

// Returns whether cards on a board have a member with this name: `g.at`, `g.cells`, `g.facing`.
bool has_place_member(const SemaContext& sema, const Type& card, std::string_view name) {
  return can_be_on_board(sema, card) &&
         (name == "at" || name == "cells" || (name == "facing" && sema.model.board_cards->placing.facing));
}

// Returns whether all cards of this type may be on a board.
bool all_on_board(const SemaContext& sema, const Type& t) {
  for (std::uint32_t k = 0; k < sema.model.kinds.size(); ++k)
    if ((t.ref >= sema.types.cards.size() || is_a(sema, sema.model.kinds[k].type.index, t.ref)) &&
        sema.model.board_cards->sort_of[k] == kNone)
      return false;
  return true;
}

// Returns the name of a placed card or piece for messages.
std::string placed_word(const SemaContext& sema, const Type& t) {
  return t.kind == TypeKind::card ? show(sema, without_none(t)) : sema.areas.all[t.ref].name;
}

}   // namespace cardwright::sema
