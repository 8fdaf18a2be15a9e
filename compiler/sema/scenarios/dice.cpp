// Builds the dice of scenarios: their initial faces and their rolls.
#include "compiler/sema/scenarios/dice.h"

#include "compiler/sema/expressions/dice.h"
#include "compiler/sema/scenarios/steps.h"
#include "compiler/sema/symbols/errors.h"

namespace cardwright::sema {

// Handles `given cube[1] shows 5` and `given a.cubes show [3, 4]`.
void given_shows(SemaContext& sema, const Node* node, model::Given g, model::ScenarioLine& line) {
  const view::given its(node);
  const auto dice = dice_named(sema, its.what());
  if (!dice)
    return void(error(sema, "bad_scenario"_code, its.what()->range, "expected dice before `shows`",
                      "`cube[1] shows 5`, `cubes show [3, 4, 4]`, `a.cubes show 6`"));
  const auto faces = faces_in_scenario(sema, dice->first, dice->second.size(), its.value());
  if (!faces) return;
  g.kind = model::Given::Kind::variable;
  g.variable = sema.model.areas[dice->first].dice->face;
  for (std::size_t i = 0; i < faces->size(); ++i) {
    g.indices = {dice->second[i]};
    g.values = {(*faces)[i]};
    line.givens.push_back(g);
  }
}

// Handles `a rolls 3, 5`, which determines the results of the dice rolled in the previous step.
void rolls(RuleContext& rule, Int player, const Items& items, const Node* node, model::ScenarioLine& line) {
  model::Step step;
  if (line.steps.empty())
    return void(error(rule.sema, "bad_scenario"_code, node->range,
                      "`rolls` must follow the step in which the dice are rolled",
                      "`when a uses throw, a rolls 3, 5`"));
  if (!chooses(rule, items, step)) return;
  for (model::StepItem& item : step.items) line.steps.back().rolls.emplace_back(player, std::move(item));
  line.steps.back().text += ", " + std::string(rule.sema.diagnostics.sources().text(node->range));
}

}   // namespace cardwright::sema
