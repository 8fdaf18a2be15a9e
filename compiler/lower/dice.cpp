// Dice: how they are rolled and turned, and which of them are one choice.
#include <algorithm>

#include "compiler/lower/lowering.h"

namespace cardwright::lower {

using model::TypeKind;

namespace {

// Each number from the first to the last once: what comes up is that number.
bool is_in_a_row(const std::vector<Int>& faces) {
  for (std::size_t i = 1; i < faces.size(); ++i)
    if (faces[i] != faces[i - 1] + 1) return false;
  return true;
}

}  // namespace

const model::Area* Lowering::area_with_face(std::uint32_t variable) const {
  const auto found = std::find_if(model_.areas.begin(), model_.areas.end(),
                                  [&](const model::Area& a) { return a.dice && a.dice->face.index == variable; });
  return found == model_.areas.end() ? nullptr : &*found;
}

Register Lowering::rolled(const model::Dice& dice) {
  const std::vector<Int> faces(dice.faces.begin(), dice.faces.end());
  if (is_in_a_row(faces)) return b().integer(Op::roll, {b().constant(faces.front()), b().constant(faces.back())});
  const Register side = b().integer(Op::roll, {b().constant(0), b().constant(static_cast<Int>(faces.size()) - 1)});
  return b().integer(Op::table_small, {table_index(faces), side});
}

// To what they are turned; where not every value of the type is a face, others are none, which no die can show.
Register Lowering::turned_to(const model::Dice& dice, const model::Expr& face) {
  const Register value = expr(face);
  const Bounds bound = bounds(model_.variables[dice.face.index].type);
  std::vector<Int> shown(static_cast<std::size_t>(bound.hi - bound.lo + 1), kNone);
  for (const Int f : dice.faces) shown[static_cast<std::size_t>(f - bound.lo)] = f;
  if (std::find(shown.begin(), shown.end(), kNone) == shown.end()) return value;
  return b().integer(Op::table, {table_index(std::move(shown)), b().integer(Op::sub, {value, b().constant(bound.lo)})});
}

void Lowering::show_faces(const model::Stmt& s) {
  const model::Dice& dice = *area_with_face(s.ref)->dice;
  const Int variable = variable_of_[s.ref];
  const Register which = b().make_int(), face = b().make_int();
  b().assign(which, s.exprs[0]->type.kind == TypeKind::set ? expr(*s.exprs[0])
                                                           : b().integer(Op::mask_of, {expr(*s.exprs[0])}));
  if (s.exprs[1]) b().assign(face, turned_to(dice, *s.exprs[1]));
  for_each(which, false, [&](Register part) {
    if (!s.exprs[1]) b().assign(face, rolled(dice));
    b().effect(Op::store, {variable, b().integer(Op::sub_small, {part, b().constant(1)}), face});
  });
  b().effect(Op::note_faces, {variable, which, s.exprs[1] ? 1 : 0});
  touch(watchers_variable(s.ref));
}

// All that is known of such a die by itself, if two of them can be alike: its variables. Nothing else speaks of one of
// them.
std::vector<Int> Lowering::marks_of_dice(const model::Type& element) const {
  if (element.kind != TypeKind::integer || element.ref >= model_.areas.size() || !model_.areas[element.ref].dice)
    return {};
  const auto speaks_of = [&](const model::Type& t) {
    const model::Type& one = t.elem ? *t.elem : t;
    return one.kind == TypeKind::integer && one.ref == element.ref;
  };
  std::vector<Int> marks;
  for (std::size_t v = 0; v < model_.variables.size(); ++v) {
    const model::Variable& variable = model_.variables[v];
    if (speaks_of(variable.type)) return {};
    if (std::none_of(variable.indices.begin(), variable.indices.end(), speaks_of)) continue;
    const bool plain = variable.indices.size() == 1 && variable.type.kind != TypeKind::list && !is_wide(variable.type);
    if (!plain || variable.visibility == model::Visibility::hidden) return {};
    marks.push_back(variable_of_[v]);
  }
  return marks;
}

// The lowest of those that are alike for `player`, who knows of their secrets only those of the own dice.
Register Lowering::dice_apart(Register dice, const model::Type& element, Register player) {
  const std::vector<Int> marks = marks_of_dice(element);
  if (marks.empty()) return dice;
  const model::Area& area = model_.areas[element.ref];
  const auto is_secret = [&](Int v) { return program_.variable_infos[static_cast<std::size_t>(v)].secret; };
  const bool secret = std::any_of(marks.begin(), marks.end(), is_secret);
  const Register rest = b().make_int(), apart = b().make_int();
  b().assign(rest, dice);
  b().assign_constant(apart, 0);
  const BlockIndex head = b().add_block(), inside = b().add_block(), done = b().add_block();
  b().jump(head);
  b().go_to(head);
  b().branch(b().integer(Op::ne, {rest, b().constant(0)}, 1), inside, done);
  b().go_to(inside);
  const Register one = b().integer(Op::mask_first, {rest}), index = b().integer(Op::sub_small, {one, b().constant(1)});
  const Register this_one = b().integer(Op::mask_of, {one});
  b().put(Op::mask_or, apart, {apart, this_one});
  Register alike = b().constant(-1);
  for (const Int v : marks)
    alike = b().integer(Op::mask_and, {alike, b().integer(Op::holders, {v, b().integer(Op::load_raw, {v, index})})});
  alike = b().integer(Op::mask_shift, {alike, b().constant(1)});   // dice are numbered from 1
  if (area.each > 0) {
    std::vector<Int> beside, own;                          // those of the same player; by player
    for (Int p = 0; p < model_.players; ++p) own.push_back(((Int{1} << area.each) - 1) << (p * area.each + 1));
    for (Int part = 0; part < area.parts; ++part) beside.push_back(own[static_cast<std::size_t>(part / area.each)]);
    alike = b().integer(Op::mask_and, {alike, b().integer(Op::table_small, {table_index(std::move(beside)), index})});
    if (secret) {
      const Register asked =
          b().integer(Op::select, {b().integer(Op::eq, {player, b().constant(kNone)}, 1), b().constant(0), player});
      const Register mine = b().integer(Op::table_small, {table_index(std::move(own)), asked});
      alike = b().integer(Op::mask_and, {alike, mine});
    }
  }
  b().put(Op::mask_without, rest, {b().integer(Op::mask_without, {rest, alike}), this_one});
  b().jump(head);
  b().go_to(done);
  return apart;
}

}  // namespace cardwright::lower
