// Places fuel where a game might not terminate soon: in loops without a known bound, in recursion, and in large
// functions. Code that always ends soon needs no fuel. One step of fuel pays for at most kStep instructions, so with
// any rules, the fuel of one decision is used up within seconds. The input is lowered and folded, with suspending
// functions marked. In the output, `fuel` is added where it is needed and removed elsewhere.
#include <algorithm>
#include <optional>
#include <unordered_map>
#include <utility>

#include "runtime/ir/shape.h"
#include "runtime/ir/views.h"
#include "runtime/passes/control_flow.h"
#include "runtime/passes/pass.h"
#include "runtime/passes/passes.h"
#include "runtime/ops/game.h"

namespace cardwright::passes {

namespace view = ir::view;

namespace {

constexpr double kSoon = 100'000;   // maximum work of code that needs no fuel, in simple instructions
constexpr double kStep = 100;   // work that one step of fuel pays for
constexpr double kMost = 1e18;
// A path whose work exceeds that of its alternative by more than this takes its own fuel.
constexpr double kDear = 5'000;

// Returns true for a `fuel` that takes no fuel, but states the maximum number of iterations of a loop, as found by
// lowering.
bool is_bound(const ir::Instruction& in) { return in.op == ir::Op::fuel && view::fuel(in).steps() <= 0; }
bool is_fuel(const ir::Instruction& in) { return in.op == ir::Op::fuel && view::fuel(in).steps() > 0; }

bool is_of_one_element(ir::Op op) {
  return op == ir::Op::array_get || op == ir::Op::array_set || op == ir::Op::ray_get || op == ir::Op::ray_step;
}

// Estimates the cost of an instruction in simple instructions.
class Work {
 public:
  Work(const ir::Module& module, const Layout& layout, const std::vector<VariableSlot>& variables)
      : module_(module), layout_(layout), variables_(variables) {}

  double of(const ir::Function& function, const ir::Instruction& in) const {
    const ir::OpShape& shape = shape_of(in.op);
    double work = shape.has('K') || shape.has('C') ? 10 : 1;
    for_each_register(in, [&](std::int64_t r, char letter) {
      if (letter == 'a' && !is_of_one_element(in.op))
        work += function.registers[static_cast<std::size_t>(r)].length / 4.0;
      if (letter == 's') work += static_cast<double>(layout_.words) / 2;
    });
    switch (in.op) {
      case ir::Op::clear: return work + static_cast<double>(variables_[view::of_variable(in).variable()].count);
      case ir::Op::sets_within:
        return work + static_cast<double>(module_.tables[static_cast<std::size_t>(in.operands[1])].size());
      case ir::Op::power: return work + 64;
      case ir::Op::suppose:
      case ir::Op::unsuppose: return work + static_cast<double>(layout_.size) / 64;
      case ir::Op::move_cards:
      case ir::Op::shuffle:
      case ir::Op::draw_card: return work + 4 * static_cast<double>(layout_.words);
      default: return work;
    }
  }

 private:
  const ir::Module& module_;
  const Layout& layout_;
  const std::vector<VariableSlot>& variables_;
};

// Finds registers that limit the iterations of a loop: a number counted down to 0, a set of players or cards that loses
// an element in each iteration, or a counter for which lowering stated a maximum.
class Counters {
 public:
  Counters(const ir::Function& function, const Layout& layout)
      : function_(function),
        most_cards_(static_cast<double>(64 * layout.words)),
        predecessors_(predecessor_counts(function)),
        before_(function.blocks.size(), 0),
        counters_(function.registers.size()),
        of_block_(function.blocks.size()) {
    for (const ir::Register r : function.parameters) counters_[r].is_literal = false;
    for (std::size_t b = 0; b < function.blocks.size(); ++b)
      for_each_target(function.blocks[b].code.back(),
                      [&](std::int64_t to) { before_[static_cast<std::size_t>(to)] = b; });
    for (std::size_t b = 0; b < function.blocks.size(); ++b)
      for (std::size_t i = 0; i < function.blocks[b].code.size(); ++i) read(b, i);
    for (const Counter& counter : counters_)
      for (const std::size_t block : counter.turns)
        if (!counter.is_number || counter.is_literal) of_block_[block].push_back(&counter);
  }

