// Implements if-conversion: computes both sides of a short branch and selects the results of one. This costs more than
// a correctly predicted branch and less than a mispredicted one. LLVM already does it for pure computations, but does
// not move loads out of a branch. The input is folded, without index checks. The output has fewer branches. Source:
// Allen, Kennedy, Porterfield, Warren, "Conversion of control dependence to data dependence", 1983.
#include <cstddef>
#include <map>

#include "runtime/ir/liveness.h"
#include "runtime/ir/shape.h"
#include "runtime/ir/views.h"
#include "runtime/passes/control_flow.h"
#include "runtime/passes/pass.h"
#include "runtime/passes/passes.h"

namespace cardwright::passes {

namespace view = ir::view;

namespace {

constexpr std::size_t kMaximumWork = 6;   // instructions on both sides together, not counting constants and copies
constexpr Int kSmallSet = 1;   // words of a set

class IfConversion {
 public:
  IfConversion(ir::Function& function, Int words)
      : function_(function),
        words_(words),
        predecessors_(predecessor_counts(function)),
        live_(function),
        converted_(function.blocks.size()) {}

  bool run() {
    bool changed = false;
    for (std::size_t b = 0; b < function_.blocks.size(); ++b)
      if (convert(function_.blocks[b])) converted_[b] = 1, changed = true;
    return changed;
  }

 private:
  using Side = std::map<ir::Register, ir::Register>;   // register set on the side -> new register with its value

  bool convert(ir::Block& block) {
    const ir::Instruction end = block.code.back();
    if (end.op != ir::Op::branch || view::branch(end).is_jump()) return false;
    const std::int64_t yes = view::branch(end).then(), no = view::branch(end).otherwise();
    const std::int64_t next = is_side(yes) ? target_of(yes) : is_side(no) ? target_of(no) : -1;
    if (next < 0 || !leads_to(yes, next) || !leads_to(no, next)) return false;
    if (!is_worth_it(end, next)) return false;
    block.code.pop_back();
    const Side on_yes = side_of(block, yes, next), on_no = side_of(block, no, next);
    pick(block, end, on_yes, on_no, yes == next ? no : yes);
    block.code.push_back({ir::Op::jump, ir::kNoRegister, {next}, end.where});
    return true;
  }

  ir::Block& at(std::int64_t b) const { return function_.blocks[static_cast<std::size_t>(b)]; }
  std::int64_t target_of(std::int64_t b) const { return view::jump(at(b).code.back()).target(); }
  bool is_side(std::int64_t b) const {
    const auto i = static_cast<std::size_t>(b);
    return predecessors_[i] == 1 && !converted_[i] && at(b).code.back().op == ir::Op::jump && target_of(b) != b;
  }
  bool leads_to(std::int64_t b, std::int64_t next) const { return b == next || (is_side(b) && target_of(b) == next); }

  bool is_worth_it(const ir::Instruction& end, std::int64_t next) const {
    std::size_t work = 0;
    bool reads = false, harmless = true;
    const view::branch branch(end);
    for (const std::int64_t side : {branch.then(), branch.otherwise()})
      for (std::size_t i = 0; side != next && i + 1 < at(side).code.size(); ++i) {
        const ir::Instruction& in = at(side).code[i];
        harmless &= has_no_effect(in) && in.result != branch.condition();
        reads |= shape_of(in.op).has('R') || in.op == ir::Op::table_known || in.op == ir::Op::table_small ||
                 shape_of(in.op).result() == 's';
        work += in.op != ir::Op::const_int && in.op != ir::Op::copy_int && in.op != ir::Op::copy_set &&
                in.op != ir::Op::const_set;
      }
    return harmless && reads && work <= kMaximumWork;
  }
  bool has_no_effect(const ir::Instruction& in) const {
    const ir::OpShape& shape = shape_of(in.op);
    if (in.result == ir::kNoRegister || shape.has('T') || shape.has('W') || shape.has('C') || is_call(in.op))
      return false;
    const bool is_set = shape.result() == 's' || shape.operands().find('s') != std::string_view::npos;
    return (shape.has('P') || shape.has('R')) && shape.operands().find('a') == std::string_view::npos &&
           (!is_set || words_ <= kSmallSet);
  }

  Side side_of(ir::Block& block, std::int64_t side, std::int64_t next) {
    Side set;
    if (side == next) return set;
    const std::vector<ir::Instruction>& code = at(side).code;
    for (std::size_t i = 0; i + 1 < code.size(); ++i) {
      ir::Instruction in = code[i];
      for_each_register(in, [&](std::int64_t& r, char) {
        if (const auto there = set.find(static_cast<ir::Register>(r)); there != set.end()) r = there->second;
      });
      function_.registers.push_back(function_.registers[in.result]);
      set[in.result] = static_cast<ir::Register>(function_.registers.size() - 1);
      in.result = set[in.result];
      block.code.push_back(std::move(in));
    }
    return set;
  }

  void pick(ir::Block& block, const ir::Instruction& end, const Side& on_yes, const Side& on_no, std::int64_t side) {
    Side all = on_yes;
    all.insert(on_no.begin(), on_no.end());
    const auto value = [](const Side& from, ir::Register r) {
      const auto there = from.find(r);
      return static_cast<std::int64_t>(there == from.end() ? r : there->second);
    };
    for (const auto& [r, there] : all)
      if (live_.has(static_cast<std::size_t>(side), r))
        block.code.push_back({is_set(r) ? ir::Op::set_select : ir::Op::select,
                              r,
                              {view::branch(end).condition(), value(on_yes, r), value(on_no, r)},
                              end.where});
  }

  bool is_set(ir::Register r) const { return function_.registers[r].kind == ir::RegisterKind::set; }

  ir::Function& function_;
  const Int words_;   // words per set
  const std::vector<std::size_t> predecessors_;
  const ir::LiveOut live_;   // live registers at the end of each block
  std::vector<char> converted_;   // by block; a converted block can become a side in the next round
};

}   // namespace

bool if_convert(ir::Module& module, const PassContext& context) {
  bool changed = false;
  for (ir::Function& function : module.functions)
    while (!function.blocks.empty() && IfConversion(function, context.layout().words).run()) {
      simplify_control_flow(function);
      changed = true;
    }
  return changed;
}

}   // namespace cardwright::passes
