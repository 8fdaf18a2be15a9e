// Resolves names to declarations, players, elements and members.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/sema/context/context.h"

namespace cardwright::sema {

const Expr* unknown_name(RuleContext& rule, const Node* node, const Type* wanted);
const Expr* me(RuleContext& rule, const Node* node);
const Expr* enum_constant(SemaContext& sema, std::string_view name, Range range, const Type* expected, bool report,
                          bool& found);
const Expr* member_of(RuleContext& rule, const Expr* of, std::string_view name, Range range, Range whole,
                      bool report = true);
bool has_member(const SemaContext& sema, const Type& t, std::string_view name);
std::vector<std::string> members_of(const SemaContext& sema, const Type& t);
std::optional<std::uint32_t> variable_with_enum(const SemaContext& sema, std::uint32_t id, bool per_player);
bool is_library_member(const SemaContext& sema, const Type& t, std::string_view name);
const Expr* part_of_this(RuleContext& rule, std::uint32_t area, Range range);

}   // namespace cardwright::sema