  // Returns the maximum number of iterations of the loop with these blocks, derived from counters that no instruction
  // in it increases. Adds the blocks in which an iteration begins to `turns`.
  double most(const std::vector<std::size_t>& loop, const std::vector<char>& is_in,
              std::vector<std::size_t>& turns) const {
    double most = 1;
    for (const std::size_t block : loop)
      for (const Counter* counter : of_block_[block]) {
        if (std::any_of(counter->others.begin(), counter->others.end(),
                        [&](std::size_t other) { return is_in[other] != 0; }))
          continue;
        most += counter->most;
        if (turns.empty() || turns.back() != block) turns.push_back(block);
      }
    return most;
  }

 private:
  // The writes of a register. A number is a counter only if all its start values are literals; sets of players and
  // cards always have few elements.
  struct Counter {
    std::vector<std::size_t> turns, others;
    double most = 0;
    bool is_number = false, is_literal = true;
  };

  void read(std::size_t block, std::size_t i) {
    const ir::Instruction& in = function_.blocks[block].code[i];
    const ir::Register r = set_by(in);
    if (r == ir::kNoRegister) return;
    Counter& counter = counters_[r];
    if (begins_turn(block, i)) {
      counter.turns.push_back(block);
      counter.is_number = in.op == ir::Op::sub_small;
      if (in.op == ir::Op::add_small)
        counter.most = stated_turns(function_.blocks[block], i);
      else if (!counter.is_number)
        counter.most = in.op == ir::Op::mask_without ? 64 : most_cards_;
    } else {
      counter.others.push_back(block);
      if (in.op == ir::Op::const_int)
        counter.most = std::max(counter.most, static_cast<double>(view::const_int(in).value()));
      else
        counter.is_literal = false;
    }
  }
  // Returns the last instruction before the i-th that sets the register, in the same block, or null.
  const ir::Instruction* set_before(const ir::Block& block, std::size_t i, std::int64_t r) const {
    while (i-- > 0)
      if (set_by(block.code[i]) == static_cast<ir::Register>(r)) return &block.code[i];
    return nullptr;
  }
  static bool is(const ir::Instruction* in, ir::Op op) { return in && in->op == op; }
  // Returns the number of iterations stated just before the i-th instruction, ignoring constants in between; or 0.
  static double stated_turns(const ir::Block& block, std::size_t i) {
    while (i-- > 0)
      if (is_bound(block.code[i]))
        return static_cast<double>(-view::fuel(block.code[i]).steps());
      else if (block.code[i].op != ir::Op::const_int)
        break;
    return 0;
  }
  // Returns true if the instruction counts an iteration: it increments a register with a stated maximum, or it takes an
  // element or a positive number from a register that a branch has just tested.
  bool begins_turn(std::size_t b, std::size_t i) const {
    const ir::Block& block = function_.blocks[b];
    const ir::Instruction& in = block.code[i];
    if (in.operands.empty() || in.operands[0] != static_cast<std::int64_t>(in.result)) return false;
    if (in.op == ir::Op::add_small) return stated_turns(block, i) > 0;
    if (predecessors_[b] != 1) return false;
    const auto taken = [&](std::int64_t r) { return set_before(block, i, r); };
    switch (in.op) {
      case ir::Op::sub_small: {
        const ir::Instruction* what = taken(view::pair(in).right());
        return is(what, ir::Op::const_int) && view::const_int(what).value() > 0 && is_left(b, in);
      }
      case ir::Op::mask_without: {
        const ir::Instruction* what = taken(view::pair(in).right());
        if (!is(what, ir::Op::mask_of)) return false;
        what = taken(view::mask_of(what).element());
        return (is(what, ir::Op::mask_first) || is(what, ir::Op::mask_next)) &&
               view::of_elements(what).elements() == view::pair(in).left() && is_left(b, in);
      }
      case ir::Op::set_rest: return is_left(b, in);
      default: return false;
    }
  }
  // Returns true if every path to the block has tested that the register is neither empty nor 0.
  bool is_left(std::size_t b, const ir::Instruction& turn) const {
    const std::int64_t r = turn.result;   // the remaining elements
    const ir::Block& before = function_.blocks[before_[b]];
    const ir::Instruction& last = before.code.back();
    if (last.op != ir::Op::branch || view::branch(last).then() != b) return false;
    const ir::Register condition = view::branch(last).condition();
    if (turn.op == ir::Op::mask_without && condition == r) return true;
    const ir::Instruction* asked = set_before(before, before.code.size(), condition);
    if (!asked) return false;
    if (turn.op == ir::Op::mask_without) return asked->op == ir::Op::ne && view::pair(asked).left() == r;
    if (turn.op == ir::Op::set_rest) return asked->op == ir::Op::set_any && view::of_elements(asked).elements() == r;
    if (asked->op != ir::Op::lt) return false;
    const ir::Instruction* least = set_before(before, before.code.size(), view::pair(asked).left());
    return is(least, ir::Op::const_int) && view::const_int(least).value() >= 0 && view::pair(asked).right() == r;
  }

