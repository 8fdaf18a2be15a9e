// Merges functions that differ only in constants, such as the plays of many kinds of cards.
// In:    function f1 (a) { r1 = const_int 3 … }, function f2 (a) { r1 = const_int 5 … }
// Out:   function f1 (a, row) { r1 = table_small t0, row … } with the table t0 = 3, 5; a call of f2 becomes a call of
//        f1 with row 1. Callers that differed only in the callee then differ only in the row, and are merged in turn.
//        The cases of a switch that differ only in constants become one case, which reads them from tables.
#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "runtime/ir/shape.h"
#include "runtime/ir/views.h"
#include "runtime/passes/control_flow.h"
#include "runtime/passes/passes.h"

namespace cardwright::passes {

namespace view = ir::view;

namespace {

// A merged function is slower by the reads of its tables, so a few similar functions stay separate.
constexpr std::size_t kLeastMerged = 4;
constexpr int kMostRounds = 8;   // bounds the depth of merged calls

bool is_constant(ir::Op op) { return op == ir::Op::const_int || op == ir::Op::const_set; }

// Numbers registers in the order of their appearance, so that code with different numbers can be compared.
class Numbering {
 public:
  std::int64_t of(std::int64_t r) {
    return numbers_.try_emplace(r, static_cast<std::int64_t>(numbers_.size())).first->second;
  }

 private:
  std::unordered_map<std::int64_t, std::int64_t> numbers_;
};

// Collects everything about code that similar code must have in common, as a string of ints.
class Shape {
 public:
  void add(std::int64_t value) { text_.append(reinterpret_cast<const char*>(&value), sizeof value); }
  void add(const ir::RegisterType& type) {
    for (const std::int64_t part :
         {std::int64_t(type.kind), std::int64_t(type.length), std::int64_t(type.holds_card),
          std::int64_t(type.site_local), std::int64_t(type.each), std::int64_t(type.holds_sets)})
      add(part);
  }
  // `number` numbers a register. The constants themselves are omitted, and so is the site of a decision, which a
  // playout does not use.
  template <class Number>
  void add(const ir::Instruction& instruction, Number number) {
    add(static_cast<std::int64_t>(instruction.op));
    add(instruction.result == ir::kNoRegister ? -1 : number(instruction.result));
    if (is_constant(instruction.op)) return;
    std::vector<std::int64_t> operands = instruction.operands;
    if (instruction.op == ir::Op::decide) operands[2] = 0;
    add(static_cast<std::int64_t>(operands.size()));
    ir::Instruction numbered{instruction.op, instruction.result, std::move(operands), {}};
    ir::for_each_register(numbered, [&](std::int64_t& r, char) { r = number(r); });
    for (const std::int64_t operand : numbered.operands) add(operand);
  }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

std::string shape_of_function(const ir::Function& function) {
  Shape shape;
  Numbering numbers;
  std::vector<std::int64_t> order;
  const auto number = [&](std::int64_t r) {
    const std::int64_t at = numbers.of(r);
    if (at == static_cast<std::int64_t>(order.size())) order.push_back(r);
    return at;
  };
  shape.add(static_cast<std::int64_t>(function.returns));
  shape.add(static_cast<std::int64_t>(function.parameters.size()));
  for (const ir::Register parameter : function.parameters) shape.add(number(parameter));
  for (const ir::Block& block : function.blocks) {
    shape.add(static_cast<std::int64_t>(block.code.size()));
    for (const ir::Instruction& instruction : block.code) shape.add(instruction, number);
  }
  for (const std::int64_t r : order) shape.add(function.registers[static_cast<std::size_t>(r)]);
  return shape.text();
}

// Adds tables to a module, each only once.
class Tables {
 public:
  explicit Tables(ir::Module& module) : module_(module) {
    for (std::size_t t = 0; t < module.tables.size(); ++t) known_.try_emplace(module.tables[t], t);
  }
  std::int64_t add(std::vector<std::int64_t> values) {
    const auto [at, fresh] = known_.try_emplace(values, module_.tables.size());
    if (fresh) module_.tables.push_back(std::move(values));
    return static_cast<std::int64_t>(at->second);
  }

