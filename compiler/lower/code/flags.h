// Determines which flags a write sets (events/watch.cpp), and emits the code that sets them.
#pragma once

#include <optional>

#include "compiler/lower/context/function_context.h"

namespace cardwright::lower {

// The flags to set when a card leaves its zone. `anywhere` applies to all zones. `stale` is the index of a table that
// contains the bits of the variable `stale` for each zone instance.
struct Leaving {
  Watchers anywhere;
  Int stale;
};

Watchers watchers_leaving(const FunctionContext& code, const model::Expr& what);
std::optional<Watchers> watchers_leaving_known(const FunctionContext& code, const model::Expr& what);
std::optional<Leaving> watchers_by_instance(ProgramContext& unit);
Watchers watchers_move(const ProgramContext& unit, std::uint32_t from, std::uint32_t to);
Watchers watchers_variable(const ProgramContext& unit, std::uint32_t variable);
void touch(const FunctionContext& code, Watchers who);
void touch(const FunctionContext& code, const Leaving& leaving, Register from);

}   // namespace cardwright::lower
