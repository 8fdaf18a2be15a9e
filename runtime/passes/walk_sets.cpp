// Speeds up loops over large sets. Such a loop removes the lowest element in each iteration, which visits all words of
// the set three times. After this pass, the loop leaves the set unchanged, and each iteration finds the next element
// with set_next. In the input, fuel is placed and checks are eliminated, because both passes recognize loops by the
// elements that they remove. The output has the same iterations.
#include <map>

#include "runtime/ir/shape.h"
#include "runtime/ir/views.h"
#include "runtime/passes/control_flow.h"
#include "runtime/passes/passes.h"

namespace cardwright::passes {

namespace view = ir::view;

namespace {

using ir::Op;

class Walks {
 public:
  explicit Walks(ir::Function& function)
      : function_(function), predecessors_(predecessor_counts(function)), places_(function.registers.size()) {
    for (const ir::Register r : function.parameters) places_[r].elsewhere = true;
    for (std::size_t b = 0; b < function.blocks.size(); ++b)
      for (std::size_t i = 0; i < function.blocks[b].code.size(); ++i) note(function.blocks[b].code[i], b);
  }

  void run() {
    for (ir::Register r = 0; r < places_.size(); ++r)
      if (is_walked(r)) rewrite(r);
  }

 private:
  // The places where a set is used: tests for more elements, selections of an element, removals, and other uses.
  struct Places {
    int asked = 0, picked = 0, taken = 0;
    std::size_t head = 0, inside = 0, taken_in = 0;
    bool elsewhere = false;
  };

  void note(const ir::Instruction& in, std::size_t b) {
    const auto of = static_cast<ir::Register>(in.operands.empty() ? 0 : in.operands[0]);
    switch (in.op) {
      case Op::set_any: ++places_[of].asked, places_[of].head = b; return;
      case Op::set_first: ++places_[of].picked, places_[of].inside = b; return;
      case Op::set_rest:
        if (in.result != of) break;
        ++places_[of].taken, places_[of].taken_in = b;
        return;
      default: break;
    }
    for_each_use(in, [&](ir::Register r) { places_[r].elsewhere = true; });
  }

  bool is_walked(ir::Register r) const {
    const Places& p = places_[r];
    if (p.elsewhere || p.asked != 1 || p.picked != 1 || p.taken != 1 || p.inside != p.taken_in ||
        predecessors_[p.inside] != 1)
      return false;
    const ir::Block& head = function_.blocks[p.head];
    const ir::Instruction& last = head.code.back();
    if (last.op != Op::branch || view::branch(last).then() != p.inside) return false;
    return has_in_order(head, r, Op::set_any, Op::branch) && view::branch(last).condition() == asked_by(head, r) &&
           has_in_order(function_.blocks[p.inside], r, Op::set_first, Op::set_rest);
  }
  static std::int64_t asked_by(const ir::Block& head, ir::Register r) {
    for (const ir::Instruction& in : head.code)
      if (in.op == Op::set_any && view::of_elements(in).elements() == r) return in.result;
    return -1;
  }
  // Returns true if `first` comes before `second` in the block, with the set unchanged in between.
  static bool has_in_order(const ir::Block& block, ir::Register r, Op first, Op second) {
    bool began = false;
    for (const ir::Instruction& in : block.code) {
      const bool is_of_it = !in.operands.empty() && in.operands[0] == r;
      if (began && (in.op == second && (second == Op::branch || is_of_it))) return true;
      if (began && set_by(in) == r) return false;
      if (in.op == first && is_of_it)
        began = true;
      else if (!began && in.op == second && is_of_it)
        return false;
    }
    return false;
  }

  ir::Register add_int() {
    function_.registers.push_back({});
    return static_cast<ir::Register>(function_.registers.size() - 1);
  }

  void rewrite(ir::Register r) {
    const ir::Register at = add_int(), next = add_int(), none = add_int();
    for (ir::Block& block : function_.blocks) {
      std::vector<ir::Instruction> code;
      for (ir::Instruction& in : block.code) {
        const bool is_of_it = !in.operands.empty() && in.operands[0] == r;
        if (is_of_it && in.op == Op::set_any) {
          code.push_back({Op::set_next, next, {r, at}, in.where});
          code.push_back({Op::const_int, none, {kNone}, in.where});
          in = {Op::ne, in.result, {next, none}, in.where};
        } else if (is_of_it && in.op == Op::set_first) {
          in = {Op::copy_int, in.result, {next}, in.where};
        } else if (is_of_it && in.op == Op::set_rest) {
          in = {Op::copy_int, at, {next}, in.where};
        }
        const bool begins = set_by(in) == r;
        code.push_back(std::move(in));
        if (begins) code.push_back({Op::const_int, at, {-1}, code.back().where});
      }
      block.code = std::move(code);
    }
  }

  ir::Function& function_;
  const std::vector<std::size_t> predecessors_;
  std::vector<Places> places_;   // by register
};

}   // namespace

void walk_sets(ir::Module& module, const PassContext& context) {
  constexpr Int kMany = 3;   // for fewer words, the lowest bit is found without a branch
  if (context.layout().words < kMany) return;
  for (ir::Function& function : module.functions)
    if (!function.blocks.empty()) Walks(function).run();
}

}   // namespace cardwright::passes