 private:
  ir::Module& module_;
  std::map<std::vector<std::int64_t>, std::size_t> known_;
};

class Merger {
 public:
  Merger(ir::Module& module, const PassContext& context)
      : module_(module), tables_(module), is_root_(module.functions.size(), 0) {
    for (const ir::FunctionIndex root : context.roots) is_root_[root] = 1;
  }

  void run() {
    for (int round = 0; round < kMostRounds; ++round) {
      const bool changed = merge_functions();
      for (ir::Function& function : module_.functions)
        if (!function.blocks.empty()) merge_cases(function);
      if (!changed) return;
    }
  }

 private:
  // The function that replaces a merged one; without a row, the functions are equal.
  struct Replacement {
    ir::FunctionIndex function;
    std::optional<std::int64_t> row;
  };

  bool merge_functions() {
    std::unordered_map<std::string, std::vector<ir::FunctionIndex>> by_shape;
    std::vector<const std::vector<ir::FunctionIndex>*> classes;
    for (std::size_t f = 0; f < module_.functions.size(); ++f)
      if (const ir::Function& function = module_.functions[f]; !function.blocks.empty() && !is_root_[f])
        by_shape[shape_of_function(function)].push_back(static_cast<ir::FunctionIndex>(f));
    for (const auto& [shape, functions] : by_shape)
      if (functions.size() >= kLeastMerged) classes.push_back(&functions);
    // The order determines the numbers of the tables, and must not depend on the hash table.
    std::sort(classes.begin(), classes.end(), [](const auto* a, const auto* b) { return a->front() < b->front(); });
    std::vector<std::optional<Replacement>> replaced(module_.functions.size());
    for (const auto* functions : classes) merge(*functions, replaced);
    if (!classes.empty()) replace_calls(replaced);
    return !classes.empty();
  }

  void merge(const std::vector<ir::FunctionIndex>& functions, std::vector<std::optional<Replacement>>& replaced) {
    ir::Function& merged = module_.functions[functions.front()];
    std::vector<const ir::Function*> all;
    for (const ir::FunctionIndex f : functions) all.push_back(&module_.functions[f]);
    const auto row = static_cast<ir::Register>(merged.registers.size());
    bool reads_row = false;
    for (std::size_t b = 0; b < merged.blocks.size(); ++b)
      for (std::size_t i = 0; i < merged.blocks[b].code.size(); ++i) {
        std::vector<const ir::Instruction*> column;
        for (const ir::Function* function : all) column.push_back(&function->blocks[b].code[i]);
        if (const ir::Instruction& first = *column[0]; first.result != ir::kNoRegister)
          for (std::size_t f = 1; f < all.size(); ++f)
            widen(merged, first.result, all[f]->registers[column[f]->result]);
        if (auto read = as_table(column, row)) merged.blocks[b].code[i] = std::move(*read), reads_row = true;
      }
    for (std::size_t p = 0; p < merged.parameters.size(); ++p)
      for (const ir::Function* function : all)
        widen(merged, merged.parameters[p], function->registers[function->parameters[p]]);
    if (reads_row) {
      merged.registers.push_back({.bytes = 2});
      merged.parameters.push_back(row);
    }
    for (std::size_t f = 0; f < functions.size(); ++f) {
      replaced[functions[f]] = {functions.front(),
                                reads_row ? std::optional(static_cast<std::int64_t>(f)) : std::nullopt};
      if (f > 0) module_.functions[functions[f]].blocks.clear();
    }
  }

  static void widen(ir::Function& function, ir::Register r, const ir::RegisterType& other) {
    function.registers[r].bytes = std::max(function.registers[r].bytes, other.bytes);
  }

