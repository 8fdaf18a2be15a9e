// Folds values that are known at compile time: a ruleset is lowered for one player count and one set of options, so
// that many values are constant. The input can have any form. The output has the same effects, draws, traps and fuel in
// the same order, with fewer instructions.
#include <algorithm>
#include <optional>
#include <utility>

#include "runtime/ir/shape.h"
#include "runtime/ir/views.h"
#include "runtime/passes/control_flow.h"
#include "runtime/passes/dce.h"
#include "runtime/passes/evaluate.h"
#include "runtime/passes/lookalikes.h"
#include "runtime/passes/pass.h"
#include "runtime/passes/passes.h"

namespace cardwright::passes {

namespace view = ir::view;

namespace {

// Facts about the registers at one point of a function. One object is used for all points and updated from one to the
// next, because storing the facts for each block would take too much memory in functions with many registers and
// blocks.
class Facts {
  struct Computed {
    ir::Op op;
    std::vector<std::int64_t> operands;
    ir::Register result;
    bool uses(ir::Register r) const {
      bool used = r == result;
      ir::for_each_register(*this,
                            [&](std::int64_t operand, char) { used |= operand == static_cast<std::int64_t>(r); });
      return used;
    }
  };

 public:
  explicit Facts(std::size_t registers)
      : known_(registers), everywhere_(registers), copy_of_(registers, ir::kNoRegister), is_changed_(registers, 0) {}

  // Marks the current facts as valid at every point of the function.
  void hold_everywhere() {
    everywhere_ = known_;
    drop_changes();
  }
  void reset() {
    computed_.clear();
    for (const ir::Register copy : copies_) copy_of_[copy] = ir::kNoRegister;
    copies_.clear();
    for (const ir::Register r : changed_) known_[r] = everywhere_[r];
    drop_changes();
  }
  // The facts that hold at this point but not everywhere. Empty if there are too many.
  struct SavedFacts {
    std::vector<Computed> computed;
    std::vector<std::pair<ir::Register, Value>> known;
    std::vector<std::pair<ir::Register, ir::Register>> copies;
  };
  SavedFacts keep() const {
    constexpr std::size_t kMost = 1000;
    SavedFacts saved;
    if (computed_.size() + changed_.size() + copies_.size() > kMost) return saved;
    saved.computed = computed_;
    for (const ir::Register r : changed_) saved.known.emplace_back(r, known_[r]);
    for (const ir::Register copy : copies_) saved.copies.emplace_back(copy, copy_of_[copy]);
    return saved;
  }
  void restore(SavedFacts saved) {
    reset();
    computed_ = std::move(saved.computed);
    for (const auto& [r, value] : saved.known) set_known(r, value);
    for (const auto& [copy, original] : saved.copies) copy_of_[copy] = original, copies_.push_back(copy);
  }

  const std::vector<Value>& known() const { return known_; }
  Value known(ir::Register r) const { return known_[r]; }
  ir::Register original(ir::Register r) const { return copy_of_[r] == ir::kNoRegister ? r : copy_of_[r]; }

  // Returns a register that already holds the result of this instruction, or kNoRegister.
  ir::Register available(const ir::Instruction& instruction) const {
    for (const Computed& c : computed_)
      if (c.op == instruction.op && has_equal_operands(c, instruction)) return c.result;
    return ir::kNoRegister;
  }
  // Returns the table and the index from which the register was loaded, or nothing.
  std::optional<std::pair<std::int64_t, std::int64_t>> looked_up(ir::Register r) const {
    for (const Computed& c : computed_)
      if (c.result == r && looks_up(c.op)) return std::pair{c.operands[0], c.operands[1]};
    return std::nullopt;
  }
  static bool looks_up(ir::Op op) {
    return op == ir::Op::table || op == ir::Op::table_small || op == ir::Op::table_known;
  }
  void compute(const ir::Instruction& instruction) {
    computed_.push_back({instruction.op, instruction.operands, instruction.result});
  }
  // Forgets values read from the State after a write that may have changed them.
  void state_changed() {
    std::erase_if(computed_, [](const Computed& c) { return shape_of(c.op).has('R'); });
  }
  // Forgets computed values where the game may suspend, because a value that is still used would have to be saved in
  // the frame.
  void waits() { computed_.clear(); }

