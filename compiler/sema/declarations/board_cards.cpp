// Declares the Model data for cards that can be placed on a board: the zone of the board, and the positions, facings
// and shapes of the cards.
#include "compiler/sema/declarations/board_cards.h"

#include <algorithm>

#include <fmt/format.h>

#include "compiler/sema/declarations/pieces.h"
#include "compiler/sema/expressions/card_attributes.h"
#include "compiler/sema/expressions/pieces.h"
#include "compiler/sema/operations/graphs.h"
#include "compiler/sema/operations/pieces.h"
#include "compiler/sema/symbols/components.h"
#include "compiler/sema/symbols/errors.h"
#include "compiler/sema/symbols/make.h"

namespace cardwright::sema {

static model::AttributeId attribute_of_cards(SemaContext& sema, const model::BoardCards& board_cards);

// Declares the zone of the board, the variables for position and facing, and the shape of each card kind that has a
// `covers`. Does nothing if no card has one.
void declare_board_cards(SemaContext& sema) {
  struct Covering {
    std::uint32_t kind;
    const Node* covers;
    const Node* facing;
  };
  std::vector<Covering> covering;
  for (std::uint32_t k = 0; k < sema.types.kinds.size(); ++k) {
    const Node* covers = find_kind_member(sema, k, NodeKind::covers);
    if (covers) covering.push_back({k, covers, find_kind_member(sema, k, NodeKind::facing_decl)});
    for (const NodeKind only : {NodeKind::facing_decl, NodeKind::shows_decl})
      if (const Node* n = covers ? nullptr : find_kind_member(sema, k, only))
        error(sema, "wrong_type"_code, n->range,
              fmt::format("`{}` covers no cells, so it can't be on a board", sema.model.kinds[k].name),
              "declare the cells that it covers: `covers 1 x 1`");
  }
  if (covering.empty()) return;
  const Node* first = covering[0].covers;
  if (sema.model.boards.size() != 1)
    return void(error(sema, "unknown_name"_code, first->range,
                      sema.model.boards.empty() ? "`covers` needs a board, but the game has none"
                                                : "`covers` needs a game with exactly one board",
                      "declare one board: `board field: grid 8 x 8`"));
  const model::Board& board = sema.model.boards[0];
  const Type direction = enum_type(board.dirs.index);
  if (board.graph) return void(graph_has_no(sema, board, "positions for cards", first->range));
  model::BoardCards board_cards;
  board_cards.sort_of.assign(sema.types.kinds.size(), kNone);
  board_cards.signs.assign(sema.types.kinds.size(), "");
  std::optional<model::CardTypeId> root = sema.model.kinds[covering[0].kind].type;
  std::vector<std::vector<std::pair<Int, Int>>> sorts;
  const Node* faces = nullptr;
  for (const Covering& c : covering) {
    while (root && !is_a(sema, sema.model.kinds[c.kind].type.index, root->index))
      root = sema.model.card_types[root->index].base;
    const auto offsets = offsets_of(sema, {c.covers});
    if (!offsets || !fits_board(sema, board, *offsets, c.covers->range)) return;
    const auto found = std::find(sorts.begin(), sorts.end(), *offsets);
    board_cards.sort_of[c.kind] = found - sorts.begin();
    if (found == sorts.end()) sorts.push_back(*offsets);
    if (const Node* shows = find_kind_member(sema, c.kind, NodeKind::shows_decl))
      board_cards.signs[c.kind] = sign_of(sema, shows);
    if (c.facing && faces && first_facing(sema, c.facing, direction) != first_facing(sema, faces, direction))
      return void(
          error(sema, "wrong_type"_code, c.facing->range, "all cards on a board must have the same initial direction")
              .notes.push_back({faces->range, "the other declaration"}));
    if (c.facing) faces = c.facing;
  }
  if (root) board_cards.type = *root;
  const Type key = root ? card_type(root->index) : card_type();
  const std::string name = root ? sema.model.card_types[root->index].name : "card";
  board_cards.placing.at =
      place_variable(sema, name + ".at", with_none(enum_type(board.cells.index)), key, first->range);
  if (faces) {
    board_cards.placing.facing = place_variable(sema, name + ".facing", direction, key, faces->range);
    sema.model.variables[board_cards.placing.facing->index].initial =
        constant(sema, direction, first_facing(sema, faces, direction), faces->range);
  }
  board_cards.placing.shapes = add_shapes(sema, 0, name, sorts, faces != nullptr);
  if (board_cards.placing.shapes && sorts.size() > 1) board_cards.placing.sort = attribute_of_cards(sema, board_cards);
  model::Zone zone;
  zone.name = board.name;
  zone.range = board.range;
  board_cards.zone = {static_cast<std::uint32_t>(sema.model.zones.size())};
  sema.model.zones.push_back(std::move(zone));
  sema.model.board_cards = std::move(board_cards);
}

// Adds a hidden attribute that stores the shape of a card. Rules can't name it, because its name contains spaces.
static model::AttributeId attribute_of_cards(SemaContext& sema, const model::BoardCards& board_cards) {
  const model::AttributeId id{static_cast<std::uint32_t>(sema.model.attributes.size())};
  const Int last = *std::max_element(board_cards.sort_of.begin(), board_cards.sort_of.end());
  sema.model.attributes.push_back({.name = "shape on the board",
                                   .type = integer_type(0, last),
                                   .unprinted = true,
                                   .range = sema.model.boards[0].range});
  std::set<std::uint32_t> tops;
  for (std::uint32_t k = 0; k < sema.types.kinds.size(); ++k) {
    std::uint32_t top = sema.model.kinds[k].type.index;
    while (sema.model.card_types[top].base && !(board_cards.type.valid() && top == board_cards.type.index))
      top = sema.model.card_types[top].base->index;
    if (board_cards.type.valid() && top != board_cards.type.index) continue;
    sema.types.kinds[k].attributes[id.index] = std::max<Int>(board_cards.sort_of[k], 0);
    tops.insert(top);
  }
  for (const std::uint32_t top : tops) sema.types.cards[top].own.push_back(id);
  return id;
}

}   // namespace cardwright::sema
