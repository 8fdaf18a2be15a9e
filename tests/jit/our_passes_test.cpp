// Tests Cardwright's own LLVM passes on a playout, measured by the number of population counts and of phi nodes in
// loops.
#include <catch2/catch.hpp>

#include "cardwright/cardwright.hpp"
#include "cardwright/tools.hpp"

namespace cardwright {

namespace {

int how_often(const std::string& what, const std::string& game) {
  const std::string text = api::print(api::Ruleset::load(game), {}, api::Stage::llvm, api::Form::playout);
  int count = 0;
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++count;
  return count;
}
int counts_in(const std::string& game) { return how_often(" i64 @llvm.ctpop.i64(i64 %", game); }

}   // namespace

TEST_CASE("turns of a game with a fixed first player are unrolled, one copy per player", "[jit]") {
  if (!api::jit_is_available()) return;
  CHECK(counts_in("connect_four") == 2);   // one count of the free columns per turn
}

TEST_CASE("a set from which cards are drawn is counted once, or not at all if its size is known", "[jit]") {
  if (!api::jit_is_available()) return;
  CHECK(counts_in("tests/jit/deal.rules") == 0);
  // The loops of the deal carry the stock once. Without merging of congruent phis, they would carry it twice (26 phis).
  CHECK(how_often(" phi ", "tests/jit/deal.rules") <= 22);
}

TEST_CASE("the random streams of a game's start are mixed separately", "[jit]") {
  if (!api::jit_is_available()) return;
  CHECK(how_often(" = mul <", "connect_four") == 0);
  CHECK(how_often(" atomic ", "connect_four") == 0);   // the last pass removes the barriers between the streams
}

TEST_CASE("operations are called in games that would become too large for LLVM, otherwise inlined", "[jit]") {
  if (!api::jit_is_available()) return;
  const std::string called = "call i32 @\"list_load";
  CHECK(how_often(called, "tests/rulesets/small/trips.rules") > 0);
  CHECK(how_often(called, "tests/rulesets/small/queues.rules") == 0);
  CHECK(how_often("\n", "tests/rulesets/small/trips.rules") < 30'000);   // 55,000 if all were inlined
}

}   // namespace cardwright
