// Folding: what goes, and what must stay.
#include <fmt/format.h>

#include "tests/passes/small_program.h"

namespace cardwright {

namespace {

std::string folded(std::string_view text, std::vector<ir::FunctionIndex> roots = {}) {
  Program program;
  test::lay_out(program);
  ir::Module module = test::read_ir(text);
  passes::fold(module, {program, roots});
  return ir::print(module.functions[0], 0);
}

TEST_CASE("a branch that is known goes, and what only it reached", "[fold]") {
  CHECK(folded(R"(
function f0 "f" () -> int {
  r0 int
  r1 int
  r2 int
b0:
  r0 = const_int 2
  r1 = const_int 3
  r2 = lt r0, r1
  branch r2, b1, b2
b1:
  r0 = add r0, r1
  jump b3
b2:
  r0 = const_int 100
  jump b3
b3:
  ret_int r0
}
)") == R"(function f0 "f" () -> int {
  r0 int
  r1 int
  r2 int
b0:
  r0 = const_int 5
  ret_int r0
}
)");
}

TEST_CASE("what would trap is left to trap", "[fold]") {
  const std::string text = folded(R"(
function f0 "f" () -> int {
  r0 int
  r1 int
b0:
  r0 = const_int 0
  r1 = div r0, r0
  ret_int r0
}
)");
  CHECK(text.find("r1 = div r0, r0") != std::string::npos);
}

TEST_CASE("effects, draws and fuel stay, whatever becomes of their results", "[fold]") {
  const std::string text = folded(R"(
function f0 "f" () {
  r0 int
  r1 set
  r2 set
b0:
  fuel 1
  r0 = const_int 1
  r1 = zone_cards r0
  r0 = set_random r1
  r2 = set_or r1, r1
  r0 = zone_size r0
  ret
}
)");
  CHECK(text.find("fuel 1") != std::string::npos);
  CHECK(text.find("set_random") != std::string::npos);
  CHECK(text.find("set_or") == std::string::npos);
  CHECK(text.find("zone_size") == std::string::npos);
}

TEST_CASE("a condition that is known on the way is not asked again", "[fold]") {
  // a and b, written with a branch: where a is false the second branch is known.
  const std::string text = folded(R"(
function f0 "f" (r0, r1) -> int {
  r0 int
  r1 int
  r2 int
b0:
  branch r0, b1, b2
b1:
  r2 = copy_int r1
  jump b3
b2:
  r2 = const_int 0
  jump b3
b3:
  branch r2, b4, b5
b4:
  r0 = const_int 10
  ret_int r0
b5:
  r0 = const_int 20
  ret_int r0
}
)");
  CHECK(text.find("r2 = const_int 0") == std::string::npos);
}

TEST_CASE("where both ways do the same, nothing is asked", "[fold]") {
  const auto with = [](const char* other) {
    return folded(fmt::format(R"(
function f0 "f" (r0) {{
  r0 int
  r1 int
b0:
  branch r0, b1, b2
b1:
  r1 = const_int 7
  store v0, r0, r1
  jump b3
b2:
  r1 = const_int {}
  store v0, r0, r1
  jump b3
b3:
  ret
}}
)", other));
  };
  CHECK(with("7").find("branch") == std::string::npos);
  CHECK(with("8").find("branch") != std::string::npos);
}

TEST_CASE("card sets fold too, and copies are looked through", "[fold]") {
  const std::string text = folded(R"(
set c0 = 0x3, 0x0
set c1 = 0x6, 0x1
function f0 "f" () -> int {
  r0 set
  r1 set
  r2 set
  r3 int
b0:
  r0 = const_set c0
  r1 = const_set c1
  r2 = copy_set r0
  r2 = set_and r2, r1
  r3 = set_count r2
  ret_int r3
}
)");
  CHECK(text.find("const_int 1") != std::string::npos);
  CHECK(text.find("set_and") == std::string::npos);
}

TEST_CASE("what was computed is used again until something is written", "[fold]") {
  const std::string text = folded(R"(
function f0 "f" (r0) -> int {
  r0 int
  r1 int
  r2 int
  r3 int
b0:
  r1 = players_in
  r2 = players_in
  r1 = add_small r1, r2
  r2 = load v0, r0
  r3 = load v0, r0
  r1 = add_small r1, r2
  r1 = add_small r1, r3
  store v1, r0, r1
  r2 = load v0, r0
  r1 = add_small r1, r2
  ret_int r1
}
)");
  const auto count = [&](std::string_view what) {
    int times = 0;
    for (auto at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++times;
    return times;
  };
  CHECK(count("players_in") == 1);
  CHECK(count("load v0") == 2);
}

TEST_CASE("kinds of cards share one set of representatives", "[fold]") {
  Program program;
  test::lay_out(program);
  program.layout.lookalike_starts[0] = 0x0101;   // classes 0 … 6 with guard 7, 8 … 14 with guard 15
  program.layout.lookalike_guards[0] = 0x8080;
  program.layout.lookalike_singles[0] = 0xff0000;
  ir::Module module = test::read_ir(R"(
set c0 = 0x7f, 0x0
set c1 = 0x17f00, 0x0
set c2 = 0x700, 0x0
function f0 "f" (r0) -> int {
  r0 int
  r1 set
  r2 set
  r3 set
  r4 set
  r5 set
  r6 set
  r7 set
  r8 set
  r9 int
  r10 set
  r11 int
b0:
  r1 = zone_cards r0
  r2 = const_set c0
  r3 = set_and r1, r2
  r4 = set_lookalikes r3
  r9 = set_count r4
  r5 = const_set c1
  r6 = set_and r5, r1
  r7 = set_lookalikes r6
  r11 = set_count r7
  r9 = add_small r9, r11
  r8 = const_set c2
  r10 = set_and r1, r8
  r10 = set_lookalikes r10
  r11 = set_count r10
  r9 = add_small r9, r11
  ret_int r9
}
)");
  passes::fold(module, {program});
  const std::string text = ir::print(module.functions[0], 0);
  CHECK(text.find("r1 = zone_cards r0\n  r12 = set_lookalikes r1\n") != std::string::npos);
  CHECK(text.find("r4 = set_and r12, r2") != std::string::npos);
  CHECK(text.find("r7 = set_and r12, r5") != std::string::npos);
  CHECK(text.find("r10 = set_lookalikes r10") != std::string::npos);   // half a class
}

TEST_CASE("functions that nobody calls lose their blocks", "[fold]") {
  Program program;
  test::lay_out(program);
  ir::Module module = test::read_ir(R"(
function f0 "main" () {
b0:
  ret
}
function f1 "forgotten" () {
b0:
  ret
}
)");
  const ir::FunctionIndex roots[] = {0};
  passes::fold(module, {program, roots});
  CHECK(module.functions.size() == 2);
  CHECK(!module.functions[0].blocks.empty());
  CHECK(module.functions[1].blocks.empty());
}

TEST_CASE("the playout form knows nothing of lists, logs and knowledge", "[fold]") {
  const auto program = test::make_program(R"(
function f0 "main" () {
  r0 int
  r1 int
  r2 set
b0:
  r0 = const_int 0
  jump b1
b1:
  site 0
  r1 = listing
  branch r1, b2, b3
b2:
  list r0
  listed
b3:
  r1 = const_int 2
  r1 = decide r0, r1, 0
  chosen r1
  r2 = zone_cards r1
  note_reveal r2
  ret
}
)");
  const ir::Module playout = passes::as_playout(*program, false);
  const std::string text = ir::print(playout.functions[0], 0);
  for (const char* gone : {"list", "site", "chosen", "note", "zone_cards"}) CHECK(text.find(gone) == std::string::npos);
  CHECK(ir::print(passes::as_playout(*program, true).functions[0], 0).find("chosen") != std::string::npos);
}

}  // namespace

}  // namespace cardwright
