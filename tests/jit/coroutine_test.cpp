// Tests decisions in loops that are nested three calls deep: the playout form and the stepwise form, on both engines,
// must play the same game.
#include "tests/jit/engines.h"

namespace cardwright {

namespace {

// f0 loops over calls of f1, which loops over calls of f2, which makes decisions in a loop. Sets, arrays, a recursive
// call and a set result stay live across the decisions.
constexpr const char* kNested = R"(
set c0 = 0xf0, 0x3
function f0 "play" () {
  r0 int1
  r1 int
  r2 int
  r3 set
  r4 set
  r5 array 5
  r6 int
b0:
  r0 = const_int 0
  r6 = const_int 7
  array_fill r5, r6
  jump b1
b1:
  fuel 1
  r3 = const_set c0
  r3 = set_add r3, r0
  r4 = call_set f1, r0, r3
  r4 = set_and r4, r3
  r1 = set_count r4
  r2 = array_get r5, r0
  r2 = add r2, r1
  array_set r5, r0, r2
  r1 = const_int 1
  r0 = add_small r0, r1
  r1 = const_int 5
  r2 = lt r0, r1
  branch r2, b1, b2
b2:
  r0 = const_int 0
  r1 = const_int 0
  jump b3
b3:
  r2 = array_get r5, r0
  r1 = add r1, r2
  r2 = const_int 1
  r0 = add_small r0, r2
  r2 = const_int 5
  r2 = lt_small r0, r2
  branch r2, b3, b4
b4:
  r0 = const_int 0
  store v0, r0, r1
  ret
}
function f1 "round" (r0, r1) -> set {
  r0 int1
  r1 set
  r2 int
  r3 int
  r4 int
  r5 set
  r6 int2
b0:
  r3 = const_int 3
  r5 = set_empty
  r6 = const_int 300
  jump b1
b1:
  fuel 1
  r2 = call f2, r3, r0, r1
  r5 = set_add r5, r2
  r4 = const_int 1
  r6 = add_small r6, r2
  r3 = sub_small r3, r4
  branch r3, b1, b2
b2:
  r4 = const_int 0
  r2 = load v1, r4
  r2 = add r2, r6
  store v1, r4, r2
  r5 = set_or r5, r1
  ret_set r5
}
function f2 "ask around" (r0, r1, r2) -> int hidden {
  r0 int4
  r1 int
  r2 set
  r3 int
  r4 int
  r5 int
  r6 int
  r7 int
b0:
  enter v5, 4
  r3 = const_int 0
  r4 = const_int 0
  jump b1
b1:
  fuel 1
  jump b2
b2:
  site 1
  r5 = const_int 3
  r6 = mod_small r3, r5
  r7 = const_int 2
  r5 = add_small r7, r6
  r7 = listing
  branch r7, b3, b6
b3:
  r7 = const_int 0
  jump b4
b4:
  list r7
  r4 = const_int 1
  r7 = add_small r7, r4
  r4 = lt_small r7, r5
  branch r4, b4, b5
b5:
  listed
b6:
  r6 = decide r6, r5, 1
  chosen r6
  r5 = const_int 0
  r7 = load v2, r5
  r4 = const_int 5
  r7 = mul_small r7, r4
  r7 = add_small r7, r6
  r4 = const_int 100003
  r7 = mod_small r7, r4
  store v2, r5, r7
  r4 = const_int 2
  r7 = eq r6, r4
  branch r7, b7, b8
b7:
  r4 = const_int 1
  r7 = sub_small r0, r4
  branch r7, b9, b8
b8:
  r4 = const_int 1
  r3 = add_small r3, r4
  r4 = const_int 3
  r4 = lt_small r3, r4
  branch r4, b1, b10
b9:
  r6 = call f2, r7, r1, r2
  r7 = const_int 5
  r6 = mod_small r6, r7
  jump b8
b10:
  leave v5
  r7 = set_nth r2, r6
  r4 = const_int 5
  r7 = add r7, r4
  ret_int r7
}
)";

TEST_CASE("both forms produce the same game on both engines", "[jit]") {
  for (const bool folded : {false, true}) {
    const auto program = test::make_program(kNested, folded);
    const auto interpreter = make_interpreter(*program);
    const auto jit = test::make_jit(*program);
    for (Word seed = 1; seed <= 50; ++seed) {
      const test::Outcome expected = test::run_playout(*interpreter, seed);
      INFO("trap " << static_cast<int>(expected.trap));
      for (const auto& level : expected.stack) UNSCOPED_INFO("in f" << level[0] << " at " << level[2]);
      REQUIRE(expected.status == Status::done);
      REQUIRE(expected.decisions.size() >= 45);
      CHECK(test::run_playout(*jit, seed) == expected);
      std::vector<std::vector<Byte>> interpreted, compiled;
      CHECK(test::run_steps(*interpreter, seed, 100'000, &interpreted) == expected);
      CHECK(test::run_steps(*jit, seed, 100'000, &compiled) == expected);
      CHECK(interpreted == compiled);
    }
  }
}

TEST_CASE("both forms run out of fuel at the same place", "[jit]") {
  // The summing loop makes no decision.
  const auto program = test::make_program(R"(
function f0 "play" () {
  r0 int
b0:
  r0 = const_int 1
  r0 = call f1, r0
  r0 = const_int 5
  call f2, r0
  ret
}
function f1 "ask" (r0) -> int {
  r0 int
  r1 int
b0:
  site 0
  r1 = listing
  branch r1, b1, b2
b1:
  r1 = const_int 4
  list r1
  list r0
  listed
b2:
  r1 = const_int 2
  r1 = decide r0, r1, 0
  ret_int r1
}
function f2 "count" (r0) {
  r0 int
b0:
  fuel 1
  jump b0
}
)");
  const auto interpreter = make_interpreter(*program);
  const auto jit = test::make_jit(*program);
  const test::Outcome expected = test::run_playout(*interpreter, 1, 50);
  CHECK(expected.trap == Trap::too_long);
  CHECK(expected.stack == std::vector<std::vector<std::int64_t>>{{2, 2, 0}, {0, 0, 3}});
  CHECK(test::run_playout(*jit, 1, 50) == expected);
  CHECK(test::run_steps(*interpreter, 1, 50) == expected);
  CHECK(test::run_steps(*jit, 1, 50) == expected);
}

TEST_CASE("a trap below suspended frames reports the same rule stack in every form", "[jit]") {
  const auto program = test::make_program(R"(
function f0 "play" () {
  r0 int
b0:
  r0 = const_int 2
  r0 = call f1, r0
  ret
}
function f1 "middle" (r0) -> int {
  r0 int
  r1 int
b0:
  r1 = call f2, r0
  ret_int r1
}
function f2 "ask" (r0) -> int {
  r0 int
  r1 int
  r2 int
b0:
  site 0
  r1 = listing
  branch r1, b1, b2
b1:
  list r1
  list r0
  listed
b2:
  r1 = const_int 2
  r1 = decide r0, r1, 0
  r2 = const_int 0
  r1 = call f3, r2
  ret_int r1
}
function f3 "helper" (r0) -> int hidden {
  r0 int
  r1 int
b0:
  r1 = load v4, r0
  ret_int r1
}
)");
  const auto interpreter = make_interpreter(*program);
  const auto jit = test::make_jit(*program);
  const test::Outcome expected = test::run_playout(*interpreter, 3);
  CHECK(expected.trap == Trap::unset);
  CHECK(expected.stack.size() == 3);
  CHECK(test::run_playout(*jit, 3) == expected);
  CHECK(test::run_steps(*interpreter, 3) == expected);
  CHECK(test::run_steps(*jit, 3) == expected);
}

}   // namespace

}   // namespace cardwright
