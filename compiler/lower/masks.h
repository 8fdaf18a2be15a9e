// Conditions over cards and cells without a loop.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "compiler/lower/function_context.h"

namespace cardwright::lower {

// The one expression that a called value or function is; null if there is more to it. `plain_body` has none for a kept
// value, of which the State holds what it comes to.
const model::Expr* plain_body(const ProgramContext& unit, const model::Expr& call);
const model::Expr* said_body(const ProgramContext& unit, const model::Expr& call);
// What an expression is for one card or cell, if that alone decides it, and the constants that names stand for in
// `env`.
std::optional<Int> static_value(const ProgramContext& unit, const Env* env, const model::Expr& e, model::LocalId local,
                                Int card);
// The cards or cells for which `condition` over `local` holds, inside `domain`, if it can be said without a loop.
std::optional<Register> set_where(const FunctionContext& code, const model::Expr& condition, model::LocalId local,
                                  Register domain);
bool wants_something(const FunctionContext& code, const model::Expr& e, const model::Body* body);
bool is_never_none(const ProgramContext& unit, const model::Expr& e);
std::optional<Register> if_any(const FunctionContext& code, Register domain,
                               const std::function<std::optional<Register>()>& look);
std::vector<const model::Expr*> conjuncts(const model::Expr& condition);
Register narrowed(const FunctionContext& code, Register domain, bool cards, model::LocalId local,
                  std::vector<const model::Expr*>& parts);
std::optional<Register> static_aggregate(const FunctionContext& code, const model::Expr& e, Register domain);
inline bool wants_something(const FunctionContext& code, const model::Expr& e) {
  return wants_something(code, e, code.environment->body);
}

}  // namespace cardwright::lower
