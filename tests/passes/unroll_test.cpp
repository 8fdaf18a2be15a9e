// Tests which loops over small ranges are unrolled, and which remain.
#include "runtime/passes/unroll.h"

#include "tests/support/ir_program.h"

namespace cardwright {

namespace {

// Returns the result of the pass for a loop over the bits of the mask r1, whose value is at most `most` (-1: unknown).
// r4 is carried through the iterations and stored after the loop.
std::string written_out(const std::string& body, std::int64_t most = 7) {
  const auto program = test::make_program(
      "function f0 \"main\" () {\n  r0 int\n  r1 int\n  r2 int\n  r3 int\n  r4 int\n  r5 int\n  r6 int\nb0:\n"
      "  r0 = const_int 0\n  r1 = load_raw v3, r0\n  r4 = const_int 0\n  jump b1\n"
      "b1:\n  r5 = const_int 0\n  r6 = ne r1, r5\n  branch r6, b2, b3\n"
      "b2:\n  r2 = mask_first r1\n  r3 = mask_of r2\n  r1 = mask_without r1, r3\n" +
          body +
          "  jump b1\n"
          "b3:\n  store v0, r0, r4\n  ret\n}\n",
      false);
  ir::Function function = program->playout.functions[0];
  passes::unroll_loops(function, [&](ir::Register r) { return r == 1 ? most : -1; });
  ir::Module module;
  module.functions.push_back(function);
  return ir::print(module.functions[0], 2);
}
int count(const std::string& text, const std::string& what) {
  int n = 0;
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++n;
  return n;
}

TEST_CASE("a loop over a small range that only computes a value is unrolled", "[passes][unroll]") {
  const std::string text = written_out("  r5 = load_raw v4, r2\n  r4 = mask_or r4, r5\n");
  INFO(text);
  CHECK(count(text, "branch") == 0);
  CHECK(count(text, "mask_has r1, r2") == 3);
  CHECK(count(text, "load_raw v4, r2") == 3);
  CHECK(count(text, "r4 = select ") == 3);   // an element outside the set contributes nothing
  CHECK(count(text, "r5 = select ") == 0);   // not read after the loop
  CHECK(count(text, "r1 = const_int 0") == 1);   // the value of r1 after the loop
}

TEST_CASE("a loop remains if it may trap, writes, is expensive or has many iterations", "[passes][unroll]") {
  const std::string small = "  r5 = load_raw v4, r2\n  r4 = mask_or r4, r5\n";
  CHECK(count(written_out(small, 31), "branch") == 0);
  CHECK(count(written_out(small, 32), "branch") == 1);
  CHECK(count(written_out(small, -1), "branch") == 1);   // unknown number of iterations
  CHECK(count(written_out("  r5 = load v4, r2\n  r4 = mask_or r4, r5\n"), "branch") == 1);
  CHECK(count(written_out("  r5 = load_raw v4, r2\n  store v0, r0, r5\n"), "branch") == 1);
  CHECK(count(written_out("  r4 = mask_or r4, r1\n"), "branch") == 1);   // the remaining elements depend on the order
  std::string much;
  for (int i = 0; i < 13; ++i) much += "  r4 = mask_or r4, r3\n";
  CHECK(count(written_out(much), "branch") == 1);
}

}   // namespace

}   // namespace cardwright
