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

FIELDS(RegisterType, kind, bytes, length, holds_card, site_local, each, holds_sets)
FIELDS(Instruction, op, result, operands, where)
FIELDS(Block, code, of)
FIELDS(Function, name, parameters, returns, registers, blocks, where, shown, suspends)
FIELDS(Joined, caller, where)
FIELDS(Module, functions, sets, tables, texts, joined)

}   // namespace cardwright::ir
