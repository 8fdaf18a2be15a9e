// Tests the IR text format: printed IR can be parsed again, and invalid text is rejected with its line.
#include <catch2/catch.hpp>

#include "runtime/ir/parse.h"
#include "runtime/ir/print.h"
#include "runtime/ir/shape.h"
#include "runtime/ir/verify.h"

using namespace cardwright::ir;

namespace {

constexpr const char* kText = R"(set c0 = 0x1f, 0x0
table t0 = 1, none, -3
text "says \"hi\""

function f0 "event lose" (r0, r1) -> int suspends hidden {
  r0 int1 card
  r1 set card
  r2 array 12
  r3 int
b0:
  r3 = and r0, r0
  array_fill r2, r3
  r3 = table t0, r0
  r1 = const_set c0
  switch r3, b1, 4: b2, -5: b1
b1:
  ret_int r3
b2:
  r3 = call f1, r1
  call f1, r1
  ret_int r3
}

function f1 "none" (r0) -> int {
  r0 set4
  r1 int
b0:
  r1 = const_int none
  ret_int r1
}
)";

Module must_parse(std::string_view text) {
  ParseError error;
  auto module = cardwright::ir::parse(text, error);
  INFO(error.line << ": " << error.message);
  REQUIRE(module);
  return *module;
}

std::string problem(std::string_view body, std::string_view registers = "  r0 int\n  r1 set\n") {
  const Module module =
      must_parse("function f0 \"f\" () {\n" + std::string(registers) + "b0:\n" + std::string(body) + "}\n");
  const auto problems = verify(module, {.words = 1, .variables = 2, .zones = 1});
  return problems.empty() ? "" : problems[0];
}

}   // namespace

TEST_CASE("ir text: parse(print(m)) is m", "[ir]") {
  const Module module = must_parse(kText);
  CHECK(print(module) == kText);
  CHECK(same(must_parse(print(module)), module));
  CHECK(module.functions[0].registers[0].bytes == 1);
  CHECK(module.functions[0].registers[0].holds_card);
  CHECK(module.functions[0].registers[2].length == 12);
  CHECK_FALSE(module.functions[0].shown);
  CHECK(module.tables[0][1] == INT64_MIN);
  CHECK(module.texts[0] == "says \"hi\"");
}

TEST_CASE("ir text: every operation has a name that can be looked up", "[ir]") {
  for (int i = 0; i <= static_cast<int>(Op::to_host); ++i) {
    const Op op = static_cast<Op>(i);
    CHECK(find_op(op_name(op)) == op);
    CHECK(shape_of(op).signature[1] == ':');
  }
  CHECK(op_name(Op::and_) == "and");
  CHECK_FALSE(find_op("and_"));
}

TEST_CASE("ir text: invalid text is rejected with its line", "[ir]") {
  ParseError error;
  CHECK_FALSE(cardwright::ir::parse("function f0 \"f\" () {\n  r0 int\nb0:\n  r0 = fly r0\n}\n", error));
  CHECK(error.line == 4);
  CHECK(error.message == "unknown operation `fly`");
  CHECK_FALSE(cardwright::ir::parse("function f0 \"f\" () {\n", error));
  CHECK_FALSE(cardwright::ir::parse("function f1 \"f\" () {\n}\n", error));
  CHECK_FALSE(cardwright::ir::parse("function f0 \"f\" () {\n  r0 float\n}\n", error));
  CHECK_FALSE(cardwright::ir::parse("function f0 \"f\" () {\nb0:\n  ret r0 r1\n}\n", error));
  CHECK_FALSE(cardwright::ir::parse("nonsense", error));
  CHECK_FALSE(cardwright::ir::parse("function f0 \"f\" () {\nb0:\n  jump b99999999999999999999\n}", error));
}

TEST_CASE("ir verify: errors are named", "[ir]") {
  CHECK(problem("  ret\n") == "");
  CHECK_THAT(problem("  r0 = const_int 1\n"), Catch::Contains("does not end the block"));
  CHECK_THAT(problem("  ret\n  ret\n"), Catch::Contains("ends the block before its last"));
  CHECK_THAT(problem("  r0 = add r0, r9\n  ret\n"), Catch::Contains("unknown register r9"));
  CHECK_THAT(problem("  r0 = add r0, r1\n  ret\n"), Catch::Contains("wrong kind"));
  CHECK_THAT(problem("  r1 = add r0, r0\n  ret\n"), Catch::Contains("wrong kind"));
  CHECK_THAT(problem("  r0 = add r0\n  ret\n"), Catch::Contains("expected 2 operands, found 1"));
  CHECK_THAT(problem("  jump b7\n"), Catch::Contains("unknown block 7"));
  CHECK_THAT(problem("  store v2, r0, r0\n  ret\n"), Catch::Contains("unknown variable 2"));
  CHECK_THAT(problem("  ret_int r0\n"), Catch::Contains("wrong return type for this function"));
  CHECK_THAT(problem("  call f0, r0\n  ret\n"), Catch::Contains("expected 0 arguments, found 1"));
  CHECK_THAT(problem("  r0 = const_set c0\n  ret\n"), Catch::Contains("wrong kind"));
}

TEST_CASE("ir verify: nothing is written between site and decide", "[ir]") {
  CHECK(problem("  site 0\n  r0 = const_int 1\n  r0 = decide r0, r0, 0\n  ret\n") == "");
  CHECK_THAT(problem("  site 0\n  store v0, r0, r0\n  r0 = decide r0, r0, 0\n  ret\n"),
             Catch::Contains("between a `site`"));
  // A register with a constant value may be assigned that value again.
  CHECK(problem("  r0 = const_int 0\n  site 0\n  r0 = const_int 1\n  r0 = zone_top r0\n  r0 = const_int 1\n  r0 = "
                "decide r0, r0, 0\n  ret\n") == "");
  CHECK_THAT(problem("  site 0\n  r0 = set_random r1\n  r0 = decide r0, r0, 0\n  ret\n"),
             Catch::Contains("between a `site`"));
  CHECK_THAT(problem("  site 0\n  r0 = decide r0, r0, 1\n  ret\n"), Catch::Contains("expected a decide at site 0"));
  // A suspended game resumes at the site with the saved r0, which must not change after the site.
  CHECK_THAT(problem("  r0 = const_int 0\n  site 0\n  r0 = add_small r0, r0\n  r0 = decide r0, r0, 0\n  ret\n"),
             Catch::Contains("assigns r0, which is live at site 0"));
  CHECK(problem("  site 0\n  r0 = const_int 2\n  r0 = decide r0, r0, 0\n  ret\n") == "");
  // The path with the `store` reaches no decision.
  CHECK(
      problem("  site 0\n  branch r0, b1, b2\nb1:\n  store v0, r0, r0\n  ret\nb2:\n  r0 = decide r0, r0, 0\n  ret\n") ==
      "");
}
