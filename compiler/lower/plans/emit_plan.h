// Emits the IR code for a plan (plan/plan.h).
#pragma once

#include <vector>

#include "compiler/lower/context/function_context.h"
#include "compiler/plan/plan.h"

namespace cardwright::lower {

// Returns the elements of the domain that satisfy the plan.
Register emit_plan(const FunctionContext& code, const plan::Plan& plan, model::LocalId local, Register domain);
// Returns the mask of the players whose number satisfies the comparison.
Register emit_lanes(const FunctionContext& code, const plan::InLanes& plan, Register domain);
// Returns the arguments of a call except the element, each in a separate register.
std::vector<Register> other_arguments(const FunctionContext& code, const model::Expr& call, std::size_t element);

// ---- parts of emit_plan that compute masks (emit_masks.cpp)

Register emit(const FunctionContext& code, const plan::ByCase& plan, model::LocalId local, Register domain);
Register emit(const FunctionContext& code, const plan::ByCases& plan, model::LocalId local, Register domain);
Register emit(const FunctionContext& code, const plan::Called& plan, model::LocalId local, Register domain);
Register emit(const FunctionContext& code, const plan::Without& plan, model::LocalId local, Register domain);
Register emit(const FunctionContext& code, const plan::Holding& plan, model::LocalId local, Register domain);
Register emit(const FunctionContext& code, const plan::InGame& plan, model::LocalId local, Register domain);
Register emit(const FunctionContext& code, const plan::Moved& plan, model::LocalId local, Register domain);
Register emit(const FunctionContext& code, const plan::EachCompared& plan, model::LocalId local, Register domain);
Register emit(const FunctionContext& code, const plan::Topped& plan, model::LocalId local, Register domain);
Register emit(const FunctionContext& code, const plan::OwnersOf& plan, model::LocalId local, Register domain);
Register emit(const FunctionContext& code, const plan::ByValue& plan, model::LocalId local, Register domain);

}   // namespace cardwright::lower
