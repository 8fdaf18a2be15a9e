// Tests every clause of the grammar in every context: it must have an observable effect or produce a message. In the
// table, « and » enclose the clause; without it, the Model or the messages must change.
#include <set>
#include <sstream>

#include "tests/sema/grammar_elements.h"
#include "tests/sema/seen.h"

using namespace cardwright;
using namespace cardwright::sema_tests;

namespace {

struct Clause {
  std::string rule;   // name of the grammar rule
  std::string text;   // declarations, with the clause between « and », and `@` for the context
};

struct Where {
  std::string rule;
  std::vector<std::string> places;   // the replacements for `@`
};

// Returns the contexts in which a clause of each grammar rule is tested: windows of each kind, and each declaration
// that can contain fields or zones.
const std::vector<Where>& places() {
  static const std::vector<Where> all = {
      {"actionPart", {"main", "all_in", "rush"}},
      {"limit", {"main", "all_in", "rush"}},
      {"timePart", {"main", "all_in", "rush"}},
      {"latency", {"main", "all_in", "rush"}},
      {"aftermath", {"main", "all_in", "rush"}},
      {"playPart", {"main", "all_in", "rush"}},
      {"fields", {"player { ", "table { ", "team { ", "record R { ", "card type Extra: Thing { ", "area nook x 2 { "}},
      {"zone", {"player { ", "table { ", "team { ", "area nook x 2 { "}},
  };
  return all;
}

const std::vector<Clause>& clauses() {
  static const std::vector<Clause> all = {
      {"actionDecl", "action x«(n: 1..3)» in main { }"},
      {"actionDecl", "action x in «main or» all_in { }"},
      {"actionPart", "action x in @«, free» { }"},
      {"actionPart", "action x in @ «when chief == me» { }"},
      {"actionPart", "action x in @ «by chief» { }"},
      {"actionPart", "action x in @ «\"Do it\"» { }"},
      {"actionPart", "action x in @«, secret» { }"},
      {"limit", "action x in @«, once per window» { }"},
      {"limit", "action x in @«, once per turn» { }"},
      {"limit", "action x in @«, once per round» { }"},
      {"limit", "action x in @«, once per phase» { }"},
      {"limit", "action x in @«, once per game» { }"},
      {"limit", "action x(t in others) in @, once per turn« and t» { }"},
      {"limit", "action x in @, once per turn« as shot» { }"},
      {"limit", "action x in @«, as shot» { }"},
      {"timePart", "action x in @«, must» { }"},
      {"timePart", "action x in @«, must if chief == me» { }"},
      {"timePart", "action x in @«, sensible if chief == me» { }"},
      {"timePart", "action x in @«, takes 1 s» { }"},
      {"timePart", "action x in @, takes 1 s«, by hand» { }"},
      {"timePart", "action x in @«, then busy 1 s» { }"},
      {"latency", "action x in @, takes 1 s«, at least 300 ms» { }"},
      {"latency", "action x in @, takes 1 s ± 1 s«, at least 300 ms» { }"},
      {"latency", "action x in @, takes 1 s« at first, then 2 s» { }"},
      {"aftermath", "action x in @ { }« late { take(me) }»"},
      {"aftermath", "action x in @ when chief == me { }« wrong { take(me) }»"},
      {"aftermath", "action x in @ { } late« or wrong» { take(me) }"},
      {"param", "action x(n: 1..3« = 2») in main { }"},
      {"param", "action x(c in me.hand« keeping c.worth > 0») in main { }"},
      {"param", "action x(cs: any cards in me.hand« keeping size(cs) < 3») in main { }"},
      {"param", "action x(p: «any »player) in main { }"},
      {"param", "action x(c in me.hand« where worth > 1») in main { }"},
      {"param", "action x(cs: «up to »2 cards in me.hand) in main { }"},
      {"param", "event x(n: int« = 3») { take(chief, n) }\nsetup { x(2) }"},
      {"param", "event x(n: int« keeping n > 1») { take(chief, n) }\nsetup { x(2) }"},
      {"param", "event x(c: card« in draw») { move c to discard }\nsetup { x(top of draw) }"},
      {"param", "window x(n: int« = 3») { ask chief or pass }\nsetup { open x(2) }"},
      {"param", "function x(n: int« = 3»): int = n\nsetup { take(chief, x(2)) }"},
      {"param", "function x(n: int« keeping n > 1»): int = n\nsetup { take(chief, x(2)) }"},
      {"playPart", "card Pip: Thing, colour red { play in @«, free» to discard }"},
      {"playPart", "card Pip: Thing, colour red { play in @« when chief == me» to discard }"},
      {"playPart", "card Pip: Thing, colour red { play in @« to draw» { } }"},
      {"playPart", "card Pip: Thing, colour red { play in @« by chief» to discard }"},
      {"playPart", "card Pip: Thing, colour red { play in @« \"Do it\"» to discard }"},
      {"playPart", "card Pip: Thing, colour red { play in @«, sensible if chief == me» to discard }"},
      {"playPart", "card Pip: Thing, colour red { play in @«, takes 1 s» to discard }"},
      {"playsTo", "card Pip: Thing, colour red {« plays to draw;» play in main { } }"},
      {"playsTo",
       "card Pip: Thing, colour red {« plays to draw;» play in main to discard }\ndeck Pips: Thing into draw { Pip }"},
      {"playsTo", "card Pip: Thing, colour red {« plays to draw» }\ndeck Pips: Thing into draw { Pip }"},
      {"playsTo", "card Pip: Thing, colour red { plays to me.table« replacing any Leaf»; play in main { } }"},
      {"cardType", "card type Extra«: Thing» { }"},
      {"cardType",
       "card type Extra: Thing« \"{colour} thing\"» { }\ncard Pip: Extra, colour red\ndeck Pips: Extra into draw { Pip "
       "}"},
      {"card", "card Pip: Thing«, worth 5», colour red\ndeck Pips: Thing into draw { Pip }"},
      {"card", "card Pip: Thing, colour red« \"Pippin\"»\ndeck Pips: Thing into draw { Pip }"},
      {"deckClause", "deck Pips: Thing« x 7» into draw { Stone }"},
      {"deckClause", "deck Pips: Thing« into draw» { Stone }"},
      {"deckClause", "deck Pips: Thing into draw { Stone x 2 }« total 3»"},
      {"deckItem", "deck Pips: Thing into draw { Stone« x 2» }"},
      {"deckItem", "deck Pips: Thing into draw { Stone x 2«; total 3» }"},
      {"fields", "@x: 0..9 = 0«, secret» }"},
      {"fields", "@x: 0..9 = 0«, hidden» }"},
      {"fields", "player { x: 0..9« = 3» }"},
      {"fields", "record R { x: 0..9« = 3» }\ntable { r: R }\nsetup { r.x += 1 }"},
      {"fields",
       "card type Extra: Thing { x: 0..9« = 3» }\ncard Pip: Extra, colour red\ndeck Pips: Extra into draw { Pip }"},
      {"fields", "@«unprinted »x: 0..9 = 0 }"},
      {"fields", "@«turn var »x: 0..9 = 0 }"},
      {"fields", "@x: 0..9« per Colour» = 0 }"},
      {"zone", "@zone x: public«, one of a kind» }"},
      {"zone", "@zone x: pile, faceup«, refill from discard» }"},
      {"zone", "@zone x: «pile, »facedown }"},
      {"zone", "@zone x: hidden«, facedown» }"},
      {"zone", "@zone x: row, public«, one of a kind» }"},
      {"timerDecl", "player { timer x« \"Bell\"» }"},
      {"timerDecl", "table {« timer x» }"},
      {"valueDecl", "«kept »value x(p: player): int = size(p.hand)\nsetup { take(chief, x(seat(1))) }"},
      {"valueDecl", "value x: int = 3« at most 2»\nsetup { take(chief, x) }"},
      {"valueDecl", "value x: int = 3«, latest modifier first»\nsetup { take(chief, x) }"},
      {"valueDecl", "value x: int«, latest modifier first» { return 3 }\nsetup { take(chief, x) }"},
      {"functionDecl",
       "function x(n: int): int« nested up to 5» = if n < 1 then 0 else x(n - 1)\nsetup { take(chief, x(2)) }"},
      {"functionDecl", "function x(n: int): int« nested up to 5» = n\nsetup { take(chief, x(2)) }"},
      {"eventDecl", "event x« nested up to 5» { take(chief) }\nsetup { x() }"},
      {"eventDecl", "event x« nested up to 5» { if size(draw) > 3 then x() }\nsetup { x() }"},
      {"eventDecl",
       "event x(p: player)«, p orders replacements» { take(p) }\ninstead of x(p) when size(draw) > 3 { proceed }\n"
       "instead of x(p) when size(discard) > 1 { take(p); proceed }\nsetup { x(chief) }"},
      {"windowDecl", "window x« : int» { ask chief or pass; return 3 }\nsetup { open x }"},
      {"windowDecl", "window x {« countdown 3 s;» ask chief or pass }\nsetup { open x }"},
      {"windowDecl", "window x {« sight 300 ms;» ask all of players at once }\nsetup { open x }"},
      {"windowDecl", "window x {« together within 3 s;» ask chief or pass }\nsetup { open x }"},
      {"windowDecl",
       "window x { ask all of players in real time until size(draw) < 2; after 9 s { end x }« patience 3 s» }\nsetup { "
       "open x }"},
      {"windowDecl",
       "window x { ask all of players in real time until size(draw) < 2; after 9 s« \"late\"» { end x } }\nsetup { "
       "open x }"},
      {"windowDecl",
       "window x { ask all of players in real time until size(draw) < 2; after 9 s { end x }; stalemate« when nobody "
       "can push» { end x } }\nsetup { open x }"},
      {"ask", "window x { ask chief« or pass» }\nsetup { open x }"},
      {"ask", "window x { ask chief« until size(draw) < 2» }\nsetup { open x }"},
      {"ask", "window x { ask chief« until pass when size(draw) < 2» }\nsetup { open x }"},
      {"ask", "window x { ask chief until pass« when size(draw) < 2» }\nsetup { open x }"},
      {"ask", "window x { ask chief until pass«, again» }\nsetup { open x }"},
      {"ask", "window x { ask chief« from seat(2)» or pass }\nsetup { open x }"},
      {"ask", "window x { ask each of players« from seat(2)» or pass }\nsetup { open x }"},
      {"ask", "window x { ask each of players« until pass» }\nsetup { open x }"},
      {"ask", "window x { ask each of players« until all pass» }\nsetup { open x }"},
      {"ask", "window x { ask chief or pass« within 3 s otherwise pass» }\nsetup { open x }"},
      {"ask", "window x { ask all of players at once or pass« within 3 s otherwise pass» }\nsetup { open x }"},
      {"ask", "window x { ask all of players at once« until size(draw) < 2» }\nsetup { open x }"},
      {"modify", "modify most(_)« when chief is none» by +1"},
      {"modify", "modify most(_) when chief is none by +1« when size(draw) > 2»"},
      {"forbid", "forbid any action« as shot» when size(draw) == 1"},
      {"forbid", "forbid any action« when size(draw) == 1»"},
      {"policyDecl", "policy x« for bots» { avoid push }"},
      {"policyDecl", "policy x« \"Extra\"» { avoid push }"},
      {"policyRule", "policy x { avoid push« when size(draw) == 1» }"},
      {"policyRule", "policy x { avoid push«, grab» }"},
      {"spoken", "policy x { avoid any action« as shot» }"},
      {"spoken", "policy x { avoid push« as shot» }"},
      {"spoken", "action hit(t in others) in main { }\npolicy x { avoid hit«(seat(1))» }"},
      {"spoken", "policy x { avoid play« Stone» }"},
      {"trigger", "after take(p)« when size(draw) == 1» { p.gold += 1 }"},
      {"watched", "after grab« by chief» { me.gold += 1 }"},
      {"watched", "after take(p)« by chief» { p.gold += 1 }"},
      {"watched", "after any action« in main» { me.gold += 1 }"},
      {"watched", "after any action« except grab» { me.gold += 1 }"},
      {"watched", "measure x: count after grab« by chief»"},
      {"watched", "measure x: count after any action« in main»"},
      {"watched", "measure x: count late any action in rush« except push»"},
      {"measureDecl", "measure x« \"Extra\"»: count after take"},
      {"measureDecl", "measure x« per p»: count after take(p)"},
      {"measureDecl", "measure x per p«, n»: count after take(p, n) when n < 3"},
      {"measureDecl", "measure x: count after take« when size(draw) == 1»"},
      {"measureDecl", "measure x: mean size(draw) at end« when size(draw) == 1»"},
      {"endWhen", "end when size(draw) == 1« \"nothing is left\"» { winners nobody }"},
      {"endingDecl", "ending x when size(draw) == 1« \"nothing is left\"» { winners nobody }"},
      {"allowance", "allow W0006« \"for later\"»\ntable { x: 0..9 = 0 }"},
      {"optionDecl", "option x« \"Extra\"»\nwith x { value shown: int = 1 }"},
      {"optionDecl", "option x: 0..3« = 2»\nwith x == 2 { value shown: int = 1 }"},
      {"relation", "require size(players) > 1 with more« \"why\"»"},
      {"scenario", "scenario \"x\"« for 4 players» { then chief is none }"},
      {"scenario", "scenario \"x\"« with more» { then chief is none }"},
      {"scenario", "scenario \"x\" for 3 players {« given chief = a» }"},
      {"scenario", "scene s for 3 players { chief = a }\nscenario \"x\"« in s» { then chief is none }"},
      {"scenario", "scene s for 3 players { chief = a }\nscenario \"x\" in s« for 2 players» { then chief == a }"},

      {"useDecl", "use std.french« with ace_is: 1»\nvalue high(c: French): int = c.rank"},
      {"optionDecl", "option x = a | b« | c»\nwith x == b { value shown: int = 1 }"},
      {"optionValue", "option x = a« { modify most(_) by +1 }» | b"},
      {"withDecl", "with more { value shown: int = 1 }« otherwise { value shown: int = 2 }»"},
      {"variantDecl", "option x: 0..3 = 2\nwith x == 2 { value shown: int = 1 }\nvariant \"V\" { more«, x = 3» }"},
      {"setting", "option x = a | b\nwith x == b { value shown: int = 1 }\nvariant \"V\" { x« = b» }"},
      {"warnDecl", "warn when more« \"why\"»"},
      {"sentence", "option x = a | b\nwith x == b { value shown: int = 1 }\nx« == b» implies more"},
      {"sentence", "option x\nwith x { value shown: int = 1 }\nmore implies x« unless size(players) > 1»"},
      {"sentence", "option x\nwith x { value shown: int = 1 }\nx is void with more« \"why\"»"},
      {"enumDecl", "enum Mood« { calm, angry }»\nplayer { mood: Mood }"},
      {"enumBody", "enum Mood { calm«, angry» }\nplayer { mood: Mood = calm }"},
      {"enumItem", "enum Mood { calm« = 3», angry }\nplayer { mood: Mood = calm }"},
      {"enumItem", "enum Mood { deep: 0..9 = 1; calm«(deep: 3)»; angry }\nplayer { mood: Mood = calm }"},
      {"enumItem", "enum Mood { calm; with more { angry }« otherwise { glad }» }\nplayer { mood: Mood = calm }"},
      {"cardType",
       "card type Extra: Thing« { deep: 0..9 = 1 }»\ncard Pip: Extra, colour red\ndeck Pips: Extra into draw { Pip }"},
      {"card", "card type Other { deep: 0..9 = 1 }\ncard Pip«: Thing», colour red\ndeck Pips: Thing into draw { Pip }"},
      {"card", "card Pip: Thing, colour red« { play in main { } }»\ndeck Pips: Thing into draw { Pip }"},
      {"characterType",
       "character type Hero« { lives: 1..5 = 2 }»\ncharacter Ann: Hero\ncharacter Bob: Hero\nplayer { hero: Hero = Ann "
       "}"},
      {"character",
       "character type Hero { lives: 1..5 = 2 }\ncharacter type Other { deep: 1..5 = 2 }\ncharacter Ann«: "
       "Hero»\ncharacter Bob: Hero\nplayer { hero: Hero }"},
      {"character",
       "character type Hero { lives: 1..5 = 2 }\ncharacter Ann: Hero«, lives 4»\nplayer { hero: Hero = Ann }"},
      {"character",
       "character type Hero { lives: 1..5 = 2 }\ncharacter Ann: Hero« \"Anna\"»\nplayer { hero: Hero = Ann }"},
      {"character",
       "character type Hero { lives: 1..5 = 2 }\ncharacter Ann: Hero« { modify most(me) by +1 }»\nplayer { hero: Hero "
       "= Ann }"},
      {"deck", "deck Pips«: Thing into draw { Stone }»"},
      {"deck", "deck Pips: Thing into draw« { Stone }»"},
      {"deckItem", "deck Pips: Thing into draw { Stone«(worth: 2)» }"},
      {"deckItem", "deck Pips: Thing into draw { each k in Colour«, n in 1..2»: Stone(worth: 2) }"},
      {"deckItem", "deck Pips: Thing into draw { with more { Stone }« otherwise { Leaf }» }"},
      {"zoneAttr", "player { zone x: pile, facedown, starts with 2 Stone«(worth: 3)» }"},
      {"zoneAttr", "player { zone x: pile, facedown, starts with 2« Stone» }"},
      {"pieceDecl", "board yard: grid 3 x 3\npiece man x 2 on yard« { facing N }»"},
      {"coversDecl", "board yard: grid 3 x 3\npiece man x 2 on yard { covers 1« x 2» }"},
      {"coversDecl", "board yard: grid 3 x 3\npiece man x 2 on yard { covers offsets [(0, 0)«, (1, 0)»] }"},
      {"dieDecl", "die bone« x 2» { faces 1..6 }\nsetup { take(chief) }"},
      {"dieDecl", "die bone« { faces 1..3 }»"},
      {"facesDecl", "die bone { faces 1..6«, secret» }"},
      {"boardDecl", "board yard: grid 3 x 3« { shows 1 }»"},
      {"boardShape", "board yard: grid 3 x 3« wraps both»"},
      {"valueDecl", "value x«(p: player)»: int = 3\nsetup { take(chief, x(seat(1))) }"},
      {"functionDecl", "function x(n: int)«: bool» = n\nsetup { take(chief, x(2)) }"},
      {"eventDecl", "event x«(n: int)» { take(chief) }\nsetup { x(2) }"},
      {"eventDecl", "event x«: int» { return 3 }\nsetup { take(chief, x()) }"},
      {"eventDecl", "event x« { take(chief) }»\nsetup { x() }"},
      {"windowDecl", "window x«(p: player)» { ask chief or pass }\nsetup { open x(seat(1)) }"},
      {"params", "event x(n: int«, m: int») { take(chief, n) }\nsetup { x(2, 3) }"},
      {"param", "action x(c« in me.hand») in main { }"},
      {"param", "action x(c: Thing« in me.hand») in main { }"},
      {"actionDecl", "action x« in main» { }"},
      {"playDecl",
       "card Pip: Thing, colour red { play in main«(t in others)» to discard }\ndeck Pips: Thing into draw { Pip }"},
      {"playDecl",
       "card Pip: Thing, colour red { play in main to discard« { take(me) }» }\ndeck Pips: Thing into draw { Pip }"},
      {"playDecl",
       "card Pip: Thing, colour red { play in rush to discard { take(me) }« late { take(me, 2) }» }\ndeck Pips: Thing "
       "into draw { Pip }"},
      {"whileDecl",
       "card Pip: Thing, colour red { while in table«, hand» { modify most(me) by +1 } }\ndeck Pips: Thing into draw { "
       "Pip }"},
      {"modify", "modify most«(chief)» by +1"},
      {"modify", "modify gold«.most» by +1"},
      {"forbid", "forbid push«, grab» when size(draw) == 1"},
      {"forbidden", "action hit(t in others) in main { }\nforbid hit«(seat(1))» when size(draw) == 1"},
      {"forbidden", "forbid play« Stone» when size(draw) == 1"},
      {"forbidden", "forbid push« as shot» when size(draw) == 1"},
      {"watched", "after any action except grab«, push» { me.gold += 1 }"},
      {"watched", "after« play» Stone { me.gold += 1 }"},
      {"watched", "after take«(seat(1))» { if chief is in then chief.gold += 1 }"},
      {"watched", "measure x: count before« phase» main"},
      {"whenever", "whenever« p:» size(draw) == 1 { chief = none }"},
      {"stmt", "setup { let n«: bool» = 3; take(chief, n) }"},
      {"stmt", "setup { var n: int« = 3»; n += 1; take(chief, n) }"},
      {"stmt", "setup { if size(draw) > 2 { take(chief) }« else { take(chief, 2) }» }"},
      {"stmt", "setup { each p in players«, k in 1..2» { take(p) } }"},
      {"stmt", "setup { each p in players« from seat(2)» { take(p) } }"},
      {"stmt", "setup { repeat« up to» 3 times { take(chief) } }"},
      {"stmt", "setup { repeat up to 3 times« while size(draw) > 2» { take(chief) } }"},
      {"stmt", "event x: int? { return« 3» }\nsetup { let n = x() }"},
      {"stmt", "window x { ask« each of» players or pass }\nsetup { open x }"},
      {"stmt", "setup { move top of draw«, bottom of draw» to discard }"},
      {"stmt", "setup { move top of draw to discard« facedown» }"},
      {"thing", "setup { move 2« random» cards from draw to discard }"},
      {"thing", "setup { move top of draw« cards from discard» to discard }"},
      {"stmt", "setup { deal 1 from draw to each hand« facedown» }"},
      {"stmt", "setup { deal 1« from draw» to each hand }"},
      {"stmt", "setup { shuffle discard« into draw» }"},
      {"stmt", "action x in main { peek top of draw« by chief» }"},
      {"stmt", "action x in main { peek top of draw«, bottom of draw» }"},
      {"stmt", "setup { take(chief); with more { take(chief) }« otherwise { take(chief, 2) }» }"},
      {"stmt", "action x in main { me may \"Go?\" { take(me) }« else { take(me, 2) }» }"},
      {"stmt", "action x in main { me« may \"Go?\"» { take(me) } }"},
      {"stmt", "action x in main { arrange top 2 of draw« by chief» }"},
      {"stmt", "action x in main { arrange top 2 of draw« \"Which?\"» }"},
      {"stmt",
       "window x { ask all of players in real time until size(draw) < 2; after 9 s« of quiet» { end x } }\nsetup { "
       "open x }"},
      {"stmt", "setup { winners players« \"why\"» }"},
      {"stmt", "board yard: grid 3 x 3\npiece man x 2 on yard { facing N }\nsetup { place man[1] at a1« facing E» }"},
      {"stmt", "board yard: grid 3 x 3\npiece man x 2 on yard\nsetup { lift man[1]«, man[2]» }"},
      {"stmt", "event pull { take(chief) }\nevent x { end« phase» pull }\nsetup { x(); pull() }"},
      {"gen", "setup { each p in players { each q in players« after p» { take(q) } } }"},
      {"gen", "setup { each p in players { each q in players after p« where gold > 1» { take(q) } } }"},
      {"choosing", "action x in main { me chooses one« \"Which?\"» { \"A\" { take(me) } \"B\" { take(me, 2) } } }"},
      {"choosing", "action x in main { me chooses c«: 2 cards» from me.hand }"},
      {"choosing", "action x in main { me chooses c from me.hand« \"Which?\"» }"},
      {"choosing", "action x in main { me chooses c from me.hand«, or draw» }"},
      {"choosing", "action x in main { me may choose c from me.hand« { move c to discard }» }"},
      {"choosing", "action x in main { me may choose c from me.hand { move c to discard }« else { take(me) }» }"},
      {"choice",
       "action x in main { me chooses one { \"A\"« when chief is none» { take(me) } \"B\" { take(me, 2) } } }"},
      {"counted", "action x in main { me chooses c: «up to »2 cards from me.hand }"},
      {"useDecl", "board yard: grid 3 x 3\nuse std.grid« on yard»"},
      {"constDecl", "const x«: bool» = 2\nsetup { take(chief, x) }"},
      {"deck", "deck Pips: Stone«(worth: 2)» x 3 into draw"},
      {"showsDecl", "board yard: grid 3 x 3 { shows 1« \"height\"» }"},
      {"typeTerm", "function x(f: rule(«int») -> int): int = f(1)"},
      {"typeTerm", "function x(f: rule(int«, int») -> int): int = f(1, 2)"},
      {"param", "action x(cs: any cards« in me.hand») in main { }"},
      {"param", "action x(cs: 2« cards in me.hand») in main { }"},
      {"stmt",
       "enum Mood { calm, angry }\ndeck Moods: Mood { calm x 2, angry x 2 }\nplayer { mood: Mood }\nsetup { each p in "
       "players { deal 1« of Moods» to p.mood } }"},
      {"stmt",
       "enum Mood { calm, angry }\ndeck Moods: Mood { calm x 2, angry x 2 }\nplayer { mood: Mood }\nsetup { deal 1 of "
       "Moods to each p«.mood» }"},
      {"stmt",
       "window x { countdown 3 s« then { take(chief) }»; ask all of players in real time until size(draw) < 2; after 9 "
       "s { end x } }\nsetup { open x }"},
      {"stmt", "action x in rush { delay players« in rush» by 1 s }"},
      {"stmt", "action x in rush { delay players in rush« or all_in» by 1 s }"},
      {"stmt",
       "window x { ask all of players in real time until size(draw) < 2; after 9 s { end x }; stalemate when nobody "
       "can push« or grab» { end x } }\nsetup { open x }"},
      {"stmt", "setup { chief« = seat(1)» }"},
      {"stmt", "action x in rush { pause rush for 3 s« then { take(me) }» }"},
      {"choosing", "action x in main { me chooses one { \"A\" { take(me) }« \"B\" { take(me, 2) }» } }"},
  };
  return all;
}

const std::string kGame =
    "game \"T\"\nplayers 2..4, usually 3\nteams each\noption more \"More\"\nenum Colour { red, green, blue }\n"
    "card type Thing { colour: Colour, worth: 0..9 = 1 }\ncard Stone: Thing, colour red { text \"S\"; play in main to "
    "discard }\ncard Leaf: Thing, colour green { play in main to discard }\n"
    "deck Cards: Thing into draw { Stone x 4 Leaf x 3 }\n"
    "player { zone hand: owner; zone table: public; gold: 0..20 = 0 }\n"
    "table { zone draw: pile, facedown; zone discard: pile, faceup; chief: player? = none }\n"
    "value most(p: player): int = 3\nevent take(p: player, n: int = 1) { move n cards from draw to p.hand }\n"
    "window all_in { ask all of players at once or pass }\nwindow rush { ask all of players in real time until "
    "size(draw) < 2; after 9 s { end rush } }\n"
    "action push in rush { take(me) }\naction answer in all_in { take(me) }\naction grab in main when most(me) > 1 { "
    "take(me) }\n"
    "with more { modify most(_) by +1 }\n"
    "play { turns clockwise from first of players up to 9 { phase main { ask active until pass; open all_in; open rush "
    "} } }\n"
    "end when size(draw) == 0 { winners players with most it.gold }\n";

std::string without(std::string text, const std::string& what) {
  for (std::size_t at; (at = text.find(what)) != std::string::npos;) text.erase(at, what.size());
  return text;
}

// Returns the text with the marked clause, and the text without it.
std::pair<std::string, std::string> both(const std::string& text) {
  const std::size_t open = text.find("«"), close = text.find("»");
  return {without(without(text, "«"), "»"), text.substr(0, open) + text.substr(close + std::string("»").size())};
}

std::vector<std::string> everywhere(const Clause& clause) {
  for (const Where& where : places())
    if (where.rule == clause.rule) {
      std::vector<std::string> out;
      for (const std::string& place : where.places) {
        std::string text = clause.text;
        const std::size_t at = text.find('@');
        if (at == std::string::npos) return {text};
        text.replace(at, 1, place);
        out.push_back(std::move(text));
      }
      return out;
    }
  return {clause.text};
}

// Returns everything observable, without source locations, which shift with the clause.
std::string noticed(const std::string& rules) {
  const Seen seen = look({{"game.rules", kGame + rules + "\n"}}, false);
  std::string labels;
  const auto o = run({{"game.rules", kGame + rules + "\n"}});
  if (!o->model) return seen.all;
  for (const model::Action& a : o->model->actions)
    labels += fmt::format("{} {} {}\n", a.label, a.secret, a.replacing.size());
  for (const model::Kind& k : o->model->kinds) labels += k.label + "\n";
  for (const model::CardType& t : o->model->card_types) labels += t.label + "\n";
  for (const model::Value& v : o->model->values) labels += fmt::format("{} {}\n", v.kept, v.latest_first);
  for (const model::Event& e : o->model->events) labels += fmt::format("{}\n", e.depth_limit);
  for (const model::Function& f : o->model->functions) labels += fmt::format("{}\n", f.depth_limit);
  for (const model::EndWhen& e : o->model->endings) labels += e.words + "\n";
  for (const model::Window& w : o->model->windows)
    for (std::size_t i = 0; w.race && i < w.race->timers.size(); ++i) labels += w.race->timers[i].words + "\n";
  for (const model::Timer& t : o->model->timers) labels += t.label + "\n";
  for (const loading::Variant& v : o->ruleset->variants)
    for (const auto& [name, value] : v.settings) labels += name + " " + value + "\n";
  for (const loading::Option& x : o->ruleset->options) labels += fmt::format("{} {}\n", x.label, x.initial);
  for (const model::Scenario& s : o->model->scenarios) labels += fmt::format("{} lines\n", s.lines.size());
  for (const sema::Relation& r : sema::relations(*o->ruleset, o->diagnostics)) labels += r.why + "\n";
  return seen.all + labels;
}

}   // namespace

