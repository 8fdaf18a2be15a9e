#include "compiler/lower/code/blocks.h"

#include <algorithm>

#include "compiler/lower/context/function_context.h"
#include "compiler/lower/context/hooks.h"

namespace cardwright::lower {

using model::StmtKind;

static void note_shown(const FunctionContext& code, const model::Stmt& s);

// Returns whether the statement leaves the State unchanged on every path that continues with the next statement.
static bool has_no_effect(const ProgramContext& unit, const model::Stmt& s) {
  const auto leaves = [](const model::Block& block) {
    return std::all_of(block.begin(), block.end(), [](const model::Stmt* inner) {
      return inner->kind == StmtKind::stop || inner->kind == StmtKind::next;
    });
  };
  switch (s.kind) {
    case StmtKind::log: return true;
    case StmtKind::let: return !view::let(s).initial() || pure(unit, *view::let(s).initial());
    case StmtKind::if_else:
      return pure(unit, *view::if_else(s).condition()) && leaves(s.blocks[0]) && leaves(s.blocks[1]);
    default: return false;
  }
}

void block(const FunctionContext& code, const model::Block& statements) {
  const auto shown_outside = code.env().shown;
  for (const model::Stmt* s : statements) {
    const bool loop = s->kind == StmtKind::each || s->kind == StmtKind::repeat,
               hides = !code.env().shown.empty() && code.unit.facts.secrecy.takes_out_of_sight(*s);
    if (loop && hides) code.env().shown.clear();
    note_shown(code, *s);
    const bool looks = has_no_effect(code.unit, *s);
    const auto something_happens = [&] { code.env().fresh.clear(), code.env().found.clear(); };
    if (!looks) something_happens();
    statement(code, *s);
    if (hides) code.env().shown.clear();
    if (!looks) something_happens();
    const model::Expr* initial = s->kind == StmtKind::let ? view::let(s).initial() : nullptr;
    if (!initial) continue;
    if (looks) code.env().fresh[s->local.index] = initial;
    code.env().found[s->local.index] = initial;
  }
  code.env().shown = shown_outside;
}

static void note_shown(const FunctionContext& code, const model::Stmt& s) {
  if (s.local.valid()) code.env().shown.erase(s.local.index);
  if (s.kind != StmtKind::reveal_cards && s.kind != StmtKind::peek_cards) return;
  if (const model::Expr& cards = *s.exprs.back(); cards.kind == model::ExprKind::local)
    code.env().shown[cards.local.index] = s.kind == StmtKind::peek_cards ? view::peek_cards(s).who() : nullptr;
}

}   // namespace cardwright::lower