  const ir::Function& function_;
  const double most_cards_;
  const std::vector<std::size_t> predecessors_;
  std::vector<std::size_t> before_;   // by block: its predecessor, if it has only one
  std::vector<Counter> counters_;   // by register
  std::vector<std::vector<const Counter*>> of_block_;   // counters whose iterations begin in the block
};

// Analyzes parts of a function's control flow graph.
class Graph {
 public:
  explicit Graph(const ir::Function& function)
      : next_(function.blocks.size()),
        before_(function.blocks.size()),
        order_(next_.size(), 0),
        low_(next_.size(), 0),
        is_in_(next_.size(), 0),
        open_(next_.size(), 0) {
    for (std::size_t b = 0; b < next_.size(); ++b)
      for_each_target(function.blocks[b].code.back(), [&](std::int64_t to) {
        next_[b].push_back(static_cast<std::size_t>(to));
        before_[static_cast<std::size_t>(to)].push_back(b);
      });
  }
  const std::vector<std::size_t>& next(std::size_t b) const { return next_[b]; }

  // Calls `f` with a flag for each block that is set if the block belongs to the part.
  template <class F>
  auto within(const std::vector<std::size_t>& part, F f) {
    for (const std::size_t b : part) is_in_[b] = 1;
    auto result = f(is_in_);
    for (const std::size_t b : part) is_in_[b] = 0;
    return result;
  }

  // Returns the strongly connected components of the part in reverse topological order (Tarjan's algorithm).
  std::vector<std::vector<std::size_t>> components(const std::vector<std::size_t>& part) {
    return within(part, [&](const auto&) {
      std::vector<std::vector<std::size_t>> found;
      unsigned visited = 0;
      for (const std::size_t first : part)
        if (order_[first] == 0) visit(first, visited, found);
      for (const std::size_t b : part) order_[b] = 0;
      return found;
    });
  }
  bool is_loop(const std::vector<std::size_t>& component) const {
    return component.size() > 1 ||
           std::find(next_[component[0]].begin(), next_[component[0]].end(), component[0]) != next_[component[0]].end();
  }
  // Returns the entry block of a loop.
  std::size_t head(const std::vector<std::size_t>& loop) {
    return within(loop, [&](const std::vector<char>& is_in) {
      for (const std::size_t b : loop)
        if (b == 0 || std::any_of(before_[b].begin(), before_[b].end(), [&](std::size_t from) { return !is_in[from]; }))
          return b;
      return loop[0];
    });
  }
  // Returns the first wanted block of an iteration, if every iteration of the loop passes through a wanted block.
  template <class F>
  std::optional<std::size_t> on_every_iteration(const std::vector<std::size_t>& loop, std::size_t head, F is_wanted) {
    std::optional<std::size_t> found;
    const bool round = within(loop, [&](const std::vector<char>& is_in) {
      std::vector<std::size_t> work{head}, seen;
      bool returns_to_head = false;
      for (std::size_t i = 0; i < work.size(); ++i) {
        const std::size_t b = work[i];
        if (!found && is_wanted(b)) found = b;
        if (found == b) continue;
        for (const std::size_t to : next_[b]) {
          returns_to_head |= to == head;
          if (is_in[to] && to != head && !std::exchange(open_[to], 1)) work.push_back(to);
        }
      }
      for (const std::size_t b : work) open_[b] = 0;
      return returns_to_head;
    });
    return round ? std::nullopt : found;
  }

 private:
  void visit(std::size_t first, unsigned& visited, std::vector<std::vector<std::size_t>>& found) {
    // A block, and the number of its successors already visited.
    std::vector<std::pair<std::size_t, std::size_t>> way;
    std::vector<std::size_t> stack;
    const auto enter = [&](std::size_t b) {
      order_[b] = low_[b] = ++visited;
      open_[b] = 1;
      stack.push_back(b);
      way.emplace_back(b, 0);
    };
    enter(first);
    while (!way.empty()) {
      const std::size_t b = way.back().first;
      if (way.back().second < next_[b].size()) {
        const std::size_t to = next_[b][way.back().second++];
        if (!is_in_[to]) continue;
        if (order_[to] == 0)
          enter(to);
        else if (open_[to])
          low_[b] = std::min(low_[b], order_[to]);
        continue;
      }
      way.pop_back();
      if (!way.empty()) low_[way.back().first] = std::min(low_[way.back().first], low_[b]);
      if (low_[b] != order_[b]) continue;
      std::vector<std::size_t>& component = found.emplace_back();
      do {
        component.push_back(stack.back());
        open_[stack.back()] = 0;
        stack.pop_back();
      } while (component.back() != b);
      std::sort(component.begin(), component.end());
    }
  }

