// Which functions anything calls. A page of the library has many that a game never asks for: no code is written for those, and
// what they alone speak of costs nothing.
#include "compiler/lower/called.h"

#include <map>

namespace cardwright::lower {

namespace {

using Calls = std::vector<std::uint32_t>;

// What is written in a function's body, and which functions it calls there.
class Spoken {
 public:
  Spoken(const model::Model& model, std::map<const model::Expr*, std::uint32_t>& by) : by_(by) {
    for (std::uint32_t f = 0; f < model.functions.size(); ++f) {
      calls_.emplace_back();
      block(model.functions[f].body.block, f);
    }
  }
  const Calls& calls(std::uint32_t function) const { return calls_[function]; }

 private:
  void block(const model::Block& block, std::uint32_t f) {
    for (const model::Stmt* s : block) {
      for (const model::Expr* e : s->exprs) expr(e, f);
      for (const model::Block& inner : s->blocks) this->block(inner, f);
    }
  }
  void expr(const model::Expr* e, std::uint32_t f) {
    if (!e || !by_.emplace(e, f).second) return;
    if (e->kind == model::ExprKind::call_function) calls_[f].push_back(e->ref);
    for (const model::Expr* a : e->args) expr(a, f);
  }

  std::map<const model::Expr*, std::uint32_t>& by_;
  std::vector<Calls> calls_;
};

}  // namespace

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
  while (!next.empty()) {
    const std::uint32_t f = next.back();
    next.pop_back();
    for (const std::uint32_t other : spoken.calls(f)) call(other);
  }
  for (const auto& [e, f] : by)
    if (!called.functions[f]) called.never.insert(e);
  return called;
}

}  // namespace cardwright::lower
