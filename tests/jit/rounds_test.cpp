// What goes round the table is written out for each player, where it always begins with the same one.
#include <catch2/catch.hpp>

#include "cardwright/cardwright.hpp"
#include "cardwright/tools.hpp"

namespace cardwright {

namespace {

int count_of(const std::string& text, const std::string& what) {
  int count = 0;
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++count;
  return count;
}

std::string compiled(const std::string& game) { return api::print(api::Ruleset::load(game), {}, api::Stage::llvm, api::Form::playout); }

}  // namespace

TEST_CASE("turns of a game that always begins with the same player are written out, one for each", "[jit]") {
  if (!api::jit_is_available()) return;
  // Each turn counts the free columns once.
  CHECK(count_of(compiled("connect_four"), " i64 @llvm.ctpop.i64(i64 %") == 2);
}

}  // namespace cardwright