  std::vector<std::vector<std::size_t>> next_, before_;
  std::vector<unsigned> order_, low_;   // like the flags below, all 0 except during an analysis
  std::vector<char> is_in_, open_;
};

// Fuel to be taken in a block, either by an existing instruction or at the start of the block.
struct Taken {
  std::size_t block;
  double work;   // work that this fuel pays for
};
// The result of planning a part of a function: the fuel to take in it, and the maximum work until fuel is taken or a
// decision is made.
struct Plan {
  double work = 0;
  std::vector<Taken> fuel;
};

class Planner {
 public:
  Planner(const ir::Function& function, const Layout& layout, std::vector<double> work)
      : function_(function),
        graph_(function),
        counters_(function, layout),
        work_(std::move(work)),
        hosts_(function.registers.size(), 0) {
    for (const ir::Block& block : function.blocks)
      for (const ir::Instruction& in : block.code)
        if (in.op == ir::Op::const_int && view::const_int(in).value() == kHost) hosts_[in.result] = 1;
  }

  Plan all() {
    std::vector<std::size_t> blocks(function_.blocks.size());
    for (std::size_t b = 0; b < blocks.size(); ++b) blocks[b] = b;
    return longest_way(blocks);
  }

 private:
  struct Way {   // the most expensive path that starts at a block
    double work;
    bool is_loop;   // true if the block is in a loop, so that fuel in it would be taken in each iteration
  };
  Plan longest_way(const std::vector<std::size_t>& part) {
    Plan plan;
    std::unordered_map<std::size_t, Way> from;   // by block
    for (const std::vector<std::size_t>& component : graph_.components(part)) {
      const bool is_loop = graph_.is_loop(component);
      const Plan one = is_loop ? loop(component) : Plan{work_[component[0]], {}};
      plan.fuel.insert(plan.fuel.end(), one.fuel.begin(), one.fuel.end());
      const double later = after(component, from, plan);
      for (const std::size_t b : component) from[b] = {one.work + later, is_loop};
    }
    // Paths that take their own fuel cost 0.
    for (const auto& [b, way] : from) plan.work = std::max(plan.work, way.work);
    return plan;
  }

  // Returns the maximum work after these blocks. If one path is far cheaper than another (for example because a
  // memoized table is valid, or a condition excludes a case), the expensive path takes its own fuel; otherwise frequent
  // callers would pay for the expensive path each time.
  double after(const std::vector<std::size_t>& component, std::unordered_map<std::size_t, Way>& from,
               Plan& plan) const {
    double least = kMost, most = 0;
    std::vector<std::size_t> ways;
    for (const std::size_t b : component)
      for (const std::size_t to : graph_.next(b))
        if (const auto known = from.find(to); known != from.end()) {
          ways.push_back(to);
          least = std::min(least, known->second.work);
        }
    for (const std::size_t to : ways) {
      Way& way = from.at(to);
      if (function_.returns != ir::Returns::nothing && way.work > least + kDear && !way.is_loop)
        plan.fuel.push_back({to, std::exchange(way.work, 0)});
      most = std::max(most, way.work);
    }
    return most;
  }

  // A loop ends soon if each iteration makes a decision, because decisions are counted and refill the fuel, or if it
  // has few iterations. Otherwise each iteration takes fuel.
  Plan loop(const std::vector<std::size_t>& blocks) {
    std::vector<std::size_t> where;
    std::copy_if(blocks.begin(), blocks.end(), std::back_inserter(where),
                 [&](std::size_t b) { return makes_decision(b); });
    if (!where.empty()) return without(blocks, where);
    const double turns = graph_.within(blocks, [&](const auto& is_in) { return counters_.most(blocks, is_in, where); });
    const bool counted = !where.empty();
    if (!counted) where = {turn_of(blocks)};
    Plan plan = without(blocks, where);
    if (counted && turns * plan.work <= kSoon) return {turns * plan.work, std::move(plan.fuel)};
    for (const std::size_t b : where) plan.fuel.push_back({b, plan.work});
    return plan;
  }
  // Returns the block of a loop without a known bound in which each iteration takes fuel.
  std::size_t turn_of(const std::vector<std::size_t>& blocks) {
    const std::size_t head = graph_.head(blocks);
    return graph_.on_every_iteration(blocks, head, [&](std::size_t b) { return has_fuel(b); }).value_or(head);
  }
  Plan without(const std::vector<std::size_t>& blocks, const std::vector<std::size_t>& cut) {
    std::vector<std::size_t> rest;
    std::set_difference(blocks.begin(), blocks.end(), cut.begin(), cut.end(), std::back_inserter(rest));
    Plan plan = longest_way(rest);
    for (const std::size_t b : cut) plan.work += work_[b];
    return plan;
  }