  void forget(ir::Register r) {
    std::erase_if(computed_, [&](const Computed& c) { return c.uses(r); });
    set_known(r, {});
    std::erase_if(copies_, [&](ir::Register copy) {
      if (copy != r && copy_of_[copy] != r) return false;
      copy_of_[copy] = ir::kNoRegister;
      return true;
    });
  }
  void learn(ir::Register r, Value value) {
    forget(r);
    set_known(r, value);
  }
  void learn_copy(ir::Register r, ir::Register original) {
    if (r == original) return;
    const Value value = known_[original];
    forget(r);
    set_known(r, value);
    copy_of_[r] = original;
    copies_.push_back(r);
  }

 private:
  void set_known(ir::Register r, Value value) {
    known_[r] = value;
    if (!std::exchange(is_changed_[r], 1)) changed_.push_back(r);
  }
  void drop_changes() {
    for (const ir::Register r : changed_) is_changed_[r] = 0;
    changed_.clear();
  }

  // Returns true if the operands are the same registers, or registers known to be equal.
  bool has_equal_operands(const Computed& c, const ir::Instruction& instruction) const {
    const std::string_view letters = shape_of(c.op).operands();
    if (c.operands.size() != instruction.operands.size()) return false;
    for (std::size_t i = 0; i < c.operands.size(); ++i) {
      if (c.operands[i] == instruction.operands[i]) continue;
      if (i >= letters.size() || (letters[i] != 'i' && letters[i] != 's')) return false;
      const Value there = known(static_cast<ir::Register>(c.operands[i]));
      if (!there.is_known() || there != known(static_cast<ir::Register>(instruction.operands[i]))) return false;
    }
    return true;
  }

  std::vector<Computed> computed_;
  std::vector<Value> known_, everywhere_;
  std::vector<ir::Register> copy_of_;
  std::vector<ir::Register> copies_;   // registers with an entry in copy_of_
  std::vector<ir::Register> changed_;   // registers whose entry in known_ may differ from everywhere_
  std::vector<char> is_changed_;
};

class FunctionFolder {
 public:
  FunctionFolder(ir::Module& module, ir::Function& function, const PassContext& context)
      : module_(module), function_(function), context_(context) {}

  void run() {
    simplify_control_flow(function_);
    cse_lookalikes(module_, function_, context_.layout());
    constexpr int kRounds = 6;   // each round can enable the next; more than three are rarely needed
    for (int round = 0; round < kRounds; ++round) {
      bool changed = fold_blocks();
      changed |= thread_known_branches();
      changed |= simplify_control_flow(function_);
      changed |= dce(function_);
      if (!changed) break;
    }
  }

 private:
  // Folds all blocks. Facts propagate only to blocks with one predecessor; in other blocks only registers that are set
  // once, to a constant, are known.
  bool fold_blocks() {
    bool changed = false;
    const std::size_t count = function_.blocks.size();
    const std::vector<std::size_t> predecessors = predecessor_counts(function_);
    Facts facts = known_everywhere();
    std::vector<Facts::SavedFacts> at_end(count);
    condition_.assign(count, {});
    std::vector<char> seen(count, 0);
    // By block: the number of unvisited blocks that start with the facts at its end.
    std::vector<int> follow(count, 0);
    std::vector<std::pair<std::size_t, std::size_t>> work{{0, count}};   // block, and its predecessor
    seen[0] = 1;
    while (!work.empty()) {
      const auto [b, from] = work.back();
      work.pop_back();
      const bool continues = from != count && predecessors[b] == 1;
      const bool is_last = continues && --follow[from] == 0;
      if (!continues)
        facts.reset();
      else if (is_last)
        facts.restore(std::move(at_end[from]));
      else
        facts.restore(at_end[from]);
      if (continues) learn_from_edge(facts, from, b);
      for (ir::Instruction& instruction : function_.blocks[b].code) changed |= fold_instruction(instruction, facts);
      if (const ir::Instruction* asked = asked_next(b))
        condition_[b] = {asked_value(*asked), facts.known(asked_value(*asked))};
      for_each_target(function_.blocks[b].code.back(), [&](std::int64_t target) {
        const auto to = static_cast<std::size_t>(target);
        if (seen[to]) return;
        seen[to] = 1;
        work.emplace_back(to, b);
        follow[b] += predecessors[to] == 1;
      });
      if (follow[b] > 0) at_end[b] = facts.keep();
    }
    return changed;
  }
  // Returns the instruction that computes the next condition after the block if the block jumps to another block that
  // only evaluates this condition.
  const ir::Instruction* asked_next(std::size_t b) const {
    const ir::Instruction& last = function_.blocks[b].code.back();
    if (last.op != ir::Op::jump) return nullptr;
    const auto& next = function_.blocks[view::jump(last).target()].code;
    return next.size() == 1 && asks(next[0].op) ? &next[0] : nullptr;
  }
  static bool asks(ir::Op op) { return op == ir::Op::branch || op == ir::Op::switch_; }
  static ir::Register asked_value(const ir::Instruction& end) {
    return end.op == ir::Op::branch ? view::branch(end).condition() : view::switch_(end).value();
  }