TEST_CASE("sema: every clause has an effect or a message in each position that accepts it", "[clauses]") {
  for (const Clause& clause : clauses())
    for (const std::string& text : everywhere(clause)) {
      INFO(clause.rule << ": " << text);
      const auto [with, none] = both(text);
      CHECK((noticed(with) != noticed(none)));
    }
}

namespace {

// Grammar rules other than clauses: expressions, the structure of files and bodies, declarations (places_test.cpp), and
// the content of scenarios, which tests/rulesets/small_scenarios_test.cpp tests by playing them.
const std::set<std::string> kNoClauses = {"file", "head",   "lone",  "body",     "decl",    "expr",  "prefix",
                                          "link", "ending", "kinds", "postfix",  "primary", "entry", "args",
                                          "arg",  "path",   "scene", "scenario", "line",    "given", "step"};

// Elements that the table can't contain, with the reason or the test that covers them.
const std::set<std::string> kElsewhere = {
    // The game of this test already declares `players` and `teams` …
    "playersDecl: ( ',' 'usually' expr ) ?", "teamsDecl: ( ',' expr ) *",
    // … and `play` (tests/rulesets/small_scenarios_test.cpp plays games with other orders of play).
    "stmt: ID ?", "stmt: ( ',' ? flowTail ) *", "stmt: ( expr 'times' ? ) ?",
    // These need a CSV file.
    "enumDecl: ( 'from' STR ( 'where' expr ) ? ) ?", "enumDecl: ( 'where' expr ) ?", "deckClause: ( 'where' expr ) ?",
    // These need a table indexed by players, and one design in a house file (options_test.cpp).
    "deckItem: NUM *", "deckClause: args ?",
    "useDecl: ( ',' arg ) *",   // no library has two parameters
    "boardShape: ( ~ ( '{' | '}' | NL | ';' ) ) *",   // matches the rest of an invalid declaration
    "removeDecl: STR ?",   // cli/test_test.cpp
    "allowance: ( ',' CODE ) *",   // houses_test.cpp
    "stmt: 'times' ?",   // `repeat 3` has the same meaning
    "stmt: ( ',' expr 'picks' 'the' ID ) ?",   // rulesets/small/bending_orders.rules
};

}   // namespace

// A new clause in the grammar fails this test until a text of the table contains it between « and ».
TEST_CASE("sema: the table of clauses contains every clause of the grammar", "[clauses]") {
  std::set<test::Element> known;
  for (const Clause& clause : clauses())
    for (const std::string& text : everywhere(clause)) {
      const auto [with, none] = both(text);
      std::map<test::Element, int> had = test::elements_in(none);
      const std::map<test::Element, int> has = test::elements_in(with);
      INFO(clause.rule << ": " << text);
      CHECK_FALSE(has.empty());
      for (const auto& [element, n] : has)
        if (n > had[element]) known.insert(element);
    }
  std::string missing;
  for (const test::Element& e : test::elements_of_grammar())
    if (!kNoClauses.contains(e.rule) && !kElsewhere.contains(e.rule + ": " + e.text) && !known.contains(e))
      missing += "  " + e.rule + ": " + e.text + "\n";
  CHECK(missing == "");
}
