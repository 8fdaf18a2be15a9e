// Tests that fuel is consumed only in code that might not terminate.
#include <numeric>

#include <fmt/format.h>

#include "runtime/passes/passes.h"
#include "tests/support/ir_program.h"

namespace cardwright {

namespace {

// Returns the number of `fuel` instructions in each function after the pass.
std::vector<int> fuel_of(std::string_view text) {
  Program program;
  test::lay_out(program);
  ir::Module module = test::read_ir(text);
  passes::place_fuel(module, {program});
  std::vector<int> counts;
  for (const ir::Function& function : module.functions) {
    counts.push_back(0);
    for (const ir::Block& block : function.blocks)
      for (const ir::Instruction& instruction : block.code) counts.back() += instruction.op == ir::Op::fuel;
  }
  return counts;
}

// Returns a loop that counts down from `start` by `step` while the counter is greater than `least`.
std::string count_down(const std::string& start, const std::string& least, const std::string& step) {
  return "function f0 \"f\" (r3) {\n  r0 int\n  r1 int\n  r2 int\n  r3 int\nb0:\n  r0 = " + start +
         "\n  jump b1\nb1:\n  r1 = const_int " + least +
         "\n  r2 = lt r1, r0\n  branch r2, b2, b3\nb2:\n  fuel 1\n  r1 = const_int " + step +
         "\n  r0 = sub_small r0, r1\n  jump b1\nb3:\n  ret\n}\n";
}

}   // namespace

TEST_CASE("a countdown from a literal terminates, any other may not", "[passes]") {
  CHECK(fuel_of(count_down("const_int 9", "0", "1")) == std::vector<int>{0});
  CHECK(fuel_of(count_down("const_int 90000000", "0", "1")) == std::vector<int>{1});   // too many iterations
  CHECK(fuel_of(count_down("copy_int r3", "0", "1")) == std::vector<int>{1});
  CHECK(fuel_of(count_down("const_int 9", "-5", "0")) == std::vector<int>{1});
  CHECK(fuel_of(count_down("const_int 9", "-5", "1")) == std::vector<int>{1});
}

TEST_CASE("a value consumes fuel for an expensive path only on that path", "[passes]") {
  const auto value = [](const std::string& returns, const std::string& end, const std::string& turns) {
    return "function f0 \"f\" (r3)" + returns +
           " {\n  r0 int\n  r1 int\n  r2 int\n  r3 int\nb0:\n  branch r3, b1, b4\nb1:\n  r0 = const_int " + turns +
           "\n  jump b2\nb2:\n  r1 = const_int 0\n  r2 = lt r1, r0\n  branch r2, b3, b4\nb3:\n  r1 = const_int 1\n  r0 "
           "= sub_small r0, r1\n  jump b2\nb4:\n  " +
           end + "\n}\n";
  };
  CHECK(fuel_of(value(" -> int", "ret_int r3", "9000")) == std::vector<int>{1});
  CHECK(fuel_of(value(" -> int", "ret_int r3", "90")) == std::vector<int>{0});
  CHECK(fuel_of(value("", "ret", "9000")) == std::vector<int>{0});
}

TEST_CASE("a loop that removes players one by one terminates, an enclosing unbounded loop consumes fuel", "[passes]") {
  const auto rounds = [](const std::string& more) {
    return R"(
function f0 "f" (r4) {
  r0 int
  r1 int
  r2 int
  r3 int
  r4 int
b0:
  fuel 1
  jump b1
b1:
  fuel 1
  r0 = players_in
  jump b2
b2:
  r3 = const_int 0
  r3 = ne r0, r3
  branch r3, b3, b4
b3:
  r1 = mask_first r0
  r2 = mask_of r1
  r0 = mask_without r0, r2
)" + more + R"(  fuel 1
  jump b2
b4:
  branch r4, b1, b5
b5:
  ret
}
)";
  };
  CHECK(fuel_of(rounds("")) == std::vector<int>{1});   // the outer loop consumes fuel, the inner one terminates
  CHECK(fuel_of(rounds("  r0 = copy_int r4\n")) == std::vector<int>{2});
}