  Facts known_everywhere() {
    const std::size_t count = function_.registers.size();
    std::vector<int> times_set(count, 0);
    for (const ir::Register r : function_.parameters) ++times_set[r];
    for (const ir::Block& block : function_.blocks)
      for (const ir::Instruction& instruction : block.code)
        if (const ir::Register r = set_by(instruction); r != ir::kNoRegister) ++times_set[r];
    Facts facts(count);
    for (const ir::Block& block : function_.blocks)
      for (const ir::Instruction& instruction : block.code)
        if (instruction.result != ir::kNoRegister && times_set[instruction.result] == 1)
          if (const Value value = constant_of(instruction); value.is_known()) facts.learn(instruction.result, value);
    facts.hold_everywhere();
    return facts;
  }

  static Value constant_of(const ir::Instruction& instruction) {
    if (instruction.op == ir::Op::const_int) return Value::integer(view::const_int(instruction).value());
    if (instruction.op == ir::Op::const_set) return Value::set(static_cast<Int>(view::const_set(instruction).set()));
    return {};
  }

  // Adds the facts that follow from the edge: on the false edge of a branch, its condition is 0; in a case of a switch,
  // the value is that of the case.
  void learn_from_edge(Facts& facts, std::size_t from, std::size_t to) const {
    const ir::Instruction& last = function_.blocks[from].code.back();
    if (last.op == ir::Op::branch) {
      const view::branch branch(last);
      if (branch.otherwise() == to && branch.then() != to) learn_here(facts, branch.condition(), 0);
    } else if (last.op == ir::Op::switch_) {
      const view::switch_ cases(last);
      if (cases.otherwise() == to) return;
      for (std::size_t i = 0; i < cases.cases(); ++i)
        if (cases.target_of(i) == to) learn_here(facts, cases.value(), cases.value_of(i));
    }
  }
  static void learn_here(Facts& facts, ir::Register r, Int value) { facts.learn(r, Value::integer(value)); }

  bool fold_instruction(ir::Instruction& instruction, Facts& facts) {
    bool changed = false;
    for_each_register(instruction, [&](std::int64_t& r, char letter) {
      if (letter == 'a') return;
      const std::int64_t original = facts.original(static_cast<ir::Register>(r));
      changed |= original != r;
      r = original;
    });
    if (ends_block(instruction.op)) return fold_end(instruction, facts) || changed;
    note_effects(instruction, facts);
    if (instruction.result == ir::kNoRegister) {
      if (const ir::Register r = set_by(instruction); r != ir::kNoRegister) facts.forget(r);
      return changed;
    }
    changed |= simplify(instruction, facts) || reuse(instruction, facts);
    const bool may_be_reused = is_repeatable(instruction) && !mentions(instruction, instruction.result);
    note_result(instruction, facts);
    if (may_be_reused) facts.compute(instruction);
    return changed;
  }

  // Returns true if the same operands give the same result until something is written. If the first instruction did not
  // trap, the second does not trap either.
  static bool is_repeatable(const ir::Instruction& instruction) {
    const ir::OpShape& shape = shape_of(instruction.op);
    return (shape.has('P') || shape.has('R')) && !shape.has('E') && !shape.has('W') && !shape.has('C') &&
           shape.operands().find('a') == std::string_view::npos;
  }
  static bool mentions(const ir::Instruction& instruction, ir::Register r) {
    bool mentioned = false;
    for_each_use(instruction, [&](ir::Register used) { mentioned |= used == r; });
    return mentioned;
  }
  bool reuse(ir::Instruction& instruction, const Facts& facts) const {
    if (!is_repeatable(instruction)) return false;
    const ir::Register there = facts.available(instruction);
    if (there == ir::kNoRegister || is_shorter_lived(there, instruction.result)) return false;
    instruction.op = shape_of(instruction.op).result() == 's' ? ir::Op::copy_set : ir::Op::copy_int;
    instruction.operands = {static_cast<std::int64_t>(there)};
    return true;
  }
  void note_effects(const ir::Instruction& instruction, Facts& facts) const {
    const ir::OpShape& shape = shape_of(instruction.op);
    if (is_call(instruction.op) || instruction.op == ir::Op::site || instruction.op == ir::Op::decide)
      facts.waits();
    else if (shape.has('W') && !writes_aside(instruction.op))
      facts.state_changed();
  }
  // Returns true for operations whose written bytes are read only by these operations.
  static bool writes_aside(ir::Op op) { return op == ir::Op::fuel || op == ir::Op::enter || op == ir::Op::leave; }

