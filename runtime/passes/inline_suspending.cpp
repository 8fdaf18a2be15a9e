// Inlines suspending functions that have a single call site.
// In:    the lowered form, marked by mark_suspending.
// Out:   r = call f(a)   becomes   p = copy a, jump to f's first block; there `ret_int x` becomes r = copy x, jump to
//        the code after the call. The original function of a block (Block::of) and its call site (Module::joined) are
//        recorded, so rule stacks do not change.
#include <algorithm>
#include <utility>

#include "runtime/ir/shape.h"
#include "runtime/ir/views.h"
#include "runtime/passes/passes.h"

namespace cardwright::passes {

namespace view = ir::view;

namespace {

constexpr std::size_t kSmallPart = 60;   // in a large game, maximum number of instructions of an inlined function
// Maximum number of instructions that a function may have if others are inlined into it. The JIT compiles functions
// individually, so its time grows with the size of the largest one.
constexpr std::size_t kLargestWhole = 7'000;

class Joiner {
 public:
  explicit Joiner(const Program& program)
      : program_(program),
        module_(program.playout),
        calls_(module_.functions.size(), 0),
        done_(calls_.size(), 0),
        small_(is_small(module_)) {
    for (const ir::Function& function : module_.functions)
      for (const ir::Block& block : function.blocks)
        for (const ir::Instruction& instruction : block.code)
          if (is_call(instruction.op)) ++calls_[callee_of(instruction)];
    for (const ir::FunctionIndex root : roots(program)) stays(root);
    for (std::size_t f = 0; f < module_.functions.size(); ++f)
      if (opens(module_.functions[f])) stays(f);
  }

  ir::Module run() {
    for (std::size_t f = 0; f < module_.functions.size(); ++f) visit(f);
    if (!module_.joined.empty()) fold(module_, {program_});
    made("inline_suspending", module_, {.words = program_.layout.words});
    return std::move(module_);
  }

 private:
  static std::size_t callee_of(const ir::Instruction& call) { return view::call(call).callee(); }
  void stays(std::size_t function) { calls_[function] += 2; }

  bool opens(const ir::Function& function) const {   // returns true if the function is a window
    for (const ir::Block& block : function.blocks)
      for (const ir::Instruction& instruction : block.code)
        if (instruction.op == ir::Op::site &&
            program_.sites[static_cast<std::size_t>(view::site(instruction).number())].of_window)
          return true;
    return false;
  }

  // Visits callees first, so that an inlined function is complete.
  void visit(std::size_t f) {
    if (std::exchange(done_[f], 1) != 0 || !module_.functions[f].suspends) return;
    std::size_t size = size_of(module_.functions[f]);
    for (std::size_t b = 0; b < module_.functions[f].blocks.size(); ++b)   // new blocks are appended during the loop
      for (std::size_t i = 0; i < module_.functions[f].blocks[b].code.size(); ++i) {
        const ir::Instruction& instruction = module_.functions[f].blocks[b].code[i];
        if (!is_call(instruction.op)) continue;
        const std::size_t callee = callee_of(instruction);
        if (calls_[callee] != 1 || !module_.functions[callee].suspends || in_progress(callee)) continue;
        visit(callee);
        const std::size_t part = size_of(module_.functions[callee]);
        if ((!small_ && part > kSmallPart) || size + part > kLargestWhole) continue;
        size += part;
        join(f, b, i, callee);
        break;   // the code after the call is now a separate block
      }
    left_[f] = 1;
  }
  bool in_progress(std::size_t f) const { return done_[f] != 0 && left_[f] == 0; }

  // Inlines the call that is instruction i of block b.
  void join(std::size_t caller, std::size_t b, std::size_t i, std::size_t callee) {
    ir::Function& to = module_.functions[caller];
    ir::Function& part = module_.functions[callee];
    const auto first_register = static_cast<std::int64_t>(to.registers.size());
    const std::size_t behind = to.blocks.size(), first = behind + 1;
    to.registers.insert(to.registers.end(), part.registers.begin(), part.registers.end());
    to.blocks.resize(first);
    const ir::FunctionIndex of = to.blocks[b].of;
    auto& before = to.blocks[b].code;
    const ir::Instruction call = before[i];
    to.blocks[behind] = {{std::make_move_iterator(before.begin() + static_cast<std::ptrdiff_t>(i) + 1),
                          std::make_move_iterator(before.end())},
                         of};
    before.resize(i);
    for (std::size_t p = 0; p < part.parameters.size(); ++p)
      before.push_back(copy(static_cast<ir::Register>(first_register + part.parameters[p]),
                            view::call(call).argument(p), part.registers[part.parameters[p]], call.where));
    before.push_back({ir::Op::jump, ir::kNoRegister, {static_cast<std::int64_t>(first)}, call.where});
    for (ir::Block& block : part.blocks) {
      if (block.of == ir::kItself) block.of = static_cast<ir::FunctionIndex>(callee);
      for (ir::Instruction& instruction : block.code) {
        if (instruction.result != ir::kNoRegister) instruction.result += static_cast<ir::Register>(first_register);
        for_each_register(instruction, [&](std::int64_t& r, char) { r += first_register; });
        for_each_target(instruction, [&](std::int64_t& target) { target += static_cast<std::int64_t>(first); });
      }
      replace_return(block, call, to, static_cast<std::int64_t>(behind));
      to.blocks.push_back(std::move(block));
    }
    part.blocks.clear();
    module_.joined.resize(module_.functions.size());
    module_.joined[callee] = {of == ir::kItself ? static_cast<ir::FunctionIndex>(caller) : of, call.where};
  }

  // Replaces the block's return by a jump to the code after the call.
  static void replace_return(ir::Block& block, const ir::Instruction& call, const ir::Function& to,
                             std::int64_t behind) {
    const ir::Instruction last = block.code.back();
    if (last.op != ir::Op::ret && last.op != ir::Op::ret_int && last.op != ir::Op::ret_set) return;
    block.code.pop_back();
    if (call.result != ir::kNoRegister)
      block.code.push_back(copy(call.result, view::ret(last).value(), to.registers[call.result], last.where));
    block.code.push_back({ir::Op::jump, ir::kNoRegister, {behind}, last.where});
  }
  static ir::Instruction copy(ir::Register to, std::int64_t from, const ir::RegisterType& type, Range where) {
    return {type.kind == ir::RegisterKind::set ? ir::Op::copy_set : ir::Op::copy_int, to, {from}, where};
  }

  const Program& program_;
  ir::Module module_;
  // By function: the number of calls; at least 2 if the function must not be inlined.
  std::vector<int> calls_;
  std::vector<char> done_, left_ = std::vector<char>(done_.size(), 0);
  const bool small_;
};

}   // namespace

ir::Module inline_suspending(const Program& program) { return program.plain ? program.playout : Joiner(program).run(); }

}   // namespace cardwright::passes
