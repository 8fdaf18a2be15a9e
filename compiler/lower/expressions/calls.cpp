// Lowers calls, and inlines the code of values and functions at the call site.
#include "compiler/lower/expressions/calls.h"

#include <algorithm>
#include <bit>
#include <limits>

#include "compiler/lower/expressions/three_valued.h"
#include "compiler/lower/sets/boards.h"
#include "compiler/lower/offers/choices.h"
#include "compiler/lower/context/constants.h"
#include "compiler/lower/events/events.h"
#include "compiler/lower/expressions/explain.h"
#include "compiler/lower/expressions/expressions.h"
#include "compiler/lower/sets/guesses.h"
#include "compiler/lower/context/layout.h"
#include "compiler/lower/sets/lists.h"
#include "compiler/lower/text/log.h"
#include "compiler/lower/rules/measures.h"
#include "compiler/lower/plans/narrowing.h"
#include "compiler/lower/context/metadata.h"
#include "compiler/lower/offers/offers.h"
#include "compiler/lower/sets/pieces.h"
#include "compiler/lower/race/race.h"
#include "compiler/lower/sets/sets.h"
#include "compiler/lower/statements/statements.h"
#include "compiler/lower/sets/tables.h"
#include "compiler/lower/rules/watch.h"

namespace cardwright::lower {

using model::ExprKind;
using model::TypeKind;

// ---------------------------------------------------------------- calls

Register call(const FunctionContext& code, ir::FunctionIndex callee, std::vector<Register> arguments) {
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

void look_through(const FunctionContext& code, Register domain,
                  const std::function<void(const FunctionContext& looking, Register element)>& body) {
  HoistScope scope{code.here(), code.function().blocks[code.here()].code.size(), {}};
  if (code.hoist) scope.varying = code.hoist->varying;   // includes the registers of enclosing loops
  const FunctionContext looking = code.hoisting(code.unit.plain ? nullptr : &scope);
  for_each(code, domain, [&](Register element) {
    scope.varying.insert(element);
    body(looking, element);
  });
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
  // The initial value is never read, but analyses that ignore the flag cannot see that.
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

// Returns whether a call is inlined. Short values and functions without modifiers are.
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
  write(called, *said_body(code.unit, call));
  code.at(here);
}

// Returns the version of the event for `supposing`, which no `end` can leave.
ir::FunctionIndex supposed_event(ProgramContext& unit, std::uint32_t event) {
  if (auto known = unit.functions.supposed.find(event); known != unit.functions.supposed.end()) return known->second;
  const model::Event& of = unit.model.events[event];
  const ir::FunctionIndex index = new_function(unit, "supposing " + of.name, ir::Returns::nothing, of.range, false);
  unit.functions.supposed[event] = index;
  Env at;
  bind_locals(at, of.body);
  write_function(unit, index, at, [&](const FunctionContext& code) {
    std::vector<Register> arguments;
    for (const model::Parameter& p : of.parameters)
      arguments.push_back(parameter(code, of.body.locals[p.local.index].type));
    call(code, code.unit.functions.event[event], arguments);
    code.effect(Op::store, {code.unit.variables.ending, code.constant(0), code.constant(0)});
  });
  return index;
}

// Lowers `supposing`. Cached reads from before are invalid in the supposed state, and cached reads from there are
// invalid afterwards.
Register supposing(const FunctionContext& code, const model::Expr& e) {
  const view::supposing its(e);
  const FunctionContext then = code.afresh();
  code.effect(Op::suppose, {});
  call_with_exprs(then, supposed_event(code.unit, its.what()->ref), its.what()->args);
  const Register holds = condition_value(then, *its.condition());
  code.effect(Op::unsuppose, {});
  return holds;
}

Register call_with_exprs(const FunctionContext& code, ir::FunctionIndex callee,
                         const std::vector<const model::Expr*>& args) {
  std::vector<Register> registers;
  for (const model::Expr* a : args) {
    // copy the value, because a later argument could change it
    Register value = expr(code, *a);
    Register kept = code.make(register_type(code.unit, a->type));
    if (code.type(value).kind == ir::RegisterKind::array)
      kept = value;
    else
      code.assign(kept, value);
    registers.push_back(kept);
  }
  return call(code, callee, std::move(registers));
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
    Register kept = value;
    if (code.type(value).kind != ir::RegisterKind::array)
      code.assign(kept = code.make(register_type(code.unit, type)), value);
    // copy the argument of a sequence, because the body of the loop over the sequence may change it
    else if (f.sequence)
      code.effect(Op::list_copy, {kept = code.make(register_type(code.unit, type)), value});
    inner.places[local.index] = {Place::Kind::reg, kept, -1};
  }
}

// Returns whether the arrays of a function take too much space on the stack, where they are stored while it runs.
static bool too_many_lists(const FunctionContext& code, const model::Expr& e) {
  constexpr std::size_t kMostRegisters = 20'000, kMostInts = 64 * 1024;
  if (!is_array(e.type)) return false;
  const std::vector<RegisterType>& registers = code.function().registers;
  std::size_t ints = 0;
  for (const RegisterType& r : registers)
    if (r.length >= 64) ints += r.length;
  if (registers.size() <= kMostRegisters && ints <= kMostInts) return false;
  if (!code.unit.too_large)
    too_large(code.unit, e.range, "functions and values that return lists are nested too deeply");
  return true;
}

// Inlines a value that returns a list, including its modifiers.
Register inline_value(const FunctionContext& code, const model::Expr& e) {
  if (too_many_lists(code, e)) return code.make(register_type(code.unit, e.type));
  const model::Value& value = code.model.values[e.ref];
  std::vector<Register> arguments;
  for (const model::Expr* a : e.args) {
    arguments.push_back(code.make(register_type(code.unit, a->type)));
    if (a->type.kind == TypeKind::list)
      code.effect(Op::list_copy, {arguments.back(), expr(code, *a)});
    else
      code.assign(arguments.back(), expr(code, *a));
  }
  Env inner;
  bind_locals(inner, value.body);
  if (asking(code)) inner.facts = code.unit.facts.secrecy.of_call(e, code.env().facts);
  const FunctionContext called = code.in(inner).hoisting(nullptr);   // its variables change
  for (std::size_t i = 0; i < arguments.size(); ++i) bind(called, value.parameters[i].local, arguments[i]);
  return value_settled(called, value, arguments);
}

Register inline_call(const FunctionContext& code, const model::Expr& e) {
  const model::Function& f = code.model.functions[e.ref];
  if (too_many_lists(code, e)) return code.make(register_type(code.unit, f.result));
  Env inner;
  bind_arguments(code, inner, f, e);
  inner.inline_return = true;
  inner.return_block = code.add_block();
  inner.result =
      code.make(is_wide(code.unit, f.result) || is_array(f.result) ? register_type(code.unit, f.result) : int_type(8));
  const FunctionContext called = code.in(inner).inlined(e.ref).hoisting(nullptr);   // its variables change
  note_reached(called, f.range);
  block(called, f.body.block);
  if (!code.closed()) leave_function(called, ir::kNoRegister);
  code.go_to(inner.return_block);
  return inner.result;
}

}   // namespace cardwright::lower
