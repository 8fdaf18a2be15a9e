// Tests games with boards: what players see, and sets of cells in compiled code. (classics_test.cpp tests their lengths
// and that the engines agree; rims.rules tests conditions on cells and rims.)
#include <catch2/catch.hpp>

#include <nlohmann/json.hpp>

#include "cardwright/tools.hpp"
#include "tests/support/differential.h"
#include "tests/support/files.h"

using namespace cardwright;
using test::checkout;

TEST_CASE("boards: all players see the items on a board", "[boards]") {
  const api::Game game = api::Ruleset::load("breakthrough").compile();
  api::State state = game.new_state(5);
  state.apply(0);
  const auto seen = [&](int player) { return nlohmann::json::parse(state.view(player))["variables"]; };
  CHECK(seen(0) == seen(1));
  CHECK(seen(0) == seen(-1));
  for (const auto& variable : seen(1))
    if (variable["name"] == "men" && variable["owner"] == "b")
      CHECK(variable["value"] == nlohmann::json::array({"a7", "b7", "c7", "d7", "e7", "f7", "g7", "h7", "a8", "b8",
                                                        "c8", "d8", "e8", "f8", "g8", "h8"}));
}

namespace {
std::size_t count(const ir::Function& function, ir::Op op) {
  std::size_t n = 0;
  for (const ir::Block& block : function.blocks)
    for (const ir::Instruction& in : block.code) n += in.op == op;
  return n;
}
}   // namespace

TEST_CASE("boards: lines and steps are shifts of whole sets", "[boards]") {
  const api::Game four = api::Ruleset::load("connect_four").compile(),
                  breakthrough = api::Ruleset::load("breakthrough").compile();
  const auto function = [](const api::Game& game, std::string_view name) -> const ir::Function& {
    const auto& all = game.data()->program().playout.functions;
    const auto found = std::find_if(all.begin(), all.end(),
                                    [&](const ir::Function& f) { return f.name == name && !f.blocks.empty(); });
    REQUIRE(found != all.end());
    return *found;
  };
  const ir::Function& drop = function(four, "drop");   // in_line is inlined there: one shift per direction
  CHECK(count(drop, ir::Op::set_shift) == 4);
  CHECK(count(drop, ir::Op::set_first) + count(drop, ir::Op::table) + count(drop, ir::Op::call) == 0);
  std::size_t shifts = 0, steps = 0;
  for (const ir::Function& f : breakthrough.data()->program().playout.functions) {
    if (f.name != "phase move") continue;
    shifts += count(f, ir::Op::set_shift_by);
    steps += count(f, ir::Op::set_first) - count(f, ir::Op::list);   // only the option list iterates over cells
  }
  CHECK(shifts > 0);
  CHECK(steps == 0);
}

// The board library also has functions for edges, which outnumber the cells: if they were compiled, each set would need
// more words.
TEST_CASE("boards: unused functions don't make sets wider", "[boards]") {
  CHECK(api::Ruleset::load("connect_four").compile().data()->program().layout.words == 1);
  CHECK(api::Ruleset::load("breakthrough").compile().data()->program().layout.words == 1);
  CHECK(api::Ruleset::load(checkout("tests/rulesets/small/fences.rules")).compile().data()->program().layout.words ==
        3);
}

TEST_CASE("boards: a graph is drawn with its points and lines, and shown in the view", "[boards]") {
  const api::Game game = api::Ruleset::load("nine_mens_morris").compile();
  api::State state = game.new_state(1);
  state.apply(0);
  const std::vector<std::string> table = state.table_in_words(0);
  const auto top = std::find(table.begin(), table.end(), "  A--------d7-------g7");
  REQUIRE(top != table.end());
  CHECK(top[1] == "  |  b6----d6----f6 |");
  CHECK(top[3] == "  a4-b4-c4    e4-f4-g4");
  const auto board = nlohmann::json::parse(state.view(0))["boards"][0];
  CHECK(board["shape"] == "graph");
  CHECK(board["points"][1] == nlohmann::json::parse(R"({"name": "d7", "x": 3, "y": 6, "next": ["a7", "g7", "d6"]})"));
}

TEST_CASE("boards: several boards are drawn one below the other, each with its items", "[boards]") {
  const api::Game game = api::Ruleset::load(checkout("tests/rulesets/small/several_boards.rules")).compile();
  const std::vector<std::string> table = game.new_state(1).table_in_words(0);
  const auto has_line = [&](const std::string& line) {
    return std::find(table.begin(), table.end(), line) != table.end();
  };
  CHECK(has_line("  field"));
  CHECK(has_line("  2  . g . ."));
  CHECK(has_line("  yard"));
  CHECK(has_line("  moon"));
  CHECK(has_line("  roads"));
}
