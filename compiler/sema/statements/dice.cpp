// Builds the statements that roll, turn and show dice.
#include "compiler/sema/statements/dice.h"

#include <fmt/format.h>

#include "compiler/sema/operations/locals.h"
#include "compiler/sema/expressions/calls.h"
#include "compiler/sema/expressions/dice.h"
#include "compiler/sema/expressions/expressions.h"
#include "compiler/sema/operations/convert.h"
#include "compiler/sema/symbols/areas.h"
#include "compiler/sema/symbols/errors.h"
#include "compiler/sema/symbols/make.h"
#include "compiler/sema/symbols/types.h"

namespace cardwright::sema {

static void show_faces(RuleContext& rule, const Expr* dice, const Expr* face, Range range, Block& out);

// Handles `roll d` and `roll cubes where not held`. Returns false if the operand is not dice.
bool rolls_dice(RuleContext& rule, const Node* roll, Block& out) {
  const Node* of = view::roll_expr(roll).domain();
  if (!of || of->kind == NodeKind::range_lit ||
      (of->kind == NodeKind::name_ref && rule.sema.names.enums.contains(of->text) && !find_binding(rule, of->text)))
    return false;
  const Expr* e = expr(rule, of);
  if (is_poison(e)) return true;
  if (!dice_of(rule.sema, e->type)) return false;
  if (effect(rule, roll->range, "rolling")) show_faces(rule, e, nullptr, roll->range, out);
  return true;
}

// Handles `turn d to 5`.
void turn_to(RuleContext& rule, const Node* node, Block& out) {
  const view::turn_stmt its(node);
  if (!effect(rule, node->range, "turning a die")) return;
  const Expr* e = expr(rule, its.what());
  if (is_poison(e)) return;
  const model::Dice* dice = dice_of(rule.sema, e->type);
  if (!dice)
    return void(error(rule.sema, "wrong_type"_code, its.what()->range,
                      fmt::format("expected dice, found `{}`", show(rule.sema, e->type)),
                      "to turn cards, use `faceup` or `facedown`"));
  const Type type = rule.model.variables[dice->face.index].type;
  const Expr* face = convert(rule, expr(rule, its.facing(), &type), type, "face");
  if (is_poison(face)) return;
  if (face->kind == ExprKind::constant && !has_face(*dice, face->value))
    return void(error(rule.sema, "out_of_range"_code, its.facing()->range,
                      fmt::format("the die `{}` has no such face", *die_with_face(rule.sema, dice->face.index))));
  show_faces(rule, e, face, node->range, out);
}

static void show_faces(RuleContext& rule, const Expr* dice, const Expr* face, Range range, Block& out) {
  if (dice->type.optional && !is_soft(rule, dice))
    return void(
        error(rule.sema, "may_be_none"_code, dice->range, "this die may be none", "check first that it `is not none`"));
  emit(rule.sema, out, StmtKind::show_faces, range, {dice, face})->ref = dice_of(rule.sema, dice->type)->face.index;
}

// Handles `reveal d` and `peek p.cubes by q` for dice, whose faces are then shown. Returns false if the operand is not
// dice.
bool show_dice(RuleContext& rule, const Expr* e, Range range, Block& out,
               const std::function<void(const Expr*, Block&)>& show_one) {
  const model::Dice* dice = dice_of(rule.sema, e->type);
  if (!dice) return false;
  const std::uint32_t face = dice->face.index;
  if (rule.model.variables[face].visibility == model::Visibility::open)
    warn_if(rule.sema, "without_effect"_code, range, true,
            fmt::format("`{}` is already public", rule.model.variables[face].name));
  if (e->type.kind != TypeKind::set) return show_one(variable_of(rule, face, range, {e}), out), true;
  const LocalId one = add_local(rule, "", element_type(e->type), range);
  Stmt* s = emit(rule.sema, out, StmtKind::each, range, {e, nullptr, nullptr});
  s->local = one;
  s->blocks.resize(1);
  show_one(variable_of(rule, face, range, {local(rule, one, range)}), s->blocks[0]);
  return true;
}

}   // namespace cardwright::sema
