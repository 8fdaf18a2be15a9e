// Checks actions and plays.
// Input:  `action` and `play` declarations.
// Output: the actions of the Model.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/sema/context/context.h"

namespace cardwright::sema {

void declare_actions(SemaContext& sema);
std::vector<std::uint32_t> actions_watched(const SemaContext& sema, const Node* trigger);
void build_actions(SemaContext& sema);
const Expr* is_by(RuleContext& rule, LocalId actor, const Node* by);
std::optional<model::GroupId> group(SemaContext& sema, std::string_view name, bool create);
Block effect_of(RuleContext& rule, const std::function<void(Block&)>& build);
std::string plays_to_key(const Node* node);

}   // namespace cardwright::sema
