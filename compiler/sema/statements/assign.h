// Checks assignments (`=`, `+=`, `swap` and so on) to variables, fields, table entries, parts of areas and entire
// tables.
// Input:  statement nodes.
// Output: Model statements.
#pragma once

#include <functional>
#include <vector>

#include "compiler/sema/context/context.h"

namespace cardwright::sema {

using OnEntry = std::function<void(const std::vector<const Expr*>& entries, Block& into)>;

bool store(RuleContext& rule, const Expr* target, const Expr* value, Range place, Range range, Block& out);
std::vector<const Expr*> fields_in_locals(RuleContext& rule, const Expr* e, Range range, Block& out);
void assign_stmt(RuleContext& rule, const Node* node, Block& out);
void each_entry(RuleContext& rule, const std::vector<const Expr*>& of, Range range, Block& out, const OnEntry& entry);
bool can_walk_entries(const SemaContext& sema, const std::vector<const Expr*>& tables);
void swap_stmt(RuleContext& rule, const Node* node, Block& out);

}   // namespace cardwright::sema
