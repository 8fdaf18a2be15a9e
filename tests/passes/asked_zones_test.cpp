// Tests the selection of the zones in which a playout tracks knowledge of cards, and of the moves that it records.
#include "tests/support/ir_program.h"

namespace cardwright {

namespace {

// A playout with these zones: z0: a pile that is hidden from all players; z1: a hidden hand for each player; instance 3
// is open. `code` comes before the knowledge query, which ends in the block before b`blocks`.
struct Playout {
  explicit Playout(const std::string& code,
                   const std::string& question = "  r9 = zone_cards r2\n  r9 = set_known r0, r9\n", int blocks = 1) {
    const std::string some = "b" + std::to_string(blocks), none = "b" + std::to_string(blocks + 1);
    program = test::make_program(
        "function f0 \"main\" () {\n  r0 int\nb0:\n  r0 = const_int 1\n  call f1, r0\n  ret\n}\n"
        "function f1 \"move\" (r0) {\n  r0 int\n  r1 int\n  r2 int\n  r3 int\n  r4 int\n  r5 int\n  r6 set\n  r7 int\n "
        " r8 int\n  r9 set\n  r10 int\n"
        "b0:\n  r1 = const_int 0\n  r2 = const_int 1\n  r3 = const_int 2\n  r4 = const_int 3\n  r5 = const_int none\n" +
            code + question + "  r10 = set_any r9\n  branch r10, " + some + ", " + none + "\n" + some +
            ":\n  shuffle r2\n  ret\n" + none + ":\n  ret\n}\n",
        false);
    Layout& layout = program->layout;
    for (Int i = 0; i < 3; ++i) layout.instance[i].visible = 0;
    layout.instance[0].ordered = 1;
    passes::find_asked_zones(program->playout, layout, program->zones);
    for (Int i = 0; i < layout.instances; ++i) asked += layout.instance[i].asked != 0 ? '1' : '0';
    passes::drop_unasked_notes(program->playout, {*program});
    for (const ir::Block& block : program->playout.functions[1].blocks)
      for (const ir::Instruction& i : block.code) notes += i.op == ir::Op::note_move || i.op == ir::Op::note_draw;
  }
  std::unique_ptr<Program> program;
  std::string asked;
  int notes = 0;
};

const std::string from_pile = "  r7 = zone_top r1\n  note_draw r7, r1, r2\n  move_card r7, r1, r2, 0\n";

TEST_CASE("knowledge is tracked in queried zones and in the zones that feed them", "[asked]") {
  CHECK(Playout("").asked == "0100");
  // The pile may contain cards that a player has seen.
  CHECK(Playout(from_pile).asked == "1100");
  // Cards from an open zone are known.
  CHECK(Playout("  r6 = zone_cards r4\n  note_move r6, r4, r2, 0\n  move_cards r6, r4, r2, 0\n").asked == "0100");
  CHECK(Playout(from_pile + "  r6 = zone_cards r3\n  note_move r6, r3, r1, 0\n  move_cards r6, r3, r1, 0\n").asked ==
        "1110");
  CHECK(Playout("  r6 = zone_cards r3\n  note_move r6, r3, r4, 0\n  move_cards r6, r3, r4, 0\n").asked == "0100");
  // The cards may come from any zone.
  CHECK(Playout("  r6 = load_set v6, r1\n  note_move r6, r5, r2, 0\n  move_cards r6, r5, r2, 0\n").asked == "1110");
}

TEST_CASE("a query about cards in unknown zones tracks knowledge everywhere", "[asked]") {
  CHECK(Playout("", "  r6 = load_set v6, r1\n  r9 = set_known r0, r6\n").asked == "1111");
  // The cards have left the zone.
  CHECK(Playout("", "  r9 = zone_cards r2\n  move_cards r9, r2, r3, 0\n  r9 = set_known r0, r9\n").asked == "1111");
  CHECK(Playout("", "  r9 = zone_cards r2\n  r10 = set_first r9\n  r10 = knows_card r0, r10\n").asked == "1111");
  const auto behind = [](const std::string& between) {
    return Playout("",
                   "  r9 = zone_cards r2\n  branch r0, b1, b2\nb1:\n" + between +
                       "  jump b2\nb2:\n  r9 = set_known r0, r9\n",
                   3)
        .asked;
  };
  CHECK(behind("") == "0100");
  // The cards move on only one of the paths.
  CHECK(behind("  move_cards r9, r2, r3, 0\n") == "1111");
}

TEST_CASE("a shuffle right after a move brings no knowledge into a pile", "[asked]") {
  const std::string gathered = "  r6 = zone_cards r3\n  note_move r6, r3, r1, 0\n  move_cards r6, r3, r1, 0\n";
  const Playout shuffled(gathered + "  shuffle r1\n" + from_pile);
  CHECK(shuffled.asked == "1100");
  CHECK(shuffled.notes == 1);
  CHECK(Playout(gathered + from_pile + "  shuffle r1\n").asked == "1110");   // too late: the card has left the pile
}

TEST_CASE("a playout does not record moves that no query depends on", "[asked]") {
  const std::string to_open = "  r7 = zone_top r1\n  note_draw r7, r1, r4\n  move_card r7, r1, r4, 0\n";
  CHECK(Playout(to_open).notes == 0);
  // A draw to the open zone needs no note: it does not change what players know about the other cards of the pile.
  CHECK(Playout(from_pile + to_open).notes == 1);
  // Cards leave a queried zone: the move is recorded, because players may not know which cards these are.
  CHECK(Playout("  r6 = zone_cards r2\n  note_move r6, r2, r4, 0\n  move_cards r6, r2, r4, 0\n").notes == 1);
  CHECK(Playout("  r6 = zone_cards r3\n  note_move r6, r5, r4, 0\n  move_cards r6, r5, r4, 0\n").notes == 0);
}

}   // namespace

}   // namespace cardwright
