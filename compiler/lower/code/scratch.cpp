#include "compiler/lower/code/scratch.h"

#include "compiler/lower/code/flags.h"
#include "compiler/lower/code/list_registers.h"
#include "compiler/lower/code/types.h"
#include "compiler/lower/context/function_context.h"

namespace cardwright::lower {

void save_and_set(const FunctionContext& code, Int variable, Register value) {
  code.env().restore.push_back({variable, scratch_value(code, variable)});
  put_scratch(code, variable, value);
  touch(code, code.unit.watching.always);
}

Register scratch_value(const FunctionContext& code, Int variable) {
  const Register zero = code.constant(0);
  if (code.program.variable_infos[variable].list > 0)
    return load_list(code, variable, zero, list_register(code.unit, variable));
  if (code.program.variables[variable].is_set) return code.set(Op::load_set, {variable, zero});
  return code.integer(Op::load_raw, {variable, zero});
}

Register load_raw(const FunctionContext& code, Int variable, Register index) {
  return code.integer(Op::load_raw, {variable, index == ir::kNoRegister ? code.constant(0) : index});
}

void put_scratch(const FunctionContext& code, Int variable, Register value) {
  const Register zero = code.constant(0);
  if (code.program.variable_infos[variable].list > 0)
    store_list(code, variable, zero, value);
  else if (code.program.variables[variable].is_set)
    code.effect(Op::store_set, {variable, zero, value});
  else
    code.effect(Op::store, {variable, zero, value});
}

// IR functions cannot return lists or several values. An event or window stores such results in scratch variables and
// returns 1, or none if it has no result. The caller reads these variables immediately.
void hand_over(const FunctionContext& code, const std::vector<Register>& values) {
  for (std::size_t i = 0; i < values.size() && i < code.env().gives.size(); ++i)
    put_scratch(code, code.env().gives[i], values[i]);
}

}   // namespace cardwright::lower
