// Lowers `supposing`: evaluates a condition after an event, and undoes the event.
#pragma once

#include "compiler/lower/context/function_context.h"

namespace cardwright::lower {

ir::FunctionIndex supposed_event(ProgramContext& unit, std::uint32_t event);
Register supposing(const FunctionContext& code, const model::Expr& e);

}   // namespace cardwright::lower
