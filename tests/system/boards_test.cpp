// Games on boards. (How long they are, and that engines agree on them: classics_test.cpp; masks and rims: rules/rims.rules.)
#include <catch2/catch.hpp>

#include <nlohmann/json.hpp>

#include "cardwright/tools.hpp"
#include "tests/system/differential.h"

using namespace cardwright;

TEST_CASE("boards: everybody sees what lies on them", "[boards]") {
  const api::Game game = api::Ruleset::load("breakthrough").compile();
  api::State state = game.new_state(5);
  state.apply(0);
  const auto seen = [&](int player) { return nlohmann::json::parse(state.view(player))["variables"]; };
  CHECK(seen(0) == seen(1));
  CHECK(seen(0) == seen(-1));
  for (const auto& variable : seen(1))
    if (variable["name"] == "men" && variable["owner"] == "b") CHECK(variable["value"] == nlohmann::json::array({
        "a7", "b7", "c7", "d7", "e7", "f7", "g7", "h7", "a8", "b8", "c8", "d8", "e8", "f8", "g8", "h8"}));
}

namespace {
std::size_t count(const ir::Function& function, ir::Op op) {
  std::size_t n = 0;
  for (const ir::Block& block : function.blocks)
    for (const ir::Instruction& in : block.code) n += in.op == op;
  return n;
}
}  // namespace

TEST_CASE("boards: lines and steps are shifts of whole sets", "[boards]") {
  const api::Game four = api::Ruleset::load("connect_four").compile(), breakthrough = api::Ruleset::load("breakthrough").compile();
  const auto function = [](const api::Game& game, std::string_view name) -> const ir::Function& {
    const auto& all = game.data()->program().playout.functions;
    const auto found = std::find_if(all.begin(), all.end(), [&](const ir::Function& f) { return f.name == name && !f.blocks.empty(); });
    REQUIRE(found != all.end());
    return *found;
  };
  const ir::Function& drop = function(four, "drop");         // in_line is written out there: a shift per direction
  CHECK(count(drop, ir::Op::set_shift) == 4);
  CHECK(count(drop, ir::Op::set_first) + count(drop, ir::Op::table) + count(drop, ir::Op::call) == 0);
  std::size_t shifts = 0, steps = 0;
  for (const ir::Function& f : breakthrough.data()->program().playout.functions) {
    if (f.name != "phase move") continue;
    shifts += count(f, ir::Op::set_shift_by);
    steps += count(f, ir::Op::set_first) - count(f, ir::Op::list);   // only the list of options goes from cell to cell
  }
  CHECK(shifts > 0);
  CHECK(steps == 0);
}
