#include "compiler/lower/code/calls.h"

#include <algorithm>

#include "compiler/lower/code/list_registers.h"
#include "compiler/lower/code/locals.h"
#include "compiler/lower/code/types.h"
#include "compiler/lower/context/function_context.h"
#include "compiler/lower/context/hooks.h"

namespace cardwright::lower {

using model::ExprKind;
using model::TypeKind;

Register call(const FunctionContext& code, ir::FunctionIndex callee, const std::vector<Register>& arguments) {
  std::vector<std::int64_t> operands{Int(callee)};
  for (const Register a : arguments) {
    const RegisterType type = code.type(a);
    if (type.kind != ir::RegisterKind::array) {
      operands.push_back(a);
      continue;
    }
    for (const Register part : taken_apart(code, a)) operands.push_back(part);
  }
  ir::Returns returns = code.unit.function(callee).returns;
  Register result = ir::kNoRegister;
  if (returns == ir::Returns::integer) result = code.make_int();
  if (returns == ir::Returns::set) result = code.make_set();
  code.put(returns == ir::Returns::set ? Op::call_set : Op::call, result, std::move(operands));
  return result;
}

bool is_varying(const FunctionContext& code, const model::Expr& e) {
  if (e.kind == ExprKind::local) {
    if (e.local.index >= code.environment->places.size()) return true;
    const Place& place = code.environment->places[e.local.index];
    return !code.env().constant(e.local) && (place.kind != Place::Kind::reg || code.hoist->varying.count(place.reg));
  }
  if (!pure(code.unit, e)) return true;
  return std::any_of(e.args.begin(), e.args.end(), [&](const model::Expr* a) { return a && is_varying(code, *a); });
}

Register hoisted(const FunctionContext& code, const model::Expr& call, const std::function<Register()>& work) {
  const Register known = code.make(int_type(1)), value = code.make(register_type(code.unit, call.type));
  code.insert(code.hoist->before, code.hoist->at, ir::Instruction{Op::const_int, known, {0}, call.range});
  // The initial value is never read, but analyses do not know that.
  if (code.type(value).kind == ir::RegisterKind::set)
    code.insert(code.hoist->before, code.hoist->at, ir::Instruction{Op::set_empty, value, {}, call.range});
  else
    code.insert(code.hoist->before, code.hoist->at, ir::Instruction{Op::const_int, value, {0}, call.range});
  BlockIndex first = code.add_block(), after = code.add_block();
  code.branch(known, after, first);
  code.go_to(first);
  code.assign(value, work());
  code.assign_constant(known, 1);
  code.jump(after);
  code.go_to(after);
  return value;
}

// Returns whether a call is inlined. Only calls of short values and functions without modifiers are inlined.
bool should_inline(const FunctionContext& code, const model::Expr& call) {
  constexpr int kShort = 24, kDeep = 4;
  if (code.unit.plain || code.called_deep >= kDeep) return false;
  const model::Expr* body = plain_body(code.unit, call);
  int left = kShort;
  const auto is_short = [&](auto&& self, const model::Expr& e) -> bool {
    switch (e.kind) {
      case ExprKind::exists:
      case ExprKind::filter:
      case ExprKind::aggregate:
      case ExprKind::best:
      case ExprKind::list_literal: return false;
      default: break;
    }
    if (--left < 0) return false;
    return std::all_of(e.args.begin(), e.args.end(), [&](const model::Expr* a) { return !a || self(self, *a); });
  };
  const std::size_t wanted = !body                               ? 0
                             : call.kind == ExprKind::call_value ? code.model.values[call.ref].parameters.size()
                                                                 : code.model.functions[call.ref].parameters.size();
  return body && !is_array(call.type) && wanted == call.args.size() && is_short(is_short, *body) &&
         std::all_of(call.args.begin(), call.args.end(), [](const model::Expr* a) { return a && !is_array(a->type); });
}

void with_called(const FunctionContext& code, const model::Expr& call,
                 const std::function<void(const FunctionContext& inner, const model::Expr& body)>& write) {
  const bool is_value = call.kind == ExprKind::call_value;
  const auto& parameters =
      is_value ? code.model.values[call.ref].parameters : code.model.functions[call.ref].parameters;
  std::vector<Register> arguments;
  std::vector<bool> varies;
  Env inner;
  bind_locals(inner, is_value ? code.model.values[call.ref].body : code.model.functions[call.ref].body);
  if (asking(code)) inner.facts = code.unit.facts.secrecy.of_call(call, code.env().facts);
  for (const model::Expr* a : call.args) {
    varies.push_back(code.hoist && is_varying(code, *a));
    arguments.push_back(code.make(register_type(code.unit, a->type)));
    code.assign(arguments.back(), expr(code, *a));
  }
  const Range here = code.where();
  const FunctionContext called = code.in(inner).deeper();
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    bind(called, parameters[i].local, arguments[i]);
    if (code.hoist && !varies[i]) code.hoist->varying.erase(arguments[i]);
  }
  write(called, *body_of_call(code.unit, call));
  code.at(here);
}

Register call_with_exprs(const FunctionContext& code, ir::FunctionIndex callee,
                         const std::vector<const model::Expr*>& args) {
  std::vector<Register> registers;
  for (const model::Expr* a : args) {
    // The value is copied, because evaluating a later argument could change the variable.
    Register value = expr(code, *a);
    Register copy = code.make(register_type(code.unit, a->type));
    if (code.type(value).kind == ir::RegisterKind::array)
      copy = value;
    else
      code.assign(copy, value);
    registers.push_back(copy);
  }
  return call(code, callee, registers);
}

bool is_inlined(const FunctionContext& code, std::uint32_t function) {
  return plan::is_inlined(code.unit, function, code.inlining, has_room(code));
}

void bind_arguments(const FunctionContext& code, Env& inner, const model::Function& f, const model::Expr& call) {
  const std::vector<const model::Expr*>& arguments = call.args;
  bind_locals(inner, f.body);
  if (asking(code)) inner.facts = code.unit.facts.secrecy.of_call(call, code.env().facts);
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const model::LocalId local = f.parameters[i].local;
    const model::Type& type = f.body.locals[local.index].type;
    if (const auto known = code.unit.plain || type.kind == TypeKind::set || is_array(type)
                               ? std::nullopt
                               : static_value(code.unit, code.environment, *arguments[i])) {
      inner.be_constant(local, *known);
      continue;
    }
    const Register value = expr(code, *arguments[i]);
    Register copy = value;
    if (code.type(value).kind != ir::RegisterKind::array)
      code.assign(copy = code.make(register_type(code.unit, type)), value);
    // The argument of a sequence is copied, because the body of the loop over the sequence may change it.
    else if (f.sequence)
      code.effect(Op::list_copy, {copy = code.make(register_type(code.unit, type)), value});
    inner.places[local.index] = {Place::Kind::reg, copy, -1};
  }
}

}   // namespace cardwright::lower