  // Returns the instruction that reads the constants of a column from a table, or nothing if they are all equal.
  std::optional<ir::Instruction> as_table(const std::vector<const ir::Instruction*>& column, ir::Register row) {
    const ir::Instruction& first = *column[0];
    const auto is_equal = [&](const ir::Instruction* other) { return other->operands == first.operands; };
    if (!is_constant(first.op) || std::all_of(column.begin(), column.end(), is_equal)) return std::nullopt;
    std::vector<std::int64_t> values;
    for (const ir::Instruction* instruction : column) {
      if (first.op == ir::Op::const_int)
        values.push_back(view::const_int(*instruction).value());
      else
        for (const std::uint64_t word : module_.sets[view::const_set(*instruction).set()])
          values.push_back(static_cast<std::int64_t>(word));
    }
    return ir::Instruction{first.op == ir::Op::const_int ? ir::Op::table_small : ir::Op::set_table,
                           first.result,
                           {tables_.add(std::move(values)), static_cast<std::int64_t>(row)},
                           first.where};
  }

  void replace_calls(const std::vector<std::optional<Replacement>>& replaced) {
    for (ir::Function& function : module_.functions)
      for (ir::Block& block : function.blocks)
        for (std::size_t i = 0; i < block.code.size(); ++i) {
          if (!ir::is_call(block.code[i].op)) continue;
          const auto& by = replaced[view::call(block.code[i]).callee()];
          if (!by) continue;
          block.code[i].operands[0] = static_cast<std::int64_t>(by->function);
          if (!by->row) continue;
          const auto row = static_cast<ir::Register>(function.registers.size());
          function.registers.push_back({.bytes = 2});
          block.code[i].operands.push_back(row);
          const ir::Instruction number{ir::Op::const_int, row, {*by->row}, block.code[i].where};
          block.code.insert(block.code.begin() + static_cast<std::ptrdiff_t>(i++), number);
        }
  }

  // ---- cases of a switch

  // By register: a block that uses it, and whether other blocks use it too.
  using UsedIn = std::unordered_map<std::int64_t, std::pair<std::size_t, bool>>;

  void merge_cases(ir::Function& function) {
    std::vector<std::size_t> switches;
    for (std::size_t b = 0; b < function.blocks.size(); ++b)
      if (const ir::Instruction& last = function.blocks[b].code.back();
          last.op == ir::Op::switch_ && last.operands.size() >= 2 + 2 * kLeastMerged)
        switches.push_back(b);
    if (switches.empty()) return;
    std::vector<std::size_t> entries(function.blocks.size(), 0);   // by block: the number of blocks that jump to it
    UsedIn used_in;
    for (const ir::Register parameter : function.parameters) used_in[parameter] = {0, true};
    for (std::size_t b = 0; b < function.blocks.size(); ++b) {
      const auto note = [&](std::int64_t r) {
        const auto [at, fresh] = used_in.try_emplace(r, std::pair{b, false});
        at->second.second |= at->second.first != b;
      };
      for (const ir::Instruction& instruction : function.blocks[b].code) {
        if (instruction.result != ir::kNoRegister) note(instruction.result);
        ir::for_each_register(instruction, [&](std::int64_t r, char) { note(r); });
      }
      std::vector<std::int64_t> targets;
      ir::for_each_target(function.blocks[b].code.back(), [&](std::int64_t to) { targets.push_back(to); });
      std::sort(targets.begin(), targets.end());
      targets.erase(std::unique(targets.begin(), targets.end()), targets.end());
      for (const std::int64_t to : targets) ++entries[static_cast<std::size_t>(to)];
    }
    for (const std::size_t b : switches) merge_cases_of(function, b, entries, used_in);
    simplify_control_flow(function);
  }

  // The shape of a case that can be merged: registers that only this block uses are numbered.
  static std::optional<std::string> shape_of_case(const ir::Function& function, const ir::Block& block,
                                                  const UsedIn& used_in, std::int64_t selector) {
    Shape shape;
    Numbering numbers;
    for (const ir::Instruction& instruction : block.code) {
      if (ir::set_by(instruction) == static_cast<ir::Register>(selector)) return std::nullopt;
      shape.add(instruction, [&](std::int64_t r) {
        const bool is_local = !used_in.at(r).second;
        return is_local ? -2 - numbers.of(r) : r;
      });
      if (instruction.result != ir::kNoRegister) shape.add(function.registers[instruction.result]);
    }
    return shape.text();
  }

