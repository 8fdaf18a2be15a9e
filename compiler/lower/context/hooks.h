// Lowers expressions, conditions and statements from folders below expressions/ and statements/, where the lowering
// functions are defined. The calls therefore use ProgramContext::hooks.
#pragma once

#include "compiler/lower/context/function_context.h"

namespace cardwright::lower {

inline Register expr(const FunctionContext& code, const model::Expr& e) { return code.unit.hooks.expr(code, e); }

inline void branch_on(const FunctionContext& code, const model::Expr& e, BlockIndex yes, BlockIndex no) {
  code.unit.hooks.branch_on(code, e, yes, no);
}

inline void statement(const FunctionContext& code, const model::Stmt& s) { code.unit.hooks.statement(code, s); }

}   // namespace cardwright::lower
