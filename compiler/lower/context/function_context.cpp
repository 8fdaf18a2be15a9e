#include "compiler/lower/context/function_context.h"

#include <algorithm>
#include <bit>
#include <limits>

#include "compiler/lower/expressions/three_valued.h"
#include "compiler/lower/sets/boards.h"
#include "compiler/lower/offers/choices.h"
#include "compiler/lower/context/constants.h"
#include "compiler/lower/events/events.h"
#include "compiler/lower/expressions/explain.h"
#include "compiler/lower/sets/guesses.h"
#include "compiler/lower/context/layout.h"
#include "compiler/lower/sets/lists.h"
#include "compiler/lower/text/log.h"
#include "compiler/lower/plans/narrowing.h"
#include "compiler/lower/context/metadata.h"
#include "compiler/lower/offers/offers.h"
#include "compiler/lower/sets/pieces.h"
#include "compiler/lower/race/race.h"
#include "compiler/lower/statements/statements.h"
#include "compiler/lower/sets/tables.h"
#include "compiler/lower/rules/watch.h"

namespace cardwright::lower {

using model::ExprKind;
using model::TypeKind;

// ---------------------------------------------------------------- functions, locals

ir::FunctionIndex new_function(ProgramContext& unit, std::string name, ir::Returns returns, Range where, bool shown) {
  ir::Function f;
  f.name = std::move(name);
  f.returns = returns;
  f.where = where;
  f.shown = shown;
  unit.program.playout.functions.push_back(std::move(f));
  return static_cast<ir::FunctionIndex>(unit.program.playout.functions.size() - 1);
}

// Emits into a copy of the function and stores it at the end, because emitting code may add functions to the Program.
void write_function(ProgramContext& unit, ir::FunctionIndex index, Env& environment,
                    const std::function<void(const FunctionContext& code)>& write) {
  ir::Function f = std::move(unit.function(index));
  Writing writing(f);
  FunctionContext code(unit, writing, index);
  code.environment = &environment;
  code.at(f.where);
  if (environment.flow) unit.program.flow_functions.push_back(Int(index));
  write(code);
  if (!code.closed()) {
    if (f.returns == ir::Returns::nothing)
      code.effect(Op::ret, {});
    else if (f.returns == ir::Returns::set)
      code.effect(Op::ret_set, {code.set(Op::set_empty, {})});
    else
      code.effect(Op::ret_int, {code.constant(kNone)});
  }
  for (ir::Block& block : f.blocks)   // unreachable blocks still need a terminator
    if (block.code.empty() || !ends_block(block.code.back().op))
      block.code.push_back({Op::trap, ir::kNoRegister, {static_cast<Int>(Trap::fell_through)}, f.where});
  unit.function(index) = std::move(f);
}

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

Register universe(const FunctionContext& code, const model::Type& element) {
  if (element.kind == TypeKind::player) return code.integer(Op::players_in, {}, 4);
  if (element.kind == TypeKind::card) return const_cards(code, code.unit.ids.of_card);
  const Bounds range = bounds(code.unit, element);
  if (!is_wide_element(code.unit, element))
    return code.constant(((Int{1} << std::min<Int>(model::kMostInSet + 1, range.hi - range.lo + 1)) - 1) << range.lo);
  std::vector<Int> all;
  for (Int i = range.lo; i <= range.hi; ++i) all.push_back(i);
  Register r = const_cards(code, all);
  code.holds_no_card(r);
  return r;
}

ir::Returns returns_of(const ProgramContext& unit, const model::Type& type) {
  if (type.kind == TypeKind::nothing || type.kind == TypeKind::poison) return ir::Returns::nothing;
  return is_wide(unit, type) ? ir::Returns::set : ir::Returns::integer;
}

// Adds a parameter to the function. A list is passed as its length and all its elements.
Register parameter(const FunctionContext& code, const model::Type& type) {
  return parameter(code, type, register_type(code.unit, type));
}

Register parameter(const FunctionContext& code, const model::Body& body, model::LocalId local) {
  return parameter(code, body.locals[local.index].type, local_type(code.unit, body, local));
}

Register parameter(const FunctionContext& code, const model::Type& type, RegisterType as) {
  if (type.kind == TypeKind::list) {
    const Register list = code.make(register_type(code.unit, type));
    std::vector<Register> parts;
    for (std::size_t i = 0; const RegisterType& part : parts_of(code.type(list))) {
      const bool number = part.kind == ir::RegisterKind::integer && holds_ints(code.unit, type) && i++ > 0;
      parts.push_back(code.make(number ? register_type(code.unit, *type.elem) : part));
      code.function().parameters.push_back(parts.back());
    }
    put_together(code, list, parts);
    return list;
  }
  Register r = code.make(as);
  code.function().parameters.push_back(r);
  return r;
}

void bind_locals(Env& e, const model::Body& body) {
  e.body = &body;
  if (e.places.size() < body.locals.size()) e.places.resize(body.locals.size());
}

void bind(const FunctionContext& code, model::LocalId local, Register reg) {
  if (!local.valid()) return;
  if (code.env().places.size() <= local.index) code.env().places.resize(local.index + 1);
  code.env().places[local.index] = {Place::Kind::reg, reg, -1};
  if (code.env().constant(local)) code.env().constants[local.index].reset();
  if (code.hoist) code.hoist->varying.insert(reg);   // names bound inside a hoisting loop are most likely its element
}

Register read_local(const FunctionContext& code, model::LocalId local) {
  if (const auto constant = code.env().constant(local)) return code.constant(*constant);
  if (code.env().places.size() <= local.index) code.env().places.resize(local.index + 1);
  Place& place = code.env().places[local.index];
  const model::Type* type = code.env().body && local.index < code.env().body->locals.size()
                                ? &code.env().body->locals[local.index].type
                                : nullptr;
  if (place.kind == Place::Kind::variable) {
    if (!type || !is_wide(code.unit, *type)) return scratch_value(code, place.variable);
    Register set = code.make(set_of(*type->elem));
    code.put(Op::load_set, set, {place.variable, code.constant(0)});
    return set;
  }
  if (place.kind == Place::Kind::none) {
    place = {Place::Kind::reg, code.make(type ? local_type(code.unit, *code.env().body, local) : int_type()), -1};
  }
  return place.reg;
}

void bind_constant(const FunctionContext& code, model::LocalId local, Int value) {
  if (code.env().places.size() <= local.index) code.env().places.resize(local.index + 1);
  code.env().places[local.index] = {};
  code.env().be_constant(local, value);
}

// Returns whether the local is a window variable that other rules can read.
bool lies_in_state(const FunctionContext& code, model::LocalId local) {
  return local.index < code.env().places.size() && code.env().places[local.index].kind == Place::Kind::variable;
}

void write_local(const FunctionContext& code, model::LocalId local, Register value) {
  if (lies_in_state(code, local)) {
    put_scratch(code, code.env().places[local.index].variable, value);
    return touch(code, code.unit.watching.always);
  }
  if (code.type(value).kind == ir::RegisterKind::array)
    return code.effect(Op::list_copy, {read_local(code, local), value});
  const Register place = read_local(code, local);
  if (code.type(place).kind == ir::RegisterKind::array)
    return fill_table(code, place, code.env().body->locals[local.index].type, value);
  code.assign(place, value);
}

Register default_value(const FunctionContext& code, const model::Type& type) {
  if (is_wide(code.unit, type)) return empty_set(code, *type.elem);
  if (type.kind == TypeKind::list) {
    const Register list = code.make(register_type(code.unit, type));
    code.effect(Op::array_fill, {list, code.constant(0)});
    return list;
  }
  if (type.optional) return code.constant(kNone);
  if (is_mask(code.unit, type)) return code.constant(0);
  return code.constant(type.kind == TypeKind::integer ? std::clamp<Int>(0, type.lo, type.hi) : 0);
}

}   // namespace cardwright::lower
