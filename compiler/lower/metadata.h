// Words for people.
#pragma once

#include <string>

#include "compiler/lower/function_context.h"

namespace cardwright::lower {

std::unique_ptr<Program> run(ProgramContext& unit);
void too_large(ProgramContext& unit, Range where, std::string what);
std::string reason_text(const ProgramContext& unit, Range range);

}  // namespace cardwright::lower
