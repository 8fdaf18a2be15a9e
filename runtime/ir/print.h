// Writes IR as text for people, tests and `--print=ir`. parse() (parse.h) restores the module without its source
// ranges.
//
//   set c0 = 0x1f
//   table t0 = 1, none, 3
//   text "draws {0}"
//   function f0 "event lose" (r0, r1) -> int suspends hidden {
//     r0 int1 card
//     r1 set
//     r2 array 12
//   b0:
//     r3 = add r0, r1
//     switch r3, b1, 4: b2, 5: b3
//   }
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "runtime/ir/ir.h"

namespace cardwright::ir {

std::string_view op_name(Op op);   // the printed name: "and", not "and_"
std::optional<Op> find_op(std::string_view printed);

std::string print(const Instruction& instruction);
std::string print(const Function& function, FunctionIndex index = 0);
std::string print(const Module& module);

// Returns true if the modules are equal except for source ranges.
bool same(const Module& a, const Module& b);

}   // namespace cardwright::ir
