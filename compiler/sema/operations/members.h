// Builds expressions that read variables and parameters of windows and events, entries of tables, and elements of
// lists.
#pragma once

#include <string_view>

#include "compiler/sema/context/context.h"

namespace cardwright::sema {

const Expr* window_member(RuleContext& rule, std::uint32_t window, std::string_view name, Range range);
const Expr* picked(RuleContext& rule, const Expr* of, const Expr* at, Range range);
// Returns a parameter of an event or window that another rule reads, or null if the name is unknown.
const Expr* parameter_of(SemaContext& sema, const Callable& c, std::string_view name, Range range,
                         const std::function<const Expr*(std::size_t)>& leaf);
// Resolves `W.x` and `E.x`: a variable or parameter of a window or event. Variables have the numbers 0, 1, 2, …;
// parameters have the numbers -1, -2, …
const Expr* running_member(RuleContext& rule, ExprKind kind, std::uint32_t of, const Callable& c,
                           const model::Body& body, const std::vector<LocalId>& variables, std::string_view name,
                           Range range);

}   // namespace cardwright::sema
