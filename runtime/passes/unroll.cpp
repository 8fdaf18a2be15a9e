// Fully unrolls loops over masks with few possible elements (such as players) whose bodies have no side effects. The
// body is repeated for every possible element, and its results are discarded for elements that are not in the mask. The
// elements become constants, and the unpredictable branch of the loop disappears.
//
//   b1: r3 = ne r1, r2                b1: r4 = const_int 0
//       branch r3, b2, b3                 r5 = const_int 1
//   b2: r4 = mask_first r1                r9 = mask_has r1, r4
//       r5 = mask_of r4           >       r10 = mask_or r6, …       values that leave the iteration get new registers,
//       r1 = mask_without r1, r5          r6 = select r9, r10, r6   and are selected at its end
//       r6 = mask_or r6, …                …                         the same for 1, and so on
//       jump b1                           jump b3
//
// In:    folded, index checks eliminated: the range proven for the element covers every element of the mask.
// Out:   the same, with fewer loops.
#include "runtime/passes/unroll.h"

#include <bit>
#include <map>
#include <optional>

#include "runtime/ir/liveness.h"
#include "runtime/ir/shape.h"
#include "runtime/ir/views.h"
#include "runtime/passes/control_flow.h"
#include "runtime/program/layout.h"

namespace cardwright::passes {

namespace view = ir::view;

namespace {

using ir::Op;

constexpr std::size_t kMaximumBody =
    12;   // maximum number of instructions in a body, not counting constants and copies
constexpr int kFew = 5;   // maximum number of possible elements

struct Loop {
  std::size_t inside;
  std::int64_t done;
  ir::Register mask, number, bit;
};

class Unroller {
 public:
  Unroller(ir::Function& function, const std::function<std::int64_t(ir::Register)>& most)
      : function_(function), most_(most), predecessors_(predecessor_counts(function)), live_(function) {}

  bool run() {
    bool changed = false;
    for (std::size_t b = 0; b < function_.blocks.size(); ++b)
      if (const auto loop = loop_at(b); loop) unroll(b, *loop), changed = true;
    return changed;
  }

 private:
  std::optional<Loop> loop_at(std::size_t head) const {
    const std::vector<ir::Instruction>& asks = function_.blocks[head].code;
    if (asks.size() != 3 || asks[0].op != Op::const_int || asks[1].op != Op::ne || asks[2].op != Op::branch)
      return std::nullopt;
    const view::pair is_left(asks[1]);
    const view::branch branch(asks[2]);
    if (view::const_int(asks[0]).value() != 0 || is_left.right() != asks[0].result ||
        branch.condition() != asks[1].result)
      return std::nullopt;
    const std::size_t inside = branch.then();
    const std::vector<ir::Instruction>& code = function_.blocks[inside].code;
    const bool turns = inside != head && predecessors_[inside] == 1 && code.size() > 3 && code.back().op == Op::jump &&
                       view::jump(code.back()).target() == head;
    if (!turns || code[0].op != Op::mask_first || code[1].op != Op::mask_of || code[2].op != Op::mask_without)
      return std::nullopt;
    const Loop loop{inside, branch.otherwise(), is_left.left(), code[0].result, code[1].result};
    const view::pair rest(code[2]);
    const bool counts = view::of_elements(code[0]).elements() == loop.mask &&
                        view::mask_of(code[1]).element() == loop.number && code[2].result == loop.mask &&
                        rest.left() == loop.mask && rest.right() == loop.bit;
    const std::int64_t most = most_(loop.mask);
    if (!counts || most <= 0 || most >= Int{1} << kFew || live_.has(inside, loop.number) || live_.has(inside, loop.bit))
      return std::nullopt;
    return only_computes(loop) ? std::optional(loop) : std::nullopt;
  }

  bool only_computes(const Loop& loop) const {
    const std::vector<ir::Instruction>& code = function_.blocks[loop.inside].code;
    std::size_t work = 0;
    for (std::size_t i = 3; i + 1 < code.size(); ++i) {
      const ir::Instruction& in = code[i];
      bool reads_mask = false;
      for_each_use(in, [&](ir::Register r) { reads_mask |= r == loop.mask; });
      const bool sets_theirs = in.result == loop.mask || in.result == loop.number || in.result == loop.bit;
      if (reads_mask || sets_theirs || !is_trivially_dead(in.op) || is_call(in.op) ||
          shape_of(in.op).operands().find('a') != std::string_view::npos)
        return false;
      work += in.op != Op::const_int && in.op != Op::copy_int && in.op != Op::copy_set && in.op != Op::const_set;
    }
    return work > 0 && work <= kMaximumBody;
  }

  ir::Register another(ir::Register like) {
    function_.registers.push_back(function_.registers[like]);
    return static_cast<ir::Register>(function_.registers.size() - 1);
  }

  void unroll(std::size_t head, const Loop& loop) {
    const std::vector<ir::Instruction> body = function_.blocks[loop.inside].code;
    std::vector<ir::Instruction> code = function_.blocks[head].code;
    const ir::Instruction end = code.back();
    code.pop_back();
    const int few = std::bit_width(static_cast<Word>(most_(loop.mask)));
    const ir::Register is_in = another(code[1].result);
    for (int number = 0; number < few; ++number) {
      code.push_back({Op::const_int, loop.number, {number}, end.where});
      code.push_back({Op::const_int, loop.bit, {Int{1} << number}, end.where});
      code.push_back({Op::mask_has, is_in, {loop.mask, loop.number}, end.where});
      std::map<ir::Register, ir::Register> handed_on;   // register -> its register within the iteration
      for (std::size_t i = 3; i + 1 < body.size(); ++i) {
        ir::Instruction in = body[i];
        for_each_register(in, [&](std::int64_t& r, char) {
          if (const auto there = handed_on.find(static_cast<ir::Register>(r)); there != handed_on.end())
            r = there->second;
        });
        if (live_.has(loop.inside, in.result)) {
          auto [there, is_new] = handed_on.insert({in.result, 0});
          if (is_new) there->second = another(in.result);
          in.result = there->second;
        }
        code.push_back(std::move(in));
      }
      for (const auto& [r, there] : handed_on) {
        const bool is_set = function_.registers[r].kind == ir::RegisterKind::set;
        code.push_back({is_set ? Op::set_select : Op::select, r, {is_in, there, r}, end.where});
      }
    }
    code.push_back({Op::const_int, loop.mask, {0}, end.where});
    code.push_back({Op::jump, ir::kNoRegister, {loop.done}, end.where});
    function_.blocks[head].code = std::move(code);
  }

  ir::Function& function_;
  const std::function<std::int64_t(ir::Register)>& most_;
  const std::vector<std::size_t> predecessors_;
  const ir::LiveOut live_;   // live registers at the end of each block
};

}   // namespace

bool unroll_loops(ir::Function& function, const std::function<std::int64_t(ir::Register)>& most) {
  if (function.blocks.empty() || !Unroller(function, most).run()) return false;
  simplify_control_flow(function);
  return true;
}

}   // namespace cardwright::passes
