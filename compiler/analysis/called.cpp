// Finds the functions that are called, directly or indirectly. Libraries contain many functions that a game does not
// call. No code is generated for such functions or for anything that only they use.
#include "compiler/analysis/called.h"

#include <map>

#include "compiler/model/visit.h"

namespace cardwright::analysis {

namespace {

using Calls = std::vector<std::uint32_t>;

// Records the expressions in the body of each function and the functions that the body calls.
class Spoken {
 public:
  Spoken(const model::Model& model, std::map<const model::Expr*, std::uint32_t>& by) : calls_(model.functions.size()) {
    for (std::uint32_t f = 0; f < model.functions.size(); ++f)
      model::for_each_expr(model.functions[f].body.block, [&](const model::Expr& e) {
        if (by.emplace(&e, f).second && e.kind == model::ExprKind::call_function) calls_[f].push_back(e.ref);
      });
  }
  const Calls& calls(std::uint32_t function) const { return calls_[function]; }

 private:
  std::vector<Calls> calls_;
};

}   // namespace

Called called_in(const model::Model& model) {
  std::map<const model::Expr*, std::uint32_t> by;
  const Spoken spoken(model, by);
  Called called{.functions = std::vector<bool>(model.functions.size()), .never = {}};
  Calls next;
  const auto call = [&](std::uint32_t f) {
    if (called.functions[f]) return;
    called.functions[f] = true;
    next.push_back(f);
  };
  for (const model::Expr& e : model.exprs)
    if (e.kind == model::ExprKind::call_function && !by.contains(&e)) call(e.ref);
  for (const model::Measure& m : model.measures)
    if (m.asked)
      model::for_each_expr(m, [&](const model::Expr& e) {
        if (e.kind == model::ExprKind::call_function) call(e.ref);
      });
  while (!next.empty()) {
    const std::uint32_t f = next.back();
    next.pop_back();
    for (const std::uint32_t other : spoken.calls(f)) call(other);
  }
  for (const auto& [e, f] : by)
    if (!called.functions[f]) called.never.insert(e);
  return called;
}

}   // namespace cardwright::analysis
