// Reports code that compiles but is probably a mistake.
#pragma once

#include <string>

#include "compiler/sema/context/context.h"

namespace cardwright::sema {

void check_value_cycles(SemaContext& sema);
void warn(SemaContext& sema);
// Collects the calls of events that a block always makes.
void sure_calls(const Block& block, std::vector<const Expr*>& out);
bool in_library(const SemaContext& sema, Range range);
bool in_standard_library(const SemaContext& sema, Range range);
void suspect(SemaContext& sema, Code code, Range range, bool bad, std::string message, std::string help = {});

}   // namespace cardwright::sema
