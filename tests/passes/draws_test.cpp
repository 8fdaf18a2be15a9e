// Tests which draws from a pile become one operation in the playout form, and which must remain two.
#include "tests/support/ir_program.h"

namespace cardwright {

namespace {

// Returns the playout form of a draw. `place` computes the target of the card in r2 as r3.
std::string played_out(const std::string& place, const std::string& guard = "mask_has r1, r0") {
  const auto program = test::make_program(
      "function f0 \"main\" () {\n  r0 int\nb0:\n  r0 = const_int 1\n  call f1, r0\n  ret\n}\n"
      "function f1 \"draw\" (r0) {\n  r0 int\n  r1 int\n  r2 int\n  r3 int\n  r4 int\n  r5 set\n  r6 int\n"
      "b0:\n  r1 = players_in\n  r6 = " +
          guard +
          "\n  branch r6, b1, b2\n"
          "b1:\n  r4 = const_int 0\n  r2 = zone_top r4\n" +
          place +
          "  r5 = set_of r2\n  note_move r5, r4, r3, 0\n  move_card r2, r4, r3, 0\n  ret\n"
          "b2:\n  ret\n}\n",
      false);
  return ir::print(passes::as_playout(*program, false).functions[1], 1);
}
bool is_one(const std::string& text) {
  return text.find("draw_card") != std::string::npos && text.find("move_card") == std::string::npos;
}

TEST_CASE("drawing a card into the zone of a player in the game is one operation", "[draws]") {
  const std::string text = played_out("  r3 = zone_index z1, r0, r4\n");
  CHECK(is_one(text));
  CHECK(text.find("r3 = zone_index z1, r0, r4\n  r2 = draw_card r4, r3\n") != std::string::npos);
  CHECK(is_one(played_out("  r3 = const_int 2\n")));
}

TEST_CASE("code that could observe whether the card has moved keeps a draw in two operations", "[draws]") {
  // The owner may not exist.
  CHECK_FALSE(is_one(played_out("  r3 = zone_index z1, r0, r4\n", "mask_has r0, r0")));
  CHECK_FALSE(is_one(played_out("  r3 = zone_size r4\n")));
  CHECK_FALSE(is_one(played_out("  r3 = zone_index z1, r0, r4\n  store v0, r4, r3\n")));
  // The target depends on the card.
  CHECK_FALSE(is_one(played_out("  r3 = copy_int r2\n")));
}

// Returns the playout form of a function that tests whether there is a card before it moves the card. `asks` is the
// test in `main`; the default is whether r0 is in the game.
std::string behind_test(const std::string& between, const std::string& asks = "mask_has r1, r0") {
  const auto program = test::make_program(
      "function f0 \"main\" () {\n  r0 int\n  r1 int\n  r2 int\n  r3 int\nb0:\n  r3 = const_int 0\n  r0 = load_raw v0, "
      "r3\n  r1 = players_in\n  r2 = " +
          asks +
          "\n  branch r2, b1, b2\nb1:\n  call f1, r0\n  ret\nb2:\n  ret\n}\n"
          "function f1 \"draw\" (r0) {\n  r0 int\n  r1 int\n  r2 int\n  r3 int\n  r4 int\n  r5 int\n  r6 int\n"
          "b0:\n  r4 = const_int 0\n  r2 = zone_top r4\n  r5 = const_int none\n  r6 = eq r2, r5\n  branch r6, b1, b2\n"
          "b1:\n  ret\n"
          "b2:\n" +
          between + "  r3 = zone_index z1, r0, r4\n  move_card r2, r4, r3, 0\n  ret\n}\n",
      false);
  return ir::print(passes::as_playout(*program, false).functions[1], 1);
}

TEST_CASE("a card may be drawn before the test whether there was one", "[draws]") {
  const std::string text = behind_test("");
  CHECK(is_one(text));
  CHECK(text.find("r3 = zone_index z1, r0, r4\n  r2 = draw_card r4, r3\n  r5 = const_int none\n") != std::string::npos);
  // The caller does not test whether r0 is in the game, so the owner may not exist.
  CHECK_FALSE(is_one(behind_test("", "mask_has r0, r0")));
  CHECK_FALSE(is_one(behind_test("  store v0, r4, r4\n")));
}

}   // namespace

}   // namespace cardwright
