// Tests the split into step functions: the emitted code, the frame slots, and the maximum frame depth.
#include "tests/support/ir_program.h"

namespace cardwright {

namespace {

using test::make_program;

constexpr const char* kAsks = R"(
function f0 "play" () {
  r0 int1
  r1 int
  r2 int
b0:
  r0 = const_int 3
  r1 = call f1, r0
  r2 = add_small r1, r1
  r0 = const_int 0
  store v0, r0, r2
  ret
}
function f1 "ask" (r0) -> int {
  r0 int1
  r1 int
  r2 int2
b0:
  r2 = load v0, r1
  jump b1
b1:
  site 7
  r1 = const_int 0
  r1 = decide r1, r0, 7
  r1 = add_small r1, r2
  ret_int r1
}
)";

TEST_CASE("a step function begins with its resume point and returns to_host", "[split]") {
  const auto program = make_program(kAsks, false);
  REQUIRE(program->step.functions[1].suspends);
  CHECK(program->step.functions[1].parameters.empty());
  const std::string play = ir::print(program->step.functions[0], 0);
  CHECK(play == R"(function f0 "play" () suspends {
  r0 int1
  r1 int
  r2 int
  r3 int4
b0:
  r3 = frame_resume
  switch r3, b2, 1: b3
b1:
  r0 = const_int 3
  frame_at 1, 4, 4
  frame_push f1, 2, 7, 4
  frame_arg 6, 1, r0
  to_host 0
b2:
  jump b1
b3:
  r1 = result_int
  r2 = add_small r1, r1
  r0 = const_int 0
  store v0, r0, r2
  frame_pop 4
  to_host 0
}
)");
  const std::string ask = ir::print(program->step.functions[1], 1);
  CHECK(ask.find("  frame_keep 6, 1, r0\n  frame_keep 4, 2, r2\n  frame_at 3, 7, 7\n  jump b5\n") != std::string::npos);
  CHECK(ask.find("b5:\n  site 7\n") != std::string::npos);
  CHECK(ask.find("  keep_result r1\n  frame_pop 7\n  to_host 0\n") != std::string::npos);
}

TEST_CASE("a register that may be read before it is written gets a fixed initial value in a step function", "[split]") {
  const auto program = make_program(kAsks, false);   // `ask` reads r1, which is never written
  const std::string ask = ir::print(program->step.functions[1], 1);
  CHECK(ask.find("  r1 = const_int 0\n  jump b1\n") != std::string::npos);
  CHECK(ask.find("r0 = const_int") == std::string::npos);   // r0 is a parameter, so it has a value
}

TEST_CASE("a resume point contains its site and its live registers", "[split]") {
  const auto program = make_program(kAsks, false);
  const FrameInfo& ask = program->frames[1];
  CHECK(ask.size == 7);
  REQUIRE(ask.resume.size() == 2);
  CHECK(ask.resume[0].live.size() == 1);   // the parameter
  CHECK(ask.resume[1].site == 7);
  REQUIRE(ask.resume[1].live.size() == 2);
  CHECK(ask.resume[1].live[0].offset == 6);
  CHECK(ask.resume[1].live[0].bytes == 1);
  CHECK(program->frames[0].resume[1].site == -1);
  CHECK(program->frames[0].resume[1].where.begin == 1);   // location of the call
}

TEST_CASE("registers that are never live together share a slot", "[split]") {
  const auto program = make_program(R"(
function f0 "play" () {
  r0 int
  r1 set
  r2 set
b0:
  r0 = const_int 0
  r1 = load_set v6, r0
  call f1, r0
  store_set v6, r0, r1
  r2 = load_set v6, r0
  call f1, r0
  store_set v6, r0, r2
  ret
}
function f1 "ask" (r0) {
  r0 int
  r1 int
b0:
  site 0
  r1 = const_int 2
  r0 = decide r0, r1, 0
  ret
}
)",
                                    false);
  CHECK(program->frames[0].size == 4 + 16);   // one set; r0 is a constant and is recomputed
  for (const ResumePoint& point : program->frames[0].resume)
    for (const FrameSlot& slot : point.live)
      if (slot.is_set) CHECK(slot.offset == 4);
}

TEST_CASE("the frame stack fits the deepest path, with recursion up to its limit", "[split]") {
  const auto program = make_program(R"(
function f0 "play" () {
  r0 int
b0:
  r0 = const_int 0
  call f1, r0
  call f2, r0
  ret
}
function f1 "again" (r0) {
  r0 int
  r1 int
b0:
  enter v5, 5
  call f2, r0
  branch r0, b1, b2
b1:
  call f1, r0
  jump b2
b2:
  leave v5
  ret
}
function f2 "ask" (r0) {
  r0 int
  r1 int
b0:
  site 0
  r1 = const_int 2
  r0 = decide r0, r1, 0
  ret
}
)",
                                    false);
  // While a call suspends, the caller's frame contains only the registers that are saved for its resume point.
  const auto saved_size = [&](std::size_t f, std::size_t point) { return program->frames[f].resume[point].size; };
  CHECK(passes::frame_bytes(program->playout, program->layout, 0) ==
        saved_size(0, 1) + 6 * saved_size(1, 2) + saved_size(1, 1) + program->frames[2].size);
}

}   // namespace

}   // namespace cardwright
