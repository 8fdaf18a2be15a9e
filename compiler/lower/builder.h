// Writes one IR function: blocks, registers, instructions. Knows nothing of the Model.
#pragma once

#include <algorithm>
#include <initializer_list>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "compiler/ir/ir.h"
#include "compiler/ir/shape.h"
#include "program/layout.h"

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

class Builder {
 public:
  explicit Builder(ir::Function& function) : function_(function) { current_ = add_block(); }

  ir::Function& function() { return function_; }
  const ir::Function& function() const { return function_; }
  BlockIndex add_block() {
    function_.blocks.emplace_back();
    return static_cast<BlockIndex>(function_.blocks.size() - 1);
  }
  void go_to(BlockIndex block) { current_ = block; }
  BlockIndex here() const { return current_; }
  // Code after a `return` is unreachable but must stand somewhere.
  bool closed() const {
    const auto& code = function_.blocks[current_].code;
    return !code.empty() && ends_block(code.back().op);
  }

  Register make(RegisterType type) {
    function_.registers.push_back(type);
    return static_cast<Register>(function_.registers.size() - 1);
  }
  Register make_int(int bytes = 8) { return make(int_type(bytes)); }
  Register make_set() { return make(set_type()); }
  void holds_no_card(Register r) { function_.registers[r].holds_card = false; }
  const RegisterType& type(Register r) const { return function_.registers[r]; }

  void put(Op op, Register result, std::vector<std::int64_t> operands) {
    if (closed()) current_ = add_block();
    function_.blocks[current_].code.push_back({op, result, std::move(operands), where_});
  }
  void effect(Op op, std::initializer_list<std::int64_t> operands) { put(op, ir::kNoRegister, operands); }
  Register integer(Op op, std::initializer_list<std::int64_t> operands, int bytes = 8) {
    Register r = make_int(bytes);
    put(op, r, operands);
    return r;
  }
  // Holds what the first set among the operands holds; without one, cards.
  Register set(Op op, std::initializer_list<std::int64_t> operands) {
    Register r = make_set();
    const std::string_view letters = ir::shape_of(op).operands();
    if (const std::size_t first = letters.find('s'); first != std::string_view::npos)
      function_.registers[r].holds_card = type(static_cast<Register>(operands.begin()[first])).holds_card;
    put(op, r, operands);
    return r;
  }
  Register constant(std::int64_t value) { return integer(Op::const_int, {value}); }
  // What the register was last set to in this block, if that is a constant.
  std::optional<std::int64_t> known_here(Register r) const {
    const auto& code = function_.blocks[current_].code;
    const auto last = std::find_if(code.rbegin(), code.rend(), [&](const ir::Instruction& i) { return i.result == r; });
    if (last == code.rend() || last->op != Op::const_int) return std::nullopt;
    return last->operands[0];
  }
  void assign(Register to, Register from) {
    put(type(to).kind == ir::RegisterKind::set ? Op::copy_set : Op::copy_int, to, {from});
  }
  void assign_constant(Register to, std::int64_t value) { put(Op::const_int, to, {value}); }
  // Before what already stands in the block.
  void insert(BlockIndex block, std::size_t at, ir::Instruction instruction) {
    auto& code = function_.blocks[block].code;
    code.insert(code.begin() + static_cast<std::ptrdiff_t>(at), std::move(instruction));
    ++inserted_[block];
  }
  void jump(BlockIndex to) {
    if (!closed()) effect(Op::jump, {to});
  }
  void branch(Register condition, BlockIndex yes, BlockIndex no) { effect(Op::branch, {condition, yes, no}); }

  // Where one is, to come back to if what is then written leads nowhere: `back_to` takes it out again.
  struct Mark {
    BlockIndex block;
    std::size_t size, inserted, blocks;
  };
  Mark mark() {
    return {current_, function_.blocks[current_].code.size(), inserted_[current_], function_.blocks.size()};
  }
  void back_to(const Mark& mark) {
    function_.blocks.resize(mark.blocks);
    function_.blocks[mark.block].code.resize(mark.size + inserted_[mark.block] - mark.inserted);
    current_ = mark.block;
  }

  // The only cards, by id, that a set which is written once can hold; null if nobody knows.
  const std::vector<std::int64_t>* among(Register set) const {
    const auto it = among_.find(set);
    return it == among_.end() ? nullptr : &it->second;
  }
  void tell_within(Register set, Register whole) {
    if (const auto* cards = among(whole); cards && !among(set)) among_[set] = std::vector(*cards);
  }
  void tell_among(Register set, const std::vector<std::int64_t>& cards, Register whole) {
    std::vector<std::int64_t> both = cards;
    if (const auto* before = among(whole))
      std::erase_if(
          both, [&](std::int64_t card) { return std::find(before->begin(), before->end(), card) == before->end(); });
    among_[set] = std::move(both);
  }

  void at(Range where) {
    if (where.known()) where_ = where;
  }
  Range where() const { return where_; }

 private:
  ir::Function& function_;
  BlockIndex current_ = 0;
  Range where_;
  std::map<BlockIndex, std::size_t> inserted_;   // how many instructions, by `insert`
  std::map<Register, std::vector<std::int64_t>> among_;
};

}  // namespace cardwright::lower
