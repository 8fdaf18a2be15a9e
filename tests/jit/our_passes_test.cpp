// What our passes among LLVM's do to a playout, seen by how often it counts the bits of a word, and how much its loops
// carry.
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

TEST_CASE("turns of a game that always begins with the same player are written out, one for each", "[jit]") {
  if (!api::jit_is_available()) return;
  CHECK(counts_in("connect_four") == 2);   // each turn the free columns, once
}

TEST_CASE("a set that cards are drawn from is counted once, and not at all where it is known", "[jit]") {
  if (!api::jit_is_available()) return;
  CHECK(counts_in("tests/jit/deal.rules") == 0);
  // the loops of the deal carry the stock once; twice, if no congruent phis were merged: 26
  CHECK(how_often(" phi ", "tests/jit/deal.rules") <= 22);
}

TEST_CASE("the streams with which a game begins are mixed one by one", "[jit]") {
  if (!api::jit_is_available()) return;
  CHECK(how_often(" = mul <", "connect_four") == 0);
  CHECK(how_often(" atomic ", "connect_four") == 0);   // what kept them apart is gone in the end
}

TEST_CASE("operations that would make a game too large for LLVM are called, in others they are inlined", "[jit]") {
  if (!api::jit_is_available()) return;
  const std::string called = "call i32 @\"list_load";
  CHECK(how_often(called, "tests/system/rules/trips.rules") > 0);
  CHECK(how_often(called, "tests/system/rules/queues.rules") == 0);
  CHECK(how_often("\n", "tests/system/rules/trips.rules") < 30'000);   // 55,000 if all were inlined
}

}   // namespace cardwright
