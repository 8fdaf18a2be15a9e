// Builds rules that belong to a card, a character or the game: triggers, modifiers, `whenever`, `is also`, `allow` and
// `forbid`.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "compiler/sema/context/context.h"

namespace cardwright::sema {

void build_triggers(SemaContext& sema);
void build_whenever(SemaContext& sema, const Decl& d);
void build_also(SemaContext& sema, const Decl& d);
void build_forbid(SemaContext& sema, const Decl& d);
void start_rule(RuleContext& rule, const Decl& d, Body& body, model::RuleHead& head, std::string name);
void ensure_modifiers(SemaContext& sema, std::uint32_t value);
// Builds the patterns in the head of a rule, one for each parameter, and binds their names. Call rule_condition()
// afterwards to build `when`, combined with the conditions of the patterns.
std::vector<model::Pattern> patterns(RuleContext& rule, const Node* list, const Callable& callable, const Node* whole,
                                     std::string_view what, const Node* by = nullptr);
const Expr* rule_condition(RuleContext& rule, const Node* when);
// Returns the actions that `any action in W` or `play KIND` matches. Reports unknown windows and cards.
std::vector<std::uint32_t> actions_meant(SemaContext& sema, const Node* trigger);
void no_such_event(SemaContext& sema, const Node* trigger);
std::vector<model::Pattern> argument_patterns(RuleContext& rule, const Node* n, const Node* list,
                                              const model::Action& a);
// Resolve the actions in `any action as G`, `play KIND` and `NAME`. If there are none, report an error.
std::optional<model::GroupId> named_group(SemaContext& sema, const Node* named);
std::vector<std::uint32_t> named_actions(SemaContext& sema, std::string_view named, const Node* what,
                                         const std::optional<model::GroupId>& of);
void report_no_action(SemaContext& sema, const Node* n, const Node* what);
std::vector<std::uint32_t> events_named(const SemaContext& sema, std::string_view name, bool phase);

}   // namespace cardwright::sema
