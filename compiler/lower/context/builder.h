// Builds one IR function from blocks, registers and instructions. It does not depend on the Model.
#pragma once

#include <algorithm>
#include <initializer_list>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "runtime/ir/ir.h"
#include "runtime/ir/shape.h"
#include "runtime/program/layout.h"

namespace cardwright::lower {

using ir::BlockIndex;
using ir::Op;
using ir::Register;
using ir::RegisterType;

inline RegisterType int_type(int bytes = 8, bool card = false) {
  return {ir::RegisterKind::integer, static_cast<std::uint8_t>(bytes), 0, card};
}
inline RegisterType set_type() { return {ir::RegisterKind::set, 8, 0, true}; }
inline RegisterType array_type(std::uint32_t length, bool holds_card = false) {
  return {ir::RegisterKind::array, 8, length, holds_card};
}

inline RegisterType site_local(RegisterType type) {
  type.site_local = true;
  return type;
}

// The function under construction, and the position at which instructions are appended.
struct Writing {
  explicit Writing(ir::Function& of) : function(of) { function.blocks.emplace_back(); }
  Writing(const Writing&) = delete;

  ir::Function& function;
  BlockIndex current = 0;
  Range where;
  std::map<Register, std::vector<std::int64_t>> among;
};

// Appends instructions to a function. A Builder is a handle: all copies write to the same function.
class Builder {
 public:
  explicit Builder(Writing& writing) : writing_(&writing) {}

  ir::Function& function() const { return writing_->function; }
  BlockIndex add_block() const {
    writing_->function.blocks.emplace_back();
    return static_cast<BlockIndex>(writing_->function.blocks.size() - 1);
  }
  void go_to(BlockIndex block) const { writing_->current = block; }
  BlockIndex here() const { return writing_->current; }
  // Returns whether the current block already ends with a jump, a return or a trap.
  bool closed() const {
    const auto& code = writing_->function.blocks[writing_->current].code;
    return !code.empty() && ends_block(code.back().op);
  }

  Register make(RegisterType type) const {
    writing_->function.registers.push_back(type);
    return static_cast<Register>(writing_->function.registers.size() - 1);
  }
  Register make_int(int bytes = 8) const { return make(int_type(bytes)); }
  Register make_set() const { return make(set_type()); }
  void holds_no_card(Register r) const { writing_->function.registers[r].holds_card = false; }
  const RegisterType& type(Register r) const { return writing_->function.registers[r]; }

  void put(Op op, Register result, std::vector<std::int64_t> operands) const {
    if (closed()) writing_->current = add_block();
    writing_->function.blocks[writing_->current].code.push_back({op, result, std::move(operands), writing_->where});
  }
  void effect(Op op, std::initializer_list<std::int64_t> operands) const { put(op, ir::kNoRegister, operands); }
  Register integer(Op op, std::initializer_list<std::int64_t> operands, int bytes = 8) const {
    Register r = make_int(bytes);
    put(op, r, operands);
    return r;
  }
  // The result has the element type of the first set among the operands. If no operand is a set, the result is a set of
  // cards.
  Register set(Op op, std::initializer_list<std::int64_t> operands) const {
    Register r = make_set();
    const std::string_view letters = ir::shape_of(op).operands();
    if (const std::size_t first = letters.find('s'); first != std::string_view::npos)
      writing_->function.registers[r].holds_card = type(static_cast<Register>(operands.begin()[first])).holds_card;
    put(op, r, operands);
    return r;
  }
  Register constant(std::int64_t value) const { return integer(Op::const_int, {value}); }
  // Returns the last value assigned to the register in the current block, if that value is a constant.
  std::optional<std::int64_t> known_here(Register r) const {
    const auto& code = writing_->function.blocks[writing_->current].code;
    const auto last = std::find_if(code.rbegin(), code.rend(), [&](const ir::Instruction& i) { return i.result == r; });
    if (last == code.rend() || last->op != Op::const_int) return std::nullopt;
    return last->operands[0];
  }
  void assign(Register to, Register from) const {
    put(type(to).kind == ir::RegisterKind::set ? Op::copy_set : Op::copy_int, to, {from});
  }
  void assign_constant(Register to, std::int64_t value) const { put(Op::const_int, to, {value}); }
  // Inserts an instruction before existing ones in the block.
  void insert(BlockIndex block, std::size_t at, ir::Instruction instruction) const {
    auto& code = writing_->function.blocks[block].code;
    code.insert(code.begin() + static_cast<std::ptrdiff_t>(at), std::move(instruction));
  }
  void jump(BlockIndex to) const {
    if (!closed()) effect(Op::jump, {to});
  }
  void branch(Register condition, BlockIndex yes, BlockIndex no) const { effect(Op::branch, {condition, yes, no}); }

  // Returns the ids of the only cards that the set can contain, or null if they are unknown. Valid only for sets that
  // are assigned once.
  const std::vector<std::int64_t>* among(Register set) const {
    const auto it = writing_->among.find(set);
    return it == writing_->among.end() ? nullptr : &it->second;
  }
  void set_among(Register set, std::vector<std::int64_t> cards) const { writing_->among[set] = std::move(cards); }

  void at(Range where) const {
    if (where.known()) writing_->where = where;
  }
  Range where() const { return writing_->where; }

 private:
  Writing* writing_;
};

}   // namespace cardwright::lower
