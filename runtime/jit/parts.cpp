// Divides functions in depth-first order of calls, which keeps functions that call each other close together.
#include "runtime/jit/parts.h"

#include <algorithm>
#include <utility>

#include "runtime/ir/shape.h"
#include "runtime/ir/views.h"
#include "runtime/jit/jit.h"

namespace cardwright::jit {

namespace {

constexpr std::size_t kSmall = 24;   // maximum number of instructions of a function that may be copied

std::size_t size_of(const ir::Function& function) {
  std::size_t size = 0;
  for (const ir::Block& block : function.blocks) size += block.code.size();
  return size;
}

template <class F>
void for_each_callee(const ir::Function& function, F f) {
  for (const ir::Block& block : function.blocks)
    for (const ir::Instruction& instruction : block.code)
      if (ir::is_call(instruction.op)) f(ir::view::call(instruction).callee());
}

// Orders functions so that callees come before callers, except in recursion.
class CallOrder {
 public:
  explicit CallOrder(const ir::Module& code) : code_(code), seen_(code.functions.size(), 0) {}
  void visit(ir::FunctionIndex function) {
    if (std::exchange(seen_[function], 1)) return;
    for_each_callee(code_.functions[function], [&](ir::FunctionIndex callee) { visit(callee); });
    order.push_back(function);
  }
  std::vector<ir::FunctionIndex> order;

 private:
  const ir::Module& code_;
  std::vector<char> seen_;
};

std::vector<std::size_t> give_homes(const ir::Module& code, const std::vector<ir::FunctionIndex>& order,
                                    std::size_t parts, std::size_t total) {
  std::vector<std::size_t> home(code.functions.size(), 0);
  std::size_t before = 0;
  for (const ir::FunctionIndex function : order) {
    const std::size_t size = size_of(code.functions[function]);
    home[function] = std::min(parts - 1, (before + size / 2) * parts / total);
    before += size;
  }
  return home;
}

}   // namespace

std::vector<ir::FunctionIndex> functions_with_code(const ir::Module& code) {
  std::vector<ir::FunctionIndex> functions;
  for (std::size_t f = 0; f < code.functions.size(); ++f)
    if (!code.functions[f].blocks.empty()) functions.push_back(static_cast<ir::FunctionIndex>(f));
  return functions;
}

std::vector<Part> divide(const ir::Module& code, const std::vector<ir::FunctionIndex>& roots) {
  CallOrder calls(code);
  for (const ir::FunctionIndex root : roots)
    if (!code.functions[root].blocks.empty()) calls.visit(root);
  for (const ir::FunctionIndex function : functions_with_code(code)) calls.visit(function);

  std::size_t total = 1;
  for (const ir::FunctionIndex function : calls.order) total += size_of(code.functions[function]);
  const auto count = static_cast<std::size_t>(parts_of(total));
  const std::vector<std::size_t> home = give_homes(code, calls.order, count, total);

  std::vector<std::vector<char>> copied(count, std::vector<char>(code.functions.size(), 0));
  std::vector<char> shared(code.functions.size(), 0);
  for (const ir::FunctionIndex function : calls.order)
    for_each_callee(code.functions[function], [&](ir::FunctionIndex callee) {
      if (home[callee] == home[function]) return;
      shared[callee] = 1;
      if (size_of(code.functions[callee]) <= kSmall) copied[home[function]][callee] = 1;
    });
  // A copy calls the same functions as its original, from a part that may not be their home.
  for (const auto& part : copied)
    for (const ir::FunctionIndex function : calls.order)
      if (part[function])
        for_each_callee(code.functions[function], [&](ir::FunctionIndex callee) { shared[callee] = 1; });

  std::vector<Part> parts(count);
  for (const ir::FunctionIndex function : calls.order)
    for (std::size_t p = 0; p < count; ++p) {
      if (home[function] != p && !copied[p][function]) continue;
      parts[p].functions.push_back(function);
      parts[p].linkage.push_back(home[function] != p ? Linkage::copied
                                 : shared[function]  ? Linkage::shared
                                                     : Linkage::internal);
    }
  return parts;
}

}   // namespace cardwright::jit
