#include "compiler/lower/expressions/event_calls.h"

#include "compiler/lower/code/calls.h"
#include "compiler/lower/code/locals.h"
#include "compiler/lower/code/scratch.h"
#include "compiler/lower/code/types.h"
#include "compiler/lower/code/unwind.h"
#include "compiler/lower/context/function_context.h"
#include "compiler/lower/context/hooks.h"

namespace cardwright::lower {

using model::ExprKind;
using model::Handler;
using model::Pattern;
using model::TypeKind;

std::uint32_t of_name(const ProgramContext& unit, std::uint32_t event) {
  const model::Event& e = unit.model.events[event];
  if (e.kind == model::EventKind::plain) return event;
  for (std::uint32_t first = 0; first < event; ++first)
    if (unit.model.events[first].kind == e.kind && unit.model.events[first].name == e.name) return first;
  return event;
}

Register handed_over(const FunctionContext& code, Int variable, Register happened, const model::Expr* otherwise,
                     const model::Type& type) {
  const Register value = code.make(register_type(code.unit, type));
  const auto take = [&](Register from) {
    if (type.kind == TypeKind::list)
      code.effect(Op::list_copy, {value, from});
    else
      code.assign(value, from);
  };
  BlockIndex yes = code.add_block(), no = code.add_block(), after = code.add_block();
  code.branch(code.integer(Op::eq, {happened, code.constant(kNone)}, 1), no, yes);
  code.go_to(yes);
  take(scratch_value(code, variable));
  code.jump(after);
  code.go_to(no);
  take(otherwise ? expr(code, *otherwise) : default_value(code, type));
  code.jump(after);
  code.go_to(after);
  return value;
}

const std::vector<Int>& given_by(const FunctionContext& code, const model::Expr& call) {
  return call.kind == model::ExprKind::proceed       ? code.env().gives
         : call.kind == model::ExprKind::open_window ? code.unit.variables.window_gives[call.ref]
                                                     : code.unit.variables.event_gives[call.ref];
}

// Emits a call of an event or window, or a `proceed`. Returns its result, or none if it ended without a result.
Register happened(const FunctionContext& code, const model::Expr& call) {
  if (call.kind == model::ExprKind::proceed) {
    std::vector<Register> arguments = code.env().proceed_arguments;
    for (std::size_t i = 0; i < call.args.size() && i < arguments.size(); ++i)
      if (call.args[i]) arguments[i] = expr(code, *call.args[i]);
    return code.env().proceed(arguments, gives_others(*code.env().replaces, call));
  }
  if (call.kind == model::ExprKind::call_event) {
    const Register result = call_with_exprs(code, code.unit.functions.event[call.ref], call.args);
    check_unwind(code);
    return result;
  }
  std::vector<Register> arguments;
  for (const model::Expr* a : call.args) {
    const Register value = expr(code, *a);
    const Register copy =
        code.type(value).kind == ir::RegisterKind::array ? value : code.make(register_type(code.unit, a->type));
    if (copy != value) code.assign(copy, value);
    arguments.push_back(copy);
  }
  arguments.push_back(code.constant(code.env().flow ? 1 : 0));
  const Register result = lower::call(code, code.unit.functions.window[call.ref], arguments);
  check_unwind(code);
  return result;
}

// Returns the result of a call. A list or set is read from the variable in which the call passes it.
Register taken(const FunctionContext& code, const model::Expr& call, Register happened) {
  const bool handed = call.type.kind == TypeKind::list ||
                      (call.kind == model::ExprKind::open_window && call.type.kind == TypeKind::set);
  return handed ? handed_over(code, given_by(code, call)[0], happened, nullptr, call.type) : happened;
}

static bool passes_on(const Pattern& pattern, const model::Expr* argument) {
  if (!argument) return true;
  if (argument->kind != ExprKind::local) return false;
  if (pattern.kind == Pattern::Kind::binds) return argument->local == pattern.local;
  return pattern.kind == Pattern::Kind::equals && pattern.value->kind == ExprKind::local &&
         pattern.value->local == argument->local;
}

bool gives_others(const Handler& rule, const model::Expr& proceed) {
  const view::Parts arguments = view::proceed(proceed).arguments();
  for (std::size_t i = 0; i < arguments.size() && i < rule.patterns.size(); ++i)
    if (!passes_on(rule.patterns[i], arguments[i])) return true;
  return false;
}

}   // namespace cardwright::lower
