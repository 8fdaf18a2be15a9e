// Determines the register types of values, and creates registers that contain an empty set.
#pragma once

#include <vector>

#include "compiler/lower/context/function_context.h"

namespace cardwright::lower {

RegisterType register_type(const ProgramContext& unit, const model::Type& type);
RegisterType local_type(ProgramContext& unit, const model::Body& body, model::LocalId local);
RegisterType set_of(const model::Type& element);
Register empty_set(const FunctionContext& code, const model::Type& element);
ir::Returns returns_of(const ProgramContext& unit, const model::Type& type);
Int each_of(const ProgramContext& unit, const model::Type& list);
bool holds_ints(const ProgramContext& unit, const model::Type& list);
RegisterType list_register(const ProgramContext& unit, const model::Type& list);
RegisterType list_register(const ProgramContext& unit, Int variable);
std::vector<RegisterType> parts_of(const RegisterType& list);
model::Type as_list(const ProgramContext& unit, const model::Type& table);

}   // namespace cardwright::lower
