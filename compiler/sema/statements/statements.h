// Builds statements and blocks of statements.
#pragma once

#include <vector>

#include "compiler/sema/context/context.h"

namespace cardwright::sema {

void statements(RuleContext& rule, const Node* list, Block& out, std::size_t from = 0);
void statement(RuleContext& rule, const Node* node, Block& out);
void scoped(RuleContext& rule, const Node* list, Block& out);
Stmt* emit(SemaContext& sema, Block& out, StmtKind kind, Range range, std::vector<const Expr*> exprs = {});
void let_stmt(RuleContext& rule, const Node* node, Block& out);
// Builds the set in `in S after a`: the elements of S that follow `a`.
const Expr* later_than(RuleContext& rule, const Node* after, const Expr* set);
const Expr* listed_after(RuleContext& rule, const Node* after, LocalId element, Range range);
void bind_witness(RuleContext& rule, const Node* condition, const Expr* c, Block& out);
bool leaves(const Block& block);

}   // namespace cardwright::sema
