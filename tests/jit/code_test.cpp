// Tests compiled code: a playout calls no out-of-line operation, and a program too large to compile is reported.
#include <set>
#include <sstream>

#include "tests/jit/engines.h"

namespace cardwright {

namespace {

constexpr const char* kGame = R"(
set c0 = 0xff, 0x0
function f0 "play" () {
  r0 int
  r1 int
  r2 set
  r3 set
b0:
  r0 = const_int 0
  r2 = zone_cards r0
  r3 = const_set c0
  r2 = set_and r2, r3
  r2 = set_lookalikes r2
  r1 = set_count r2
  branch r1, b1, b2
b1:
  r1 = decide r0, r1, 0
  r1 = set_nth r2, r1
  chosen r1
  note_reveal r2
  r0 = zone_index z1, r0, r0
  move_card r1, r0, r0, 0
  r1 = call f1, r0
  store v1, r0, r1
  r0 = const_int 0
  fuel 1
  jump b0
b2:
  ret
}
function f1 "again" (r0) -> int {
  r0 int
  r1 int
  r2 int
b0:
  enter v5, 9
  r1 = load v4, r0
  r2 = roll r0, r1
  r2 = mask_next r2, r0
  branch r2, b1, b2
b1:
  r1 = call f1, r2
  jump b2
b2:
  leave v5
  r1 = add r1, r2
  ret_int r1
}
)";

std::set<std::string> called(const std::string& text) {
  std::set<std::string> names;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const auto call = line.find("call ");
    const auto at = call == std::string::npos ? call : line.find('@', call);
    if (at == std::string::npos) continue;
    names.insert(line.substr(at + 1, line.find('(', at) - at - 1));
  }
  return names;
}

TEST_CASE("a playout calls no operation out of line", "[jit]") {
  const auto program = test::make_program(kGame);
  for (const std::string& name : called(test::llvm_text(*program, 0, true))) {
    const bool cold = name == "cardwright_jit_trapped" || name == "cardwright_jit_unwound";
    if (name.starts_with("cardwright_") && !cold) FAIL_CHECK(name << " is called");
  }
}

TEST_CASE("only the traced playout contains knowledge and trace", "[jit]") {
  const auto program = test::make_program(kGame);
  CHECK(test::llvm_text(*program, 0, true).find("cardwright_note_reveal") == std::string::npos);
  CHECK(test::llvm_text(*program, 1, true).find("cardwright_note_reveal") != std::string::npos);
  CHECK(test::llvm_text(*program, 0, false).find("fuel K1") != std::string::npos);
}

TEST_CASE("a program too large to compile is reported", "[jit]") {
  const auto program = test::make_program(kGame);
  JitOptions options;
  options.most_instructions = 10;
  std::string why;
  CHECK(test::make_jit(*program, options, &why) == nullptr);
  CHECK(why.find("the game is too large to compile: ") == 0);
}

}   // namespace

}   // namespace cardwright
