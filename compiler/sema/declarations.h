// Which rule is which: what each declaration is filed under before any code is read.
#pragma once

#include <string>
#include <string_view>

#include "compiler/sema/context.h"

namespace cardwright::sema {

void declare_rules(SemaContext& sema);
std::string rule_name(const SemaContext& sema, std::string_view what, const Decl& d);

}   // namespace cardwright::sema
