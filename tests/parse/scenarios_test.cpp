// Tests that scenes and scenarios produce the nodes specified in compiler/ast/nodes.def.
#include "tests/parse/parsing.h"

namespace cardwright::parse_tests {

TEST_CASE("parse: scenarios") {
  CHECK(
      decls(R"(scene s for 4 players with fast, mode = slow {
 everyone.role = [A, B]; x = 3
 top of draw = Chips
 players.most = 4, players.towels = 4
})") ==
      R"(scene's'(4 [given'='(member'role'(everyone) list_lit(A B)) given'='(x 3) given'top'(draw Chips) given'='(member'most'(players) 4) given'='(member'towels'(players) 4)] [arg'fast'(truth#1) arg'mode'(slow)]))");
  CHECK(decls(R"(scenario "t" in four { }
scenario "u" for 2 players with opt = v { given c is out })") ==
        R"(scenario't'(four - []) scenario'u'(- 2 [given_line(given'out'(c))] [arg'opt'(v)]))");
  CHECK(
      decls(R"(scenario "t" in four {
 given a.hand = [eight of spades, a Ducky], only a, b are in, c is out, top of draw = [Miss]
})") ==
      R"(scenario't'(four - [given_line(given'='(member'hand'(a) list_lit(scenario_card'eight'(spades) scenario_card'Ducky'#1)) given'only in'(- [a b]) given'out'(c) given'top'(draw list_lit(Miss)))]))");
  CHECK(
      decls(R"(scenario "t" in four {
 when main of a begins
 and a plays eight of spades, then hearts
 and a plays Miss as Splash on b, b plays Card(rank: 3)
})") ==
      R"(scenario't'(four - [when_line(step'begins'(a main) step'plays'(a scenario_card'eight'(spades) - - scenario_card'hearts') step'plays'(a scenario_card'Miss' Splash b) step'plays'(b scenario_card'Card'(arg'rank'(3))))]))");
  CHECK(
      decls(R"(scenario "t" in four {
 when b uses flip_hat of Hat, b uses throw_back with Splash, a Ducky, c uses x
})") ==
      R"(scenario't'(four - [when_line(step'uses'(b flip_hat Hat) step'uses'(b throw_back - Splash scenario_card'Ducky'#1) step'uses'(c x))]))");
  CHECK(
      decls(R"(scenario "t" in four {
 when a does drop_disc 3, b chooses a Ducky, b chooses Miss, Claw, a chooses at random
 and b passes, b passes, a says yes
})") ==
      R"(scenario't'(four - [when_line(step'does'(a drop_disc 3) step'chooses'(b scenario_card'Ducky'#1) step'chooses'(b Miss Claw) step'random'(a) step'passes'(b) step'passes'(b) step'says'(a word'yes'))]))");
  CHECK(
      decls(R"(scenario "t" in four {
 then c wins and b loses and b knows top of draw and a doesn't know top of draw
})") ==
      R"(scenario't'(four - [then_line(claim'wins'(c) claim'loses'(b) claim'knows'(b top_expr'top'(- draw)) claim'doesn't know'(a top_expr'top'(- draw)))]))");
  CHECK(
      decls(R"(scenario "t" in four {
 then b can't play Miss as Splash on a and a may play three of clubs and a can't use dry_off
})") ==
      R"(scenario't'(four - [then_line(claim'can't'(b word'play' scenario_card'Miss' Splash a) claim'may'(a word'play' scenario_card'three'(clubs)) claim'can't'(a word'use' dry_off))]))");
  CHECK(
      decls(R"(scenario "t" in four {
 then active == b and size(b.hand) == 2
 when b passes
 then b is in and top of discard is Chips
})") ==
      R"(scenario't'(four - [then_line(claim'is'(binary'=='(active b)) claim'is'(binary'=='(size_of(member'hand'(b)) 2))) when_line(step'passes'(b)) then_line(claim'is'(is_expr'in'(b)) claim'is'(is_expr(top_expr'top'(- discard) Chips)))]))");
  CHECK(
      decls(R"(scenario "t" in four {
 given a.hand = [red five, five of red]
 when the game begins with seed 7, a plays red five, a does play red 5
 then a may choose b and a can't choose red five and top of discard is red 5 and a may play red five
})") ==
      R"(scenario't'(four - [given_line(given'='(member'hand'(a) list_lit(scenario_card'red'(five) scenario_card'five'(red)))) when_line(step'game'(7) step'plays'(a scenario_card'red'(five)) step'does'(a play scenario_card'red'(5))) then_line(claim'may'(a word'choose' b) claim'can't'(a word'choose' scenario_card'red'(five)) claim'is'(is_expr(top_expr'top'(- discard) scenario_card'red'(5))) claim'may'(a word'play' scenario_card'red'(five)))]))");
  CHECK(
      decls(R"(scenario "t" in four {
 given a knows reds.rank, everyone knows top 2 of draw
 when a passes
 then at once a.gold == 2
 then b.gold == 3
})") ==
      R"(scenario't'(four - [given_line(given'knows'(a member'rank'(reds)) given'knows'(everyone top_expr'top'(2 draw))) when_line(step'passes'(a)) then_line#1(claim'is'(binary'=='(member'gold'(a) 2))) then_line(claim'is'(binary'=='(member'gold'(b) 3)))]))");
}

}   // namespace cardwright::parse_tests
