// Tests the contents of policies and the messages for invalid ones.
#include "tests/support/analyze.h"

using namespace cardwright;
using namespace cardwright::sema_tests;

namespace {

// Returns the messages about a policy with the rule `rule`, which is in line 2 of the policy.
std::string of(const std::string& rule, const std::string& more = "") {
  return messages("action hit(t in others, n: 1..3) in main, once per turn as shot { take(t) }\n" + more +
                  "policy p {\n" + rule + "\n}");
}

}   // namespace

TEST_CASE("sema: a policy is part of the Model only if it is requested", "[policies]") {
  const std::string m = printed(
      "action hit in main { take(me) }\npolicy p for bots \"Plays\" { avoid hit when size(draw) == 1\nweight pass by 3 "
      "}");
  CHECK(has(m, "policy p for bots \"Plays\""));
  CHECK(has(m, "avoid \"hit\""));
  CHECK(has(m, "weight pass"));
  const auto o = run({{"game.rules", game("policy p { weight pass by size(draw) }")}});
  REQUIRE(o->model);
  REQUIRE(o->model->policies.size() == 1);
  CHECK_FALSE(o->model->policies[0].asked);
  CHECK_FALSE(o->model->exprs_aside.empty());
}

TEST_CASE("sema: a policy refers only to declared elements", "[policies]") {
  CHECK(has(of("avoid play Stoen"), "E0201 unknown card `Stoen` (did you mean `Stone`?)"));
  CHECK(has(of("avoid hti"), "E0201 unknown action `hti` (did you mean `hit`?)"));
  CHECK(has(of("avoid any action as shto"), "E0201 unknown action group `shto` (did you mean `shot`?)"));
  CHECK(has(of("avoid choose c"), "E0201 unknown choice `c`: no rule contains `choose c from …`"));
  CHECK(has(of("avoid choose"), "E0401 expected the name of a choice"));
  CHECK(of("avoid hit(t, 3) when t == first of players").empty());
  CHECK(of("avoid pass, any action, hit").empty());
}

TEST_CASE("sema: patterns of a policy must match the parameters", "[policies]") {
  CHECK(has(of("avoid hit(t, 2, 3)"), "E0401 `hit` has 2 parameters"));
  CHECK(has(of("avoid any action(t)"), "E0101"));
  CHECK(has(of("avoid pass(t)"), "E0401 `pass` takes no arguments"));
  CHECK(has(of("avoid many(c)", "action many(cs: 2 cards in me.hand) in main { move cs to discard }\n"),
            "E0401 parameter `cs` is a selection of several elements, so it can't be matched"));
  CHECK(has(of("avoid choose c(1)", "event e(p: player) { p chooses c from 1..1200 }\n"),
            "E0401 a policy can't weight a choice from a range of integers"));
}

TEST_CASE("sema: weights are numbers from 0 to 1000", "[policies]") {
  CHECK(has(of("weight pass"), "E0116 missing `by` in `weight`"));
  CHECK(has(of("avoid pass by 3"), "E0116 `avoid` has no weight"));
  CHECK(has(of("weight pass by 1001"), "E0304 weight 1001 is out of range 0..1000"));
  CHECK(has(of("weight pass by -1"), "E0304 weight -1 is out of range"));
  CHECK(has(of("weight pass by true"), "E0301"));
  CHECK(has(of("weight pass by 3 by 4"), "E0115"));
  CHECK(of("weight pass when size(draw) > 1 by size(draw)").empty());
}

TEST_CASE("sema: policies have names of their own, and one is for bots", "[policies]") {
  CHECK(has(messages("policy p { avoid pass }\npolicy p { avoid pass }"), "E0202 duplicate policy `p`"));
  for (const char* name : {"uniform", "sensible", "bots", "flat"})
    CHECK(has(messages(std::string("policy ") + name + " { avoid pass }"), "E0113"));
  CHECK(has(messages("policy p for bots { avoid pass }\npolicy q for bots { avoid pass }"),
            "E0115 duplicate policy for bots"));
  CHECK(has(messages("policy p for kids { avoid pass }"), "E0116 expected `bots` after `for`, found `kids`"));
  CHECK(has(messages("policy p { take(me) }"), "E01"));
}

TEST_CASE("sema: `policy`, `avoid` and `weight` can be names elsewhere", "[policies]") {
  CHECK(messages("table { policy: 0..9 = 0\n avoid: 0..9 = 1\n weight: 0..9 = 2 }\n"
                 "action a in main { policy = 3; avoid += 1; weight = avoid + policy }\n"
                 "value total: int = policy + avoid + weight")
            .empty());
}
