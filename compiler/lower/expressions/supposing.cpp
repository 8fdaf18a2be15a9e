#include "compiler/lower/expressions/supposing.h"

#include "compiler/lower/code/calls.h"
#include "compiler/lower/code/conditions.h"
#include "compiler/lower/code/functions.h"
#include "compiler/lower/code/locals.h"
#include "compiler/lower/context/function_context.h"

namespace cardwright::lower {

// Returns the version of the event that `supposing` uses. An `end` has no effect beyond this version.
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

// Lowers `supposing`. Values cached before the event are invalid in the supposed state, and values cached in the
// supposed state are invalid after it has been undone.
Register supposing(const FunctionContext& code, const model::Expr& e) {
  const view::supposing its(e);
  const FunctionContext then = code.without_caches();
  code.effect(Op::suppose, {});
  call_with_exprs(then, supposed_event(code.unit, its.what()->ref), its.what()->args);
  const Register holds = condition_value(then, *its.condition());
  code.effect(Op::unsuppose, {});
  return holds;
}

}   // namespace cardwright::lower
