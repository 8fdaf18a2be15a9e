// Reads locals and variables with their narrowed types.
#pragma once

#include <string>
#include <vector>

#include "compiler/sema/context/context.h"

namespace cardwright::sema {

std::string key_of(const Expr* e);
bool is_narrowed(const RuleContext& rule, const Expr* e);
bool is_soft(const RuleContext& rule, const Expr* e);
// Replaces the type of a new expression with its narrowed type.
void refine(const RuleContext& rule, Expr* e);
std::string covering_key(const SemaContext& sema, const Expr* card);
const Expr* raw_local(RuleContext& rule, LocalId id, Range range);
const Expr* local(RuleContext& rule, LocalId id, Range range);
const Expr* variable_of(RuleContext& rule, std::uint32_t id, Range range, std::vector<const Expr*> args);

}   // namespace cardwright::sema
