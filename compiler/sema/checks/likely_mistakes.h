// Warns about likely mistakes in statements and rules.
#pragma once

#include "compiler/sema/context/context.h"

namespace cardwright::sema {

void suspect_statement(SemaContext& sema, const Node* node, const Node* left_by);
bool is_decided_by_options(SemaContext& sema, const Node* node);
void warn_of_likely_mistakes(SemaContext& sema);

}   // namespace cardwright::sema
