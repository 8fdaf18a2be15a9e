// Tests which branches become a selection of one of two values, and which remain.
#include "tests/support/has.h"
#include "tests/support/ir_program.h"

namespace cardwright {

namespace {

using test::has;

// Converts a function whose two branches contain `yes` and `no`. r3 is the result.
std::string flattened(const std::string& yes, const std::string& no, Int words = 2) {
  const auto program = test::make_program(
      "table t0 = 4, 5, 6\nfunction f0 \"main\" () {\n  r0 int\n  r1 int\n  r2 int\n  r3 int\n  r4 set\nb0:\n"
      "  r1 = const_int 0\n  r0 = load_raw v0, r1\n  r2 = load_raw v1, r1\n  branch r0, b1, b2\n"
      "b1:\n" +
          yes + "  jump b3\nb2:\n" + no + "  jump b3\nb3:\n  store v2, r1, r3\n  ret\n}\n",
      false);
  ir::Module module = program->playout;
  program->layout.words = words;
  passes::if_convert(module, {*program});
  return ir::print(module.functions[0], words);
}

TEST_CASE("a lookup in both branches is done unconditionally", "[if_convert]") {
  const std::string text = flattened("  r3 = table_small t0, r2\n", "  r3 = const_int 0\n");
  CHECK_FALSE(has(text, "branch"));
  CHECK(has(text, "r3 = select r0, r5, r6\n"));
  CHECK_FALSE(has(flattened("  r3 = load_raw v2, r1\n", "  r3 = copy_int r2\n"), "branch"));
}

TEST_CASE("a value from only one branch is selected against the previous value", "[if_convert]") {
  const auto program = test::make_program(
      "table t0 = 4, 5, 6\nfunction f0 \"main\" () {\n  r0 int\n  r1 int\n  r2 int\n  r3 int\nb0:\n"
      "  r1 = const_int 0\n  r0 = load_raw v0, r1\n  r2 = load_raw v1, r1\n  r3 = const_int 7\n  branch r0, b1, b2\n"
      "b1:\n  r3 = table_small t0, r2\n  jump b2\nb2:\n  store v2, r1, r3\n  ret\n}\n",
      false);
  ir::Module module = program->playout;
  passes::if_convert(module, {*program});
  CHECK(has(ir::print(module.functions[0], 2), "r3 = select r0, r4, r3\n"));
}

TEST_CASE("a branch remains before code that may trap, writes, is expensive or decides the branch", "[if_convert]") {
  CHECK(has(flattened("  r3 = table t0, r2\n", "  r3 = const_int 0\n"), "branch"));
  CHECK(has(flattened("  r3 = table_small t0, r2\n  store v0, r1, r3\n", "  r3 = const_int 0\n"), "branch"));
  std::string much;
  for (int i = 0; i < 7; ++i) much += "  r3 = table_small t0, r2\n";
  CHECK(has(flattened(much, "  r3 = const_int 0\n"), "branch"));
  CHECK(has(flattened("  r0 = table_small t0, r2\n  r3 = copy_int r0\n", "  r3 = const_int 0\n"), "branch"));
  CHECK(has(flattened("  r3 = add_small r2, r1\n", "  r3 = const_int 0\n"), "branch"));   // LLVM converts it
}

TEST_CASE("sets are computed unconditionally if they fit in one word", "[if_convert]") {
  const char* yes = "  r4 = zone_cards r1\n  r3 = set_count r4\n";
  CHECK(has(flattened(yes, "  r3 = const_int 0\n"), "branch"));
  CHECK_FALSE(has(flattened(yes, "  r3 = const_int 0\n", 1), "branch"));
}

}   // namespace

}   // namespace cardwright
