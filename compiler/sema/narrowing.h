// What is known not to be none: by a condition that was asked before, or because nobody said that it might be.
#pragma once

#include <string>

#include "compiler/sema/context.h"

namespace cardwright::sema {

void narrow(RuleContext& rule, const Expr* condition, bool holds);
std::string key_of(const Expr* e);
bool is_narrowed(const RuleContext& rule, const Expr* e);
bool is_soft(const RuleContext& rule, const Expr* e);

}  // namespace cardwright::sema
