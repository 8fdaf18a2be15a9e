// Fuses zone_top and move_card into draw_card. Between the two operations, nothing may observe whether the card has
// already moved; in particular, nothing may trap. The target zone is computed in between, which traps if the owner is
// none, so the owner must be known to exist. A test for a missing card is allowed, because without a card nothing
// moves.
#include "runtime/passes/draws.h"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "runtime/ir/shape.h"
#include "runtime/ir/views.h"
#include "runtime/passes/control_flow.h"
#include "runtime/passes/pass.h"

namespace cardwright::passes {

namespace view = ir::view;

namespace {

using Code = std::vector<ir::Instruction>;

struct CallSite {
  std::size_t function, block;
  ir::Instruction instruction;   // a copy, because fusing moves the following instructions
};

std::vector<std::vector<CallSite>> find_calls(const ir::Module& module) {
  std::vector<std::vector<CallSite>> calls(module.functions.size());
  for (std::size_t f = 0; f < module.functions.size(); ++f)
    for (std::size_t b = 0; b < module.functions[f].blocks.size(); ++b)
      for (const ir::Instruction& in : module.functions[f].blocks[b].code)
        if (is_call(in.op)) calls[view::call(in).callee()].push_back({f, b, in});
  return calls;
}

class Draws {
 public:
  Draws(ir::Module& module, std::size_t index, const std::vector<std::vector<CallSite>>& calls,
        const PassContext& context)
      : module_(module), calls_(calls), index_(index), function_(module.functions[index]), context_(context) {}

  // Fuses each zone_top with a move in the same block, or in the block after a test for none.
  void fuse() {
    for (block_ = 0; block_ < function_.blocks.size(); ++block_) {
      Code& code = function_.blocks[block_].code;
      for (std::size_t i = 0; i < code.size(); ++i) {
        if (code[i].op != ir::Op::zone_top) continue;
        if (const std::size_t move = find_move(code, i + 1, code[i].result); move < code.size())
          fuse(code, i, move);
        else
          fuse_behind_test(code, i);
      }
    }
  }

 private:
  // Returns the index of the move of the card to the top of a zone if only pure computations precede it; otherwise the
  // size of the code.
  std::size_t find_move(const Code& code, std::size_t from, ir::Register card) const {
    for (std::size_t i = from; i < code.size(); ++i) {
      if (code[i].op == ir::Op::move_card && view::move_card(code[i]).card() == card &&
          view::move_card(code[i]).how() == 0)
        return i;
      if (!only_computes(code[i]) || code[i].result == card) break;
    }
    return code.size();
  }

  // Code that needs the card comes after the draw, all other code before it.
  void fuse(Code& code, std::size_t top, std::size_t move) {
    const ir::Register pile = view::zone_top(code[top]).pile(), to = view::move_card(code[move]).to();
    std::set<std::int64_t> late{code[top].result};
    Code before, after;
    for (std::size_t i = top + 1; i < move; ++i) {
      bool needs_it = false, disturbs = code[i].result == pile;
      for_each_use(code[i], [&](ir::Register r) { needs_it |= late.count(r) != 0; });
      for (const ir::Instruction& other : after) {
        disturbs |= other.result == code[i].result;
        for_each_use(other, [&](ir::Register r) { disturbs |= r == code[i].result; });
      }
      if (disturbs) return;
      if (needs_it) late.insert(code[i].result);
      (needs_it ? after : before).push_back(code[i]);
    }
    if (late.count(to) != 0) return;
    ir::Instruction draw = code[move];
    draw.op = ir::Op::draw_card;
    draw.result = code[top].result;
    draw.operands = {pile, to};
    before.push_back(std::move(draw));
    before.insert(before.end(), after.begin(), after.end());
    code.erase(code.begin() + static_cast<std::ptrdiff_t>(top), code.begin() + static_cast<std::ptrdiff_t>(move) + 1);
    code.insert(code.begin() + static_cast<std::ptrdiff_t>(top), before.begin(), before.end());
  }

  // Fuses a draw with a move on the false edge of `branch eq card, none`.
  void fuse_behind_test(Code& code, std::size_t top) {
    const ir::Register card = code[top].result;
    const ir::Instruction& last = code.back();
    if (last.op != ir::Op::branch || view::branch(last).is_jump()) return;
    if (!is_none(view::branch(last).condition(), card)) return;
    std::set<std::int64_t> set_here;
    for (std::size_t i = top; i + 1 < code.size(); ++i) {
      if (i > top && (!only_computes(code[i]) || code[i].result == card)) return;
      set_here.insert(code[i].result);
    }
    const std::size_t behind = view::branch(last).otherwise();
    if (behind == block_ || predecessor_counts(function_)[behind] != 1) return;
    Code& there = function_.blocks[behind].code;
    const std::size_t move = find_move(there, 0, card);
    if (move == there.size()) return;
    Code early, late;   // the target zone is computed before the draw, even if there is no card
    for (std::size_t i = 0; i < move; ++i) {
      bool waits = false;
      for_each_use(there[i], [&](ir::Register r) { waits |= set_here.count(r) != 0; });
      if (waits)
        set_here.insert(there[i].result);
      else if (!only_definition(function_, there[i].result))
        return;
      (waits ? late : early).push_back(there[i]);
    }
    const ir::Register to = view::move_card(there[move]).to();
    if (set_here.count(to) != 0) return;
    ir::Instruction draw = there[move];
    draw.op = ir::Op::draw_card;
    draw.result = card;
    draw.operands = {view::zone_top(code[top]).pile(), to};
    late.insert(late.end(), there.begin() + static_cast<std::ptrdiff_t>(move) + 1, there.end());
    there = std::move(late);
    code[top] = std::move(draw);
    code.insert(code.begin() + static_cast<std::ptrdiff_t>(top), early.begin(), early.end());
  }
  bool is_none(std::int64_t condition, ir::Register card) const {
    const ir::Instruction* in = only_definition(function_, condition);
    if (!in || in->op != ir::Op::eq) return false;
    const view::pair both(in);
    return (both.left() == card && constant(function_, both.right()) == kNone) ||
           (both.right() == card && constant(function_, both.left()) == kNone);
  }

