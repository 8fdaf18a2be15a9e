#include "compiler/lower/expressions/inlined_calls.h"

#include "compiler/lower/code/blocks.h"
#include "compiler/lower/code/calls.h"
#include "compiler/lower/code/limits.h"
#include "compiler/lower/code/locals.h"
#include "compiler/lower/code/notes.h"
#include "compiler/lower/code/types.h"
#include "compiler/lower/code/unwind.h"
#include "compiler/lower/context/function_context.h"
#include "compiler/lower/context/hooks.h"
#include "compiler/lower/expressions/values.h"

namespace cardwright::lower {

using model::TypeKind;

// Reports an error and returns true if the arrays of the current function need too much stack space.
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
  // Nothing is hoisted, because the function's variables change.
  const FunctionContext called = code.in(inner).hoisting(nullptr);
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
  // Nothing is hoisted, because the function's variables change.
  const FunctionContext called = code.in(inner).inlined(e.ref).hoisting(nullptr);
  note_reached(called, f.range);
  block(called, f.body.block);
  if (!code.closed()) leave_function(called, ir::kNoRegister);
  code.go_to(inner.return_block);
  return inner.result;
}

}   // namespace cardwright::lower
