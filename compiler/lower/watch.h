// Conditions are looked at again only when something was written that they read.
#pragma once

#include <optional>

#include "compiler/lower/function_context.h"

namespace cardwright::lower {

// Who is told when one card leaves: in any case, and by the instance where it lies (a table of bits of `stale`).
struct Leaving {
  Watchers anywhere;
  Int stale;
};

void make_watches(ProgramContext& unit);
Watchers watchers_leaving(const FunctionContext& code, const model::Expr& what);
std::optional<Watchers> watchers_leaving_known(const FunctionContext& code, const model::Expr& what);
std::optional<Leaving> watchers_by_instance(ProgramContext& unit);
Watchers watchers_move(const ProgramContext& unit, std::uint32_t from, std::uint32_t to);
Watchers watchers_variable(const ProgramContext& unit, std::uint32_t variable);
void touch(const FunctionContext& code, Watchers who);
void touch(const FunctionContext& code, const Leaving& leaving, Register from);
void find_exposed(ProgramContext& unit);

}   // namespace cardwright::lower
