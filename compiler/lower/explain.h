// Why a condition is so.
#pragma once

#include <functional>

#include "compiler/lower/function_context.h"

namespace cardwright::lower {

// While the names of a function mean this: do conditions say why?
struct Explaining {
  Explaining(FunctionContext& code, bool now)
      : env(code.environment), outer(std::exchange(code.environment->explains, now)) {}
  ~Explaining() { env->explains = outer; }
  Explaining(const Explaining&) = delete;
  Env* env;
  bool outer;
};

Int open_notes(FunctionContext& code);
void close_notes(FunctionContext& code, Int opened, std::string_view how);
void note_bent(FunctionContext& code, const model::RuleHead& head);
void explain(FunctionContext& code, const model::Expr& e, BlockIndex yes, BlockIndex no);
Register explained_value(FunctionContext& code, const model::Expr& e);
void explain_return(FunctionContext& code, const model::Stmt& s);
std::function<void()> telling_names(FunctionContext& code, const model::Stmt& s);
void lower_explanations(ProgramContext& unit);

}  // namespace cardwright::lower
