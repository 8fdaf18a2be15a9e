// Finds uses of a local in an expression or block.
#include "compiler/sema/symbols/mentions.h"

#include <algorithm>

namespace cardwright::sema {

bool mentions(const Expr* e, LocalId id) {
  if (!e || !id.valid()) return false;
  if (e->kind == ExprKind::local && e->local == id) return true;
  return std::any_of(e->args.begin(), e->args.end(), [&](const Expr* a) { return mentions(a, id); });
}

bool mentions(const Block& block, LocalId id) {
  return std::any_of(block.begin(), block.end(), [&](const Stmt* s) {
    return std::any_of(s->exprs.begin(), s->exprs.end(), [&](const Expr* e) { return mentions(e, id); }) ||
           std::any_of(s->blocks.begin(), s->blocks.end(), [&](const Block& inner) { return mentions(inner, id); });
  });
}

}   // namespace cardwright::sema
