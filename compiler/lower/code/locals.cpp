#include "compiler/lower/code/locals.h"

#include <algorithm>

#include "compiler/lower/code/flags.h"
#include "compiler/lower/code/list_registers.h"
#include "compiler/lower/code/scratch.h"
#include "compiler/lower/code/types.h"
#include "compiler/lower/context/function_context.h"

namespace cardwright::lower {

using model::TypeKind;

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

void write_local(const FunctionContext& code, model::LocalId local, Register value) {
  if (is_stored_in_state(code, local)) {
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

// Returns whether the local is a variable of a window or event that other rules can read.
bool is_stored_in_state(const FunctionContext& code, model::LocalId local) {
  return local.index < code.env().places.size() && code.env().places[local.index].kind == Place::Kind::variable;
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

void bind_constant(const FunctionContext& code, model::LocalId local, Int value) {
  if (code.env().places.size() <= local.index) code.env().places.resize(local.index + 1);
  code.env().places[local.index] = {};
  code.env().be_constant(local, value);
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
  // A name that is bound inside a hoisting loop is usually the loop's element.
  if (code.hoist) code.hoist->varying.insert(reg);
}

}   // namespace cardwright::lower
