// Builds the initial positions of cards on a board in scenarios.
#include "compiler/sema/scenarios/board_cards.h"

#include <fmt/format.h>

#include "compiler/sema/expressions/descriptions.h"
#include "compiler/sema/operations/pieces.h"
#include "compiler/sema/options/written.h"
#include "compiler/sema/symbols/errors.h"

namespace cardwright::sema {

// Handles the setup line `Ladder at c3 facing E`, which moves the card to the board from any other zone.
bool given_card_at(RuleContext& rule, const Node* node, model::Given& g, model::ScenarioLine& line) {
  const auto match = rule.model.lying ? card_match(rule, view::given(node).what(), false) : std::nullopt;
  if (!match) return false;
  const model::LyingCards& lying = *rule.model.lying;
  if (match->kind && lying.sort_of[match->kind->index] == kNone) {
    error(rule.sema, "bad_scenario"_code, view::given(node).what()->range,
          fmt::format("`{}` covers no cells, so it can't be on a board", rule.model.kinds[match->kind->index].name),
          "declare the cells that it covers: `covers 1 x 1`");
    return true;
  }
  const Type cell = enum_type(rule.model.boards[0].cells.index), direction = enum_type(rule.model.boards[0].dirs.index);
  if (node->number) error(rule.sema, "bad_scenario"_code, node->range, "cards on a board are always faceup");
  const auto at = scalar(rule.sema, view::given(node).value(), &cell);
  Int facing = lying.placing.facing ? rule.model.variables[lying.placing.facing->index].initial->value : 0;
  if (view::given(node).facing()) {
    if (!lying.placing.facing)
      error(rule.sema, "bad_scenario"_code, view::given(node).facing()->range, "cards on this board have no direction",
            "declare an initial direction in the card type: `facing N`");
    const auto way = scalar(rule.sema, view::given(node).facing(), &direction);
    if (!way || !lying.placing.facing) return true;
    facing = *way;
  }
  if (!at) return true;
  if (match->kind && !stays_on_board(rule.sema, lying.placing.shapes, lying.sort_of[match->kind->index], *at, facing)) {
    error(rule.sema, "out_of_range"_code, node->range,
          fmt::format("`{}` extends beyond the board at {}", written(rule.sema, view::given(node).what()),
                      written(rule.sema, view::given(node).value())));
    return true;
  }
  g.kind = model::Given::Kind::on_cell;
  g.zone = lying.zone;
  g.cards = {*match};
  g.variable = lying.placing.at;
  g.values = {*at};
  if (lying.placing.facing) g.indices = {static_cast<Int>(lying.placing.facing->index), facing};
  line.givens.push_back(g);
  return true;
}

}   // namespace cardwright::sema
