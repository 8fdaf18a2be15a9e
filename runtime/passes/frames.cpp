// Plans the frames of suspending functions, and computes the bytes needed by the deepest call path.
#include "runtime/passes/frames.h"

#include <algorithm>
#include <utility>

#include "runtime/ir/liveness.h"
#include "runtime/ir/shape.h"
#include "runtime/ir/views.h"
#include "runtime/passes/passes.h"
#include "runtime/ops/frames.h"

namespace cardwright::passes {

namespace view = ir::view;

namespace {

Int slot_bytes(const ir::RegisterType& type, const Layout& layout) {
  switch (type.kind) {
    case ir::RegisterKind::integer: return type.bytes;
    case ir::RegisterKind::set: return layout.words * 8;
    case ir::RegisterKind::array: return Int{type.length} * 8;
  }
  return 8;
}

void find_points(const ir::Module& module, const ir::Function& function, CoroutineFrame& plan) {
  plan.points.push_back({.where = function.where, .saved = function.parameters});
  const ir::LiveOut out(function);
  for (std::size_t b = 0; b < function.blocks.size(); ++b) {
    const auto& code = function.blocks[b].code;
    if (std::none_of(code.begin(), code.end(), [&](const ir::Instruction& i) { return waits_at(module, i); })) continue;
    ir::RegisterSet live = out.of(b);
    std::vector<SuspendPoint> backwards;
    for (std::size_t i = code.size(); i-- > 0;) {
      if (waits_at(module, code[i])) {
        ir::RegisterSet saved = live;   // excludes the call's result, which result_int or result_set returns
        if (code[i].result != ir::kNoRegister) saved.remove(code[i].result);
        SuspendPoint point{.of = function.blocks[b].of, .where = code[i].where};
        if (code[i].op == ir::Op::site) {
          point.site = view::site(code[i]).number();
          transfer(function, code[i], saved);
        } else {
          point.callee = view::call(code[i]).callee();
        }
        saved.for_each([&](ir::Register r) {
          if (function.registers[r].site_local) return;   // liveness is imprecise here
          (plan.constant[r] ? point.constants : point.saved).push_back(r);
        });
        backwards.push_back(std::move(point));
      }
      transfer(function, code[i], live);
    }
    plan.points.insert(plan.points.end(), std::make_move_iterator(backwards.rbegin()),
                       std::make_move_iterator(backwards.rend()));
  }
}

// Returns the lowest offset at which `bytes` bytes are not used by a slot saved at the same time. Slots need no
// alignment.
Int lowest_place(const std::vector<std::pair<Int, Int>>& taken, Int bytes) {
  Int at = kFrameHeader;
  for (const auto& [from, to] : taken)   // ascending
    if (at + bytes > from && at < to) at = to;
  return at;
}

// Assigns offsets to slots: first to those saved during calls, and to wide ones before narrow ones.
void place_slots(const ir::Function& function, const Layout& layout, CoroutineFrame& plan) {
  const std::size_t count = function.registers.size();
  ir::RegisterSet under(count), used(count);
  for (const SuspendPoint& point : plan.points)
    for (const ir::Register r : point.saved) {
      used.add(r);
      if (point.callee >= 0) under.add(r);
    }
  std::vector<ir::Register> order;
  used.for_each([&](ir::Register r) { order.push_back(r); });
  // Only few registers are saved, so conflicts are stored by their place among these.
  const std::vector<ir::Register> saved = order;
  std::vector<std::size_t> place(count);
  for (std::size_t i = 0; i < saved.size(); ++i) place[saved[i]] = i;
  std::vector<ir::RegisterSet> conflicts(saved.size(), ir::RegisterSet(saved.size()));
  for (const SuspendPoint& point : plan.points) {
    ir::RegisterSet together(saved.size());
    for (const ir::Register r : point.saved) together.add(static_cast<ir::Register>(place[r]));
    for (const ir::Register r : point.saved) conflicts[place[r]].add_all(together);
  }
  const auto bytes = [&](ir::Register r) { return slot_bytes(function.registers[r], layout); };
  std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) {
    return std::pair(under.has(a), bytes(a)) > std::pair(under.has(b), bytes(b));
  });

  plan.offset.assign(count, -1);
  for (const ir::Register r : order) {
    std::vector<std::pair<Int, Int>> taken;
    conflicts[place[r]].for_each([&](ir::Register at) {
      const ir::Register other = saved[at];
      if (plan.offset[other] >= 0) taken.emplace_back(plan.offset[other], plan.offset[other] + bytes(other));
    });
    std::sort(taken.begin(), taken.end());
    plan.offset[r] = lowest_place(taken, bytes(r));
  }
  for (SuspendPoint& point : plan.points) {
    point.size = kFrameHeader;
    for (const ir::Register r : point.saved) point.size = std::max(point.size, plan.offset[r] + bytes(r));
    plan.size = std::max(plan.size, point.size);
  }
}

