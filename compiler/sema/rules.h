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
// What a rule's head says: what stands for each parameter of what it watches, whose names are bound then; and its
// `when`, with what the patterns demand.
std::vector<model::Pattern> patterns(RuleContext& rule, const Node* list, const Callable& callable, const Node* whole,
                                     std::string_view what, const Node* by = nullptr);
const Expr* rule_condition(RuleContext& rule, const Node* when);
// `any action in W`, `play KIND`; says so where there is no such window or card.
std::vector<std::uint32_t> actions_meant(SemaContext& sema, const Node* trigger);
void no_such_event(SemaContext& sema, const Node* trigger);
std::vector<model::Pattern> argument_patterns(RuleContext& rule, const Node* n, const Node* list,
                                              const model::Action& a);
// The actions meant by `any action as G`, `play KIND`, `NAME`, and what is said where there are none.
std::optional<model::GroupId> group_spoken_of(SemaContext& sema, const Node* named);
std::vector<std::uint32_t> actions_spoken_of(SemaContext& sema, std::string_view named, const Node* what,
                                             const std::optional<model::GroupId>& of);
void no_action_spoken_of(SemaContext& sema, const Node* n, const Node* what);
std::vector<std::uint32_t> events_named(const SemaContext& sema, std::string_view name, bool phase);

}   // namespace cardwright::sema
