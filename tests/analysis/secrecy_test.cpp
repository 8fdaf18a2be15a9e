// Tests the secrecy analysis: conditions and options that depend on hidden information, local variables that carry it,
// zones with face-down cards, and the origins of cards.
#include "compiler/analysis/secrecy.h"

#include "compiler/analysis/offers.h"
#include "compiler/analysis/origins.h"
#include "compiler/analysis/information_leaks.h"
#include "tests/analysis/rules.h"

namespace cardwright::sema_tests {

namespace {

bool may_be_wrong(const std::string& rules, const std::string& action) {
  const Rules in(rules);
  analysis::Secrecy secrecy(in.model());
  return analysis::Offers(in.model(), secrecy).may_be_wrong(in.action(action));
}

// Returns the local variable of `body` with this name.
model::LocalId named(const model::Body& body, const std::string& name) {
  for (std::uint32_t i = 0; i < body.locals.size(); ++i)
    if (body.locals[i].name == name) return {i};
  FAIL("nothing is called " << name);
  return {};
}

}   // namespace

TEST_CASE("secrecy: an option may be offered wrongly if its condition depends on hidden information", "[analysis]") {
  CHECK_FALSE(may_be_wrong("action dare in main when any c in me.hand has c is Stone { take(me) }", "dare"));
  CHECK(may_be_wrong("action dare(t in others) in main when any c in t.hand has c is Stone { take(me) }", "dare"));
  // The number of cards in a hand is public.
  CHECK_FALSE(may_be_wrong("action dare(t in others) in main when t.hand is empty { take(me) }", "dare"));
  CHECK(
      may_be_wrong("value heavy(p: player): bool = any c in p.hand has c is Stone\naction dare(t in others) in main "
                   "when heavy(t) { take(me) }",
                   "dare"));
  CHECK_FALSE(may_be_wrong(
      "value heavy(p: player): bool = any c in p.hand has c is Stone\naction dare in main when heavy(me) { take(me) }",
      "dare"));
  CHECK(may_be_wrong("action dare(t in others) in main { take(me) }\nforbid dare(t) when any c in t.hand has c is Leaf",
                     "dare"));
  CHECK(may_be_wrong("action dare(t in others) in main when t.role == Cop { take(me) }", "dare"));
}

TEST_CASE("secrecy: a local variable that receives a secret carries it", "[analysis]") {
  const Rules rules(
      "event count(p: player, n: int) { log \"{n}\" }\n"
      "event tell(p: player) { let hidden = size(p.hand where it is Stone); let open = size(p.table where it is "
      "Stone); count(p, hidden) }\n"
      "action boast in main { tell(me) }");
  analysis::Secrecy secrecy(rules.model());
  const model::Body& tell = rules.event("tell").body;
  CHECK(secrecy.taint().carries(tell, named(tell, "hidden")));
  CHECK_FALSE(secrecy.taint().carries(tell, named(tell, "open")));
  const model::Body& count = rules.event("count").body;
  CHECK(secrecy.taint().carries(count, named(count, "n")));
  CHECK_FALSE(secrecy.taint().carries(count, named(count, "p")));
}

TEST_CASE("secrecy: zones that may contain face-down cards", "[analysis]") {
  const Rules none("action lay(c in me.hand) in main { move c to me.table }");
  CHECK(analysis::zones_with_facedown(none.model()) == std::vector<bool>(none.model().zones.size(), false));
  const Rules down("action lay(c in me.hand) in main { move c to me.table facedown }");
  const std::vector<bool> faced = analysis::zones_with_facedown(down.model());
  CHECK(faced[down.zone("table")]);
  CHECK_FALSE(faced[down.zone("hand")]);
}

TEST_CASE("information leaks: the number of cards to choose must not depend on information hidden from the chooser",
          "[analysis]") {
  const auto warned = [](const std::string& rules) {
    const Rules in(rules);
    SourceMap sources;
    Diagnostics diagnostics(sources);
    analysis::report_offer_leaks(in.model(), diagnostics);
    return diagnostics.all().size();
  };
  CHECK(warned("event swap(p: player) { p chooses some: size(p.hand where it is Stone) cards from p.hand; move some to "
               "discard }\naction go in main { swap(me) }") == 0);
  CHECK(warned("event swap(p: player, q: player) { p chooses some: size(q.hand where it is Stone) cards from p.hand; "
               "move some to discard }\naction go(t in others) in main { swap(me, t) }") == 1);
}

TEST_CASE("origins: a card's origin is the zone in which the rule found it", "[analysis]") {
  const Rules rules(
      "event lose(p: player, c: Thing) { move c to discard }\naction lay(c in me.hand) in main { lose(me, c) }");
  const analysis::Origins origins(rules.model(), [](const model::Expr&) { return nullptr; });
  const model::Action& lay = rules.model().actions[rules.action("lay")];
  const analysis::Origin* chosen = origins.of(lay.parameters[0].local, lay.body);
  REQUIRE(chosen);
  CHECK(chosen->zone == rules.zone("hand"));
  CHECK_FALSE(chosen->somewhere);
  const model::Body& lose = rules.event("lose").body;
  const analysis::Origin* handed = origins.of(named(lose, "c"), lose);
  REQUIRE(handed);
  CHECK(handed->zone == rules.zone("hand"));
  CHECK(handed->owner->local == named(lose, "p"));
}

}   // namespace cardwright::sema_tests
