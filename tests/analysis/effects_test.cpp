// Tests the effect analysis: the variables and zones that a condition or value reads, and the rules that read the order
// of a pile.
#include "compiler/analysis/effects.h"

#include "compiler/analysis/orders.h"
#include "tests/analysis/rules.h"

namespace cardwright::sema_tests {

TEST_CASE("effects: a value depends on its own reads, its modifiers' reads, and reads in functions they call",
          "[analysis]") {
  const Rules rules(
      "value strength(p: player): int = size(p.table)\n"
      "function rich(p: player): bool = p.gold > 3\n"
      "character type Person { }\ncharacter Bold: Person { modify strength(me) by 1 when rich(me) }\ncharacter Mild: "
      "Person\nplayer { who: Person = Mild }");
  const analysis::Reads reads = analysis::reads_of(rules.model(), rules.value("strength"));
  CHECK(reads.entered == std::set{rules.zone("table")});
  CHECK(reads.left == reads.entered);
  CHECK(reads.variables == std::set{rules.variable("gold"), rules.variable("who")});
  CHECK(reads.players);
  CHECK_FALSE(reads.zones);
  CHECK_FALSE(reads.anything);
}

TEST_CASE("effects: an `is also` ability makes card types depend on the holder's character", "[analysis]") {
  const Rules rules(
      "character type Person { }\ncharacter Sly: Person { Leaf in me.hand is also Stone }\ncharacter Mild: "
      "Person\nplayer { who: Person = Mild }\n"
      "value stones(p: player): int = size(p.hand where it is Stone)");
  const analysis::Reads reads = analysis::reads_of(rules.model(), rules.value("stones"));
  CHECK(reads.zones);
  CHECK(reads.players);
  CHECK(reads.variables == std::set{rules.variable("who")});
}

TEST_CASE("effects: a set modified by several players' abilities depends on turn order unless the results agree",
          "[analysis]") {
  const auto depends_on_turn = [](const std::string& modifier) {
    const Rules rules(
        "value chief(p: player): set of player = [p]\n"
        "character type Person { }\ncharacter Bold: Person { " +
        modifier + " }\ncharacter Mild: Person\nplayer { who: Person = Mild }");
    return analysis::reads_of(rules.model(), rules.value("chief")).anything;
  };
  CHECK(depends_on_turn("modify chief(_) to [me]"));
  CHECK_FALSE(depends_on_turn("modify chief(me) to [me]"));
  CHECK_FALSE(depends_on_turn("modify chief(p) when p.gold > me.gold to []"));
}

TEST_CASE("effects: only a departing card can make a zone empty", "[analysis]") {
  const Rules rules(
      "value empty_hand(p: player): bool = p.hand is empty\nvalue poor(p: player): bool = p.hand is empty and p.gold "
      "== 0");
  const analysis::Reads makes_true = analysis::what_makes_true(rules.model(), *rules.value("poor").base);
  CHECK(makes_true.left == std::set{rules.zone("hand")});
  CHECK(makes_true.entered.empty());
  CHECK(makes_true.variables == std::set{rules.variable("gold")});
  CHECK(analysis::reads_of(rules.model(), rules.value("empty_hand")).entered == std::set{rules.zone("hand")});
}

TEST_CASE("orders: reading the top of a pile counts in effects, conditions and modifiers", "[analysis]") {
  const Rules plain("value luck(p: player): int = 1");
  const Rules modified("value luck(p: player): int = 1\nmodify luck(p) by 1 when top of discard is Stone");
  const Rules of_one(
      "value luck(p: player): int = 1\ncharacter type Person { }\ncharacter Lucky: Person { modify luck(me) by 1 when "
      "top of discard is Stone }\ncharacter Mild: Person\nplayer { who: Person = Mild }");
  CHECK_FALSE(analysis::orders_in(plain.model()).matters(plain.zone("discard")));
  CHECK(analysis::orders_in(modified.model()).always.contains(modified.zone("discard")));
  const analysis::Orders orders = analysis::orders_in(of_one.model());
  CHECK_FALSE(orders.always.contains(of_one.zone("discard")));
  CHECK(orders.by_character.at(of_one.zone("discard")) ==
        std::set<std::pair<std::uint32_t, std::int64_t>>{{of_one.variable("who"), 0}});
}

}   // namespace cardwright::sema_tests
