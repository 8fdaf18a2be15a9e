// Emits functions that explain the result of a condition.
#pragma once

#include <functional>

#include "compiler/lower/context/function_context.h"

namespace cardwright::lower {

Int open_notes(const FunctionContext& code);
void close_notes(const FunctionContext& code, Int opened, std::string_view how);
void note_modified(const FunctionContext& code, const model::RuleHead& head);
void explain(const FunctionContext& code, const model::Expr& e, BlockIndex yes, BlockIndex no);
Register explained_value(const FunctionContext& code, const model::Expr& e);
void explain_return(const FunctionContext& code, const model::Stmt& s);
std::function<void()> telling_names(const FunctionContext& code, const model::Stmt& s);
void lower_explanations(ProgramContext& unit);

}   // namespace cardwright::lower
