// Builds statements and blocks of statements.
#pragma once

#include "compiler/sema/context/context.h"

namespace cardwright::sema {

void statements(RuleContext& rule, const Node* list, Block& out, std::size_t from = 0);
void statement(RuleContext& rule, const Node* node, Block& out);
void scoped(RuleContext& rule, const Node* list, Block& out);
void let_stmt(RuleContext& rule, const Node* node, Block& out);
void bind_witness(RuleContext& rule, const Node* condition, const Expr* c, Block& out);
bool leaves(const Block& block);

}   // namespace cardwright::sema
