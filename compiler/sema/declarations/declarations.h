// Registers all declarations of rules by kind and name before any rule's code is checked.
#pragma once

#include <string>
#include <string_view>

#include "compiler/sema/context/context.h"

namespace cardwright::sema {

void declare_rules(SemaContext& sema);
std::string rule_name(const SemaContext& sema, std::string_view what, const Decl& d);

}   // namespace cardwright::sema
