// Tests house files and libraries: the order of endings, name lookup, conflicting rules,
// and warnings that a file allows.
#include "tests/support/analyze.h"

using namespace cardwright;
using namespace cardwright::sema_tests;

namespace {

const std::string kBase =
    "game \"Base\"\nplayers 2..4, usually 3\ncard type Chip\ndeck Chips: Chip x 60 into bag { Chip }\n"
    "const most = 5\nvalue limit: int = 4\nvalue worth(p: player): int = size(p.hand)\n"
    "player { zone hand: owner; gold: 0..9 = 0 }\ntable { zone bag: pile, facedown }\n"
    "action take in main when size(me.hand) < most and size(me.hand) < limit { move top of bag to me.hand; me.gold = "
    "worth(me) }\n"
    "play { turns clockwise from first of players up to 30 { phase main { ask active or pass } } }\n"
    "ending three when any p in players has size(p.hand) >= 3 \"three\" { winners p }\n"
    "end when play is over { winners players with most it.gold }\n";

std::unique_ptr<Outcome> house(const std::string& rules, bool check = true, Files libraries = {}) {
  libraries["base.rules"] = kBase;
  libraries["game.rules"] = "game \"House\" extends base\n" + rules;
  return run(libraries, 0, {}, check);
}
std::string messages_of(const std::string& rules, Files libraries = {}) {
  return house(rules, true, std::move(libraries))->messages();
}

std::vector<std::string> endings(const std::string& rules) {
  const auto o = house(rules, false);
  INFO(o->messages());
  REQUIRE(o->model);
  std::vector<std::string> names;
  for (const model::EndWhen& e : o->model->endings) names.push_back(e.name.empty() ? "-" : e.name);
  return names;
}

}   // namespace

TEST_CASE("sema: a second const of one name is an error, unless it replaces the first") {
  CHECK(has(messages("const limit_of = 1\nconst limit_of = 2\nvalue v(): int = limit_of"),
            "23:1 E0202 duplicate const `limit_of` (rename one of them)"));
  CHECK_FALSE(has(messages("const limit_of = 1\nreplace const limit_of = 2\nvalue v(): int = limit_of"), "E0202"));
}

TEST_CASE("sema: a house file's endings are tested first, and name those they replace") {
  using Names = std::vector<std::string>;
  CHECK(endings("") == Names{"three", "-"});
  CHECK(endings("ending two when size(players) == 2 { winners players }") == Names{"two", "three", "-"});
  CHECK(endings("remove ending three") == Names{"-"});
  CHECK(endings("replace ending three when size(bag) == 0 { winners nobody }\nend when false { winners nobody }") ==
        Names{"-", "three", "-"});
  CHECK(messages_of("ending three when size(bag) == 0 { winners nobody }") ==
        "2:8 E0202 duplicate ending `three` (to replace it, write `replace ending three …`)");
  CHECK(has(messages_of("remove ending four"), "E0509 cannot remove unknown ending `four`"));
  CHECK(has(messages_of("replace end when size(bag) == 0 { winners nobody }"), "give the other ending a name"));
}

TEST_CASE("sema: an ending that an earlier one always preempts") {
  const auto pair = [](const std::string& first, const std::string& then) {
    return messages_of("end when " + first + " { winners nobody }\nend when " + then + " { winners players }");
  };
  const std::string hidden =
      "3:1 W0030 unreachable ending (the ending on line 2 is checked first, and its condition is true whenever the "
      "condition of this ending is true)";
  const auto some = [](const std::string& what) { return "any p in players has (" + what + ")"; };
  CHECK(pair("size(bag) < 9", "size(bag) < 9") == hidden);
  CHECK(pair("size(bag) < 9", "size(bag) < 5") == hidden);
  CHECK(pair("size(bag) <= 9", "size(bag) == 0 and size(players) == 2") == hidden);
  CHECK(pair("size(bag) < 9 or size(players) == 1", "size(players) == 1") == hidden);
  CHECK(pair(some("p.gold > 3"), "any q in players has (q.gold > 5 and size(q.hand) == 1)") == hidden);
  CHECK(pair("no p in players has (p.gold > 5)", "no p in players has (p.gold > 3)") == hidden);
  CHECK(pair("size(bag) < 5", "size(bag) < 9") == "");
  CHECK(pair(some("p.gold > 5"), some("p.gold > 3")) == "");
  CHECK(pair("size(bag) == 4", "size(bag) == 5") == "");
  // An ending of a house file may intentionally take precedence over one of the base.
  CHECK(messages_of("end when any p in players has size(p.hand) >= 2 { winners p }") == "");
}

