// Tests that declarations may appear in any order: a type can be used before its declaration, in every type position.
#include "tests/support/analyze.h"

namespace cardwright::sema_tests {
namespace {

struct Sort {
  std::string name, declaration;
  bool optional = true;   // `T?` is a valid type
};

const std::vector<Sort> kSorts = {
    {"Mood", "enum Mood { glad, sad }"},
    {"Purse", "record Purse { coins: 0..9 = 0 }", false},
    {"Nut", "card type Nut { size: 1..4 = 1 }"},
    {"Leaflet", "card Leaflet: Thing, colour green"},
    {"Person", "character type Person { lives: 1..3 = 1 }\ncharacter Ann: Person"},
    {"nest", "area nest x 3 { zone egg: public }"},
    {"basket", "player { area basket x 2 { full: 0..9 = 0 } }"},
    {"hero", "piece hero, one per player on field { tired: bool = false }\nboard field: grid 3 x 3"},
    {"token", "piece token x 4 on field\nboard field: grid 3 x 3"},
    {"gem", "piece gem, one per Gem on field\nenum Gem { ruby, opal }\nboard field: grid 3 x 3"},
    {"team", "teams each\nteam { score: 0..9 = 0 }"},
    {"cell", "board field: grid 3 x 3"},
    {"offset", "board field: grid 3 x 3", false},
    {"CL", "unit CL = 2"},
};

// `T` is replaced by a type, and `T?` by its optional type, if it has one.
const std::vector<std::string> kPlaces = {"player { v: T? }",
                                          "table { v: T? }",
                                          "turn var v: T?",
                                          "team { v: T? }\nteams each",
                                          "area shelf x 2 { v: T? }",
                                          "player { area pot x 2 { v: T? } }",
                                          "piece pawn x 2 on field { v: T? }\nboard field: grid 3 x 3",
                                          "player { l: list of T up to 3 }",
                                          "player { s: set of T }",
                                          "player { m: T? per 1..3 }",
                                          "player { m: 0..9 per T = 0 }",
                                          "record Box { v: T? }\ntable { b: Box }",
                                          "record Box { v: Lid }\nrecord Lid { v: T? }\ntable { b: Box }",
                                          "record Box { l: list of T up to 2 }\ntable { b: Box }",
                                          "function f(x: T): int = 1",
                                          "function f(x: set of T): int = 1",
                                          "value f(x: T): int = 1",
                                          "kept value f(x: T): int = 1",
                                          "sequence s(p: player): T { }",
                                          "function f(s: 0..9, r: rule(T) -> int): int = 1",
                                          "event e(x: T) { }",
                                          "event e() { var x: T? }",
                                          "window w(x: T) { ask active }",
                                          "action z(x: T) in main { }",
                                          "card type Old { a: T }",
                                          "card type Old { a: 0..9 per T = 1 }",
                                          "enum Kind { a: T?; one, two }",
                                          "character type Being { a: T? }\ncharacter Zed: Being"};

std::string put(std::string text, const Sort& sort) {
  for (std::size_t at = 0; (at = text.find('T', at)) != std::string::npos;) {
    const bool alone = (at == 0 || !std::isalnum(static_cast<unsigned char>(text[at - 1]))) &&
                       (at + 1 == text.size() || !std::isalnum(static_cast<unsigned char>(text[at + 1])));
    if (!alone) {
      ++at;
      continue;
    }
    const bool may_be_none = text[at + 1] == '?';
    text.replace(at, may_be_none ? 2 : 1, sort.name + (may_be_none && sort.optional ? "?" : ""));
    at += sort.name.size();
  }
  return text;
}

// Returns the messages without their source locations.
std::string without_places(const std::string& messages) {
  std::string out;
  std::istringstream lines(messages);
  for (std::string line; std::getline(lines, line);) out += line.substr(line.find(' ')) + "\n";
  return out;
}

bool has_one_board_and_teams(const std::string& rules) {
  const auto once = [&](const std::string& what) { return rules.find(what) == rules.rfind(what); };
  return once("board field") && once("teams each");
}

}   // namespace

TEST_CASE("sema: a type may be declared before or after its use") {
  std::size_t looked_at = 0, fine = 0;
  for (const Sort& sort : kSorts)
    for (const std::string& place : kPlaces) {
      const std::string use = put(place, sort);
      if (!has_one_board_and_teams(sort.declaration + use)) continue;
      const std::string before = messages(sort.declaration + "\n" + use),
                        behind = messages(use + "\n" + sort.declaration);
      INFO(use << "\n" << sort.declaration);
      CHECK(without_places(before) == without_places(behind));
      CHECK(before.find("unknown type") == std::string::npos);
      CHECK(before.find("the game has no teams") == std::string::npos);
      ++looked_at;
      fine += before.empty();
    }
  CHECK(looked_at > 340);
  CHECK(fine > 280);
}

TEST_CASE("sema: fields of records are parts of areas, pieces, teams and cards") {
  const std::string rules =
      "record Visit { at: nest?, by: hero?, whose: team?, what: Leaflet? = none }\nplayer { last: Visit; all: list of "
      "Visit up to 4 }\n"
      "event e(p: player, n: nest) {\n p.last = Visit(at: n, by: p.hero, whose: p.team, what: first of (all "
      "Leaflet))\n p.all += p.last\n"
      " if p.last.at is not none then p.last.at.height += 1\n if p.last.by is not none then p.last.by.tired = true\n "
      "p.last.what = none\n}\n"
      "area nest x 3 { height: 0..9 = 0 }\nboard field: grid 3 x 3\npiece hero, one per player on field { tired: bool "
      "= false }\nteams each\ncard Leaflet: Thing, colour green\n";
  CHECK(messages(rules) == "");
}

TEST_CASE("sema: invalid attributes") {
  CHECK(messages("enum Kind { home: nest; one, two }\narea nest x 3 { height: 0..9 = 0 }")
            .find("22:19 E0112 an attribute can't have type `nest`") == 0);
  CHECK(has(messages("card type Old { home: nest }\narea nest x 3 { height: 0..9 = 0 }"),
            "an attribute can't have type `nest`"));
  CHECK(has(messages("card type Old { far: 0..9 per nest = 1 }\narea nest x 3 { height: 0..9 = 0 }"),
            "an attribute can't have type"));
  CHECK(has(messages("card type Old { lies: hero }\nboard field: grid 3 x 3\npiece hero, one per player on field"),
            "an attribute can't have type `hero`"));
}

// Each error in the declaration of an area or a kind of piece is reported once, and references to it add no messages.
TEST_CASE("sema: invalid areas and pieces") {
  CHECK(messages("area nest x 99 { height: 0..9 = 0 }") ==
        "22:13 E0304 number of parts out of range; expected 1 to 61, found 99");
  CHECK(messages("player { area nest x 40 { height: 0..9 = 0 } }") ==
        "22:22 E0304 number of parts out of range; the limit is 61, found 120 with 3 players");
  CHECK(messages("area nest x 3 { height: 0..9 = 0 }\narea nest x 2 { }").find("23:1 E0202 duplicate area `nest`") ==
        0);
  CHECK(has(messages("piece hero x 2 on meadow"), "unknown board `meadow`"));
  CHECK(has(messages("board field: grid 3 x 3\npiece hero x 0 on field"),
            "number of pieces out of range; expected 1 to 4000, found 0"));
  CHECK(has(messages("board field: grid 3 x 3\npiece hero, one per Weather on field"),
            "expected `player` or an enum after `per`, found `Weather`"));
}

}   // namespace cardwright::sema_tests
