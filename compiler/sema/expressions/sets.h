// Builds sets and lists: `where`, `with most`, `any … has`, `sum of`, ranges, and the contents of zones.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "compiler/sema/context/context.h"

namespace cardwright::sema {

inline constexpr Int kMostInList = 1000;
inline constexpr Int kMostNumbers = 65536;   // size of the largest range from which a number can be chosen

Int most_in(const SemaContext& sema, const Type& list);
bool has_room(SemaContext& sema, const Type& list, Range range, bool report = true);
Type added_to(const Type& list, const Node* what);
const Expr* where_expr(RuleContext& rule, const Node* node, const Type* expected);
const Expr* best_expr(RuleContext& rule, const Node* node);
const Expr* quantifier(RuleContext& rule, const Node* node);
const Expr* quantifier_is(RuleContext& rule, const Node* node);
const Expr* aggregate(RuleContext& rule, const Node* node);
bool is_sequence(const RuleContext& rule, const Expr* e);
const Expr* not_a_value(SemaContext& sema, const Expr* sequence);
const Expr* subsets(RuleContext& rule, const Node* node);
const Expr* as_plain_list(RuleContext& rule, const Expr* e);
const Expr* joined(RuleContext& rule, const Expr* a, const Expr* b, Range range);
const Expr* const_list(SemaContext& sema, std::string_view name, const Expr* e, const Computed& value);
const Expr* pick(RuleContext& rule, const Node* node);
const Expr* top_expr(RuleContext& rule, const Node* node);
const Expr* random_cards(RuleContext& rule, const Node* node);
const Expr* all_but(RuleContext& rule, const Node* node);
const Expr* size_of(RuleContext& rule, const Expr* of, Range range);
std::optional<Where> zone_place(RuleContext& rule, const Node* node, bool report = false);
Expr* zone_expr(SemaContext& sema, ExprKind kind, const Where& w, Type type, std::vector<const Expr*> more = {});
const Expr* universe(SemaContext& sema, const Type& element, Range range);
const Expr* number_range(RuleContext& rule, const Node* node);
Type element_type(const Type& set);
// Builds the set in `in S after a`: the elements of S that follow `a`.
const Expr* later_than(RuleContext& rule, const Node* after, const Expr* set);
const Expr* listed_after(RuleContext& rule, const Node* after, LocalId element, Range range);

}   // namespace cardwright::sema