TEST_CASE("sema: a declaration does not take over the name of another") {
  const auto refused = [](const std::string& rules, const std::string& what) {
    return has(messages_of(rules), "E0208 the name of a " + what);
  };
  CHECK(refused("table { most: 0..9 = 0 }", "const `most`"));
  CHECK(refused("table { limit: 0..9 = 0 }", "value `limit`"));
  CHECK(refused("turn var limit = 0", "value `limit`"));
  CHECK(refused("most = 3", "const `most`"));
  CHECK(refused("const limit = 3", "value `limit`"));
  CHECK(refused("value most: int = 3", "const `most`"));
  CHECK(refused("const bag = 3", "zone `bag`"));
  CHECK(has(messages_of("gold = 3"), "E0208 this declares a variable `gold` of the table"));
  CHECK(has(messages_of("take = 3"), "E0208 this declares a variable `take` of the table"));
  CHECK(has(messages_of("table { take: 0..9 = 0 }"), "W0029 this variable has the same name as the action `take`"));
  CHECK(has(messages_of("player { limit: 0..9 = 0 }\naction rob(p in players where limit > 2) in main { }"),
            "E0203 ambiguous name `limit`: both an attribute"));
  CHECK(messages_of("replace const most = 6\nreplace value limit: int = 3") == "");
}

TEST_CASE("sema: a local name that hides a matching outer name") {
  CHECK(has(messages_of("table { bonus: 0..9 = 1 }\nafter take { let bonus = 2; me.gold += min(bonus, 9 - me.gold) }\n"
                        "modify limit by +bonus"),
            "W0029 `bonus` hides the variable `bonus` in this rule"));
  // The outer name has another type, so a mistake is unlikely and there is no warning.
  CHECK_FALSE(has(messages_of("table { bonus: 0..9 = 1 }\nafter take { each bonus in players { bonus.gold = 0 } }\n"
                              "modify limit by +bonus"),
                  "W0029"));
}

TEST_CASE("sema: two libraries that set one value, or forbid and allow one action") {
  const Files sets = {{"near.rules", "library near\nmodify limit to 1\n"},
                      {"far.rules", "library far\nmodify limit to 3\n"}};
  CHECK(messages_of("use near\nuse far", sets) ==
        "near.rules:2:8 W0015 this rule never applies (the stronger rule on line 2 of far.rules always applies)");
  CHECK(messages_of("use far\nuse near", sets) ==
        "far.rules:2:8 W0015 this rule never applies (the stronger rule on line 2 of near.rules always applies)");
  CHECK(messages_of("use near\nmodify limit to 2", sets) == "");   // a file may override the libraries that it uses
  const Files speak = {{"never.rules", "library never\nforbid take when turn_number < 3\n"},
                       {"always.rules", "library always\nallow take\n"}};
  CHECK(has(messages_of("use never\nuse always", speak),
            "W0015 this rule never applies (among rules of the same kind, `forbid` overrides `allow`"));
  CHECK(messages_of("option free\nwith free { allow take }\nforbid take when turn_number < 3") == "");
}

TEST_CASE("sema: warnings that a file allows") {
  const auto allowed = [](const std::string& rules) {
    const auto o = house(rules);
    std::string out = o->messages();
    for (const AllowedWarning& w : o->diagnostics.allowed())
      out += fmt::format("[{} {}]", w.warning.code.id(), w.reason);
    return out;
  };
  CHECK(allowed("allow W0006 \"for later\"\ntable { spare: 0..9 = 0 }") == "[W0006 for later]");
  CHECK(allowed("table {\nallow W0006 \"for later\"\nspare: 0..9 = 0\n}") == "[W0006 for later]");
  CHECK(allowed("allow W0010, W0006 \"for later\"\nplayer { spare: 0..9 = 0 }") == "[W0006 for later]");
  CHECK(has(allowed("allow W0006 \"for later\"\nplayer { a: 0..9 = 0 }\nplayer { b: 0..9 = 0 }"), "`b`"));
  CHECK(has(allowed("allow W0006\ntable { spare: 0..9 = 0 }"), "2:1 E0417 missing reason in `allow`"));
  CHECK(has(allowed("allow W0006 \"why\""), "2:7 E0417 no declaration follows this `allow`"));
  CHECK(has(allowed("allow E0201 \"why\"\ntable { spare: 0..9 = 0 }"), "E0417 `E0201` is an error"));
  CHECK(has(allowed("allow W0999 \"why\"\ntable { spare: 0..9 = 0 }"), "E0417 unknown warning `W0999`"));
  CHECK(allowed("allow take when turn_number > 2\nforbid take") != "");   // this `allow` permits an action
}
