#include "compiler/lower/code/list_registers.h"

#include "compiler/lower/code/traps.h"
#include "compiler/lower/code/types.h"
#include "compiler/lower/context/function_context.h"

namespace cardwright::lower {

using model::TypeKind;

static void take_element(const FunctionContext& code, Register to, Register list, Register index);

Register load_list(const FunctionContext& code, Int variable, Register index, RegisterType type) {
  const VariableInfo& info = code.program.variable_infos[variable];
  const Register list = code.make(type);
  if (type.holds_sets)
    code.effect(Op::list_load_sets, {list, variable, index, info.list});
  else if (info.inner > 0)
    code.effect(Op::list_load_lists, {list, variable, index, info.list, info.inner});
  else
    code.effect(Op::list_load, {list, variable, index, info.list});
  return list;
}

void store_list(const FunctionContext& code, Int variable, Register index, Register list) {
  const VariableInfo& info = code.program.variable_infos[variable];
  if (code.program.variables[variable].is_set)
    code.effect(Op::list_store_sets, {list, variable, index, info.list});
  else if (info.inner > 0)
    code.effect(Op::list_store_lists, {list, variable, index, info.list, info.inner});
  else
    code.effect(Op::list_store, {list, variable, index, info.list});
}

void add_element(const FunctionContext& code, Register list, const model::Type& type, Register element) {
  code.effect(is_wide(code.unit, *type.elem)      ? Op::list_add_set
              : type.elem->kind == TypeKind::list ? Op::list_add_list
                                                  : Op::list_add,
              {list, element});
}

void put_element(const FunctionContext& code, Register list, const model::Type& type, Register index,
                 Register element) {
  code.effect(is_wide(code.unit, *type.elem)      ? Op::list_put_set
              : type.elem->kind == TypeKind::list ? Op::list_put_list
                                                  : Op::list_put,
              {list, index, element});
}

// `index` is zero-based and must be valid.
Register element_of(const FunctionContext& code, Register list, const model::Type& type, Register index) {
  if (holds_ints(code.unit, type))
    return code.integer(Op::array_get, {list, code.integer(Op::add_small, {index, code.constant(1)})});
  const Register element = code.make(register_type(code.unit, *type.elem));
  take_element(code, element, list, index);
  return element;
}

// Reads an element that consists of several ints.
static void take_element(const FunctionContext& code, Register to, Register list, Register index) {
  if (code.type(to).kind == ir::RegisterKind::set)
    code.put(Op::list_set_at, to, {list, index});
  else
    code.effect(Op::list_list_at, {to, list, index});
}

Register length_of(const FunctionContext& code, Register list) {
  const Register ints = code.integer(Op::array_get, {list, code.constant(0)});
  const Int each = code.type(list).each;
  return each == 1 ? ints : code.integer(Op::div_small, {ints, code.constant(each)});
}

// Iterates over the elements of a list in a register.
void walk(const FunctionContext& code, Register list, const model::Type& type,
          const std::function<void(Register, BlockIndex)>& body) {
  if (holds_ints(code.unit, type)) return for_each_in(code, list, body);
  const Register length = length_of(code, list), i = code.make_int(),
                 element = code.make(register_type(code.unit, *type.elem));
  code.assign_constant(i, -1);
  BlockIndex head = code.add_block(), inside = code.add_block(), done = code.add_block();
  code.jump(head);
  code.go_to(head);
  fuel(code, -type.most);
  code.put(Op::add_small, i, {i, code.constant(1)});
  code.branch(code.integer(Op::lt_small, {i, length}, 1), inside, done);
  code.go_to(inside);
  take_element(code, element, list, i);
  body(element, head);
  code.jump(head);
  code.go_to(done);
}

std::vector<Register> taken_apart(const FunctionContext& code, Register list) {
  std::vector<Register> parts;
  for (Int i = 0; const RegisterType& type : parts_of(code.type(list))) {
    parts.push_back(code.make(type));
    if (type.kind == ir::RegisterKind::set)
      code.put(Op::list_set_at, parts.back(), {list, code.constant(i - 1)});
    else
      code.put(Op::array_get, parts.back(), {list, code.constant(i)});
    ++i;
  }
  return parts;
}

void put_together(const FunctionContext& code, Register list, const std::vector<Register>& parts) {
  code.effect(Op::array_fill, {list, code.constant(0)});
  const bool sets = code.type(list).holds_sets;
  for (std::size_t i = 1; i < parts.size() && sets; ++i) code.effect(Op::list_add_set, {list, parts[i]});
  for (std::size_t i = 0; i < (sets ? 1 : parts.size()); ++i)
    code.effect(Op::array_set, {list, code.constant(Int(i)), parts[i]});
}

void for_each_in(const FunctionContext& code, Register array, const std::function<void(Register, BlockIndex)>& body,
                 Int count) {
  const bool all = array == ir::kNoRegister;
  const Register length = all ? code.constant(count) : code.integer(Op::array_get, {array, code.constant(0)});
  Register i = code.make_int(), element = code.make(int_type(8, !all && code.type(array).holds_card));
  code.assign_constant(i, 0);
  BlockIndex head = code.add_block(), inside = code.add_block(), done = code.add_block();
  code.jump(head);
  code.go_to(head);
  code.branch(code.integer(Op::lt_small, {i, length}, 1), inside, done);
  code.go_to(inside);
  if (all) code.assign(element, i);
  fuel(code, all ? -count : -Int{code.type(array).length});
  code.put(Op::add_small, i, {i, code.constant(1)});
  if (!all) code.put(Op::array_get, element, {array, i});
  body(element, head);
  code.jump(head);
  code.go_to(done);
}

// Iterates from `lo` to `hi`. The loop uses copies of both registers, so the body may change them.
void for_each_number(const FunctionContext& code, Register lo, Register hi,
                     const std::function<void(Register, BlockIndex)>& body) {
  Register n = code.make_int(), last = code.make_int(), element = code.make_int();
  code.assign(n, lo);
  code.assign(last, hi);
  BlockIndex head = code.add_block(), inside = code.add_block(), done = code.add_block();
  code.jump(head);
  code.go_to(head);
  fuel(code);
  code.branch(code.integer(Op::le, {n, last}, 1), inside, done);
  code.go_to(inside);
  code.assign(element, n);
  code.put(Op::add, n, {n, code.constant(1)});
  body(element, head);
  code.jump(head);
  code.go_to(done);
}

void fill_table(const FunctionContext& code, Register table, const model::Type& type, Register entry) {
  const model::Type list = as_list(code.unit, type);
  const bool ints = holds_ints(code.unit, list);
  code.effect(Op::array_fill, {table, ints ? entry : code.constant(0)});
  code.effect(Op::array_set, {table, code.constant(0), code.constant(list.most * each_of(code.unit, list))});
  if (ints) return;
  const Register place = code.make_int();
  code.assign_constant(place, -1);
  const BlockIndex head = code.add_block(), inside = code.add_block(), done = code.add_block();
  code.jump(head);
  code.go_to(head);
  fuel(code, -list.most);
  code.put(Op::add_small, place, {place, code.constant(1)});
  code.branch(code.integer(Op::lt_small, {place, code.constant(list.most)}, 1), inside, done);
  code.go_to(inside);
  put_element(code, table, list, place, entry);
  code.jump(head);
  code.go_to(done);
}

}   // namespace cardwright::lower
