// Rules that are carried by something: triggers, modifiers, `whenever`, `is also`, `allow` and `forbid`.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "compiler/sema/context.h"

namespace cardwright::sema {

void build_triggers(SemaContext& sema);
void build_whenever(SemaContext& sema, const Decl& d);
void build_also(SemaContext& sema, const Decl& d);
void build_forbid(SemaContext& sema, const Decl& d);
void start_rule(RuleContext& rule, const Decl& d, Body& body, model::RuleHead& head, std::string name);
void ensure_modifiers(SemaContext& sema, std::uint32_t value);
std::vector<std::uint32_t> events_named(const SemaContext& sema, std::string_view name, bool phase);

}  // namespace cardwright::sema