  static bool fold_end(ir::Instruction& end, const Facts& facts) {
    if (!asks(end.op)) return false;
    const Value condition = facts.known(asked_value(end));
    if (!condition.is_known()) return false;
    end = ir::Instruction{ir::Op::jump, ir::kNoRegister, {chosen_target(end, condition.value)}, end.where};
    return true;
  }
  static std::int64_t chosen_target(const ir::Instruction& end, Int value) {
    if (end.op == ir::Op::branch) return value != 0 ? view::branch(end).then() : view::branch(end).otherwise();
    const view::switch_ cases(end);
    for (std::size_t i = 0; i < cases.cases(); ++i)
      if (cases.value_of(i) == value) return cases.target_of(i);
    return cases.otherwise();
  }

  bool simplify(ir::Instruction& instruction, const Facts& facts) {
    using ir::Op;
    if (instruction.op == Op::const_int || instruction.op == Op::const_set) return false;
    if (const Value value = evaluate(module_, instruction, facts.known(), context_); value.is_known())
      return become_constant(instruction, value);
    const auto known = [&](std::size_t i) { return facts.known(static_cast<ir::Register>(instruction.operands[i])); };
    const auto is = [&](std::size_t i, Int value) { return known(i).is_known() && known(i).value == value; };
    switch (instruction.op) {
      case Op::copy_int:
      case Op::copy_set: return known(0).is_known() && become_constant(instruction, known(0));
      case Op::select:
      case Op::set_select:
        if (known(0).is_known()) return become_copy(instruction, known(0).value != 0 ? 1 : 2);
        if (view::select(instruction).then() != view::select(instruction).otherwise()) return false;
        return become_copy(instruction, 1);
      case Op::eq:
      case Op::ne:
        if (view::pair(instruction).left() != view::pair(instruction).right()) return false;
        return become_constant(instruction, Value::integer(instruction.op == Op::eq));
      case Op::and_:
        if (is(0, 1)) return become_copy(instruction, 1);   // both operands are bools
        if (is(1, 1)) return become_copy(instruction, 0);
        return false;
      case Op::or_:
        if (is(0, 0)) return become_copy(instruction, 1);
        if (is(1, 0)) return become_copy(instruction, 0);
        return false;
      case Op::add_small:
        if (is(0, 0)) return become_copy(instruction, 1);
        if (is(1, 0)) return become_copy(instruction, 0);
        return false;
      case Op::mul_small:
        if (is(0, 1)) return become_copy(instruction, 1);
        if (is(1, 1)) return become_copy(instruction, 0);
        return false;
      case Op::mask_or:
        if (is(0, 0)) return become_copy(instruction, 1);
        if (is(1, 0)) return become_copy(instruction, 0);
        return false;
      case Op::set_or:
        if (is_empty(known(0))) return become_copy(instruction, 1);
        if (is_empty(known(1))) return become_copy(instruction, 0);
        return false;
      case Op::set_and:
        if (is_empty(known(0))) return become_copy(instruction, 0);
        if (is_empty(known(1))) return become_copy(instruction, 1);
        return false;
      case Op::set_without: return is_empty(known(1)) && become_copy(instruction, 0);
      case Op::table:
      case Op::table_small:
      case Op::table_known:
      case Op::set_table: return compose_tables(instruction, facts);
      default:   // no simplification
        return false;
    }
  }
  bool is_empty(Value value) const {
    if (value.kind != Value::Kind::set) return false;
    const auto& set = module_.sets[static_cast<std::size_t>(value.value)];
    return std::all_of(set.begin(), set.end(), [](Word word) { return word == 0; });
  }

