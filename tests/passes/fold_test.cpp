// Tests constant folding that depends on the Program, in addition to the module (fold_*.ir contains the other cases).
#include "tests/support/ir_program.h"

namespace cardwright {

namespace {

TEST_CASE("card kinds share one set of representatives", "[fold]") {
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
  CHECK(text.find("r10 = set_lookalikes r10") != std::string::npos);   // c2 splits a class, so nothing is shared
}

TEST_CASE("the playout form has no option lists, logs and knowledge", "[fold]") {
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

}   // namespace

}   // namespace cardwright
