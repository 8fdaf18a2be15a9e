// Resolves descriptions of cards, players and values in scenarios: `Chip(worth: 3)`, `nine of spades`, `a`, `everyone`.
#pragma once

#include <optional>
#include <vector>

#include "compiler/sema/context/context.h"

namespace cardwright::sema {

std::optional<Int> seat(SemaContext& sema, const Node* node, bool report = true);
std::optional<model::CardMatch> card_match(RuleContext& rule, const Node* node, bool report = true);
const Expr* card_as_key(RuleContext& rule, const Node* node, const Type& key);
const Expr* cards_that_match(SemaContext& sema, const model::CardMatch& match);
const Expr* such_cards(RuleContext& rule, const Node* node);
const Expr* is_as_described(RuleContext& rule, const Node* l, const Node* r);
std::optional<Int> scalar(SemaContext& sema, const Node* node, const Type* expected, bool report = true);
std::vector<model::CardMatch> card_matches(RuleContext& rule, const Node* node);
std::optional<std::vector<Int>> elements_of(SemaContext& sema, const Node* node, const Type& set);
std::vector<Int> seats_of(SemaContext& sema, const Node* node);
std::optional<std::pair<std::uint32_t, Int>> area_part(SemaContext& sema, const Node* node);
const Expr* cards_named(RuleContext& rule, const Node* node);

}   // namespace cardwright::sema
