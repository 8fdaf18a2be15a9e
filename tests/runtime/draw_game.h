// Defines a small game in IR for tests of engines and states.
#pragma once

#include "tests/runtime/small_program.h"

namespace cardwright::testing {

// In each of twelve turns, the player draws a card or plays one from the hand to the discard pile. The cards are three
// copies of a, two of b, and one each of c … h. The zones are draw (refilled from discard), discard and hands.
struct DrawGame {
  SmallProgram small{3};
  Int draw, discard, hand, turns, score;
  DrawGame() {
    small.cards("a", 3);
    small.cards("b", 2);
    for (const char* label : {"c", "d", "e", "f", "g", "h"}) small.cards(label);
    discard = small.zone("discard", false, ZoneShape::pile, SmallProgram::everybody, true);
    draw = small.zone("draw", false, ZoneShape::pile, SmallProgram::hidden, true, discard);
    hand = small.zone("hand", true, ZoneShape::set, SmallProgram::owner);
    turns = small.variable("turns", {.lo = 0, .hi = 100});
    score = small.variable("score", {.lo = 0, .hi = 20, .per_player = true});
    small.place_all(draw);
    Program& p = small.program;
    p.turn_number = turns;
    p.option_ids = 20;
    ActionInfo draws, plays;
    draws.name = "draw";
    plays.kind = ActionKind::play;
    plays.name = "play";
    plays.base = 1;
    plays.count = 16;
    ParameterInfo card;
    card.name = "c";
    card.kind = ValueKind::card;
    card.count = 16;
    for (std::size_t id = 0; id < p.cards.size(); ++id)
      if (p.cards[id].kind >= 0 &&
          (card.cards.empty() ||
           p.cards[id].look_alike != p.cards[static_cast<std::size_t>(card.cards.back())].look_alike))
        card.cards.push_back(static_cast<Int>(id));
    plays.parameters.push_back(card);
    p.actions = {draws, plays};
    for (const char* window : {"main", "more"}) {
      SiteInfo site;
      site.window = window;
      p.sites.push_back(site);
    }
    small.finish(kRules);
  }
  const Program& program() const { return small.program; }

  static constexpr const char* kRules = R"(
text "{0:player} draws"
function f0 "main" () suspends {
  r0 int
  r1 int
  r2 int
  r3 int
  r4 int
  r5 int
b0:
  r4 = const_int 0
  r0 = const_int 0
  jump b1
b1:
  r3 = const_int 12
  r1 = lt_small r0, r3
  branch r1, b2, b3
b2:
  fuel 1
  r3 = const_int 3
  r2 = mod_small r0, r3
  r5 = call f1, r2
  r3 = const_int 1
  r0 = add_small r0, r3
  store v0, r4, r0
  jump b1
b3:
  r1 = load v1, r4
  r2 = mask_of r1
  finish r2, 0
  ret
}
function f1 "turn" (r0) -> int suspends {
  r0 int1
  r1 int
  r2 set
  r3 set
  r4 int
  r5 int
  r6 int
  r7 int
  r8 int card
  r9 int
  r10 int
b0:
  r9 = const_int 0
  r10 = const_int 1
  r4 = zone_index z2, r0, r9
  jump b1
b1:
  site 0
  r2 = zone_cards r4
  r3 = set_lookalikes r2
  r5 = set_count r3
  r6 = add_small r5, r10
  r1 = listing
  branch r1, b2, b6
b2:
  list r9
  r7 = copy_int r9
  jump b3
b3:
  r1 = lt_small r7, r5
  branch r1, b4, b5
b4:
  r8 = set_nth r3, r7
  r7 = add_small r7, r10
  r8 = add_small r8, r10
  list r8
  jump b3
b5:
  listed
b6:
  r7 = decide r0, r6, 0
  branch r7, b7, b8
b7:
  r7 = sub_small r7, r10
  r8 = set_nth r3, r7
  r7 = add_small r8, r10
  chosen r7
  r7 = call f2, r0, r8
  ret_int r7
b8:
  chosen r9
  r1 = const_int 1
  r8 = zone_top r1
  note_draw r8, r1, r4
  log_value r0
  log_text 0
  move_card r8, r1, r4, 0
  ret_int r9
}
function f2 "discard" (r0, r1) -> int suspends {
  r0 int1
  r1 int card
  r2 int
  r3 int
  r4 set
  r5 int
  r6 int
b0:
  r6 = const_int 0
  r2 = zone_of r1, r0
  r4 = set_of r1
  note_move r4, r2, r6, 0
  move_card r1, r0, r6, 0
  r3 = load v1, r0
  r5 = const_int 1
  r3 = add r3, r5
  store v1, r0, r3
  site 1
  r2 = listing
  branch r2, b1, b2
b1:
  list r6
  list r5
  listed
b2:
  r3 = const_int 2
  r2 = decide r0, r3, 1
  chosen r2
  ret_int r1
}
)";
};

}   // namespace cardwright::testing
