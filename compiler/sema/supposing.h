// `supposing E holds C`: what would be so if an event happened.
#pragma once

#include "compiler/sema/context.h"

namespace cardwright::sema {

const Expr* supposing(RuleContext& rule, const Node* node);
void check_supposings(SemaContext& sema);

}   // namespace cardwright::sema
