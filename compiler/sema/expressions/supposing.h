// Builds `supposing E holds C`, which means that C would be true after the event E.
#pragma once

#include "compiler/sema/context/context.h"

namespace cardwright::sema {

const Expr* supposing(RuleContext& rule, const Node* node);
void check_supposings(SemaContext& sema);

}   // namespace cardwright::sema