TEST_CASE("a loop with a decision ends by the limit on decisions, a loop of the host does not", "[passes]") {
  const auto asking = [](const std::string& whom, const std::string& elsewhere) {
    return R"(
function f0 "f" (r2) suspends {
  r0 int
  r1 int
  r2 int
b0:
  jump b1
b1:
  fuel 1
  branch r2, b2, b3
b2:
  r0 = const_int )" +
           whom + R"(
  r1 = const_int 2
  r1 = decide r0, r1, 0
  branch r1, b1, b4
b3:
  )" + elsewhere +
           R"(
b4:
  ret
}
)";
  };
  CHECK(fuel_of(asking("0", "jump b4")) == std::vector<int>{0});
  // Another path makes no decision.
  CHECK(fuel_of(asking("0", "branch r2, b1, b4")) == std::vector<int>{1});
  CHECK(fuel_of(asking("-2", "jump b4")) == std::vector<int>{1});
}

TEST_CASE("a recursive function consumes fuel", "[passes]") {
  CHECK(fuel_of(R"(
function f0 "f" () {
b0:
  fuel 1
  call f1
  ret
}
function f1 "g" () {
b0:
  fuel 1
  call f0
  ret
}
function f2 "h" () {
b0:
  fuel 1
  ret
}
)") == std::vector<int>{1, 0, 0});   // each cycle of calls consumes fuel once
}

TEST_CASE("a function with many repeated calls consumes fuel for its work", "[passes]") {
  std::string text = "function f0 \"f\" () {\n  r0 int\nb0:\n  r0 = const_int 1\n  ret\n}\n";
  for (int i = 1; i <= 40; ++i)
    text += fmt::format("function f{} \"f\" () {{\nb0:\n  call f{}\n  call f{}\n  ret\n}}\n", i, i - 1, i - 1);
  const std::vector<int> fuel = fuel_of(text);
  // The first 15 functions execute fewer than 100,000 instructions, which take too little time to need fuel.
  CHECK(std::accumulate(fuel.begin(), fuel.begin() + 15, 0) == 0);
  CHECK(std::accumulate(fuel.begin(), fuel.end(), 0) == 2);
}

TEST_CASE("fuel pays for the work until the next fuel instruction", "[passes]") {
  std::string text = "function f0 \"f\" (r0) {\n  r0 int\nb0:\n  jump b1\nb1:\n  fuel 1\n";
  for (int i = 0; i < 5000; ++i) text += "  r0 = copy_int r0\n";
  Program program;
  test::lay_out(program);
  ir::Module module = test::read_ir(text + "  branch r0, b1, b2\nb2:\n  ret\n}\n");
  passes::place_fuel(module, {program});
  REQUIRE(module.functions[0].blocks[1].code[0].op == ir::Op::fuel);
  CHECK(module.functions[0].blocks[1].code[0].operands[0] == 51);
}

TEST_CASE("a loop does not pay for an expensive inner path that pays for itself", "[passes]") {
  std::string text =
      "function f0 \"f\" (r0) -> int {\n  r0 int\nb0:\n  jump b1\nb1:\n  fuel 1\n  jump b2\nb2:\n"
      "  branch r0, b3, b4\nb3:\n";
  for (int i = 0; i < 9000; ++i) text += "  r0 = copy_int r0\n";
  Program program;
  test::lay_out(program);
  ir::Module module = test::read_ir(text + "  jump b4\nb4:\n  branch r0, b1, b5\nb5:\n  ret_int r0\n}\n");
  passes::place_fuel(module, {program});
  const auto paid_in = [&](std::size_t block) {
    const ir::Instruction& first = module.functions[0].blocks[block].code[0];
    return first.op == ir::Op::fuel ? first.operands[0] : 0;
  };
  CHECK(paid_in(1) == 1);
  CHECK(paid_in(3) >= 90);
}

TEST_CASE("endless turns without fuel of their own consume fuel", "[passes]") {
  const auto turns = [](const std::string& how) {
    return R"(
function f0 "play" (r0) suspends {
  r0 int
b0:
  jump b1
b1:
  call f1
  branch r0, b1, b2
b2:
  ret
}
function f1 "turn" () )" +
           how + R"( {
b0:
  call f2
  ret
}
function f2 "phase" () )" +
           how + R"( {
b0:
  fuel 1
  ret
}
)";
  };
  CHECK(fuel_of(turns("suspends")) == std::vector<int>{1, 0, 0});
  CHECK(fuel_of(turns("")) == std::vector<int>{1, 0, 0});
}

}   // namespace cardwright
