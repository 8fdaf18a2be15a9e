// Turns every suspending function into a step function that works on the top frame of the State.
// In:    the lowered form, marked by mark_suspending.
// Out:   Program::step with the same function indices, and Program::frames. docs/architecture.md has the protocol.
//
//   r = call f(a)        becomes   frame_keep … (live registers), frame_at k …, frame_push f …, frame_arg a,
//                                  to_host 0
//                                  resume k: r' = frame_int …, r = result_int, continue
//   site S … decide      becomes   frame_keep …, frame_at k …, jump to the site
//                                  resume k: r' = frame_int …, jump to the site;   the site: site S … decide
//   ret_int r            becomes   keep_result r, frame_pop, to_host 0
//
// A finishing function (passes::Finishing) starts like a step function and continues unchanged:
//
//   r = call f(a)        stays;    resume k: r' = frame_int …, r = result_int, continue after the call
//   site S … decide      stays;    resume k: r' = frame_int …, jump to the site
//   ret_int r            becomes   keep_result r, frame_pop, to_host 0
//
// `decide` itself stays: an engine in stepwise form takes Game::choice, or stores the pending decision and leaves as
// with `to_host 2`. At that point the frame already contains all registers that are live at the site, because no
// instruction assigns them in between.
#include <cassert>
#include <utility>

#include "runtime/ir/liveness.h"
#include "runtime/ir/shape.h"
#include "runtime/ir/views.h"
#include "runtime/passes/frames.h"
#include "runtime/passes/pass.h"
#include "runtime/passes/passes.h"

namespace cardwright::passes {

namespace view = ir::view;

namespace {

class StepFunction {
 public:
  StepFunction(const ir::Module& playout, const std::vector<CoroutineFrame>& plans,
               const std::vector<FrameInfo>& frames, ir::FunctionIndex index, bool finishing)
      : playout_(playout),
        plans_(plans),
        frames_(frames),
        plan_(plans[index]),
        from_(playout.functions[index]),
        first_(frames[index].first),
        finishing_(finishing),
        to_(from_) {
    to_.parameters.clear();
    to_.returns = ir::Returns::nothing;
    to_.blocks.clear();
  }

  ir::Function make() {
    // The blocks of a step function: a dispatcher, the original blocks, then a resume block for each suspend point.
    const std::size_t first = 1, points = first + from_.blocks.size();
    to_.blocks.resize(points + plan_.points.size());
    resume_block_ = static_cast<Int>(points);
    write_dispatcher();
    write_start();
    std::size_t point = 1;
    for (std::size_t b = 0; b < from_.blocks.size(); ++b) {
      of_ = from_.blocks[b].of;
      open(first + b);
      for (std::size_t i = 0; i < from_.blocks[b].code.size(); ++i) {
        const ir::Instruction& instruction = from_.blocks[b].code[i];
        if (!waits_at(playout_, instruction))
          rewrite(instruction);
        else if (instruction.op == ir::Op::site)
          wait_at_site(instruction, point++);
        else
          wait_for_call(instruction, point++);
      }
    }
    assert(point == plan_.points.size());
    return std::move(to_);
  }

 private:
  void open(std::size_t block) {
    block_ = block;
    to_.blocks[block].of = of_;
  }
  ir::Instruction& emit(ir::Op op, Range where, std::vector<std::int64_t> operands,
                        ir::Register result = ir::kNoRegister) {
    return to_.blocks[block_].code.emplace_back(op, result, std::move(operands), where);
  }
  ir::Register new_integer(std::uint8_t bytes) {
    to_.registers.push_back({.bytes = bytes});
    return static_cast<ir::Register>(to_.registers.size() - 1);
  }

  void write_dispatcher() {
    open(0);
    const ir::Register point = new_integer(4);
    emit(ir::Op::frame_resume, from_.where, {}, point);
    std::vector<std::int64_t> targets{point, resume_block_};
    for (std::size_t k = 1; k < plan_.points.size(); ++k) {
      targets.push_back(first_ + static_cast<Int>(k));
      targets.push_back(resume_block_ + static_cast<Int>(k));
    }
    if (plan_.points.size() == 1)
      emit(ir::Op::jump, from_.where, {resume_block_});
    else
      emit(ir::Op::switch_, from_.where, std::move(targets));
  }

  void write_start() {
    open(static_cast<std::size_t>(resume_block_));
    load(plan_.points[0]);
    initialize_undefined();
    emit(ir::Op::jump, from_.where, {1});
  }

  // The control flow graph may contain a path that reads a register before it is written. Such a register is saved in
  // the frame like others, so it gets a fixed initial value. This way a State has the same bytes on all engines.
  void initialize_undefined() {
    ir::RegisterSet live = ir::live_at_entry(from_);
    for (const ir::Register parameter : from_.parameters) live.remove(parameter);
    live.for_each([&](ir::Register r) {
      switch (from_.registers[r].kind) {
        case ir::RegisterKind::integer: emit(ir::Op::const_int, from_.where, {0}, r); break;
        case ir::RegisterKind::set: emit(ir::Op::set_empty, from_.where, {}, r); break;
        case ir::RegisterKind::array: {
          const ir::Register nothing = new_integer(1);
          emit(ir::Op::const_int, from_.where, {0}, nothing);
          emit(ir::Op::array_fill, from_.where, {r, nothing});
          break;
        }
      }
    });
  }

