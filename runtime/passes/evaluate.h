// Evaluates an operation with known operands by the same function that every engine calls for it.
#pragma once

#include <cstdint>
#include <vector>

#include "runtime/ir/ir.h"
#include "runtime/passes/pass.h"
#include "runtime/program/layout.h"

namespace cardwright::passes {

// A known value of a register: unknown, an int, or an index into Module::sets.
struct Value {
  enum class Kind : std::uint8_t { unknown, integer, set };
  Kind kind = Kind::unknown;
  Int value = 0;
  bool is_known() const { return kind != Kind::unknown; }
  bool operator==(const Value&) const = default;
  static Value integer(Int value) { return {Kind::integer, value}; }
  static Value set(Int index) { return {Kind::set, index}; }
};

// Returns unknown if the operation is not pure, has an unknown operand or would trap. `known` contains the value of
// each register, if it is known. If the result is a new set, it is added to the module.
Value evaluate(ir::Module& module, const ir::Instruction& instruction, const std::vector<Value>& known,
               const PassContext& context);

// Return the index of the constant in Module::sets or Module::tables, and add it if it is new.
Int intern_set(ir::Module& module, const std::vector<Word>& set);
Int intern_table(ir::Module& module, const std::vector<Int>& table);

}   // namespace cardwright::passes
