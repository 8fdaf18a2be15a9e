// Lowers zones, and variables with keys.
#include "compiler/lower/sets/zones.h"

#include "compiler/lower/code/functions.h"
#include "compiler/lower/code/traps.h"
#include "compiler/lower/context/function_context.h"
#include "compiler/lower/context/hooks.h"

namespace cardwright::lower {

using model::ExprKind;

Register zone_instance(const FunctionContext& code, std::uint32_t zone, const model::Expr* owner,
                       const model::Expr* copy) {
  const ZoneSlot& slot = code.program.zones[zone];
  if (slot.owners == 1 && slot.copies == 1) return code.constant(slot.first);
  Register o = owner ? expr(code, *owner) : code.constant(0);
  Register c = copy ? expr(code, *copy) : code.constant(0);
  return code.integer(Op::zone_index, {Int(zone), o, c}, 1);
}

Register zone_instance(const FunctionContext& code, model::ZoneId zone, Register owner) {
  const ZoneSlot& slot = code.program.zones[zone.index];
  if (slot.owners == 1) return code.constant(slot.first);
  return code.integer(Op::zone_index, {Int(zone.index), owner, code.constant(0)}, 1);
}

Register facedown_instance(const FunctionContext& code, std::uint32_t zone, Register instance) {
  const Int offset = code.program.zones[code.unit.ids.facedown_zone[zone]].first - code.program.zones[zone].first;
  return code.integer(Op::add_small, {instance, code.constant(offset)}, 1);
}

Register zone_set(const FunctionContext& code, std::uint32_t zone, Register instance) {
  Register cards = code.set(Op::zone_cards, {instance});
  if (code.unit.ids.facedown_zone[zone] < 0) return cards;
  return code.set(Op::set_or, {cards, code.set(Op::zone_cards, {facedown_instance(code, zone, instance)})});
}

Register top_instance(const FunctionContext& code, std::uint32_t zone, Register instance) {
  // Cards of both sides form one pile.
  if (code.unit.ids.facedown_zone[zone] < 0 || code.program.layout.instance[code.program.zones[zone].first].ordered)
    return instance;
  return code.integer(Op::select,
                      {code.integer(Op::set_any, {code.set(Op::zone_cards, {instance})}, 1), instance,
                       facedown_instance(code, zone, instance)},
                      1);
}

// Returns the expression for the zero-based index of the part, or null if there is no such expression. Parts are
// numbered from 1: the part of a player or a constant is the index of that player or constant plus one.
const model::Expr* zero_based(const model::Expr& part) {
  if (part.kind == ExprKind::part_of_constant) return view::part_of_constant(part).element();
  if (part.kind != ExprKind::part_at || part.value != 1) return nullptr;
  const model::Expr& number = *view::part_at(part).number();
  return number.kind == ExprKind::constant && number.value == 1 ? view::part_at(part).owner() : nullptr;
}

Register flat_index(const FunctionContext& code, const model::Variable& variable,
                    const std::vector<const model::Expr*>& args, std::size_t first) {
  const std::size_t dimensions = variable.indices.size() + (variable.per_player ? 1 : 0);
  Register index = ir::kNoRegister;
  std::size_t at = first;
  const auto add = [&](const Bounds& bound) {
    const Int count = bound.hi - bound.lo + 1;
    const model::Expr& written_index = *args[at++];
    const model::Expr* from_nought = dimensions > 1 || code.unit.plain ? nullptr : zero_based(written_index);
    Register i = expr(code, from_nought ? *from_nought : written_index);
    // An index outside its own dimension must not refer to the next row. A single index is checked where it is used.
    if (dimensions > 1)
      i = code.integer(Op::place_in, {i, bound.lo, count});
    else if (bound.lo != 0 && !from_nought)
      i = code.integer(Op::sub_small, {i, code.constant(bound.lo)});
    index = index == ir::kNoRegister
                ? i
                : code.integer(Op::add_small, {code.integer(Op::mul_small, {index, code.constant(count)}), i});
  };
  if (variable.per_player) add({0, code.model.players - 1});
  for (const model::Type& dimension : variable.indices) add(bounds(code.unit, dimension));
  return index == ir::kNoRegister ? code.constant(0) : index;
}

// Returns the index at which the knowledge of a secret variable is stored. For a list, this is the index of its first
// element.
Register known_at(const FunctionContext& code, std::uint32_t variable, const std::vector<const model::Expr*>& args,
                  std::size_t first) {
  const Register index = flat_index(code, code.model.variables[variable], args, first);
  const Int run = code.program.variable_infos[code.unit.ids.variable[variable]].run();
  return run > 0 ? code.integer(Op::mul_small, {index, code.constant(run)}) : index;
}

Register zone_cards_of(const FunctionContext& code, model::ZoneId zone, Register owner) {
  const ZoneSlot& slot = code.program.zones[zone.index];
  if (slot.copies == 1) return code.set(Op::zone_cards, {zone_instance(code, zone, owner)});
  Register all = code.make_set();
  code.put(Op::set_empty, all, {});
  const Int each = code.model.zones[zone.index].each;   // the number of zone instances per owner; they are consecutive
  for (Int copy = 0; copy < (each > 0 ? each : slot.copies); ++copy) {
    Register part = code.constant(slot.first + copy);
    if (each > 0) part = code.integer(Op::add_small, {part, code.integer(Op::mul_small, {owner, code.constant(each)})});
    code.put(Op::set_or, all, {all, code.set(Op::zone_cards, {part})});
  }
  return all;
}

// Ends the game with an error if the slot would contain more than one card.
void room_in_slot(const FunctionContext& code, std::uint32_t zone, Register instance, Register what) {
  if (code.model.zones[zone].shape != model::ZoneShape::slot) return;
  BlockIndex full = code.add_block(), room = code.add_block();
  const bool cards = code.type(what).kind == ir::RegisterKind::set;
  const Register all = code.set(cards ? Op::set_or : Op::set_add, {zone_set(code, zone, instance), what});
  const Register count = code.integer(Op::set_count, {all});
  code.branch(code.integer(Op::lt_small, {code.constant(1), count}, 1), full, room);
  code.go_to(full);
  fail(code, Trap::slot_full, About::instance, instance, count);
  code.go_to(room);
}

}   // namespace cardwright::lower
