// Lists the fields of the IR structs for support/archive.h. Structured bindings make a missing field a compile error.
#pragma once

#include "runtime/ir/ir.h"
#include "support/archive.h"

namespace cardwright::ir {

constexpr Op last_of(Op) {
  constexpr Op all[] = {
#define OP(name, signature, flags) Op::name,
#include "runtime/ir/ops.def"
#undef OP
  };
  return all[sizeof all / sizeof *all - 1];
}
constexpr RegisterKind last_of(RegisterKind) { return RegisterKind::array; }
constexpr Returns last_of(Returns) { return Returns::set; }

template <class A>
void fields(A& a, RegisterType& whole) {
  auto& [kind, bytes, length, holds_card, site_local, each, holds_sets] = whole;
  a(kind, bytes, length, holds_card, site_local, each, holds_sets);
}
template <class A>
void fields(A& a, Instruction& whole) {
  auto& [op, result, operands, where] = whole;
  a(op, result, operands, where);
}
template <class A>
void fields(A& a, Block& whole) {
  auto& [code, of] = whole;
  a(code, of);
}
template <class A>
void fields(A& a, Function& whole) {
  auto& [name, parameters, returns, registers, blocks, where, shown, suspends] = whole;
  a(name, parameters, returns, registers, blocks, where, shown, suspends);
}
template <class A>
void fields(A& a, Joined& whole) {
  auto& [caller, where] = whole;
  a(caller, where);
}
template <class A>
void fields(A& a, Module& whole) {
  auto& [functions, sets, tables, texts, joined] = whole;
  a(functions, sets, tables, texts, joined);
}

}   // namespace cardwright::ir