  bool only_computes(const ir::Instruction& in) const {
    if (in.op == ir::Op::zone_index) return is_good_place(in);
    if (in.op == ir::Op::const_int || in.op == ir::Op::copy_int) return true;
    const ir::OpShape& shape = shape_of(in.op);
    return shape.has('P') && !shape.has('T') && !shape.has('E');
  }

  bool is_good_place(const ir::Instruction& in) const {
    const view::zone_index place(in);
    const ZoneSlot& zone = context_.zones()[place.zone()];
    const auto is_below = [&](std::int64_t r, Int count) {
      const std::optional<Int> value = constant(function_, r);
      return value && *value >= 0 && *value < count;
    };
    const bool good_owner = is_below(place.owner(), zone.owners) || (zone.owners == context_.layout().players &&
                                                                     is_in_game(index_, block_, place.owner(), kDeep));
    return good_owner && is_below(place.copy(), zone.copies);
  }

  static const ir::Instruction* only_definition(const ir::Function& function, std::int64_t r) {
    const ir::Instruction* found = nullptr;
    for (const ir::Block& block : function.blocks)
      for (const ir::Instruction& in : block.code) {
        if (set_by(in) != static_cast<ir::Register>(r)) continue;
        if (found) return nullptr;
        found = &in;
      }
    return found;
  }
  static std::optional<Int> constant(const ir::Function& function, std::int64_t r) {
    const ir::Instruction* in = only_definition(function, r);
    return in && in->op == ir::Op::const_int ? std::optional<Int>(view::const_int(in).value()) : std::nullopt;
  }

  // Returns true if the register is known to contain a player: every path to the block, in this function or in all its
  // callers, took the true edge of `mask_has players, r`, where `players` is the mask of all players or of those in the
  // game. The register has the same value on the whole path.
  bool is_in_game(std::size_t index, std::size_t block, std::int64_t r, int deep) const {
    const ir::Function& function = module_.functions[index];
    const auto parameter =
        std::find(function.parameters.begin(), function.parameters.end(), static_cast<ir::Register>(r));
    const bool is_parameter = parameter != function.parameters.end();
    for (const ir::Block& other : function.blocks)
      for (const ir::Instruction& in : other.code)
        if (is_parameter && set_by(in) == static_cast<ir::Register>(r)) return false;
    if (!is_parameter && !only_definition(function, r)) return false;
    if (!can_come_unasked(function, block, r)) return true;
    if (!is_parameter || deep == 0 || calls_[index].empty()) return false;
    const auto at = static_cast<std::size_t>(parameter - function.parameters.begin());
    return std::all_of(calls_[index].begin(), calls_[index].end(), [&](const CallSite& call) {
      return is_in_game(call.function, call.block, view::call(call.instruction).argument(at), deep - 1);
    });
  }
  bool can_come_unasked(const ir::Function& function, std::size_t block, std::int64_t r) const {
    std::vector<char> seen(function.blocks.size(), 0);
    std::vector<std::size_t> work{0};
    seen[0] = 1;
    while (!work.empty()) {
      const ir::Instruction& last = function.blocks[work.back()].code.back();
      work.pop_back();
      const bool asks = last.op == ir::Op::branch && asks_for(function, view::branch(last).condition(), r);
      for_each_target(last, [&](std::int64_t target) {
        if (asks && target == view::branch(last).then() && !view::branch(last).is_jump()) return;
        if (!std::exchange(seen[static_cast<std::size_t>(target)], 1)) work.push_back(static_cast<std::size_t>(target));
      });
    }
    return seen[block] != 0;
  }
  bool asks_for(const ir::Function& function, std::int64_t condition, std::int64_t r) const {
    const ir::Instruction* has = only_definition(function, condition);
    if (!has || has->op != ir::Op::mask_has || view::mask_has(has).element() != r) return false;
    const ir::Instruction* players = only_definition(function, view::mask_has(has).mask());
    if (players && players->op == ir::Op::const_int) {
      const Int mask = view::const_int(players).value();
      return mask >= 0 && mask >> context_.layout().players == 0;
    }
    return players && players->op == ir::Op::players_in;
  }

  static constexpr int kDeep = 8;   // maximum depth of callers examined
  ir::Module& module_;
  const std::vector<std::vector<CallSite>>& calls_;
  const std::size_t index_;
  ir::Function& function_;
  const PassContext& context_;
  std::size_t block_ = 0;
};

}   // namespace

void fuse_draws(ir::Module& module, const PassContext& context) {
  for (std::size_t f = 0; f < module.functions.size(); ++f) {
    bool draws = false;
    for (const ir::Block& block : module.functions[f].blocks)
      for (const ir::Instruction& in : block.code) draws |= in.op == ir::Op::zone_top;
    if (draws)
      Draws(module, f, find_calls(module), context).fuse();   // searches calls again, because the module has changed
  }
}

}   // namespace cardwright::passes
