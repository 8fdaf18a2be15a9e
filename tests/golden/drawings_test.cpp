// Tests the drawings of boards in the terminal: the table of several games after a few random moves, without the parts
// that their themes hide.
#include <random>

#include "cardwright/cardwright.hpp"
#include "cardwright/theme.hpp"
#include "tests/support/golden.h"

namespace cardwright::golden {

TEST_CASE("golden: drawings of boards", "[golden][drawings]") {
  constexpr int kMoves = 12;
  for (const std::string name :
       {"backgammon", "breakthrough", "checkers", "hex", "nine_mens_morris", "othello", "quoridor", "splatter_shoot",
        "board_cards", "graphs", "hexagons", "lifted", "pieces", "several_boards", "shown_heights", "shown_yard"}) {
    const fs::path small = root() / "tests/rulesets/small" / (name + ".rules");
    const api::Game game = api::Ruleset::load(fs::exists(small) ? small.string() : name).compile();
    const api::Omitted omitted = api::look_of(game).hidden;
    api::State state = game.new_state(1);
    std::mt19937_64 random(1);
    std::string text;
    for (int move = 0; move <= kMoves; ++move) {
      if (move == 0 || move == kMoves)
        for (const api::TablePart& part : state.table_in_parts(0, omitted)) {
          for (const std::string& line : part.lines_with_legend()) text += line + "\n";
        }
      if (move == 0) text += "\nafter " + std::to_string(kMoves) + " decisions\n\n";
      if (state.legal_count() > 0 && !state.is_over()) state.apply(random() % state.legal_count());
    }
    check_golden("drawings/" + name + ".txt", text);
  }
}

}   // namespace cardwright::golden
