// Tests that loops over sets of many words fetch the next element directly, and that nothing else changes.
#include "tests/support/has.h"
#include "tests/support/ir_program.h"

namespace cardwright {

namespace {

using test::has;

// Returns the result of the pass for a loop over the elements of the set r0. `inside` is the body of the loop, and
// `before` the code before the test for another element.
std::string walked(const std::string& inside, Int words = 3, const std::string& before = "") {
  ir::Module module = test::read_ir(
      "function f0 \"main\" () {\n  r0 set\n  r1 int\n  r2 int\n  r3 set\n  r4 int\nb0:\n  r4 = const_int 0\n  r3 = "
      "zone_cards r4\n  r0 = copy_set r3\n  jump b1\n"
      "b1:\n" +
      before + "  r1 = set_any r0\n  branch r1, b2, b3\nb2:\n  r2 = set_first r0\n  r0 = set_rest r0\n" + inside +
      "  jump b1\nb3:\n  ret\n}\n");
  Program program;
  program.layout.words = words;
  passes::walk_sets(module, {program});
  for (const std::string& problem : ir::verify(module, {.words = words, .variables = 4, .zones = 4})) FAIL(problem);
  return ir::print(module.functions[0], words);
}

TEST_CASE("a loop over a set of many words fetches the next element", "[walk_sets]") {
  const std::string text = walked("  store v0, r4, r2\n");
  CHECK(has(text, "r0 = copy_set r3\n  r5 = const_int -1\n"));
  CHECK(has(text, "r6 = set_next r0, r5\n  r7 = const_int none\n  r1 = ne r6, r7\n"));
  CHECK(has(text, "r2 = copy_int r6\n  r5 = copy_int r6\n  store v0, r4, r2\n"));
  CHECK_FALSE(has(text, "set_rest"));
}

TEST_CASE("elements are removed one by one if the set has few words or the remaining set is read", "[walk_sets]") {
  CHECK(has(walked("  store v0, r4, r2\n", 2), "set_rest"));
  CHECK(has(walked("  r4 = set_count r0\n"), "set_rest"));
  CHECK(has(walked("  r0 = set_rest r0\n"), "set_rest"));
  CHECK(has(walked("", 3, "  r3 = copy_set r0\n"), "set_rest"));
}

TEST_CASE("a reassigned set is iterated from its beginning", "[walk_sets]") {
  const std::string text = walked("  r0 = zone_cards r4\n");
  CHECK(has(text, "r0 = zone_cards r4\n  r5 = const_int -1\n"));
}

}   // namespace

}   // namespace cardwright
