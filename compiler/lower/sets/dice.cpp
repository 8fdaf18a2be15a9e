// Lowers dice: rolls, statements that set faces, and the reduction of identical dice to one option.
#include "compiler/lower/sets/dice.h"

#include <algorithm>

#include "compiler/lower/code/constants.h"
#include "compiler/lower/code/flags.h"
#include "compiler/lower/context/function_context.h"
#include "compiler/lower/context/hooks.h"
#include "compiler/lower/sets/sets.h"

namespace cardwright::lower {

using model::TypeKind;

namespace {

// Returns whether the faces are consecutive numbers. In that case the rolled number is the face.
bool is_consecutive(const std::vector<Int>& faces) {
  for (std::size_t i = 1; i < faces.size(); ++i)
    if (faces[i] != faces[i - 1] + 1) return false;
  return true;
}

}   // namespace

static const model::Area* area_with_face(const ProgramContext& unit, std::uint32_t variable) {
  const auto found = std::find_if(unit.model.areas.begin(), unit.model.areas.end(),
                                  [&](const model::Area& a) { return a.dice && a.dice->face.index == variable; });
  return found == unit.model.areas.end() ? nullptr : &*found;
}

static Register rolled(const FunctionContext& code, const model::Dice& dice) {
  const std::vector<Int> faces(dice.faces.begin(), dice.faces.end());
  if (is_consecutive(faces)) return code.integer(Op::roll, {code.constant(faces.front()), code.constant(faces.back())});
  const Register side = code.integer(Op::roll, {code.constant(0), code.constant(static_cast<Int>(faces.size()) - 1)});
  return code.integer(Op::table_small, {table_index(code.unit, faces), side});
}

// Returns the face that the dice will show. Values of the type that are not faces are replaced with none, which a die
// cannot show.
static Register face_value(const FunctionContext& code, const model::Dice& dice, const model::Expr& face) {
  const Register value = expr(code, face);
  const Bounds bound = bounds(code.unit, code.model.variables[dice.face.index].type);
  std::vector<Int> shown(static_cast<std::size_t>(bound.hi - bound.lo + 1), kNone);
  for (const Int f : dice.faces) shown[static_cast<std::size_t>(f - bound.lo)] = f;
  if (std::find(shown.begin(), shown.end(), kNone) == shown.end()) return value;
  return code.integer(
      Op::table, {table_index(code.unit, std::move(shown)), code.integer(Op::sub, {value, code.constant(bound.lo)})});
}

void show_faces(const FunctionContext& code, const model::Stmt& s) {
  const view::show_faces its(s);
  const model::Dice& dice = *area_with_face(code.unit, s.ref)->dice;
  const Int variable = code.unit.ids.variable[s.ref];
  const Register which = code.make_int(), face = code.make_int();
  code.assign(which, its.dice()->type.kind == TypeKind::set ? expr(code, *its.dice())
                                                            : code.integer(Op::mask_of, {expr(code, *its.dice())}));
  if (its.face()) code.assign(face, face_value(code, dice, *its.face()));
  for_each(code, which, [&](Register part) {
    if (!its.face()) code.assign(face, rolled(code, dice));
    code.effect(Op::store, {variable, code.integer(Op::sub_small, {part, code.constant(1)}), face});
  });
  code.effect(Op::note_faces, {variable, which, its.face() ? 1 : 0});
  touch(code, watchers_variable(code.unit, s.ref));
}

// Returns the variables of a die if they are its only state, so that two dice can be identical. Returns an empty list
// if other state refers to dice.
static std::vector<Int> variables_of_dice(const ProgramContext& unit, const model::Type& element) {
  if (element.kind != TypeKind::integer || element.ref >= unit.model.areas.size() ||
      !unit.model.areas[element.ref].dice)
    return {};
  const auto refers_to = [&](const model::Type& t) {
    const model::Type& one = t.elem ? *t.elem : t;
    return one.kind == TypeKind::integer && one.ref == element.ref;
  };
  std::vector<Int> variables_of_die;
  for (std::size_t v = 0; v < unit.model.variables.size(); ++v) {
    const model::Variable& variable = unit.model.variables[v];
    if (refers_to(variable.type)) return {};
    if (std::none_of(variable.indices.begin(), variable.indices.end(), refers_to)) continue;
    const bool plain =
        variable.indices.size() == 1 && variable.type.kind != TypeKind::list && !is_wide(unit, variable.type);
    if (!plain || variable.visibility == model::Visibility::hidden) return {};
    variables_of_die.push_back(unit.ids.variable[v]);
  }
  return variables_of_die;
}

// Returns the lowest die of each group of dice that look identical to `player`. The player knows secret values of only
// their own dice.
Register dice_apart(const FunctionContext& code, Register dice, const model::Type& element, Register player) {
  const std::vector<Int> variables_of_die = variables_of_dice(code.unit, element);
  if (variables_of_die.empty()) return dice;
  const model::Area& area = code.model.areas[element.ref];
  const auto is_secret = [&](Int v) { return code.program.variable_infos[static_cast<std::size_t>(v)].secret; };
  const bool secret = std::any_of(variables_of_die.begin(), variables_of_die.end(), is_secret);
  const Register rest = code.make_int(), apart = code.make_int();
  code.assign(rest, dice);
  code.assign_constant(apart, 0);
  const BlockIndex head = code.add_block(), inside = code.add_block(), done = code.add_block();
  code.jump(head);
  code.go_to(head);
  code.branch(code.integer(Op::ne, {rest, code.constant(0)}, 1), inside, done);
  code.go_to(inside);
  const Register one = code.integer(Op::mask_first, {rest}),
                 index = code.integer(Op::sub_small, {one, code.constant(1)});
  const Register this_one = code.integer(Op::mask_of, {one});
  code.put(Op::mask_or, apart, {apart, this_one});
  Register alike = code.constant(-1);
  for (const Int v : variables_of_die)
    alike = code.integer(Op::mask_and, {alike, code.integer(Op::holders, {v, code.integer(Op::load_raw, {v, index})})});
  alike = code.integer(Op::mask_shift, {alike, code.constant(1)});   // dice are numbered from 1
  if (area.each > 0) {
    std::vector<Int> beside, own;   // the dice of the same player, by die; each player's dice, by player
    for (Int p = 0; p < code.model.players; ++p) own.push_back(((Int{1} << area.each) - 1) << (p * area.each + 1));
    for (Int part = 0; part < area.parts; ++part) beside.push_back(own[static_cast<std::size_t>(part / area.each)]);
    alike = code.integer(Op::mask_and,
                         {alike, code.integer(Op::table_small, {table_index(code.unit, std::move(beside)), index})});
    if (secret) {
      const Register asked =
          code.integer(Op::select, {code.integer(Op::eq, {player, code.constant(kNone)}, 1), code.constant(0), player});
      const Register mine = code.integer(Op::table_small, {table_index(code.unit, std::move(own)), asked});
      alike = code.integer(Op::mask_and, {alike, mine});
    }
  }
  code.put(Op::mask_without, rest, {code.integer(Op::mask_without, {rest, alike}), this_one});
  code.jump(head);
  code.go_to(done);
  return apart;
}

}   // namespace cardwright::lower