  bool has_fuel(std::size_t b) const {
    const auto& code = function_.blocks[b].code;
    return std::any_of(code.begin(), code.end(), is_fuel);
  }
  // Returns true if the block contains a decision of a player other than the host.
  bool makes_decision(std::size_t b) const {
    const auto& code = function_.blocks[b].code;
    return std::any_of(code.begin(), code.end(), [&](const ir::Instruction& in) {
      return in.op == ir::Op::decide && !hosts_[view::decide(in).player()];
    });
  }

  const ir::Function& function_;
  Graph graph_;
  const Counters counters_;
  const std::vector<double> work_;   // by block
  std::vector<char> hosts_;   // by register: 1 if it holds the player number of the host
};

class Placer {
 public:
  Placer(ir::Module& module, const Layout& layout, const std::vector<VariableSlot>& variables, bool spare)
      : module_(module),
        layout_(layout),
        work_(module, layout, variables),
        spare_(spare),
        known_(module.functions.size(), -1),
        under_way_(known_.size(), 0),
        again_(known_.size(), 0) {}

  // Returns the maximum work of the function until fuel is taken. A function that is recursive or too expensive takes
  // fuel at its start.
  double analyze(std::size_t f) {
    if (known_[f] >= 0) return known_[f];
    ir::Function& function = module_.functions[f];
    if (function.blocks.empty()) return known_[f] = 0;   // never called
    if (std::exchange(under_way_[f], 1)) return again_[f] = 1;
    std::vector<double> work;
    for (const ir::Block& block : function.blocks) {
      work.push_back(0);
      for (const ir::Instruction& in : block.code)
        work.back() += work_.of(function, in) + (is_call(in.op) ? analyze(view::call(in).callee()) : 0);
    }
    Plan plan = Planner(function, layout_, std::move(work)).all();
    const bool takes = again_[f] || plan.work > kSoon;
    if (takes) plan.fuel.push_back({0, plan.work});
    place(function, plan);
    return known_[f] = takes ? 1 : plan.work;
  }

 private:
  void place(ir::Function& function, const Plan& plan) const {
    std::vector<Int> steps(function.blocks.size(), 0);
    for (const Taken& taken : plan.fuel)
      steps[taken.block] = std::max(steps[taken.block], 1 + static_cast<Int>(std::min(taken.work / kStep, 1e9)));
    for (std::size_t b = 0; b < steps.size(); ++b) {
      auto& code = function.blocks[b].code;
      std::erase_if(code, is_bound);
      const auto first = std::find_if(code.begin(), code.end(), is_fuel);
      if (steps[b] == 0) {
        if (spare_) std::erase_if(code, is_fuel);
      } else if (first == code.end()) {
        code.insert(code.begin(), {ir::Op::fuel, ir::kNoRegister, {steps[b]}, place_of(function, b)});
      } else {
        first->operands[0] = steps[b];
        if (spare_) code.erase(std::remove_if(first + 1, code.end(), is_fuel), code.end());
      }
    }
  }
  static Range place_of(const ir::Function& function, std::size_t b) {
    const auto& code = function.blocks[b].code;
    const auto known =
        std::find_if(code.begin(), code.end(), [](const ir::Instruction& in) { return in.where.known(); });
    return b == 0 || known == code.end() ? function.where : known->where;
  }

  ir::Module& module_;
  const Layout& layout_;
  const Work work_;
  const bool spare_;
  std::vector<double> known_;   // by function
  std::vector<char> under_way_, again_;
};

}   // namespace

void place_fuel(ir::Module& module, const PassContext& context) {
  Placer placer(module, context.layout(), context.variables(), !context.program.plain);
  for (std::size_t f = 0; f < module.functions.size(); ++f) placer.analyze(f);
}

}   // namespace cardwright::passes
