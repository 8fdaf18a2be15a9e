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
  const auto match = rule.model.board_cards ? card_match(rule, view::given(node).what(), false) : std::nullopt;
  if (!match) return false;
  const model::BoardCards& board_cards = *rule.model.board_cards;
  if (match->kind && board_cards.sort_of[match->kind->index] == kNone) {
    error(rule.sema, "bad_scenario"_code, view::given(node).what()->range,
          fmt::format("`{}` covers no cells, so it can't be on a board", rule.model.kinds[match->kind->index].name),
          "declare the cells that it covers: `covers 1 x 1`");
    return true;
  }
  const Type cell = enum_type(rule.model.boards[0].cells.index), direction = enum_type(rule.model.boards[0].dirs.index);
  if (node->number) error(rule.sema, "bad_scenario"_code, node->range, "cards on a board are always faceup");
  const auto at = scalar(rule.sema, view::given(node).value(), &cell);
  Int facing = board_cards.placing.facing ? rule.model.variables[board_cards.placing.facing->index].initial->value : 0;
  if (view::given(node).facing()) {
    if (!board_cards.placing.facing)
      error(rule.sema, "bad_scenario"_code, view::given(node).facing()->range, "cards on this board have no direction",
            "declare an initial direction in the card type: `facing N`");
    const auto way = scalar(rule.sema, view::given(node).facing(), &direction);
    if (!way || !board_cards.placing.facing) return true;
    facing = *way;
  }
  if (!at) return true;
  if (match->kind &&
      !stays_on_board(rule.sema, board_cards.placing.shapes, board_cards.sort_of[match->kind->index], *at, facing)) {
    error(rule.sema, "out_of_range"_code, node->range,
          fmt::format("`{}` extends beyond the board at {}", written(rule.sema, view::given(node).what()),
                      written(rule.sema, view::given(node).value())));
    return true;
  }
  g.kind = model::Given::Kind::on_cell;
  g.zone = board_cards.zone;
  g.cards = {*match};
  g.variable = board_cards.placing.at;
  g.values = {*at};
  if (board_cards.placing.facing) g.indices = {static_cast<Int>(board_cards.placing.facing->index), facing};
  line.givens.push_back(g);
  return true;
}

}   // namespace cardwright::sema
