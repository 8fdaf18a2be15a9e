// Checks a module's structure. An invalid module is an internal error, so messages name the function, block and
// instruction as printed.
#include "runtime/ir/verify.h"

#include <set>

#include <fmt/format.h>

#include "runtime/ir/print.h"
#include "runtime/ir/shape.h"

namespace cardwright::ir {

namespace {

class Registers {
 public:
  explicit Registers(std::size_t count = 0) : words_((count + 63) / 64) {}
  bool has(std::size_t r) const { return (words_[r / 64] >> (r % 64)) & 1; }
  void add(std::size_t r) { words_[r / 64] |= std::uint64_t{1} << (r % 64); }
  void remove(std::size_t r) { words_[r / 64] &= ~(std::uint64_t{1} << (r % 64)); }
  void add(const Registers& others) {
    for (std::size_t w = 0; w < words_.size(); ++w) words_[w] |= others.words_[w];
  }
  friend bool operator==(const Registers&, const Registers&) = default;

 private:
  std::vector<std::uint64_t> words_;
};

Register assigned_by(const Instruction& in) {
  return fills_array(in.op) ? static_cast<Register>(in.operands[0]) : in.result;
}

template <class F>
void for_each_read(const Instruction& in, F f) {
  const std::string_view letters = shape_of(in.op).operands();
  for (std::size_t i = 0; i < letters.size() && letters[i] != 'B'; ++i) {
    if (letters[i] == 'R')
      for (std::size_t rest = i; rest < in.operands.size(); ++rest) f(static_cast<Register>(in.operands[rest]));
    const bool reads = letters[i] == 'i' || letters[i] == 's' || (letters[i] == 'a' && !(i == 0 && fills_array(in.op)));
    if (reads) f(static_cast<Register>(in.operands[i]));
  }
}

template <class F>
void for_each_successor(const Instruction& last, F f) {
  if (last.op == Op::jump) f(static_cast<std::size_t>(last.operands[0]));
  if (last.op == Op::branch)
    f(static_cast<std::size_t>(last.operands[1])), f(static_cast<std::size_t>(last.operands[2]));
  if (last.op == Op::switch_)
    for (std::size_t i = 1; i < last.operands.size(); i += 2) f(static_cast<std::size_t>(last.operands[i]));
}

void step_back(const Instruction& in, Registers& live) {
  if (const Register r = assigned_by(in); r != kNoRegister) live.remove(r);
  for_each_read(in, [&](Register r) { live.add(r); });
}

// Computes the live registers at the end of each block of a function.
std::vector<Registers> live_at_end(const Function& function) {
  std::vector<Registers> end(function.blocks.size(), Registers(function.registers.size()));
  std::vector<Registers> begin = end;
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t b = function.blocks.size(); b-- > 0;) {
      const auto& code = function.blocks[b].code;
      Registers live(function.registers.size());
      for_each_successor(code.back(), [&](std::size_t to) { live.add(begin[to]); });
      end[b] = live;
      for (auto in = code.rbegin(); in != code.rend(); ++in) step_back(*in, live);
      changed |= live != begin[b];
      begin[b] = std::move(live);
    }
  }
  return end;
}

class Verifier {
 public:
  Verifier(const Module& module, const Bounds& bounds, bool step) : module_(module), bounds_(bounds), step_(step) {}

  std::vector<std::string> run() {
    for (std::size_t i = 0; i < module_.sets.size(); ++i)
      if (bounds_.words >= 0 && static_cast<std::int64_t>(module_.sets[i].size()) != bounds_.words)
        problems_.push_back(
            fmt::format("set c{}: expected {} words, found {}", i, bounds_.words, module_.sets[i].size()));
    for (index_ = 0; index_ < module_.functions.size(); ++index_) {
      function_ = &module_.functions[index_];
      check_function();
    }
    return std::move(problems_);
  }

 private:
  void report(std::string what) {
    std::string place = fmt::format("f{} \"{}\"", index_, function_->name);
    if (block_ < function_->blocks.size()) place += fmt::format(", b{}", block_);
    if (instruction_) place += fmt::format(", `{}`", print(*instruction_));
    problems_.push_back(place + ": " + std::move(what));
  }

  void check_function() {
    block_ = function_->blocks.size();
    instruction_ = nullptr;
    for (const Register r : function_->parameters)
      if (r >= function_->registers.size())
        report(fmt::format("unknown register r{}", r));
      else if (function_->registers[r].kind == RegisterKind::array)
        report("an array can't be a parameter");
    for (std::size_t r = 0; r < function_->registers.size(); ++r) {
      const RegisterType& type = function_->registers[r];
      if (type.bytes != 1 && type.bytes != 2 && type.bytes != 4 && type.bytes != 8)
        report(fmt::format("r{} has the invalid width {}", r, type.bytes));
      if (type.kind == RegisterKind::array && (type.length == 0 || type.length > kMostInArray))
        report(fmt::format("r{} has the invalid length {}", r, type.length));
    }
    // A function that is never called may have no blocks.
    for (block_ = 0; block_ < function_->blocks.size(); ++block_) check_block(function_->blocks[block_]);
    instruction_ = nullptr;
    if (bounds_.sites) check_sites();
  }

