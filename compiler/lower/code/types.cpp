#include "compiler/lower/code/types.h"

#include "compiler/lower/context/function_context.h"

namespace cardwright::lower {

using model::TypeKind;

RegisterType register_type(const ProgramContext& unit, const model::Type& type) {
  switch (type.kind) {
    case TypeKind::boolean:
    case TypeKind::player: return int_type(1);
    case TypeKind::card: return int_type(unit.program.layout.card_ids <= 127 ? 1 : 2, true);
    case TypeKind::enumeration:
    case TypeKind::kind: return int_type(bounds(unit, type).hi <= 127 ? 1 : 2);
    case TypeKind::integer:
      if (type.lo > -128 && type.hi <= 127) return int_type(1);
      if (type.lo > -32768 && type.hi <= 32767) return int_type(2);
      return int_type(8);
    case TypeKind::set:
      return is_wide(unit, type) ? set_of(*type.elem)
                                 : int_type(type.elem && type.elem->kind == TypeKind::player ? 4 : 8);
    case TypeKind::list: return list_register(unit, type);
    case TypeKind::map: return list_register(unit, as_list(unit, type));
    default: return int_type(8);
  }
}

// Returns the register type of a local. Cards that a rule names are the same in every sampled world, so they do not
// count as cards here.
RegisterType local_type(ProgramContext& unit, const model::Body& body, model::LocalId local) {
  RegisterType type = register_type(unit, body.locals[local.index].type);
  if (type.holds_card && unit.facts.secrecy.holds_named(body, local)) type.holds_card = false;
  return type;
}

RegisterType set_of(const model::Type& element) {
  RegisterType type = set_type();
  type.holds_card = element.kind == TypeKind::card;
  return type;
}

Register empty_set(const FunctionContext& code, const model::Type& element) {
  Register r = code.make(set_of(element));
  code.put(Op::set_empty, r, {});
  return r;
}

ir::Returns returns_of(const ProgramContext& unit, const model::Type& type) {
  if (type.kind == TypeKind::nothing || type.kind == TypeKind::poison) return ir::Returns::nothing;
  return is_wide(unit, type) ? ir::Returns::set : ir::Returns::integer;
}

// Returns the number of ints per element. Sets of players, constants and numbers are masks, which need one int.
Int each_of(const ProgramContext& unit, const model::Type& list) {
  return is_wide(unit, *list.elem)           ? unit.program.layout.words
         : list.elem->kind == TypeKind::list ? list.elem->most + 1
                                             : 1;
}

bool holds_ints(const ProgramContext& unit, const model::Type& list) {
  return !is_wide(unit, *list.elem) && list.elem->kind != TypeKind::list;
}

// Returns the array type of a list. Element [0] of the array contains the length of the list in ints.
RegisterType list_register(const ProgramContext& unit, const model::Type& list) {
  const model::Type& one = list.elem->elem ? *list.elem->elem : *list.elem;
  RegisterType type =
      array_type(static_cast<std::uint32_t>(list.most * each_of(unit, list) + 1), one.kind == TypeKind::card);
  type.each = static_cast<std::uint32_t>(each_of(unit, list));
  type.holds_sets = is_wide(unit, *list.elem);
  return type;
}

RegisterType list_register(const ProgramContext& unit, Int variable) {
  const VariableInfo& info = unit.program.variable_infos[variable];
  const bool sets = unit.program.variables[variable].is_set;
  const Int each = sets ? unit.program.layout.words : info.inner > 0 ? info.inner + 1 : 1;
  RegisterType type = array_type(static_cast<std::uint32_t>(info.list * each + 1),
                                 info.kind == ValueKind::card || info.kind == ValueKind::card_set);
  type.each = static_cast<std::uint32_t>(each);
  type.holds_sets = sets;
  return type;
}

// Returns the types of the parameters that pass a list: one for its length and one for each possible element.
std::vector<RegisterType> parts_of(const RegisterType& list) {
  std::vector<RegisterType> parts{int_type()};
  for (std::uint32_t i = 1; i < list.length; i += list.holds_sets ? list.each : 1) {
    parts.push_back(list.holds_sets ? set_type() : int_type(8, list.card_at(i)));
    if (list.holds_sets) parts.back().holds_card = list.holds_card;
  }
  return parts;
}

model::Type as_list(const ProgramContext& unit, const model::Type& table) {
  const Bounds key = bounds(unit, *table.key);
  model::Type list = simple(TypeKind::list);
  list.elem = table.elem;
  list.most = key.hi - key.lo + 1;
  return list;
}

}   // namespace cardwright::lower
