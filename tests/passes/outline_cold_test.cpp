// Tests that code which runs only at the end of a game moves out of the function that tests for the end.
#include "tests/support/ir_program.h"

namespace cardwright {

namespace {

// Returns a module in which `main` calls `function`, the test for the end of the game.
ir::Module with_ending(const std::string& function) {
  return test::read_ir("function f0 \"main\" () {\n  r0 int\nb0:\n  r0 = const_int 1\n  call f1, r0\n  ret\n}\n" +
                       function);
}
const std::string kWork =
    "  r1 = const_int 0\n  r2 = load_raw v1, r1\n  r2 = add r2, r0\n  r2 = add r2, r2\n  r2 = add r2, r2\n  r2 = add "
    "r2, r2\n  r2 = add r2, r2\n"
    "  r2 = add r2, r2\n  r2 = add r2, r2\n  store v1, r1, r2\n  finish r2, 0\n  ret\n";
const std::string kHead = "(r0) hidden {\n  r0 int\n  r1 int\n  r2 int\nb0:\n  branch r0, b1, b2\nb1:\n";

TEST_CASE("an ending becomes a separate function with its inputs as parameters", "[endings]") {
  ir::Module module = with_ending("function f1 \"end when\" " + kHead + kWork + "b2:\n  ret\n}\n");
  CHECK(passes::outline_cold(module) == std::vector<ir::FunctionIndex>{1});
  REQUIRE(module.functions.size() == 3);
  CHECK(module.functions[2].parameters == std::vector<ir::Register>{0});
  CHECK(module.functions[1].blocks[1].code[0].op == ir::Op::call);
  CHECK(ir::verify(module).empty());
}

TEST_CASE("code that may continue, visible functions and short code stay", "[endings]") {
  for (const std::string& function :
       {"\"end when\" " + kHead + kWork.substr(0, kWork.find("  finish")) +
            "  branch r2, b2, b3\nb2:\n  ret\nb3:\n  finish r2, 0\n  ret\n}\n",
        "\"play\" (r0) {\n" + kHead.substr(kHead.find("  r0")) + kWork + "b2:\n  ret\n}\n",
        "\"end when\" " + kHead + "  finish r0, 0\n  ret\nb2:\n  ret\n}\n"}) {
    ir::Module module = with_ending("function f1 " + function);
    CHECK(passes::outline_cold(module).empty());
    CHECK(module.functions.size() == 2);
  }
}

}   // namespace

}   // namespace cardwright
