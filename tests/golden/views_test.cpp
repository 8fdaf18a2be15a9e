// Tests each player's view as JSON and in words, after the first decisions of a small game with a hand, a face-down
// pile, a secret variable, a reveal and a peek.
#include <nlohmann/json.hpp>

#include "cardwright/tools.hpp"
#include "tests/support/golden.h"

namespace cardwright::golden {
namespace {

std::string indented(const std::string& json) { return nlohmann::json::parse(json).dump(1) + "\n"; }

std::string seen_by(const api::State& state, int player) {
  std::string out = player < 0 ? "everything\n" : "player " + api::Game::seat_name(player) + "\n";
  out += indented(state.view(player));
  for (const std::string& line : state.table_in_words(player)) out += line + "\n";
  return out + "\n";
}

}   // namespace

TEST_CASE("golden: views", "[golden][views]") {
  for (const fs::path& file : files(root() / "tests/golden/views", ".rules")) {
    const api::Game game = api::Ruleset::load(file.string()).compile();
    api::Log log(game);
    api::State state = game.new_state(1, 0, &log);
    std::string text;
    for (int step = 0; step < 6; ++step) {
      text += "after " + std::to_string(step) + " decisions\n\n";
      for (int p = -1; p < game.players(); ++p) text += seen_by(state, p);
      if (state.is_over()) break;
      state.apply(static_cast<std::size_t>(step) % state.legal_count(), &log);   // selects each kind of action in turn
    }
    for (int p = -1; p < game.players(); ++p) {
      text += p < 0 ? "the log\n" : "the log as " + api::Game::seat_name(p) + " may read it\n";
      for (const std::string& line : log.lines(p)) text += "  " + line + "\n";
    }
    check_golden("views/" + file.stem().string() + ".txt", text);
  }
}

}   // namespace cardwright::golden
