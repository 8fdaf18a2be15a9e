// Tests that exactly the runtime checks that can't fail are removed.
#include "tests/support/has.h"
#include "tests/support/ir_program.h"

namespace cardwright {

namespace {

using test::has;

// Returns f1 without its redundant checks. f0 calls it with 3, unless `roots` allows other callers.
std::string spared(const std::string& registers, const std::string& code, std::vector<ir::FunctionIndex> roots = {0}) {
  Program program;
  test::lay_out(program);
  ir::Module module = test::read_ir(
      "function f0 \"main\" () {\n  r0 int\n  r1 int\nb0:\n  r0 = const_int 3\n  r1 = call f1, r0\n  ret\n}\n"
      "function f1 \"f\" (r0) -> int {\n  r0 int\n" +
      registers + code + "}\n");
  passes::eliminate_checks(module, {program, roots});
  return ir::print(module.functions[1], 1);
}

const std::string kThree = "  r1 int\n  r2 int\n  r3 int\n";

TEST_CASE("finite sums and comparisons need no check", "[ranges]") {
  const std::string text =
      spared(kThree, "b0:\n  r1 = players_in\n  r2 = add r0, r1\n  r3 = le r2, r0\n  ret_int r3\n");
  CHECK(has(text, "r2 = add_small r0, r1\n"));
  CHECK(has(text, "r3 = le_small r2, r0\n"));
}

TEST_CASE("values that may be none or unlimited remain checked", "[ranges]") {
  CHECK(has(spared(kThree, "b0:\n  r1 = const_int none\n  r2 = add r0, r1\n  ret_int r2\n"), "= add r0, r1\n"));
  CHECK(
      has(spared(kThree, "b0:\n  r1 = const_int 1099511627776\n  r2 = add r0, r1\n  ret_int r2\n"), "= add r0, r1\n"));
  CHECK(has(spared(kThree, "b0:\n  r1 = load v4, r0\n  r2 = lt r0, r1\n  ret_int r2\n"), "= lt r0, r1\n"));
  // The host may pass none.
  CHECK(has(spared(kThree, "b0:\n  r2 = lt r0, r0\n  ret_int r2\n", {0, 1}), "= lt r0, r0\n"));
}

TEST_CASE("a single addition has a known range, an addition in a loop does not", "[ranges]") {
  const std::string once =
      "b0:\n  r1 = const_int 1\n  r2 = copy_int r0\n  branch r0, b1, b2\nb1:\n  r2 = add r2, r1\n  jump b2\nb2:\n  "
      "ret_int r2\n";
  const std::string again =
      "b0:\n  r1 = const_int 1\n  r2 = copy_int r0\n  jump b1\nb1:\n  r2 = add r2, r1\n  branch r2, b1, b2\nb2:\n  "
      "ret_int r2\n";
  CHECK(has(spared(kThree, once), "r2 = add_small r2, r1\n"));
  CHECK(has(spared(kThree, again), "r2 = add r2, r1\n"));
}

TEST_CASE("a value in range is stored and loaded without a check", "[ranges]") {
  const std::string fits =
      spared(kThree, "b0:\n  r1 = const_int 2\n  store v4, r1, r0\n  r2 = load v3, r3\n  ret_int r2\n");
  CHECK(has(fits, "store_known v4, r1, r0\n"));
  CHECK(has(fits, "load v3, r3\n"));   // r3 is never assigned, so its range is unknown
  // Index 3 is out of range, because there are three players.
  CHECK(has(spared(kThree, "b0:\n  r1 = const_int 3\n  store v4, r1, r0\n  ret_int r1\n"), "store v4, r1, r0\n"));
  CHECK(has(spared(kThree, "b0:\n  r1 = const_int 2\n  r2 = const_int 10\n  store v4, r1, r2\n  ret_int r1\n"),
            "store v4, r1, r2\n"));
  // The value may be unset.
  CHECK(has(spared(kThree, "b0:\n  r1 = const_int 2\n  r2 = load v4, r1\n  ret_int r2\n"), "= load v4, r1\n"));
}

TEST_CASE("values with disjoint ranges are never equal", "[ranges]") {
  CHECK(has(spared(kThree, "b0:\n  r1 = const_int none\n  r2 = eq r0, r1\n  ret_int r2\n"), "r2 = const_int 0\n"));
  CHECK(has(spared(kThree, "b0:\n  r1 = const_int 3\n  r2 = eq r0, r1\n  ret_int r2\n"), "r2 = eq r0, r1\n"));
}

TEST_CASE("a player chosen from a nonempty set is a valid player", "[ranges]") {
  const auto loop = [](const std::string& test, const std::string& pick) {
    return spared(kThree + "  r4 int\n  r5 int\n",
                  "b0:\n  r1 = players_in\n  r4 = const_int 0\n" + test + "  branch r3, b1, b2\nb1:\n" + pick +
                      "  r5 = zone_index z1, r2, r4\n  ret_int r5\nb2:\n  ret_int r4\n");
  };
  CHECK(has(loop("  r3 = ne r1, r4\n", "  r2 = mask_first r1\n"), "r5 = zone_known z1, r2, r4\n"));
  CHECK(has(loop("  r3 = ne r1, r4\n", "  r2 = mask_next r1, r0\n"), "zone_known"));
  CHECK_FALSE(has(loop("  r3 = eq r1, r4\n", "  r2 = mask_first r1\n"), "zone_known"));
  // The element is taken from another set.
  CHECK_FALSE(has(loop("  r3 = ne r0, r4\n", "  r2 = mask_first r1\n"), "zone_known"));
  // The set has changed.
  CHECK_FALSE(has(loop("  r3 = ne r1, r4\n  r1 = mask_without r1, r0\n", "  r2 = mask_first r1\n"), "zone_known"));
  CHECK_FALSE(has(loop("  r3 = ne r1, r4\n", "  r1 = mask_without r1, r0\n  r2 = mask_first r1\n"), "zone_known"));
}

TEST_CASE("the counter of a loop is between its bounds", "[ranges]") {
  const auto loop = [](const std::string& ask) {
    return spared(kThree + "  r4 int\n  r5 int\n",
                  "b0:\n  r1 = const_int -1\n  r2 = const_int 1\n  jump b1\nb1:\n" + ask +
                      "  branch r3, b2, b3\n"
                      "b2:\n  r4 = copy_int r1\n  r1 = add r1, r2\n  r5 = mul r4, r0\n  jump b1\nb3:\n  ret_int r1\n");
  };
  CHECK(has(loop("  r3 = le r1, r2\n"), "r5 = mul_small r4, r0\n"));
  CHECK(has(loop("  r3 = lt r1, r2\n"), "r5 = mul_small r4, r0\n"));
  CHECK(has(loop("  r3 = ne r1, r2\n"), "r5 = mul r4, r0\n"));
  CHECK(has(loop("  r3 = le r2, r1\n"), "r5 = mul r4, r0\n"));
  CHECK(has(loop("  r3 = le r1, r2\n  r1 = add r1, r2\n"), "r5 = mul r4, r0\n"));   // r1 changes after the comparison
}

TEST_CASE("a quotient has at most the magnitude of its dividend, for every rounding", "[ranges]") {
  const std::string by_seven = spared(
      kThree, "b0:\n  r1 = const_int -50\n  r2 = const_int 7\n  r1 = div r1, r2\n  r3 = add r1, r2\n  ret_int r3\n");
  CHECK(has(by_seven, "r3 = add_small r1, r2\n"));
  CHECK(
      has(spared(kThree,
                 "b0:\n  r1 = const_int -50\n  r2 = const_int 0\n  r1 = div r1, r2\n  r3 = add r1, r2\n  ret_int r3\n"),
          "r3 = add r1, r2\n"));
}

TEST_CASE("the values of a ray are bounded by its ends", "[ranges]") {
  const auto ray = [](const char* from) {
    return spared(kThree + "  r4 array 16\n",
                  std::string("b0:\n  r1 = const_int ") + from +
                      "\n  array_fill r4, r0\n  ray_begin r4, r1, r0, r0, r0, 12, 9\n"
                      "  ray_step r4\n  r2 = ray_get r4, 4\n  r3 = mul r2, r2\n  ret_int r3\n");
  };
  CHECK(has(ray("12000"), "r3 = mul_small r2, r2\n"));
  CHECK(has(ray("1000000000"), "r3 = mul r2, r2\n"));
}

}   // namespace

}   // namespace cardwright
