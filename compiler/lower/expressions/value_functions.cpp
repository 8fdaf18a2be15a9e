#include "compiler/lower/expressions/value_functions.h"

#include "compiler/lower/code/blocks.h"
#include "compiler/lower/code/calls.h"
#include "compiler/lower/code/functions.h"
#include "compiler/lower/code/locals.h"
#include "compiler/lower/code/notes.h"
#include "compiler/lower/code/traps.h"
#include "compiler/lower/code/types.h"
#include "compiler/lower/code/unwind.h"
#include "compiler/lower/context/function_context.h"
#include "compiler/lower/expressions/memoized_values.h"
#include "compiler/lower/expressions/values.h"

namespace cardwright::lower {

using model::TypeKind;

static void lower_memoized(ProgramContext& unit, const MemoizedValue& memoized, ir::FunctionIndex work);
static void lower_memoized_table(ProgramContext& unit, const MemoizedValue& memoized);

static void invalidate_memoized(const FunctionContext& code, const MemoizedValue& memoized, Register stale);

static void evaluate(ProgramContext& unit, const model::Value& value, ir::FunctionIndex function) {
  Env env_here;
  bind_locals(env_here, value.body);
  write_function(unit, function, env_here, [&](const FunctionContext& code) {
    std::vector<Register> arguments;
    for (const model::Parameter& p : value.parameters) {
      arguments.push_back(parameter(code, value.body.locals[p.local.index].type));
      bind(code, p.local, arguments.back());
    }
    // Values that return a list are inlined at each call (inline_value).
    if (is_array(value.result)) return leave_function(code, ir::kNoRegister);
    fuel(code);
    leave_function(code, settled_and_modified(code, value, arguments));
  });
}

void lower_value(ProgramContext& unit, std::size_t index) {
  const model::Value& value = unit.model.values[index];
  const MemoizedValue* stored = memoized(unit, index);
  if (!stored) return evaluate(unit, value, unit.functions.value[index]);
  if (value.result.kind == TypeKind::map) return lower_memoized_table(unit, *stored);
  const ir::FunctionIndex work = new_function(unit, "value " + value.name, returns_of(unit, value.result), value.range);
  evaluate(unit, value, work);
  lower_memoized(unit, *stored, work);
}

void lower_function(ProgramContext& unit, std::size_t index) {
  const model::Function& f = unit.model.functions[index];
  if (f.sequence) return;   // loops over a sequence contain its inlined code
  Env env_here;
  bind_locals(env_here, f.body);
  write_function(unit, unit.functions.function[index], env_here, [&](const FunctionContext& code) {
    if (!code.unit.facts.called.functions[index] || takes_table(f))
      // Nothing calls this IR function: the function is unused, or inlined at each call.
      return leave_function(code, ir::kNoRegister);
    for (const model::Parameter& p : f.parameters)
      bind(code, p.local, parameter(code, f.body.locals[p.local.index].type));
    // Functions that return a list are inlined at each call (inline_call).
    if (is_array(f.result)) return leave_function(code, ir::kNoRegister);
    fuel(code);
    note_reached(code, f.range);
    block(code, f.body.block);
  });
}

static void lower_memoized(ProgramContext& unit, const MemoizedValue& memoized, ir::FunctionIndex work) {
  const model::Value& value = unit.model.values[memoized.value];
  const bool wide = is_wide(unit, value.result);
  Env env_here;
  bind_locals(env_here, value.body);
  write_function(unit, unit.functions.value[memoized.value], env_here, [&](const FunctionContext& code) {
    const Register zero = code.constant(0);
    std::vector<Register> arguments;
    for (const model::Parameter& p : value.parameters)
      arguments.push_back(parameter(code, value.body.locals[p.local.index].type));
    Register entry = code.make_int();
    code.assign_constant(entry, 0);
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      const Bounds& key = memoized.keys[i];
      const Int count = key.hi - key.lo + 1;
      Register place = arguments[i];
      if (value.body.locals[value.parameters[i].local.index].type.optional)
        place = code.integer(Op::select,
                             {code.integer(Op::eq, {place, code.constant(kNone)}, 1), code.constant(key.lo), place});
      place = code.integer(Op::place_in, {place, key.lo, count});
      code.assign(entry, i == 0 ? place
                                : code.integer(Op::add_small,
                                               {code.integer(Op::mul_small, {entry, code.constant(count)}), place}));
    }
    BlockIndex forget = code.add_block(), look = code.add_block(), there = code.add_block(), missing = code.add_block();
    const Register stale = code.integer(Op::load_raw, {code.program.stale, zero});
    code.branch(code.integer(Op::mask_and, {stale, code.constant(memoized.bit)}), forget, look);
    code.go_to(forget);
    invalidate_memoized(code, memoized, stale);
    code.jump(missing);
    code.go_to(look);
    code.branch(code.integer(Op::load_raw, {memoized.known, entry}, 1), there, missing);
    code.go_to(missing);
    const Register found = call(code, work, arguments);
    check_unwind(code);
    code.effect(wide ? Op::store_set : Op::store, {memoized.results, entry, found});
    code.effect(Op::store, {memoized.known, entry, code.constant(1)});
    leave_function(code, found);
    code.go_to(there);
    leave_function(code, wide ? code.set(Op::load_set, {memoized.results, entry})
                              : code.integer(Op::load_raw, {memoized.results, entry}));
  });
}

// Computes all entries of a table if it is stale.
static void lower_memoized_table(ProgramContext& unit, const MemoizedValue& memoized) {
  const model::Value& value = unit.model.values[memoized.value];
  Env env_here;
  bind_locals(env_here, value.body);
  write_function(unit, unit.functions.value[memoized.value], env_here, [&](const FunctionContext& code) {
    const Register zero = code.constant(0), stale = code.integer(Op::load_raw, {code.program.stale, zero});
    const BlockIndex forget = code.add_block(), look = code.add_block(), there = code.add_block(),
                     missing = code.add_block();
    code.branch(code.integer(Op::mask_and, {stale, code.constant(memoized.bit)}), forget, look);
    code.go_to(forget);
    invalidate_memoized(code, memoized, stale);
    code.jump(missing);
    code.go_to(look);
    code.branch(code.integer(Op::load_raw, {memoized.known, zero}, 1), there, missing);
    code.go_to(missing);
    fuel(code);
    const Register table = value_settled(code, value, {});
    code.effect(is_wide(code.unit, *value.result.elem) ? Op::table_store_sets : Op::list_store,
                {table, memoized.results, zero, as_list(code.unit, value.result).most});
    code.effect(Op::store, {memoized.known, zero, code.constant(1)});
    leave_function(code, ir::kNoRegister);
    code.go_to(there);
    leave_function(code, ir::kNoRegister);
  });
}

static void invalidate_memoized(const FunctionContext& code, const MemoizedValue& memoized, Register stale) {
  for (const MemoizedValue& other : code.unit.watching.memoized)   // all values that share this bit
    if (other.bit == memoized.bit) code.effect(Op::clear, {other.known});
  code.effect(Op::store, {code.program.stale, code.constant(0),
                          code.integer(Op::mask_without, {stale, code.constant(memoized.bit)})});
}

}   // namespace cardwright::lower
