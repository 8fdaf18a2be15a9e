// Builds lists of records, and loops over records.
#pragma once

#include <string_view>
#include <vector>

#include "compiler/sema/context/context.h"

namespace cardwright::sema {

struct Walked {
  const Expr* domain;   // the set, list or sequence
  LocalId local;   // the element or, for a list of records, its position
  const Expr* element;   // the expression for which the element's name is an alias
  const Expr* list = nullptr;   // the list of records; null for other loops
};

const Expr* no_records(SemaContext& sema, const Type& list, Range range);
const Expr* records_literal(RuleContext& rule, const std::vector<const Expr*>& items, const Type& list, Range range);
const Expr* record_at(RuleContext& rule, const Expr* list, const Expr* at, Range range);
const Expr* record_sequence(const Expr* e);
void give_locals(RuleContext& rule, Expr* call);
const Expr* yielded_record(RuleContext& rule, const Expr* call);
Walked walked_through(RuleContext& rule, const Expr* over, std::string_view name, Range range, Block* out);
const Expr* records_where(SemaContext& sema, const Walked& walked, const Expr* where, Range range);
const Expr* record_in_list(RuleContext& rule, const Expr* record, const Expr* list, Range range);
const Expr* without_record(RuleContext& rule, const Expr* list, const Expr* record, Range range, Block* out);

}   // namespace cardwright::sema
