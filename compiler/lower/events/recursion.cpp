#include "compiler/lower/events/recursion.h"

#include <algorithm>

#include "compiler/lower/code/variables.h"
#include "compiler/lower/events/replacements.h"

namespace cardwright::lower {

namespace {

constexpr Int kDefaultDepth = 16;   // maximum recursion depth without a declared bound

template <class Visit>
void each_call(const ir::Function& f, Visit visit) {
  for (const ir::Block& block : f.blocks)
    for (const ir::Instruction& i : block.code)
      if (i.op == Op::call || i.op == Op::call_set) visit(static_cast<ir::FunctionIndex>(i.operands[0]));
}

}   // namespace

// Removes the test for `ending` after calls of functions that cannot execute `end`.
void remove_exit_tests(ProgramContext& unit) {
  auto& functions = unit.program.playout.functions;
  std::vector<bool> ends(functions.size());
  for (ir::FunctionIndex f : unit.functions.enders) ends[f] = true;
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t f = 0; f < functions.size(); ++f) {
      if (ends[f]) continue;
      each_call(functions[f], [&](ir::FunctionIndex callee) {
        if (ends[callee]) ends[f] = true, changed = true;
      });
    }
  }
  for (ir::Function& f : functions)
    for (ir::Block& block : f.blocks) {
      std::int64_t last_call = -1;
      for (ir::Instruction& i : block.code) {
        if (i.op == Op::call || i.op == Op::call_set) last_call = i.operands[0];
        if (i.op == Op::load_raw && i.operands[0] == unit.variables.ending && last_call >= 0 && !ends[last_call])
          i = {Op::const_int, i.result, {0}, i.where};
      }
    }
}

// Returns the calls that implement `proceed`. A chain of these calls applies each rule of the event at most once, so it
// terminates.
static std::set<std::pair<ir::FunctionIndex, ir::FunctionIndex>> calls_that_proceed(const ProgramContext& unit) {
  std::set<std::pair<ir::FunctionIndex, ir::FunctionIndex>> calls;
  for (std::size_t e = 0; e < unit.replacing.size(); ++e) {
    if (!unit.replacing[e].rematches) continue;
    const auto attempt = unit.functions.attempt.find(e);
    for (const std::size_t h : unit.instead_chain.at(e)) {
      const ir::FunctionIndex rule = unit.functions.handler.at({e, h});
      calls.emplace(rule, unit.functions.chain.at({e, 0}));
      if (attempt != unit.functions.attempt.end()) calls.emplace(rule, attempt->second);
    }
  }
  return calls;
}

// Returns recursion bounds for the functions that apply `instead of` rules. In each nested event, such a function can
// be active once for each rule that can apply.
static std::map<std::size_t, Int> bounds_of_rules(const ProgramContext& unit, const std::vector<bool>& recursive) {
  std::map<std::size_t, Int> bounds;
  for (std::size_t e = 0; e < unit.replacing.size(); ++e) {
    if (!unit.replacing[e].rematches || unit.replacing[e].proceeded < 0) continue;
    const Int declared = unit.model.events[e].depth_limit;
    const Int events = !recursive[unit.functions.event[e]] ? 1 : declared ? declared : kDefaultDepth;
    bounds[unit.functions.chain.at({e, 0})] = events * (most_replacements(unit, e) + 1);
    for (const std::size_t h : unit.instead_chain.at(e))
      if (const ir::FunctionIndex rule = unit.functions.handler.at({e, h}); recursive[rule])
        bounds[rule] = events * (most_replacements(unit, e) + 1);
  }
  return bounds;
}

// Adds code to every function of a recursive group that counts its depth and traps if the depth exceeds its bound.
void bound_recursion(ProgramContext& unit) {
  auto& functions = unit.program.playout.functions;
  std::size_t n = functions.size();
  std::vector<std::vector<ir::FunctionIndex>> calls(n);
  const auto proceeding = calls_that_proceed(unit);
  for (std::size_t f = 0; f < n; ++f)
    each_call(functions[f], [&](ir::FunctionIndex c) {
      if (!proceeding.contains({static_cast<ir::FunctionIndex>(f), c})) calls[f].push_back(c);
    });
  // Tarjan's algorithm for strongly connected components, with an explicit stack.
  std::vector<Int> index(n, -1), low(n, 0);
  std::vector<bool> on_stack(n), recursive(n);
  std::vector<std::size_t> stack;
  Int counter = 0;
  for (std::size_t root = 0; root < n; ++root) {
    if (index[root] >= 0) continue;
    std::vector<std::pair<std::size_t, std::size_t>> work{{root, 0}};
    while (!work.empty()) {
      auto [f, next] = work.back();
      if (next == 0) {
        index[f] = low[f] = counter++;
        stack.push_back(f);
        on_stack[f] = true;
      }
      if (next < calls[f].size()) {
        ++work.back().second;
        std::size_t c = calls[f][next];
        if (c == f) recursive[f] = true;
        if (index[c] < 0)
          work.push_back({c, 0});
        else if (on_stack[c])
          low[f] = std::min(low[f], index[c]);
        continue;
      }
      if (low[f] == index[f]) {
        std::vector<std::size_t> component;
        do {
          component.push_back(stack.back());
          on_stack[stack.back()] = false;
          stack.pop_back();
        } while (component.back() != f);
        if (component.size() > 1)
          for (std::size_t m : component) recursive[m] = true;
      }
      work.pop_back();
      if (!work.empty()) low[work.back().first] = std::min(low[work.back().first], low[f]);
    }
  }
  const std::map<std::size_t, Int> of_rules = bounds_of_rules(unit, recursive);
  for (std::size_t f = 0; f < n; ++f) {
    const auto of_rule = of_rules.find(f);
    if ((!recursive[f] && of_rule == of_rules.end()) || functions[f].blocks.empty()) continue;
    Int bound = of_rule == of_rules.end() ? kDefaultDepth : of_rule->second;
    for (std::size_t e = 0; e < unit.model.events.size(); ++e)
      if ((unit.functions.event[e] == f || unit.functions.event_body[e] == f) && unit.model.events[e].depth_limit)
        bound = unit.model.events[e].depth_limit;
    for (std::size_t i = 0; i < unit.model.functions.size(); ++i)
      if (unit.functions.function[i] == f && unit.model.functions[i].depth_limit)
        bound = unit.model.functions[i].depth_limit;
    for (const auto& [called, index] : unit.functions.asked)
      if (const auto& [is_value, ref, given] = called; index == f && !is_value && unit.model.functions[ref].depth_limit)
        bound = unit.model.functions[ref].depth_limit;
    Int variable = add_scratch(unit, "depth of " + functions[f].name, 0, 0xffff, 0);
    for (ir::Block& block : functions[f].blocks) {
      std::vector<ir::Instruction> code;
      for (ir::Instruction& i : block.code) {
        if (i.op == Op::ret || i.op == Op::ret_int || i.op == Op::ret_set)
          code.push_back({Op::leave, ir::kNoRegister, {variable}, i.where});
        code.push_back(std::move(i));
      }
      block.code = std::move(code);
    }
    auto& first = functions[f].blocks[0].code;
    first.insert(first.begin(), {Op::enter, ir::kNoRegister, {variable, bound}, functions[f].where});
  }
}

}   // namespace cardwright::lower
