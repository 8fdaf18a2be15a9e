// Finds draws: between the two operations nothing may happen that could tell whether the card has moved already, a trap
// least of all. The place that it goes to is found in between, which traps where nobody owns it; so somebody must be known
// to own it.
#include "compiler/passes/draws.h"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "compiler/passes/walk.h"

namespace cardwright::passes {

namespace {

using Code = std::vector<ir::Instruction>;

class Draws {
 public:
  Draws(ir::Function& function, const Surroundings& around) : function_(function), around_(around) {}

  void fuse() {
    for (block_ = 0; block_ < function_.blocks.size(); ++block_) {
      Code& code = function_.blocks[block_].code;
      for (std::size_t i = 0; i < code.size(); ++i) {
        if (code[i].op != ir::Op::zone_top) continue;
        if (const std::size_t move = find_move(code, i); move < code.size()) fuse(code, i, move);
      }
    }
  }

 private:
  // The move to the top of a zone of the card that code[top] finds, with only computing in between; else the end.
  std::size_t find_move(const Code& code, std::size_t top) const {
    const ir::Register card = code[top].result;
    for (std::size_t i = top + 1; i < code.size(); ++i) {
      if (code[i].op == ir::Op::move_card && code[i].operands[0] == card && code[i].operands[2] == 0) return i;
      if (!only_computes(code[i]) || code[i].result == card) break;
    }
    return code.size();
  }

  // What needs the card comes after the draw, all else before it.
  void fuse(Code& code, std::size_t top, std::size_t move) {
    std::set<std::int64_t> late{code[top].result};
    Code before, after;
    for (std::size_t i = top + 1; i < move; ++i) {
      bool needs_it = false, disturbs = code[i].result == code[top].operands[0];
      for_each_use(code[i], [&](ir::Register r) { needs_it |= late.count(r) != 0; });
      for (const ir::Instruction& other : after) {
        disturbs |= other.result == code[i].result;
        for_each_use(other, [&](ir::Register r) { disturbs |= r == code[i].result; });
      }
      if (disturbs) return;
      if (needs_it) late.insert(code[i].result);
      (needs_it ? after : before).push_back(code[i]);
    }
    const std::int64_t to = code[move].operands[1];
    if (late.count(to) != 0) return;
    ir::Instruction draw = code[move];
    draw.op = ir::Op::draw_card;
    draw.result = code[top].result;
    draw.operands = {code[top].operands[0], to};
    before.push_back(std::move(draw));
    before.insert(before.end(), after.begin(), after.end());
    code.erase(code.begin() + static_cast<std::ptrdiff_t>(top), code.begin() + static_cast<std::ptrdiff_t>(move) + 1);
    code.insert(code.begin() + static_cast<std::ptrdiff_t>(top), before.begin(), before.end());
  }

  bool only_computes(const ir::Instruction& in) const {
    if (in.op == ir::Op::zone_index) return is_good_place(in);
    if (in.op == ir::Op::const_int || in.op == ir::Op::copy_int) return true;
    const Shape& shape = shape_of(in.op);
    return shape.has('P') && !shape.has('T') && !shape.has('E');
  }

  bool is_good_place(const ir::Instruction& in) const {
    const ZoneSlot& zone = around_.zones[static_cast<std::size_t>(in.operands[0])];
    const auto is_below = [&](std::int64_t r, Int count) {
      const std::optional<Int> value = constant(r);
      return value && *value >= 0 && *value < count;
    };
    const bool good_owner = is_below(in.operands[1], zone.owners) || (zone.owners == around_.layout.players && is_in_game(in.operands[1]));
    return good_owner && is_below(in.operands[2], zone.copies);
  }

  const ir::Instruction* only_definition(std::int64_t r) const {
    const ir::Instruction* found = nullptr;
    for (const ir::Block& block : function_.blocks)
      for (const ir::Instruction& in : block.code) {
        if (set_by(in) != static_cast<ir::Register>(r)) continue;
        if (found) return nullptr;
        found = &in;
      }
    return found;
  }
  std::optional<Int> constant(std::int64_t r) const {
    const ir::Instruction* in = only_definition(r);
    return in && in->op == ir::Op::const_int ? std::optional(in->operands[0]) : std::nullopt;
  }

  // Whether every way here went through the yes of `mask_has players, r`, players in the game or all. The register has one value throughout.
  bool is_in_game(std::int64_t r) const {
    const bool parameter = std::find(function_.parameters.begin(), function_.parameters.end(), static_cast<ir::Register>(r)) != function_.parameters.end();
    for (const ir::Block& block : function_.blocks)
      for (const ir::Instruction& in : block.code)
        if (parameter && set_by(in) == static_cast<ir::Register>(r)) return false;
    if (!parameter && !only_definition(r)) return false;
    std::vector<char> seen(function_.blocks.size(), 0);
    std::vector<std::size_t> work{0};
    seen[0] = 1;
    while (!work.empty()) {
      const ir::Instruction& last = function_.blocks[work.back()].code.back();
      work.pop_back();
      const bool asks = last.op == ir::Op::branch && asks_for(last.operands[0], r) && last.operands[1] != last.operands[2];
      for_each_target(last, [&](const std::int64_t& target) {
        if (asks && &target == &last.operands[1]) return;
        if (!std::exchange(seen[static_cast<std::size_t>(target)], 1)) work.push_back(static_cast<std::size_t>(target));
      });
    }
    return !seen[block_];
  }
  bool asks_for(std::int64_t condition, std::int64_t r) const {
    const ir::Instruction* has = only_definition(condition);
    if (!has || has->op != ir::Op::mask_has || has->operands[1] != r) return false;
    const ir::Instruction* players = only_definition(has->operands[0]);
    if (players && players->op == ir::Op::const_int) return players->operands[0] >= 0 && players->operands[0] >> around_.layout.players == 0;
    return players && players->op == ir::Op::players_in;
  }

  ir::Function& function_;
  const Surroundings& around_;
  std::size_t block_ = 0;
};

}  // namespace

void fuse_draws(ir::Function& function, const Surroundings& around) { Draws(function, around).fuse(); }

}  // namespace cardwright::passes
