// Emits reads and writes of the locals of a rule.
#pragma once

#include "compiler/lower/context/function_context.h"

namespace cardwright::lower {

Register read_local(const FunctionContext& code, model::LocalId local);
void write_local(const FunctionContext& code, model::LocalId local, Register value);
bool is_stored_in_state(const FunctionContext& code, model::LocalId local);
Register default_value(const FunctionContext& code, const model::Type& type);
void bind_constant(const FunctionContext& code, model::LocalId local, Int value);
void bind_locals(Env& e, const model::Body& body);
void bind(const FunctionContext& code, model::LocalId local, Register reg);

}   // namespace cardwright::lower
