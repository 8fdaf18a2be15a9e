// Begins and ends IR functions, and declares their parameters.
#pragma once

#include <functional>
#include <string>

#include "compiler/lower/context/function_context.h"

namespace cardwright::lower {

ir::FunctionIndex new_function(ProgramContext& unit, std::string name, ir::Returns returns, Range where,
                               bool shown = true);
// Emits the body of a function in the given environment.
void write_function(ProgramContext& unit, ir::FunctionIndex index, Env& environment,
                    const std::function<void(const FunctionContext& code)>& write);
Register parameter(const FunctionContext& code, const model::Type& type);
Register parameter(const FunctionContext& code, const model::Body& body, model::LocalId local);
Register parameter(const FunctionContext& code, const model::Type& type, RegisterType as);

}   // namespace cardwright::lower