  void merge_cases_of(ir::Function& function, std::size_t b, const std::vector<std::size_t>& entries,
                      const UsedIn& used_in) {
    ir::Instruction& last = function.blocks[b].code.back();
    const std::int64_t selector = last.operands[0];
    std::vector<std::pair<std::int64_t, std::int64_t>> cases;   // value and target
    for (std::size_t i = 2; i + 1 < last.operands.size(); i += 2)
      cases.emplace_back(last.operands[i], last.operands[i + 1]);
    std::sort(cases.begin(), cases.end());
    const auto count = static_cast<std::int64_t>(cases.size());
    // Only values from 0 on without gaps can select from a table. The default is not merged, because it may handle
    // values beyond the table.
    for (std::int64_t i = 0; i < count; ++i)
      if (cases[static_cast<std::size_t>(i)].first != i) return;
    std::map<std::string, std::vector<std::size_t>> classes;
    std::vector<std::int64_t> targets(cases.size());
    for (std::size_t i = 0; i < cases.size(); ++i) {
      const auto block = static_cast<std::size_t>(cases[i].second);
      targets[i] = cases[i].second;
      if (entries[block] != 1) continue;
      if (const auto shape = shape_of_case(function, function.blocks[block], used_in, selector))
        classes[*shape].push_back(i);
    }
    bool changed = false;
    for (const auto& [shape, members] : classes) {
      if (members.size() < kLeastMerged) continue;
      changed = true;
      const auto kept = static_cast<std::size_t>(cases[members.front()].second);
      for (std::size_t i = 0; i < function.blocks[kept].code.size(); ++i) {
        std::vector<const ir::Instruction*> column;
        for (const std::size_t m : members)
          column.push_back(&function.blocks[static_cast<std::size_t>(cases[m].second)].code[i]);
        const ir::Instruction& first = *column[0];
        if (first.result != ir::kNoRegister)
          for (const ir::Instruction* other : column) widen(function, first.result, function.registers[other->result]);
        // The table has an entry for every value of the switch; those of other cases are not read.
        std::vector<const ir::Instruction*> by_value(cases.size(), column[0]);
        for (std::size_t m = 0; m < members.size(); ++m) by_value[members[m]] = column[m];
        if (auto read = as_table(by_value, static_cast<ir::Register>(selector)))
          function.blocks[kept].code[i] = std::move(*read);
      }
      for (const std::size_t m : members) targets[m] = static_cast<std::int64_t>(kept);
    }
    if (changed) retarget(function, b, targets);
  }

  // Gives the switch a case for each distinct target. The number of the target is read from a table, which returns none
  // for the values of the default.
  void retarget(ir::Function& function, std::size_t b, const std::vector<std::int64_t>& targets) {
    std::vector<std::int64_t> distinct;
    std::vector<std::int64_t> numbers;
    for (const std::int64_t target : targets) {
      auto at = std::find(distinct.begin(), distinct.end(), target);
      if (at == distinct.end()) at = distinct.insert(at, target);
      numbers.push_back(at - distinct.begin());
    }
    auto& code = function.blocks[b].code;
    const ir::Instruction last = code.back();
    code.pop_back();
    const auto number = static_cast<ir::Register>(function.registers.size());
    function.registers.push_back({});
    code.push_back({ir::Op::table_small, number, {tables_.add(std::move(numbers)), last.operands[0]}, last.where});
    std::vector<std::int64_t> operands{static_cast<std::int64_t>(number), last.operands[1]};
    for (std::size_t i = 0; i < distinct.size(); ++i)
      operands.insert(operands.end(), {static_cast<std::int64_t>(i), distinct[i]});
    code.push_back({ir::Op::switch_, ir::kNoRegister, std::move(operands), last.where});
  }

  ir::Module& module_;
  Tables tables_;
  std::vector<char> is_root_;
};

}   // namespace

void merge_similar(ir::Module& module, const PassContext& context) {
  Merger(module, context).run();
  if (!context.roots.empty()) global_dce(module, context);
}

}   // namespace cardwright::passes