// Computes the maximum total size of nested frames, by components of the call graph (Tarjan).
class DeepestPath {
 public:
  DeepestPath(const ir::Module& module, const Layout& layout)
      : module_(module),
        layout_(layout),
        order_(module.functions.size(), 0),
        low_(order_),
        component_(order_.size(), -1),
        plans_(order_.size()) {}

  Int from(ir::FunctionIndex main) {
    visit(main);
    return bytes_[static_cast<std::size_t>(component_[main])];
  }

 private:
  void visit(ir::FunctionIndex function) {
    order_[function] = low_[function] = ++visited_;
    open_.push_back(function);
    plans_[function] = plan_frame(module_, module_.functions[function], layout_);
    for (const SuspendPoint& point : plans_[function].points) {
      if (point.callee < 0) continue;
      const auto callee = static_cast<ir::FunctionIndex>(point.callee);
      if (order_[callee] == 0) visit(callee);
      if (component_[callee] < 0) low_[function] = std::min(low_[function], low_[callee]);
    }
    if (low_[function] == order_[function]) close_component(function);
  }

  void close_component(ir::FunctionIndex first) {
    std::vector<ir::FunctionIndex> members;
    do {
      members.push_back(open_.back());
      open_.pop_back();
      component_[members.back()] = static_cast<int>(bytes_.size());
    } while (members.back() != first);

    // `calls`: bytes of the frames that wait for a function of the component. `last`: bytes of the frames above them.
    Int calls = 0, last = 0, times = 1;
    bool recursive = false;
    for (const ir::FunctionIndex member : members) {
      const CoroutineFrame& plan = plans_[member];
      last = std::max(last, plan.size);
      times = std::max(times, bound_of(member));
      Int call = 0;
      for (const SuspendPoint& point : plan.points) {
        if (point.callee < 0) continue;
        const int its = component_[static_cast<std::size_t>(point.callee)];
        if (its == static_cast<int>(bytes_.size()))
          recursive = true, call = std::max(call, point.size);
        else
          last = std::max(last, point.size + bytes_[static_cast<std::size_t>(its)]);
      }
      calls += call;
    }
    // One more than the limit, because `enter` traps only in the call that exceeds it, as in playout form.
    bytes_.push_back((recursive ? calls * (times + 1) : 0) + last);
  }

  // Returns the number of calls of the function that its `enter` allows to be active at once.
  Int bound_of(ir::FunctionIndex function) const {
    Int bound = 1;
    for (const ir::Block& block : module_.functions[function].blocks)
      for (const ir::Instruction& instruction : block.code)
        if (instruction.op == ir::Op::enter) bound = std::max<Int>(bound, view::enter(instruction).most());
    return bound;
  }

  const ir::Module& module_;
  const Layout& layout_;
  std::vector<unsigned> order_, low_;
  std::vector<int> component_;
  std::vector<CoroutineFrame> plans_;
  std::vector<ir::FunctionIndex> open_;
  std::vector<Int> bytes_;   // by component, callees before callers
  unsigned visited_ = 0;
};

}   // namespace

std::vector<const ir::Instruction*> find_constants(const ir::Function& function) {
  std::vector<const ir::Instruction*> constant(function.registers.size(), nullptr);
  std::vector<int> times_set(function.registers.size(), 0);
  for (const ir::Register r : function.parameters) times_set[r] = 1;
  for (const ir::Block& block : function.blocks)
    for (const ir::Instruction& instruction : block.code) {
      const ir::Register r = set_by(instruction);
      if (r == ir::kNoRegister) continue;
      ++times_set[r];
      const bool plain = instruction.op == ir::Op::const_int || instruction.op == ir::Op::const_set ||
                         instruction.op == ir::Op::set_empty;
      constant[r] = plain ? &instruction : nullptr;
    }
  for (std::size_t r = 0; r < constant.size(); ++r)
    if (times_set[r] != 1) constant[r] = nullptr;
  return constant;
}

bool waits_at(const ir::Module& module, const ir::Instruction& instruction) {
  if (instruction.op == ir::Op::site) return true;
  return is_call(instruction.op) && module.functions[view::call(instruction).callee()].suspends;
}

CoroutineFrame plan_frame(const ir::Module& module, const ir::Function& function, const Layout& layout) {
  CoroutineFrame plan;
  plan.constant = find_constants(function);
  find_points(module, function, plan);
  place_slots(function, layout, plan);
  return plan;
}

Int frame_bytes(const ir::Module& playout, const Layout& layout, ir::FunctionIndex main) {
  return DeepestPath(playout, layout).from(main);
}

}   // namespace cardwright::passes
