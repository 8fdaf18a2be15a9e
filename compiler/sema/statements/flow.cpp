// Builds the statements `turns`, `rounds` and `phase`.
#include "compiler/sema/statements/flow.h"

#include "compiler/sema/expressions/expressions.h"
#include "compiler/sema/statements/statements.h"
#include "compiler/sema/symbols/errors.h"
#include "compiler/sema/symbols/make.h"

namespace cardwright::sema {

void turns_stmt(RuleContext& rule, const Node* node, Block& out) {
  const view::turns_stmt its(node);
  auto id = rule.sema.flow.events.find(node);
  if (!rule.flow || rule.before_game || id == rule.sema.flow.events.end()) {
    error(rule.sema, "misplaced"_code, first_word(rule.sema, node), "`turns` is allowed only in `play`");
    return;
  }
  const Expr* from = its.from() ? player(rule, its.from(), true) : constant(rule.sema, player_type(), 0, node->range);
  const Expr* up_to = its.up_to() ? integer(rule, its.up_to()) : nullptr;
  const Expr* until = nullptr;
  if (its.until()) {
    Pure pure(rule);
    until = condition(rule, its.until());
  }
  RuleContext inner(rule.sema);
  inner.body = &rule.model.events[id->second].body;
  inner.flow = inner.in_turn = true;
  inner.event = id->second;
  Block block;
  { statements(inner, its.body(), block); }
  rule.model.events[id->second].body.block = std::move(block);
  if (is_poison(from) || (up_to && is_poison(up_to)) || (until && is_poison(until))) return;
  Stmt* s = emit(rule.sema, out, StmtKind::turns, node->range, {from, up_to, until});
  s->ref = id->second;
  s->value = node->text == "counterclockwise" ? -1 : 1;
}

void rounds_stmt(RuleContext& rule, const Node* node, Block& out) {
  const view::rounds_stmt its(node);
  auto id = rule.sema.flow.events.find(node);
  if (!rule.flow || rule.before_game || id == rule.sema.flow.events.end()) {
    error(rule.sema, "misplaced"_code, first_word(rule.sema, node), "`rounds` is allowed only in `play`");
    return;
  }
  const Expr* up_to = its.up_to() ? integer(rule, its.up_to()) : nullptr;
  const Expr* until = nullptr;
  if (its.until()) {
    Pure pure(rule);
    until = condition(rule, its.until());
  }
  const Expr* starting = its.starting() ? player(rule, its.starting(), true) : nullptr;
  RuleContext inner(rule.sema);
  inner.body = &rule.model.events[id->second].body;
  inner.flow = true;
  inner.in_turn = rule.in_turn;
  inner.event = id->second;
  Block block;
  { statements(inner, its.body(), block); }
  rule.model.events[id->second].body.block = std::move(block);
  if ((up_to && is_poison(up_to)) || (until && is_poison(until)) || (starting && is_poison(starting))) return;
  Stmt* s = emit(rule.sema, out, StmtKind::rounds, node->range, {up_to, until, starting});
  s->ref = id->second;
  s->value = node->number;
}

void phase_stmt(RuleContext& rule, const Node* node, Block& out) {
  auto id = rule.sema.flow.events.find(node);
  if (!rule.flow || rule.before_game || id == rule.sema.flow.events.end()) {
    error(rule.sema, "misplaced"_code, first_word(rule.sema, node), "phases are allowed only in `play`");
    return;
  }
  RuleContext inner(rule.sema);
  inner.body = &rule.model.events[id->second].body;
  inner.flow = true;
  inner.in_turn = rule.in_turn;
  inner.event = id->second;
  if (auto w = rule.sema.flow.windows.find(node); w != rule.sema.flow.windows.end()) inner.window = w->second;
  Block block;
  { statements(inner, view::phase_stmt(node).body(), block); }
  rule.model.events[id->second].body.block = std::move(block);
  const Expr* whose = rule.in_turn ? make(rule.sema, ExprKind::active_player, player_type(), node->range) : nullptr;
  emit(rule.sema, out, StmtKind::phase, node->range, {whose})->ref = id->second;
}

}   // namespace cardwright::sema