  // Combines two consecutive table look-ups into one.
  bool compose_tables(ir::Instruction& instruction, const Facts& facts) const {
    const auto first = facts.looked_up(static_cast<ir::Register>(instruction.operands[1]));
    if (!first) return false;
    const auto width = static_cast<std::size_t>(instruction.op == ir::Op::set_table ? context_.layout().words : 1);
    const auto& places = module_.tables[static_cast<std::size_t>(first->first)];
    const auto& entries = module_.tables[static_cast<std::size_t>(instruction.operands[0])];
    std::vector<Int> both;
    for (const Int place : places) {
      if (place != kNone && static_cast<Word>(place) >= entries.size() / width) return false;
      for (std::size_t i = 0; i < width; ++i)
        both.push_back(place != kNone                        ? entries[static_cast<std::size_t>(place) * width + i]
                       : instruction.op == ir::Op::set_table ? 0
                                                             : kNone);
    }
    instruction.operands = {intern_table(module_, both), first->second};
    if (instruction.op == ir::Op::table || instruction.op == ir::Op::table_known) instruction.op = ir::Op::table_small;
    return true;
  }

  static bool become_copy(ir::Instruction& instruction, std::size_t operand) {
    const bool is_set = shape_of(instruction.op).result() == 's';
    instruction.operands = {instruction.operands[operand]};
    instruction.op = is_set ? ir::Op::copy_set : ir::Op::copy_int;
    return true;
  }
  static bool become_constant(ir::Instruction& instruction, Value value) {
    instruction.op = value.kind == Value::Kind::set ? ir::Op::const_set : ir::Op::const_int;
    instruction.operands = {value.value};
    return true;
  }

  void note_result(const ir::Instruction& instruction, Facts& facts) const {
    const ir::Register result = instruction.result;
    if (const Value value = constant_of(instruction); value.is_known())
      facts.learn(result, value);
    else if (instruction.op == ir::Op::copy_int || instruction.op == ir::Op::copy_set)
      note_copy(result, view::copy(instruction).from(), facts);
    else
      facts.forget(result);
  }
  // Records a copy. A register that is read instead of its copy has to stay live as long as the copy.
  void note_copy(ir::Register result, ir::Register original, Facts& facts) const {
    if (is_shorter_lived(original, result))
      facts.forget(result);
    else
      facts.learn_copy(result, original);
  }
  bool is_shorter_lived(ir::Register a, ir::Register b) const {
    return function_.registers[a].site_local && !function_.registers[b].site_local;
  }

  // For `jump J` where J only branches on a known condition, jumps to the target of that branch.
  bool thread_known_branches() {
    bool changed = false;
    for (std::size_t b = 0; b < function_.blocks.size(); ++b) {
      const ir::Instruction* asked = asked_next(b);
      if (!asked || condition_[b].first != asked_value(*asked) || !condition_[b].second.is_known()) continue;
      function_.blocks[b].code.back().operands = {chosen_target(*asked, condition_[b].second.value)};
      changed = true;
    }
    return changed;
  }

  ir::Module& module_;
  ir::Function& function_;
  const PassContext& context_;
  // By block: the condition of the next branch, and its known value.
  std::vector<std::pair<ir::Register, Value>> condition_;
};

}   // namespace

void global_dce(ir::Module& module, const PassContext& context) {
  std::vector<char> reached(module.functions.size(), 0);
  std::vector<std::size_t> work(context.roots.begin(), context.roots.end());
  for (const std::size_t root : work) reached[root] = 1;
  while (!work.empty()) {
    const ir::Function& function = module.functions[work.back()];
    work.pop_back();
    for (const ir::Block& block : function.blocks)
      for (const ir::Instruction& instruction : block.code) {
        if (!is_call(instruction.op) && instruction.op != ir::Op::frame_push) continue;
        const auto callee = static_cast<std::size_t>(instruction.operands[0]);
        if (!std::exchange(reached[callee], 1)) work.push_back(callee);
      }
  }
  for (std::size_t f = 0; f < reached.size(); ++f)
    if (!reached[f]) module.functions[f].blocks.clear();
}

void fold(ir::Module& module, const PassContext& context) {
  for (ir::Function& function : module.functions)
    if (!function.blocks.empty()) FunctionFolder(module, function, context).run();
  if (!context.roots.empty()) global_dce(module, context);
}

}   // namespace cardwright::passes
