// Builds the steps of scenarios: the acting player, the action and the items that the step names.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "compiler/sema/context/context.h"

namespace cardwright::sema {

struct Named {   // an item of a step
  const Node* node = nullptr;
  std::optional<model::CardMatch> card;
  std::vector<Named> several;   // for a list such as `[Net, Wasp]`: its elements
  bool is_list = false;
};
using Items = std::vector<Named>;

void step(RuleContext& rule, const Node* node, model::ScenarioLine& line);
bool played_as(SemaContext& sema, const Node* as, model::Step& s);
bool plays_with(RuleContext& rule, const Node* card, const Items& items, model::Step& s);
bool uses_with(RuleContext& rule, const Node* what, const Node* of, const Items& items, model::Step& s);
bool chooses(RuleContext& rule, const Items& items, model::Step& s);
void warn_of_no_answer(SemaContext& sema, const Items& items, const model::Step& s);
bool name_item(RuleContext& rule, const Node* node, Items& out);
bool name_items(RuleContext& rule, std::span<const Node* const> nodes, Items& out);

}   // namespace cardwright::sema