  void wait_at_site(const ir::Instruction& site, std::size_t k) {
    const SuspendPoint& point = plan_.points[k];
    if (!finishing_) {
      keep(point);
      emit(ir::Op::frame_at, site.where, {first_ + static_cast<Int>(k), point.size, plan_.size});
    }
    const Int here = static_cast<Int>(to_.blocks.size());
    emit(ir::Op::jump, site.where, {here});
    open(static_cast<std::size_t>(resume_block_) + k);
    load(point);
    emit(ir::Op::jump, site.where, {here});
    to_.blocks.emplace_back();
    open(static_cast<std::size_t>(here));
    emit(site.op, site.where, site.operands);
  }

  void wait_for_call(const ir::Instruction& call, std::size_t k) {
    const SuspendPoint& point = plan_.points[k];
    if (finishing_) {
      to_.blocks[block_].code.push_back(call);
    } else {
      keep(point);
      emit(ir::Op::frame_at, call.where, {first_ + static_cast<Int>(k), point.size, plan_.size});
      push(call, point.size);
      emit(ir::Op::to_host, call.where, {0});
    }
    const std::size_t called = block_;
    open(static_cast<std::size_t>(resume_block_) + k);
    load(point);
    if (call.result != ir::kNoRegister)
      emit(call.op == ir::Op::call_set ? ir::Op::result_set : ir::Op::result_int, call.where, {}, call.result);
    if (!finishing_) return;
    const Int behind = static_cast<Int>(to_.blocks.size());
    emit(ir::Op::jump, call.where, {behind});
    open(called);
    emit(ir::Op::jump, call.where, {behind});
    to_.blocks.emplace_back();
    open(static_cast<std::size_t>(behind));
  }

  void push(const ir::Instruction& call, Int saved) {
    const ir::FunctionIndex callee = view::call(call).callee();
    const ir::Function& function = playout_.functions[callee];
    const CoroutineFrame& frame = plans_[callee];
    emit(ir::Op::frame_push, call.where, {callee, frames_[callee].first, frame.size, saved});
    for (std::size_t i = 0; i < function.parameters.size(); ++i) {
      const ir::Register parameter = function.parameters[i];
      const ir::RegisterType& type = function.registers[parameter];
      if (type.kind == ir::RegisterKind::set)
        emit(ir::Op::frame_arg_set, call.where, {frame.offset[parameter], view::call(call).argument(i)});
      else
        emit(ir::Op::frame_arg, call.where, {frame.offset[parameter], type.bytes, view::call(call).argument(i)});
    }
  }

  void rewrite(const ir::Instruction& instruction) {
    switch (instruction.op) {
      case ir::Op::ret_int: emit(ir::Op::keep_result, instruction.where, instruction.operands); break;
      case ir::Op::ret_set: emit(ir::Op::keep_result_set, instruction.where, instruction.operands); break;
      case ir::Op::ret: break;
      default:
        for_each_target(to_.blocks[block_].code.emplace_back(instruction), [](std::int64_t& block) { ++block; });
        return;
    }
    emit(ir::Op::frame_pop, instruction.where, {plan_.size});
    emit(ir::Op::to_host, instruction.where, {0});
  }

  void keep(const SuspendPoint& point) {
    for (const ir::Register r : point.saved) {
      const ir::RegisterType& type = to_.registers[r];
      const Int offset = plan_.offset[r];
      switch (type.kind) {
        case ir::RegisterKind::integer: emit(ir::Op::frame_keep, point.where, {offset, type.bytes, r}); break;
        case ir::RegisterKind::set: emit(ir::Op::frame_keep_set, point.where, {offset, r}); break;
        case ir::RegisterKind::array: keep_array(point, r, type.length); break;
      }
    }
  }
  void keep_array(const SuspendPoint& point, ir::Register array, std::uint32_t length) {
    const ir::Register index = new_integer(8), value = new_integer(8);
    for (std::uint32_t i = 0; i < length; ++i) {
      emit(ir::Op::const_int, point.where, {i}, index);
      emit(ir::Op::array_get, point.where, {array, index}, value);
      emit(ir::Op::frame_keep, point.where, {plan_.offset[array] + Int{i} * 8, 8, value});
    }
  }

