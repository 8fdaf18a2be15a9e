// The fields of IR, for support/archive.h.
#pragma once

#include "compiler/ir/ir.h"
#include "compiler/support/archive.h"

namespace cardwright::ir {

constexpr Op last_of(Op) {
  constexpr Op all[] = {
#define OP(name, signature, flags) Op::name,
#include "compiler/ir/ops.def"
#undef OP
  };
  return all[sizeof all / sizeof *all - 1];
}
constexpr RegisterKind last_of(RegisterKind) { return RegisterKind::array; }
constexpr Returns last_of(Returns) { return Returns::set; }

template <class A>
void fields(A& a, RegisterType& t) { a(t.kind, t.bytes, t.length, t.holds_card, t.site_local); }
template <class A>
void fields(A& a, Instruction& i) { a(i.op, i.result, i.operands, i.where); }
template <class A>
void fields(A& a, Block& b) { a(b.code); }
template <class A>
void fields(A& a, Function& f) { a(f.name, f.parameters, f.returns, f.registers, f.blocks, f.where, f.shown, f.suspends); }
template <class A>
void fields(A& a, Module& m) { a(m.functions, m.sets, m.tables, m.texts); }

}  // namespace cardwright::ir
