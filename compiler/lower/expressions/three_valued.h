// Lowers conditions as three-valued logic over the knowledge of the deciding player. analysis/secrecy.h determines
// which expressions may read something that this player does not know.
#pragma once

#include "compiler/lower/context/function_context.h"

namespace cardwright::lower {

void branch_asked(const FunctionContext& code, const model::Expr& e, BlockIndex yes, BlockIndex no);
Register call_asked(const FunctionContext& code, const model::Expr& call);

}   // namespace cardwright::lower