  // Returns true if `of` was joined to this function, directly or through others. Rule stacks follow this chain of
  // callers.
  bool was_joined(FunctionIndex of) const {
    const std::vector<Joined>& joined = module_.joined;
    if (of >= joined.size() || joined[of].caller == kItself) return false;
    for (std::size_t steps = 0; steps < joined.size(); ++steps) {
      of = joined[of].caller;
      if (of >= joined.size()) return false;
      if (joined[of].caller == kItself) return true;
    }
    return false;
  }
  void check_block(const Block& block) {
    instruction_ = nullptr;
    if (block.of != kItself && !was_joined(block.of))
      report(fmt::format("f{} was not joined to another function", block.of));
    if (block.code.empty()) return report("is empty");
    for (std::size_t i = 0; i < block.code.size(); ++i) {
      instruction_ = &block.code[i];
      const bool ends = shape_of(instruction_->op).has('X');
      if (ends && i + 1 < block.code.size()) report("ends the block before its last instruction");
      if (!ends && i + 1 == block.code.size()) report("does not end the block");
      check_instruction();
    }
  }

  bool is_register(std::int64_t r) const {
    return r >= 0 && r < static_cast<std::int64_t>(function_->registers.size());
  }
  void check_register(std::int64_t r, RegisterKind kind) {
    if (!is_register(r)) return report(fmt::format("unknown register r{}", r));
    if (function_->registers[static_cast<std::size_t>(r)].kind != kind)
      report(fmt::format("r{} has the wrong kind", r));
  }
  void check_index(std::int64_t i, std::int64_t count, std::string_view what) {
    if (i < 0 || (count >= 0 && i >= count)) report(fmt::format("unknown {} {}", what, i));
  }
  void check_block_index(std::int64_t b) {
    check_index(b, static_cast<std::int64_t>(function_->blocks.size()), "block");
  }

  void check_instruction() {
    const Instruction& in = *instruction_;
    const std::string_view letters = shape_of(in.op).operands();
    const bool open_ended = letters.ends_with('R');
    const std::size_t least = letters.size() - open_ended;
    if (in.operands.size() < least || (!open_ended && in.operands.size() > least))
      return report(fmt::format("expected {} operands, found {}", least, in.operands.size()));
    check_result();
    for (std::size_t i = 0; i < least; ++i) check_operand(letters[i], in.operands[i]);
    switch (in.op) {
      case Op::call:
      case Op::call_set: check_call(); break;
      case Op::switch_: check_switch(); break;
      case Op::ret: require_returns(Returns::nothing); break;
      case Op::ret_int: require_returns(Returns::integer); break;
      case Op::ret_set: require_returns(Returns::set); break;
      default: break;
    }
  }

  void check_result() {
    const char letter = shape_of(instruction_->op).result();
    const bool has = instruction_->result != kNoRegister;
    if (letter == '-' && has) return report("unexpected result");
    if (letter != '-' && !has && instruction_->op != Op::call && instruction_->op != Op::call_set)
      return report("missing result");
    if (has) check_register(instruction_->result, letter == 's' ? RegisterKind::set : RegisterKind::integer);
  }

  void check_operand(char letter, std::int64_t value) {
    switch (letter) {
      case 'i': return check_register(value, RegisterKind::integer);
      case 's': return check_register(value, RegisterKind::set);
      case 'a': return check_register(value, RegisterKind::array);
      case 'V': return check_index(value, bounds_.variables, "variable");
      case 'Z': return check_index(value, bounds_.zones, "zone");
      case 'C': return check_index(value, static_cast<std::int64_t>(module_.sets.size()), "set");
      case 'T': return check_index(value, static_cast<std::int64_t>(module_.tables.size()), "table");
      case 'F': return check_index(value, static_cast<std::int64_t>(module_.functions.size()), "function");
      case 'B': return check_block_index(value);
      default: return;
    }
  }

  void check_call() {
    const Instruction& in = *instruction_;
    if (in.operands[0] < 0 || in.operands[0] >= static_cast<std::int64_t>(module_.functions.size())) return;
    const Function& callee = module_.functions[static_cast<std::size_t>(in.operands[0])];
    if (step_ && callee.suspends) report("call of a function that suspends");
    if (in.operands.size() - 1 != callee.parameters.size())
      return report(fmt::format("expected {} arguments, found {}", callee.parameters.size(), in.operands.size() - 1));
    for (std::size_t i = 0; i < callee.parameters.size(); ++i)
      if (callee.parameters[i] < callee.registers.size())
        check_register(in.operands[i + 1], callee.registers[callee.parameters[i]].kind);
    const Returns wanted = in.op == Op::call_set      ? Returns::set
                           : in.result == kNoRegister ? Returns::nothing
                                                      : Returns::integer;
    if (in.result != kNoRegister && callee.returns != wanted) report("wrong result type for this function");
  }

