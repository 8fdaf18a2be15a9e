// Tests that suspending functions with a single call are inlined, without any change to rule stacks.
#include "cardwright/tools.hpp"
#include "api/game/game_data.h"
#include "runtime/ops/frames.h"
#include "tests/support/files.h"
#include "tests/support/ir_program.h"

namespace cardwright {

namespace {

using test::make_program;

constexpr const char* kOnce = R"(
function f0 "play" () {
  r0 int1
  r1 int
b0:
  r0 = const_int 3
  r1 = call f1, r0
  store v0, r0, r1
  call f2
  call f2
  ret
}
function f1 "ask" (r0) -> int {
  r0 int1
  r1 int
  r2 int1
b0:
  branch r0, b1, b2
b1:
  site 0
  r1 = const_int 2
  r1 = decide r0, r1, 0
  ret_int r1
b2:
  r2 = const_int 5
  ret_int r2
}
function f2 "twice" () {
  r0 int1
  r1 int1
b0:
  site 0
  r0 = const_int 1
  r1 = const_int 2
  r1 = decide r0, r1, 0
  ret
}
)";

std::unique_ptr<Program> marked(const char* text) {
  auto program = make_program(text, false);
  program->sites.resize(1);
  return program;
}

}   // namespace

TEST_CASE("a function that is called once is inlined, one that is called twice is not", "[passes][join]") {
  const auto program = marked(kOnce);
  const ir::Module joined = passes::inline_suspending(*program);
  CHECK(ir::verify(joined, {}).empty());
  CHECK(joined.functions[1].blocks.empty());
  CHECK_FALSE(joined.functions[2].blocks.empty());
  REQUIRE(joined.joined.size() == 3);
  CHECK(joined.joined[1].caller == 0);
  CHECK(joined.joined[2].caller == ir::kItself);
  const std::string play = ir::print(joined.functions[0], 0);
  CHECK(play.find("call f1") == std::string::npos);
  CHECK(play.find("call f2") != std::string::npos);
  CHECK(play.find(" of f1:\n  site 0\n") != std::string::npos);
  CHECK(ir::print(test::read_ir(ir::print(joined))) == ir::print(joined));
}

TEST_CASE("a window is not inlined, because the frame below its own identifies the opener", "[passes][join]") {
  const auto program = marked(kOnce);
  program->sites[0].of_window = true;
  CHECK(passes::inline_suspending(*program).joined.empty());
}

TEST_CASE("a turn of a small game runs in one frame that records the function of each location", "[passes][join]") {
  const api::Game game = api::Ruleset::load("connect_four").compile();
  const Program& program = game.data()->program();
  CHECK_FALSE(program.step.joined.empty());
  const api::State state = game.new_state(1, 0);
  const Byte* const s = state.bytes().data();
  CHECK(frame_below(s, top_frame(s, program.layout)) == 0);
  const ResumePoint& point = resume_point(program, frame_wait(s, top_frame(s, program.layout)));
  CHECK(program.playout.functions[point.of].name == "phase move");
}

}   // namespace cardwright
