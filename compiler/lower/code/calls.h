// Emits calls. Decides which calls are inlined, and which are evaluated only once for a loop.
#pragma once

#include <functional>
#include <vector>

#include "compiler/lower/context/function_context.h"

namespace cardwright::lower {

void bind_arguments(const FunctionContext& code, Env& inner, const model::Function& f, const model::Expr& call);
Register call(const FunctionContext& code, ir::FunctionIndex callee, const std::vector<Register>& arguments);
void with_called(const FunctionContext& code, const model::Expr& call,
                 const std::function<void(const FunctionContext& inner, const model::Expr& body)>& write);
Register call_with_exprs(const FunctionContext& code, ir::FunctionIndex function,
                         const std::vector<const model::Expr*>& args);
// Returns whether calls of the function are always inlined. This applies to functions that return a list or take a
// table and, if there is room, to functions of cells or directions, whose arguments are often constant.
bool is_inlined(const FunctionContext& code, std::uint32_t function);

// Returns whether the function may grow further by inlining and loop unrolling.
inline bool has_room(const FunctionContext& code) { return code.function().registers.size() < 2000; }

bool is_varying(const FunctionContext& code, const model::Expr& e);
Register hoisted(const FunctionContext& code, const model::Expr& call, const std::function<Register()>& work);
bool should_inline(const FunctionContext& code, const model::Expr& call);

}   // namespace cardwright::lower