  void check_switch() {
    const auto& operands = instruction_->operands;
    if (operands.size() % 2 != 0) return report("case value without a block");
    for (std::size_t i = 3; i < operands.size(); i += 2) check_block_index(operands[i]);
  }
  void require_returns(Returns returns) {
    if (function_->returns != returns) report("wrong return type for this function");
  }

  // ---- Between each `site` and its `decide`, no operation may write, draw or suspend, and no register that is live
  // before the site may be assigned.
  void check_sites() {
    if (!problems_.empty()) return;   // the walk requires complete blocks
    std::vector<Registers> live;
    for (block_ = 0; block_ < function_->blocks.size(); ++block_) {
      const auto& code = function_->blocks[block_].code;
      for (std::size_t i = 0; i < code.size(); ++i) {
        if (code[i].op != Op::site) continue;
        if (live.empty()) live = live_at_end(*function_);
        live_at_site_ = live[block_];
        for (std::size_t k = code.size(); k-- > i;) step_back(code[k], live_at_site_);
        walk_from_site(code[i].operands[0], i + 1);
      }
    }
  }

  void walk_from_site(std::int64_t site, std::size_t first) {
    const std::size_t home = block_;
    std::set<std::size_t> seen;
    std::vector<std::pair<std::size_t, std::size_t>> work{{home, first}};
    while (!work.empty()) {
      const auto [b, from] = work.back();
      work.pop_back();
      block_ = b;
      walk_block(site, from, seen, work);
    }
    block_ = home;
    instruction_ = nullptr;
  }

  void walk_block(std::int64_t site, std::size_t from, std::set<std::size_t>& seen,
                  std::vector<std::pair<std::size_t, std::size_t>>& work) {
    const auto& code = function_->blocks[block_].code;
    for (std::size_t i = from; i < code.size(); ++i) {
      instruction_ = &code[i];
      const Op op = code[i].op;
      if (op == Op::decide && code[i].operands[2] != site) report(fmt::format("expected a decide at site {}", site));
      // The walk from this site ends here. If it ends at another `site`, no decision belongs to this path.
      if (op == Op::decide || op == Op::listed || op == Op::trap || op == Op::site) return;
      if (op == Op::ret || op == Op::ret_int || op == Op::ret_set || op == Op::to_host) return;
      // A game that waits for the decision resumes at the site with the registers saved there.
      if (const Register r = assigned_by(code[i]); r != kNoRegister && live_at_site_.has(r) &&
                                                   !function_->registers[r].site_local &&
                                                   leads_to_decide(block_, instruction_))
        report(fmt::format("assigns r{}, which is live at site {}", r, site));
      // A decision refills the fuel, so using fuel twice is harmless, and `unsuppose` restores the State. Reading the
      // top of a pile again returns the card that was fixed the first time.
      const bool looks = op == Op::zone_top || op == Op::zone_bottom || op == Op::zone_top_n || op == Op::zone_bottom_n;
      const bool supposes = op == Op::suppose || op == Op::suppose_with_log || op == Op::unsuppose;
      const bool harmless = op == Op::fuel || supposes || looks;
      if ((shape_of(op).has('W') || shape_of(op).has('C')) && !harmless) return report_before_decide();
      if ((op == Op::call || op == Op::call_set) &&
          module_.functions[static_cast<std::size_t>(code[i].operands[0])].suspends)
        return report_before_decide();
    }
    const auto go = [&](std::size_t b) {
      if (seen.insert(b).second) work.emplace_back(b, 0);
    };
    for_each_successor(code.back(), go);
  }
  // Reports problems on paths to the site's `decide`. Paths without a decision have no restrictions.
  void report_before_decide() {
    if (leads_to_decide(block_, instruction_)) report("not allowed between a `site` and its `decide`");
  }
  bool leads_to_decide(std::size_t block, const Instruction* after) const {
    std::set<std::size_t> seen;
    std::vector<std::size_t> work;
    if (scan(block, after, seen, work)) return true;
    while (!work.empty()) {
      const std::size_t b = work.back();
      work.pop_back();
      if (scan(b, nullptr, seen, work)) return true;
    }
    return false;
  }
  bool scan(std::size_t block, const Instruction* after, std::set<std::size_t>& seen,
            std::vector<std::size_t>& work) const {
    bool on = after == nullptr;
    for (const Instruction& in : function_->blocks[block].code) {
      if (on && in.op == Op::decide) return true;
      if (on && in.op == Op::site) return false;
      if (&in == after) on = true;
      for_each_successor(in, [&](std::size_t b) {
        if (seen.insert(b).second) work.push_back(b);
      });
    }
    return false;
  }

  const Module& module_;
  const Bounds& bounds_;
  const bool step_;
  const Function* function_ = nullptr;
  std::size_t index_ = 0, block_ = 0;
  const Instruction* instruction_ = nullptr;
  Registers live_at_site_;
  std::vector<std::string> problems_;
};

}   // namespace

std::vector<std::string> verify(const Module& module, const Bounds& bounds, bool step) {
  return Verifier(module, bounds, step).run();
}

}   // namespace cardwright::ir
