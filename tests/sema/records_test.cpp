// Tests records: their representation in the Model, and messages for likely mistakes.
#include "tests/support/analyze.h"

namespace cardwright::sema_tests {

TEST_CASE("sema: a record is represented by its fields") {
  const std::string purse = "record Purse { gilders: 0..9 = 0, pence: 0..9 = 3 }\nplayer { purse: Purse }\n";
  CHECK(messages(purse +
                 "event e(p: player) { p.purse.gilders = 1; p.purse = Purse(pence: 2); if p.purse == Purse() then "
                 "take(p) }") == "");
  const std::string m = printed(purse + "event e(p: player, x: Purse) { p.purse = Purse(x.pence, x.gilders) }");
  CHECK(has(m, "purse.gilders"));
  CHECK(has(m, "purse.pence"));
  CHECK(has(m, "x.pence"));
  CHECK(messages(purse + "function f(a: Purse): Purse = a\nevent e(p: player) { p.purse = f(p.purse) }") == "");
  CHECK(messages(purse + "const full = Purse(9, 9)\nevent e(p: player) { var x = full; x.pence -= 1; p.purse = x; "
                         "players.purse = full; players.purse.pence = 1 }") == "");
  CHECK(messages(
            purse +
            "event pay(p: player, what: Purse) { p.purse = what }\nafter pay(p, what) when what.pence > 2 { take(p) "
            "}\nbefore pay(_, _) { checkpoint }\nevent e(p: player) { pay(p, Purse()); pay(what: p.purse, p: p) }") ==
        "");
  CHECK(messages(purse +
                 "window w(p: player, x: Purse) { var left = x\n ask p or pass }\naction a in w { w.left.pence = "
                 "w.x.gilders }\nevent e(p: player) { let s = open w(p, p.purse); p.purse = s.left }") == "");
}

TEST_CASE("sema: likely mistakes with records") {
  const std::string purse = "record Purse { gilders: 0..9, pence: 0..9 = 3 }\nplayer { purse: Purse }\n";
  const auto in_event = [&](const std::string& s) { return messages(purse + "event e(p: player) { " + s + " }"); };
  CHECK(has(in_event("p.purse = Purse(pence: 1)"), "E0309 `Purse` is missing the field `gilders`"));
  CHECK(has(in_event("p.purse = Purse(1, 2, 3)"), "too many values: `Purse` has 2 fields"));
  CHECK(has(in_event("p.purse = Purse(1, gilders: 2)"), "duplicate field `gilders`"));
  CHECK(has(in_event("p.purse = Purse(1, shillings: 2)"), "`Purse` has no field `shillings`"));
  CHECK(has(in_event("p.purse.penny = 1"), "`Purse` has no field `penny`"));
  CHECK(has(in_event("p.purse += Purse(1)"), "a value of type `Purse` can only be assigned with `=`"));
  CHECK(has(in_event("p.purse = 3"), "expected `Purse`, found `int`"));
  CHECK(has(in_event("p.purse = Purse(12)"), "12 is out of range 0..9"));
  CHECK(has(in_event("let x = p.purse; x.pence = 1"),
            "cannot assign to `x`, which is not a variable (declare it with `var`: `var x = …`)"));
  CHECK(has(in_event("if p.purse == 3 then take(p)"), "can't compare `Purse` with `int`"));
  CHECK(has(in_event("let x = p.purse or else Purse(1)"), "a value of type `Purse` is never none"));
  CHECK(has(in_event("p.purse = [Purse(1), Purse(2)][roll 0..1]"),
            "an expression with an effect can't be part of a record"));
  CHECK(has(messages("record R { a: R }"), "recursive record `R`"));
  CHECK(has(messages("record R { }"), "record `R` has no fields"));
  CHECK(has(messages("record R { a: int per player }"), "declare a table of records instead: `R per player`"));
  CHECK(has(messages(purse + "player { bad: Purse? }"),
            "type `Purse` can't be optional (declare an optional field instead)"));
  CHECK(messages(
            "record Coin { worth: 0..9 = 1 }\nrecord Bag { coin: Coin, size: 0..9 = 0 }\nevent e(p: player) { let b = "
            "Bag(); let c = Bag(size: 3) }") == "");
  CHECK(has(messages(purse + "function f() = Purse(1)"), "needs a type"));
  CHECK(has(messages(purse + "event pay(what: Purse) { checkpoint }\nafter pay(Purse(1)) { checkpoint }"),
            "E0401 a record can't be matched"));
  CHECK(has(messages(purse + "action a(x: Purse) in main { checkpoint }"),
            "a value of type `Purse` can't be picked (pick its fields instead)"));
}

TEST_CASE("sema: lists of records") {
  const std::string plan = "record Trip { days: 0..9 = 1, to: Colour }\nplayer { plan: list of Trip up to 4 }\n";
  const auto in_event = [&](const std::string& s) {
    return messages(plan + "event e(p: player, t: Trip) { " + s + " }");
  };
  CHECK(in_event("p.plan += t; p.plan -= t; p.plan = [t, Trip(2, red)] + p.plan; p.plan[0].days = 3; p.plan[1] = t; "
                 "players.plan = []") == "");
  CHECK(in_event("each x in p.plan where days > 2 { if x.to == red then take(p, x.days) }; if t in p.plan and p.plan "
                 "== [t] then take(p, sum of x.days for x in p.plan)") == "");
  CHECK(in_event("let l = list of Trip(x.days, green) for x in p.plan; var m = l where days > 1; m += l; m[0].days -= "
                 "1; if m is not empty then take(p, (first of m).days + size(l))") == "");
  CHECK(in_event("if any x in p.plan has x.days > 3 then p.plan += x") == "");
  CHECK(messages(plan + "sequence s(p: player): Trip { each t in p.plan { yield t }; yield Trip(3, red) }\nevent e(p: "
                        "player) { each t in s(p) where days > 1 { if t.to == red then p.plan += t } }") == "");
  CHECK(messages(plan +
                 "function f(p: player): list of Trip up to 4 = p.plan where days > 1\nvalue v(p: player): list of "
                 "Trip up to 2 = [Trip(1, red)]\nevent e(p: player): list of Trip up to 4 { return f(p) }\nevent "
                 "g(p: player) { p.plan = v(p); p.plan = e(p) }") == "");
  const std::string m = printed(plan + "event e(p: player) { each t in p.plan { take(p, t.days) } }");
  CHECK(has(m, "plan.days"));
  CHECK(has(m, "plan.to"));
  CHECK(has(in_event("p.plan += 3"), "expected `Trip` for `an element`"));
  CHECK(has(in_event("p.plan -= [t]"), "`-=` removes a single element, not a list"));
  CHECK(has(in_event("p.plan = [t, t, t, t, t]"), "too many elements: found 5, but the list can have at most 4"));
  CHECK(has(in_event("if 3 in p.plan then take(p)"), "E03"));
  CHECK(has(in_event("each x in p.plan { x.days = 3 }"), "cannot assign to this element"));
  CHECK(has(in_event("if t in [3] then take(p)"), "expected `Trip`, found `int`"));
  CHECK(has(messages(plan + "record Route { trips: list of Trip up to 3 }"),
            "a field can't have type `list of Trip up to 3`"));
  CHECK(has(messages(plan + "table { x: list of list of Trip up to 2 up to 3 }"),
            "inner lists can only contain single values, not records"));
  CHECK(has(messages(plan + "table { x: set of Trip }"),
            "E0112 a set can't contain `Trip` (use a list: `list of Trip up to 9`"));
  CHECK(has(messages(plan + "sequence s(p: player): list of Trip up to 4 { yield p.plan }"),
            "yield the records one by one"));
  CHECK(has(messages(plan + "sequence s(p: player): Trip { yield Trip(3, red) }\nevent e(p: player) { let x = s(p) }"),
            "a sequence can be used only in a loop"));
}

TEST_CASE("sema: assignments to all teams and to all parts of an area") {
  const std::string parts =
      "teams each\nteam { score: 0..9 = 0; line: list of Colour up to 3 }\narea nest x 3 { height: 0..9 = 0 }\n";
  const auto in_event = [&](const std::string& s) { return messages(parts + "event e(p: player) { " + s + " }"); };
  CHECK(in_event("teams.score = 2; nests.height += 1; (nests where height > 2).height = 0; teams.line = [red]") == "");
  CHECK(has(in_event("teams.line += red"), "the `list of Colour up to 3` of several parts can't be changed at once"));
  CHECK(has(in_event("teams.score = red"), "E03"));
  CHECK(has(in_event("teams.scores = 2"), "has no member `scores`"));
}

TEST_CASE("sema: attributes that refer to their own enum") {
  const std::string towns =
      "enum Town { next: set of Town, road: bool per Town = false, far: Town?\n Oslo(next: [Rome], road: [Rome: "
      "true]), Rome([Oslo, Rome], far: Oslo) }\nplayer { at: Town = Oslo; n: 0..9 = 0 }\n";
  CHECK(messages(towns +
                 "event e(p: player) { if p.at in Rome.next and p.at.road[Rome] then take(p); if p.at.far is not "
                 "none then p.at = p.at.far }") == "");
  CHECK(messages(
            "character type Hero { rival: Hero?, friends: set of Hero }\ncharacter Ann: Hero, rival Bob\ncharacter "
            "Bob: Hero { friends = [Ann] }\nplayer { hero: Hero = Ann }\nevent e(p: player) { if p.hero.rival == Bob "
            "or Ann in p.hero.friends then take(p) }") == "");
  const auto town = [](const std::string& fields, const std::string& oslo) {
    return messages("enum Town { " + fields + "\n" + oslo + ", Rome }");
  };
  CHECK(has(town("next: set of Town", "Oslo(next: [Roma])"),
            "E0305 `Roma` is not a constant of `Town` (did you mean `Rome`?)"));
  CHECK(has(town("next: set of Town", "Oslo(next: Rome)"),
            "E0301 the value of `next` must be of type `set of Town` (write a set as `[a, b]`)"));
  CHECK(has(town("next: set of Town", "Oslo(nxt: [Rome])"), "`Town` has no attribute `nxt` (did you mean `next`?)"));
  CHECK(has(town("next: set of Town", "Oslo([Rome], [Rome])"), "too many values: `Town` has 1 attribute"));
  CHECK(has(town("next: set of Town", "Oslo([Rome], next: [Rome])"), "duplicate argument `next`"));
  CHECK(has(town("next: Town", "Oslo(next: Rome)"),
            "`Rome` has no value for the attribute `next` (write `Rome(next: …)`"));
  CHECK(has(town("road: bool per Town = false", "Oslo(road: [Rom: true])"),
            "`road` has no entry `Rom` (did you mean `Rome`?)"));
  CHECK(has(town("road: bool per Town = false", "Oslo(road: [Rome: true, Rome: false])"), "duplicate key `Rome`"));
  CHECK(has(town("road: bool per Town = false", "Oslo(road: [Rome: true, Oslo])"), "missing key of a table entry"));
  CHECK(has(town("road: bool per Town", "Oslo(road: [Rome: true, Oslo: false])"),
            "`Rome` has no value for the attribute `road.Oslo` (write `Rome(road: …)`"));
  CHECK(has(messages(towns + "event e(p: player) { let m = [Oslo: 3] }"),
            "a table literal is allowed only as the value of an attribute (assign the entries of a variable one "
            "by one: `m[red] = 1`)"));
}

TEST_CASE("sema: a record has a limited number of fields, and can't contain itself") {
  std::string rules = "record R0 { a: 0..1 = 0; b: 0..1 = 0 }\n";
  for (int i = 1; i < 40; ++i) rules += fmt::format("record R{} {{ a: R{}; b: R{} }}\n", i, i - 1, i - 1);
  CHECK(has(messages(rules + "player { r: R39 }"),
            "28:20 E0308 with `b` the record `R6` has too many values; the limit is 64 (each field of a nested record "
            "counts)"));
  CHECK(messages("record R { a: S }\nrecord S { b: R }\nplayer { r: R }").find("22:8 E0207 recursive record `R`") == 0);
}

}   // namespace cardwright::sema_tests
