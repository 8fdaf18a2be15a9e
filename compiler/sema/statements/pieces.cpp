// Builds the statements `place`, which puts a piece or card on a board or turns it, and `lift`, which takes pieces off
// the board.
#include "compiler/sema/statements/pieces.h"

#include <algorithm>

#include <fmt/format.h>

#include "compiler/sema/operations/locals.h"
#include "compiler/sema/expressions/calls.h"
#include "compiler/sema/expressions/expressions.h"
#include "compiler/sema/expressions/pieces.h"
#include "compiler/sema/operations/board_cards.h"
#include "compiler/sema/operations/convert.h"
#include "compiler/sema/operations/logic.h"
#include "compiler/sema/operations/narrowing.h"
#include "compiler/sema/operations/pieces.h"
#include "compiler/sema/statements/assign.h"
#include "compiler/sema/statements/board_cards.h"
#include "compiler/sema/symbols/errors.h"
#include "compiler/sema/symbols/make.h"

namespace cardwright::sema {

// Builds `place`. Evaluates all expressions before the piece moves. If the cell is none, the statement does nothing.
void place_stmt(RuleContext& rule, const Node* node, Block& out) {
  if (!effect(rule, node->range, "`place`")) return;
  const Expr* x = placed_thing(rule, view::place_stmt(node).what());
  if (is_poison(x)) return;
  const bool card = x->type.kind == TypeKind::card;
  if (node->number != 0)
    return void(error(
        rule.sema, "wrong_type"_code, node->range,
        card ? "cards on a board are always faceup" : "`faceup` and `facedown` are only for cards, not for pieces"));
  const auto known_to_cover = [&] {
    return is_narrowed(rule, place_of(rule, x, node->range)) ||
           std::find(rule.narrowed.begin(), rule.narrowed.end(), covering_key(rule.sema, x)) != rule.narrowed.end();
  };
  if (card && !all_on_board(rule.sema, x->type) && !known_to_cover())
    return void(
        error(rule.sema, "wrong_type"_code, view::place_stmt(node).what()->range,
              fmt::format("this `{}` may be a card that can't be placed on a board", placed_word(rule.sema, x->type)),
              "write `covers 1 x 1` in its card type"));
  const model::Placing placing = *placing_of(rule.sema, x->type);
  if (view::place_stmt(node).facing() && !placing.facing)
    return void(
        error(rule.sema, "wrong_type"_code, view::place_stmt(node).facing()->range,
              fmt::format("`{}` has no facing", placed_word(rule.sema, x->type)),
              placing.edges ? "its edge already determines its direction" : "write `facing N` in its declaration"));
  if (!view::place_stmt(node).cell() && !view::place_stmt(node).facing())
    return void(error(rule.sema, "syntax"_code, node->range, "expected `at` or `facing` after `place x`",
                      "write `place x at c` or `place x facing d`"));
  const model::Board& board = board_of_piece(rule.sema, placing);
  const Type cell = with_none(spot_type(rule.sema, placing)), direction = enum_type(board.dirs.index);
  const auto aside = [&](const Expr* e) { return is_poison(e) ? e : fields_in_locals(rule, e, node->range, out)[0]; };
  const std::string key = key_of(place_of(rule, x, node->range));
  x = aside(x);
  const Expr* at = view::place_stmt(node).cell()
                       ? aside(convert(rule, expr(rule, view::place_stmt(node).cell(), &cell), cell))
                       : nullptr;
  const Expr* way = view::place_stmt(node).facing()
                        ? aside(convert(rule, expr(rule, view::place_stmt(node).facing(), &direction), direction))
                        : nullptr;
  if ((at && is_poison(at)) || (way && is_poison(way))) return;
  const Expr* to = at ? at : place_of(rule, x, node->range);
  Block body;
  if (placing.shapes) {
    Expr* fits = make(rule.sema, ExprKind::fitting, without_none(to->type), node->range,
                      {shape_of(rule.sema, x, way ? way : facing_of(rule, x, node->range), node->range), to, x});
    fits->ref = *placing.shapes;
    fits->value = placing.at.index;
    to = fits;
  }
  if (card && at) {
    to = fields_in_locals(rule, to, node->range, body)[0];
    Block onto;
    move_onto_board(rule.sema, x, node->range, onto);
    emit(rule.sema, body, StmtKind::if_else, node->range,
         {make(rule.sema, ExprKind::is_none, boolean_type(), node->range, {place_of(rule, x, node->range)})})
        ->blocks = {std::move(onto), {}};
  }
  if (at || placing.shapes)
    emit(rule.sema, body, StmtKind::assign_variable, node->range, {x, to})->ref = placing.at.index;
  Block turned;
  if (way)
    emit(rule.sema, at || card ? body : turned, StmtKind::assign_variable, node->range, {x, way})->ref =
        placing.facing->index;
  const Expr* asked = at ? at : place_of(rule, x, node->range);
  if (!body.empty() && asked->type.optional) {
    Stmt* s = emit(rule.sema, out, StmtKind::if_else, node->range,
                   {negated(rule.sema, make(rule.sema, ExprKind::is_none, boolean_type(), node->range, {asked}))});
    s->blocks = {std::move(body), {}};
  } else {
    out.insert(out.end(), body.begin(), body.end());
  }
  out.insert(out.end(), turned.begin(), turned.end());
  if (!at || key.empty()) return;
  std::erase(rule.narrowed, key);
  if (!at->type.optional) rule.narrowed.push_back(key);
}

// Builds `lift x` and `lift tokens at c`.
void lift_stmt(RuleContext& rule, const Node* node, Block& out) {
  if (!effect(rule, node->range, "`lift`")) return;
  for (const Node* what : node->children) {
    const Expr* x = expr(rule, what);
    if (is_poison(x)) continue;
    if (const Type& t = x->type.kind == TypeKind::set ? element_type(x->type) : x->type; t.kind == TypeKind::card) {
      error(rule.sema, "wrong_type"_code, what->range, "a card can't be lifted without a new zone",
            "write `move g to discard`");
      continue;
    }
    if (x->type.kind == TypeKind::set && placing_of(rule.sema, element_type(x->type))) {
      if (!may_be_lifted(rule.sema, element_type(x->type), what->range)) continue;
      const LocalId one = add_local(rule, "", element_type(x->type), what->range);
      Block body;
      lift(rule.sema, local(rule, one, what->range), node->range, body);
      Stmt* s = emit(rule.sema, out, StmtKind::each, node->range, {x, nullptr, nullptr});
      s->local = one;
      s->blocks = {std::move(body)};
      forget_variable(rule, placing_of(rule.sema, element_type(x->type))->at.index);
      continue;
    }
    x = placed_thing(rule, what);
    if (is_poison(x) || !may_be_lifted(rule.sema, x->type, what->range)) continue;
    forget(rule, place_of(rule, x, what->range));
    lift(rule.sema, fields_in_locals(rule, x, what->range, out)[0], node->range, out);
  }
}

// Checks that the piece can be taken off the board. A piece with `at: cell` can't be taken off.
bool may_be_lifted(SemaContext& sema, const Type& piece, Range range) {
  const model::Placing& placing = *placing_of(sema, piece);
  if (sema.model.variables[placing.at.index].type.optional) return true;
  error(sema, "wrong_type"_code, range, fmt::format("`{}` can't be taken off the board", placed_word(sema, piece)),
        "declare `at: cell?` to allow it")
      .notes.push_back({sema.model.variables[placing.at.index].range, "declared here"});
  return false;
}

// Takes a piece off the board. Also resets its facing, so that all pieces off the board are equal.
void lift(SemaContext& sema, const Expr* x, Range range, Block& out) {
  const model::Placing& placing = *placing_of(sema, x->type);
  emit(sema, out, StmtKind::assign_variable, range,
       {x, constant(sema, with_none(spot_type(sema, placing)), kNone, range)})
      ->ref = placing.at.index;
  if (placing.facing)
    emit(sema, out, StmtKind::assign_variable, range, {x, sema.model.variables[placing.facing->index].initial})->ref =
        placing.facing->index;
}

}   // namespace cardwright::sema