  void load(const SuspendPoint& point) {
    for (const ir::Register r : point.constants) {
      to_.blocks[block_].code.push_back(*plan_.constant[r]);
      to_.blocks[block_].code.back().where = point.where;
    }
    for (const ir::Register r : point.saved) {
      const ir::RegisterType& type = to_.registers[r];
      const Int offset = plan_.offset[r];
      switch (type.kind) {
        case ir::RegisterKind::integer: emit(ir::Op::frame_int, point.where, {offset, type.bytes}, r); break;
        case ir::RegisterKind::set: emit(ir::Op::frame_set, point.where, {offset}, r); break;
        case ir::RegisterKind::array: load_array(point, r, type.length); break;
      }
    }
  }
  void load_array(const SuspendPoint& point, ir::Register array, std::uint32_t length) {
    const ir::Register index = new_integer(8), value = new_integer(8);
    for (std::uint32_t i = 0; i < length; ++i) {
      emit(ir::Op::const_int, point.where, {i}, index);
      emit(ir::Op::frame_int, point.where, {plan_.offset[array] + Int{i} * 8, 8}, value);
      emit(ir::Op::array_set, point.where, {array, index, value});
    }
  }

  const ir::Module& playout_;
  const std::vector<CoroutineFrame>& plans_;
  const std::vector<FrameInfo>& frames_;
  const CoroutineFrame& plan_;
  const ir::Function& from_;
  const Int first_;   // first suspend point of the function
  const bool finishing_;
  ir::Function to_;
  ir::FunctionIndex of_ = ir::kItself;   // the function from which the current block came
  std::size_t block_ = 0;
  Int resume_block_ = 0;
};

FrameInfo describe(const ir::Function& function, ir::FunctionIndex index, const CoroutineFrame& plan, Int first) {
  FrameInfo info{.first = first, .size = plan.size, .resume = {}};
  for (const SuspendPoint& point : plan.points) {
    ResumePoint& resume =
        info.resume.emplace_back(point.where, point.of == ir::kItself ? index : point.of, point.site, point.size);
    for (const ir::Register r : point.saved) {
      const ir::RegisterType& type = function.registers[r];
      const bool is_set = type.kind == ir::RegisterKind::set;
      const bool is_array = type.kind == ir::RegisterKind::array;
      if (type.holds_sets) {
        for (std::uint32_t i = 1; i + type.each <= type.length; i += type.each)
          resume.live.push_back(
              {.offset = plan.offset[r] + Int{i} * 8, .bytes = 8, .is_set = true, .holds_card = type.holds_card});
        continue;
      }
      for (std::uint32_t i = 0; i < (is_array ? type.length : 1); ++i)
        resume.live.push_back({.offset = plan.offset[r] + Int{i} * 8,
                               .bytes = is_array || is_set ? 8 : type.bytes,
                               .is_set = is_set,
                               .holds_card = is_array ? type.card_at(i) : type.holds_card});
    }
  }
  return info;
}

}   // namespace

void split(const ir::Module& playout, const Layout& layout, Program& out) {
  const std::size_t count = playout.functions.size();
  std::vector<CoroutineFrame> plans(count);
  out.frames.assign(count, {});
  out.waits.clear();
  for (std::size_t f = 0; f < count; ++f) {
    // `main` always has a frame, even if it does not suspend.
    if ((!playout.functions[f].suspends || playout.functions[f].blocks.empty()) && f != out.main) continue;
    plans[f] = plan_frame(playout, playout.functions[f], layout);
    out.frames[f] =
        describe(playout.functions[f], static_cast<ir::FunctionIndex>(f), plans[f], static_cast<Int>(out.waits.size()));
    out.waits.resize(out.waits.size() + plans[f].points.size(), static_cast<ir::FunctionIndex>(f));
  }
  ir::Module step = playout;
  for (std::size_t f = 0; f < count; ++f)
    if (playout.functions[f].suspends && !playout.functions[f].blocks.empty())
      step.functions[f] = StepFunction(playout, plans, out.frames, static_cast<ir::FunctionIndex>(f), false).make();
  made("split", step, {.words = layout.words}, true);
  out.step = std::move(step);
}

bool is_finished(const Program& program, std::size_t function) {
  return program.playout.functions[function].suspends && !program.frames[function].resume.empty();
}

Finishing osr_entries(const Program& program) {
  // The functions that can have a frame.
  const ir::Module joined = program.step.joined.empty() ? program.playout : inline_suspending(program);
  Finishing out{program.playout, std::vector<ir::FunctionIndex>(joined.functions.size(), 0), {}};
  out.code.joined = joined.joined;
  // Inlining folds constants, so this module may have sets and tables that the playout does not have.
  out.code.sets = joined.sets;
  out.code.tables = joined.tables;
  std::vector<CoroutineFrame> plans(joined.functions.size());
  for (std::size_t f = 0; f < joined.functions.size(); ++f)
    if (is_finished(program, f)) plans[f] = plan_frame(joined, joined.functions[f], program.layout);
  for (std::size_t f = 0; f < joined.functions.size(); ++f) {
    if (!is_finished(program, f)) continue;
    out.of[f] = static_cast<ir::FunctionIndex>(out.code.functions.size());
    out.code.functions.push_back(
        StepFunction(joined, plans, program.frames, static_cast<ir::FunctionIndex>(f), true).make());
    out.from.push_back(static_cast<ir::FunctionIndex>(f));
  }
  made("osr_entries", out.code, {.words = program.layout.words});
  return out;
}

}   // namespace cardwright::passes
