// Declares callables (values, functions, events and windows): their names, parameters and results.
#pragma once

#include <vector>

#include "compiler/sema/context/context.h"

namespace cardwright::sema {

void declare_callable(SemaContext& sema, const Decl& d, const std::vector<Passed>& passed = {});
// Declares an instance of a function that has rules as parameters: one for each list of passed rules.
void declare_instance(SemaContext& sema, const Decl& function, const std::vector<Passed>& passed);
void finish_callables(SemaContext& sema);

}   // namespace cardwright::sema
