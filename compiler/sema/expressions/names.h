// Resolves names, reports errors about names, and creates simple expressions.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/sema/context/context.h"

namespace cardwright::sema {

Diagnostic& error(SemaContext& sema, Code code, Range range, std::string message, std::string help = {});
// Reports a duplicate declaration. `other` is the range of the first declaration.
Diagnostic& twice(SemaContext& sema, const Node* node, std::string_view word, Range other);
// Returns the range of a declaration's name.
Range name_range(const SemaContext& sema, const Node* node);
// Returns the range of the first word (`turns`, `while`, `after`) of a declaration without a name.
Range first_word(const SemaContext& sema, const Node* node);
// If the name exists only under other options: returns true without reporting an error, and marks the rule as dropped
// if it is droppable.
bool silent_if_absent(RuleContext& rule, const Node* node);
bool silent_if_absent(RuleContext& rule, std::string_view name, Range range);
Expr* make(SemaContext& sema, ExprKind kind, Type type, Range range, std::vector<const Expr*> args = {});
const Expr* poison(SemaContext& sema, Range range);
const Expr* constant(SemaContext& sema, Type type, Int value, Range range);
const Expr* integer_constant(SemaContext& sema, Int value, Range range);
const Expr* boolean_constant(SemaContext& sema, bool value, Range range);
const Expr* local(RuleContext& rule, LocalId id, Range range);
const Expr* raw_local(RuleContext& rule, LocalId id, Range range);
LocalId add_local(RuleContext& rule, std::string_view name, Type type, Range range);
LocalId bind(RuleContext& rule, std::string_view name, Type type, Range range);
const Binding* find_binding(const RuleContext& rule, std::string_view name);
const Expr* unknown_name(RuleContext& rule, const Node* node, const Type* wanted);
const Expr* me(RuleContext& rule, const Node* node);
const Expr* decider(RuleContext& rule, const Node* node, Range range);
const Expr* start_of(RuleContext& rule, const Node* domain, Range range);
const Expr* enum_constant(SemaContext& sema, std::string_view name, Range range, const Type* expected, bool report,
                          bool& found);
const Expr* member_of(RuleContext& rule, const Expr* of, std::string_view name, Range range, Range whole,
                      bool report = true);
bool has_member(const SemaContext& sema, const Type& t, std::string_view name);
std::vector<std::string> members_of(const SemaContext& sema, const Type& t);
std::optional<std::uint32_t> variable_with_enum(const SemaContext& sema, std::uint32_t id, bool per_player);
const Expr* variable_of(RuleContext& rule, std::uint32_t id, Range range, std::vector<const Expr*> args);
bool is_library_member(const SemaContext& sema, const Type& t, std::string_view name);

}   // namespace cardwright::sema
