// The search that bench_table measures plays well enough to be one.
#include <catch2/catch.hpp>

#include "bench/uct.h"

namespace {

using namespace cardwright::api;

void drop(State& state, std::string_view cell) {
  for (std::size_t i = 0; i < state.legal_count(); ++i)
    if (state.option(i).words == cell) return state.apply(i);
  FAIL("nobody can drop a disc on " << cell);
}

}  // namespace

TEST_CASE("uct begins in the middle, wins where it can, and blocks", "[bench]") {
  State state = Ruleset::load("connect_four").compile().new_state(1);
  const auto choice = [&] { return state.option(bench::uct(state, 3'000, 2, 5).choice).words; };
  CHECK(choice() == "d1");
  for (const char* cell : {"a1", "g1", "a2", "g2", "a3"}) drop(state, cell);
  CHECK(choice() == "a4");
  drop(state, "g3");
  CHECK(choice() == "a4");
}
