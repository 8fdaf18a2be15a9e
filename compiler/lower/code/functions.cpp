#include "compiler/lower/code/functions.h"

#include "compiler/lower/code/list_registers.h"
#include "compiler/lower/code/types.h"
#include "compiler/lower/context/function_context.h"

namespace cardwright::lower {

using model::TypeKind;

ir::FunctionIndex new_function(ProgramContext& unit, std::string name, ir::Returns returns, Range where, bool shown) {
  ir::Function f;
  f.name = std::move(name);
  f.returns = returns;
  f.where = where;
  f.shown = shown;
  unit.program.playout.functions.push_back(std::move(f));
  return static_cast<ir::FunctionIndex>(unit.program.playout.functions.size() - 1);
}

// Moves the function out of the Program while its code is emitted, because emission may add functions to the Program,
// which invalidates references.
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
  for (ir::Block& block : f.blocks)   // unreachable blocks also need a terminator
    if (block.code.empty() || !ends_block(block.code.back().op))
      block.code.push_back({Op::trap, ir::kNoRegister, {static_cast<Int>(Trap::fell_through)}, f.where});
  unit.function(index) = std::move(f);
}

// Adds a parameter to the function. A list is passed as its length, followed by all its elements.
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

}   // namespace cardwright::lower
