// Lowers calls of events and windows, and reads the results that they pass to the caller.
#pragma once

#include <vector>

#include "compiler/lower/context/function_context.h"

namespace cardwright::lower {

// Returns the first event of this name. Turns, rounds and phases with the same name are ended and counted together; the
// first one represents them all.
std::uint32_t of_name(const ProgramContext& unit, std::uint32_t event);
Register handed_over(const FunctionContext& code, Int variable, Register happened, const model::Expr* otherwise,
                     const model::Type& type);
const std::vector<Int>& given_by(const FunctionContext& code, const model::Expr& call);
Register happened(const FunctionContext& code, const model::Expr& call);
Register taken(const FunctionContext& code, const model::Expr& call, Register happened);
// Returns whether this `proceed` passes arguments other than those that the rule received.
bool gives_others(const model::Handler& rule, const model::Expr& proceed);

}   // namespace cardwright::lower
