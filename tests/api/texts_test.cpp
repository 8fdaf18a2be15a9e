// Tests texts with values: `log` lines and computed option labels, each filled in with values that its reader may know.
#include <catch2/catch.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <set>

#include "cardwright/tools.hpp"
#include "tests/api/rules_text.h"
#include "tests/support/checkout.h"
#include "tests/support/command.h"

using namespace cardwright::api;
using cardwright::test::game_of;
using cardwright::test::words_of;

namespace {

// Each player draws one Apple and one Pear, so the names of all hand cards are known.
const std::string kLoud = R"(game "Loud"
players 3
enum Colour { red, green }
enum Mood { sour, sweet }
card type Fruit { colour: Colour, weight: 1..9 = 1 }
card Apple: Fruit
deck Fruits: Fruit into draw { Apple(colour: red, weight: 7) x 8 }
deck Moods: Mood { sour x 3 }
player { zone hand: owner; zone table: public; mood: Mood, secret; late: 0..9 }
table { zone draw: pile, facedown }
value load(p: player): int = sum of c.weight for c in p.hand
setup { each p in players { deal 1 of Moods to p.mood }; deal 2 from draw to each hand }
action show(c: Fruit in me.hand, t in others) in main {
  let w = c.weight
  let m = me.mood
  log "1 {me} {t} {c} {c.colour} {me.hand} {size(me.hand)}"
  log "2 {load(me)} {me.mood} {w} {m} {sum of x.weight for x in me.hand}"
  log "3 \{{players}\} {Colour.green} {c is Apple} {t.late} {[red, green]} {me.table} {if size(me.hand) > 1 then "many" else "few"}"
  move c to me.table
  log "4 {c} {c.weight} {sum of x.weight for x in me.table} {c.kind}"
}
play { turns clockwise from first of players up to 1 { phase main { ask active } } }
end when play is over { winners nobody }
)";

std::vector<std::string> log_lines(const Game& game, int reader, int decisions = 1) {
  Log log(game);
  State state = game.new_state(1, 0, &log);
  for (int i = 0; i < decisions && !state.is_over(); ++i) state.apply(0, &log);
  REQUIRE_FALSE(state.failure());
  std::vector<std::string> lines = log.lines(reader);
  std::erase_if(lines, [](const std::string& line) {
    return line.size() < 2 || line[0] < '1' || line[0] > '4' || line[1] != ' ';
  });
  return lines;
}

}   // namespace

TEST_CASE("texts: a text inside a text may contain another text", "[api][texts]") {
  std::string rules = kLoud;
  const std::string first = "log \"1 {me} {t} {c} {c.colour} {me.hand} {size(me.hand)}\"";
  const auto at = rules.find(first);
  REQUIRE(at != std::string::npos);
  rules.replace(
      at, first.size(),
      R"(log "1 {if size(me.hand) > 1 then "some: {me} and {if size(players) > 2 then "{t}, of {size(players)}" else "x"}; {size(me.hand)}" else "none"}")");
  const Game game = game_of(rules, EngineKind::interpreter);
  for (const int reader : {0, 1, -1}) CHECK(log_lines(game, reader).at(0) == "1 some: a and b, of 3; 2");
}

TEST_CASE("texts: a log is filled in with what each reader may know", "[api][texts]") {
  std::vector<EngineKind> engines{EngineKind::interpreter};
  if (jit_is_available()) engines.push_back(EngineKind::jit);
  for (const EngineKind engine : engines) {
    const Game game = game_of(kLoud, engine);
    const std::string third = "3 {a, b, c} green yes none red, green no card many";
    const std::string fourth = "4 Apple 7 7 Apple";
    const std::vector<std::string> all{"1 a b Apple red 2 x Apple 2", "2 14 sour 7 sour 14", third, fourth};
    CHECK(log_lines(game, 0) == all);
    CHECK(log_lines(game, -1) == all);
    const std::vector<std::string> others{"1 a b a card ? 2 cards 2", "2 ? ? ? ? ?",
                                          "3 {a, b, c} green ? none red, green no card many", fourth};
    CHECK(log_lines(game, 1) == others);
    CHECK(log_lines(game, 2) == others);
  }
}

// A value derived from a secret stays secret when it is passed on; other values are public.
TEST_CASE("texts: a value that is passed on is shown to those who may know it", "[api][texts]") {
  const Game game = game_of(R"(game "Carried"
players 2
deck D: K into pool { K(w: 3) x 12 }
card type K { w: 1..9 }
player { zone hand: owner; zone shown: public; n: 0..99 = 0, secret; open_: 0..99 = 6 }
table { zone pool: pile, facedown }
event told(p: player, n: int) { log "1 told {n}" }
event mine(p: player): int { return p.n }
event score(p: player, c: K) { told(p, c.w) }
window w(n: int) { ask active }
action ok in w "ok" { log "1 window {w.n}" }
after told(p, n) { log "1 after {n}" }
action go(c: K in me.hand) in main {
  me.n = 4
  told(me, me.n)
  told(me, me.open_)
  move c to me.shown
  score(me, c)
  let b = mine(me)
  log "2 result {b} {size(me.hand)}"
  var z = 0
  if me.n > 3 then z = 1
  log "2 under {z}"
  let k = most of q.w for q in me.hand
  log "3 most {k}"
  let x = me.n
  afterwards { log "4 afterwards {x}" }
  open w(me.n)
}
setup { deal 4 from pool to each hand }
play { turns clockwise from first of players up to 1 { phase main { ask active } } }
end when play is over { winners players with most it.n }
)");
  const std::vector<std::string> others = log_lines(game, 1, 2);
  CHECK(others == std::vector<std::string>{"1 told ?", "1 after ?", "1 told ?", "1 after ?", "1 told ?", "1 after ?",
                                           "2 result ? 3", "2 under ?", "3 most ?", "1 window ?", "4 afterwards ?"});
  const std::vector<std::string> own = log_lines(game, 0, 2);
  CHECK(std::find(own.begin(), own.end(), "3 most 3") != own.end());
}

TEST_CASE("texts: values computed from revealed hands are shown to everyone", "[api][texts]") {
  const Game game = game_of(R"(game "Shown"
players 3
card type Chip "{n}" { n: 1..9 }
deck Chips: Chip into pool { each k in 1..9: Chip(n: k) x 2 }
player { zone hand: owner }
table { zone pool: pile, facedown; zone board: public }
value points(p: player): int = sum of c.n for c in p.hand
function by_loop(s: set of Chip): int { var x = 0; each c in s { x += c.n } return x }
setup { deal 2 from pool to each hand }
action show in main {
  each p in players { reveal p.hand }
  let all = sum of points(p) for p in players
  log "1 {by_loop((first of players).hand) == points(first of players)}"
  log "2 {all == points(first of players) + points(last of players)}"
  log "3 {size(players with most points(it)) >= 1}"
  move me.hand to (first of others).hand
}
play { turns clockwise from first of players up to 1 { phase main { ask active } } }
end when play is over { winners nobody }
)");
  CHECK(log_lines(game, 2) == std::vector<std::string>{"1 yes", "2 no", "3 yes"});
  Log log(game);
  State state = game.new_state(1, 0, &log);
  state.apply(0, &log);
  const std::vector<std::string> lines = log.lines(2);
  const auto moved = std::find_if(lines.begin(), lines.end(), [](const std::string& line) {
    return line.find(" to hand of b") != std::string::npos;
  });
  REQUIRE(moved != lines.end());
  CHECK(moved->find("cards") == std::string::npos);   // all cards moved, and all were public
}

TEST_CASE("texts: the public log names face-up cards, and each player's own log names their own cards",
          "[api][texts]") {
  for (const bool at_once : {false, true}) {
    const Game game = game_of(R"(game "Open"
players 2
card type K { w: 1..9 = 1 }
card Kay: K
deck D: K into rail { Kay x 9 }
player { zone hand: owner; zone won: public; secret_: 0..9 = 0, secret }
table { zone rail: public }
window choosing() { ask )" + std::string(at_once ? "all of players at once" : "each of players") +
                              R"( }
action grab(o: K in rail) in choosing "Grab {o}" { move o to me.won; me.secret_ = 3 }
action hide(o: K in me.hand) in choosing when rail is empty "Hide {o}" { me.secret_ = 1 }
setup { each p in everyone where seat_of(p) == 0 { move 2 random cards from rail to p.hand } }
play { phase main { open choosing() } }
end when play is over { winners nobody }
)");
    Log log(game);
    State state = game.new_state(1, 0, &log);
    for (int i = 0; i < 2 && !state.is_over(); ++i) state.apply(0, &log);
    REQUIRE_FALSE(state.failure());
    const std::vector<std::string> lines = log.lines(1);
    INFO(fmt::format("{}", fmt::join(lines, "\n")));
    CHECK(std::find(lines.begin(), lines.end(), "a: Grab Kay") != lines.end());
    CHECK(std::none_of(lines.begin(), lines.end(),
                       [](const std::string& line) { return line.starts_with("a: secret"); }));
    const bool b_is_notified = std::find(lines.begin(), lines.end(), "b: secret is now 3") != lines.end();
    CHECK(b_is_notified == !at_once);   // if both act at once, they take the same card, and b is too late
  }
}

TEST_CASE("texts: labels of actions are filled in", "[api][texts]") {
  const Game kuhn = Ruleset::load("kuhn_poker").compile();
  State state = kuhn.new_state(1, 0);
  CHECK(state.option(0).words == "Bet");
  CHECK(state.option(1).words == "Check");
  CHECK(state.view(state.actor()).find("\"words\":\"Check\"") != std::string::npos);
  state.apply(0);
  CHECK(state.option(0).words == "Call");
  CHECK(state.option(1).words == "Fold");
  const Game dice = Ruleset::load("liars_dice").compile();
  const State first = dice.new_state(1, 0);
  CHECK(first.option(0).words == "1 x 1");
  CHECK(first.option(7).words == "2 x 2");
}

TEST_CASE("texts: no label of a bundled game is shown unfilled", "[api][texts]") {
  for (const std::string& name : bundled_games()) {
    const Game game = Ruleset::load(name).compile();
    for (std::uint64_t seed = 0; seed < 3; ++seed) {
      State state = game.new_state(seed, 0);
      for (int n = 0; n < 60 && !state.is_over(); ++n) {
        for (std::size_t i = 0; i < state.legal_count(); ++i) {
          INFO(name << ": " << state.option(i).words);
          CHECK(state.option(i).words.find('{') == std::string::npos);
          CHECK_FALSE(state.option(i).words.empty());
        }
        state.apply(state.random_index());
      }
    }
  }
}

namespace {

// Returns a game with three Apples and three Pears, two cards in each hand; player a's first action has this `effect`.
Game blind(const std::string& effect) {
  return game_of(R"(game "Blind"
players 2
card type Fruit
card Apple: Fruit
card Pear: Fruit
deck Fruits: Fruit into draw { Apple x 3, Pear x 3 }
player { zone hand: owner; zone got: public }
table { zone draw: pile, facedown }
setup { shuffle draw; deal 2 from draw to each hand }
action begin in main { let o = first of others; )" +
                 effect + R"( }
play { turns clockwise from first of players up to 1 { phase main { ask active } } }
end when size(players where got is not empty) > 0 { winners players }
end when play is over { winners nobody }
)");
}

struct Outcomes {
  int something = 0, nothing = 0;
};

// Takes the first option in many games and counts the results. Each game must offer exactly `offered`.
Outcomes outcomes(const Game& game, const std::vector<std::string>& offered) {
  Outcomes out;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    State state = game.new_state(seed, 0);
    state.apply(0);
    REQUIRE_FALSE(state.is_over());
    CHECK(words_of(state) == offered);
    while (!state.is_over()) state.apply(0);
    REQUIRE_FALSE(state.failure());
    (state.winners().empty() ? out.nothing : out.something) += 1;
  }
  return out;
}

}   // namespace

// One of two card kinds is in a hidden hand. Compares the options of player a before and after the hand is revealed.
TEST_CASE("options: an unknown condition offers the option, a revealed hand decides it", "[api][texts][secrecy]") {
  const auto options = [](const std::string& condition, const std::string& shown) {
    const Game game = game_of(R"(game "Could be"
players 2
card type Card
card X: Card
card Y: Card
deck Xs: Card into box { X x 4, Y x 4 }
player { zone hand: owner }
table { zone box: hidden; zone stock: pile, facedown }
setup { each c in box where c is X at i { if i < 2 then move c to (last of players).hand }; shuffle box into stock; )" +
                              shown + R"( }
value rival(p: player): player = next_player(p)
value xs(p: player): int = size(p.hand where it is X)
value modified(p: player): int = 0
modify modified(p) when xs(p) > 0 to 1
function has(p: player): bool = any c in p.hand has c is X
function count(p: player, s: set of Card): int { var n = 0; each c in s { if c is X then n += 1 } return n }
action ask_it in main when )" +
                              condition + R"( { log "." }
action other in main { log "." }
play { turns clockwise from first of players up to 1 { phase main { ask active } } }
end when play is over { winners players }
)");
    return game.new_state(1, 0).legal_count();
  };
  const std::string hand = "reveal (last of players).hand";
  for (const char* condition :
       {"any c in rival(me).hand has c is Y", "xs(rival(me)) == 1", "modified(rival(me)) == 0", "not has(rival(me))",
        "count(me, rival(me).hand) != 2", "rival(me).hand == me.hand + me.hand", "first of rival(me).hand is Y",
        "(if has(rival(me)) then 1 else 2) == 2", "(rival(me).hand where it is Y) is not empty"}) {
    INFO(condition);
    CHECK(options(condition, "") == (std::string(condition).find("me.hand + me.hand") != std::string::npos ? 1 : 2));
    CHECK(options(condition, hand) == 1);   // the revealed hand contains two X
  }
  for (const char* condition : {"has(rival(me))", "xs(rival(me)) == 2", "modified(rival(me)) == 1",
                                "every c in rival(me).hand has c is X", "count(me, rival(me).hand) == 2"}) {
    INFO(condition);
    CHECK(options(condition, "") == 2);
    CHECK(options(condition, hand) == 2);
  }
  CHECK(options("top of stock is X", "") == options("top of stock is Y", ""));
  CHECK(options("bottom of stock is X", "") == options("bottom of stock is Y", ""));
  CHECK(options("top of stock is X", "peek top of stock by first of players") +
            options("top of stock is Y", "peek top of stock by first of players") ==
        3);
}

TEST_CASE("choices: an unknown card is checked against the condition only when it is taken", "[api][texts]") {
  const std::vector<std::string> one_unknown{"choose an unseen card, hand of b", "pass"};
  const Outcomes one =
      outcomes(blind("me may choose c from o.hand where it is Apple { move c to me.got }"), one_unknown);
  CHECK(one.something > 15);
  CHECK(one.nothing > 15);
  const Outcomes two = outcomes(blind("choose cs: up to 2 cards from o.hand where it is Apple\nmove cs to me.got"),
                                {"choose an unseen card, hand of b", "done"});
  CHECK(two.something > 30);   // in one fifth of the games, neither card is an Apple
  CHECK(two.nothing > 3);
  // A condition that holds for every card needs no check.
  const Outcomes never =
      outcomes(blind("me may choose c from o.hand where it in o.hand { move c to me.got }"), one_unknown);
  CHECK(never.nothing == 0);
}

TEST_CASE("choices: a player who has seen a whole pile chooses from it by name", "[api][texts]") {
  const Game looking = blind("peek draw by me\nme may choose c from draw where it is Apple { move c to me.got }");
  int apples = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    State state = looking.new_state(seed, 0);
    state.apply(0);
    if (state.is_over()) continue;   // two Pears: no choice
    CHECK(words_of(state) == std::vector<std::string>{"choose Apple", "pass"});
    state.apply(0);
    CHECK_FALSE(state.winners().empty());
    ++apples;
  }
  CHECK(apples > 5);
  outcomes(blind("me may choose c from draw where it is Apple { move c to me.got }"),
           {"choose an unseen card, draw", "pass"});
}

TEST_CASE("resample: a pool's remaining values are exchanged with dealt ones", "[api][texts]") {
  const Game game = game_of(R"(game "Moods"
players 2
enum Mood { sour, sweet, salty, bitter }
deck Moods: Mood { sour, sweet, salty, bitter }
player { mood: Mood, secret; later: Mood?, secret }
setup { each p in players { deal 1 of Moods to p.mood } }
action look in main { each p in players { deal 1 of Moods to p.later; reveal p.later; reveal p.mood } }
play { turns clockwise from first of players up to 1 { phase main { ask active } } }
end when play is over { winners nobody }
)");
  const State state = game.new_state(3, 0);
  const std::string own = state.trait("mood", 0), truth = state.trait("mood", 1);
  std::map<std::string, int> of_b;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    State other = state.resample(0, seed);
    CHECK(other.trait("mood", 0) == own);
    ++of_b[other.trait("mood", 1)];
    other.apply(0);
    std::set<std::string> all;
    for (const int p : {0, 1}) all.insert({other.trait("mood", p), other.trait("later", p)});
    CHECK(all.size() == 4);
  }
  CHECK(of_b.size() == 3);
  for (const auto& [mood, n] : of_b) CHECK(std::abs(n - 100) < 40);
}

TEST_CASE("why: in a simultaneous decision each player learns only the status of their own question", "[api][texts]") {
  const Game game = Ruleset::load(cardwright::test::checkout("tests/rulesets/small/once.rules")).compile();
  State state = game.new_state(1);
  REQUIRE(state.still_to_answer() == 7);
  for (int player = 0; player < 3; ++player)
    CHECK(state.why(player, "give") == std::vector<std::string>{"give: you can do this now"});
  while (state.still_to_answer() == 7) {   // until a has answered
    REQUIRE(state.ask_first(0));
    state.apply(0);
  }
  CHECK(state.why(0, "give") == std::vector<std::string>{"give: you have no decision to make now"});
  CHECK(state.why(2, "give") == std::vector<std::string>{"give: you can do this now"});
}

TEST_CASE("texts: a value that depends on secrets of several players is shown to those who know all of them",
          "[api][texts]") {
  const Game game = game_of(R"(game "Bids"
players 2
card type Chip
deck Chips: Chip into bag { Chip x 3 }
player { bid: 0..9 = 0, secret; told: 0..9 = 0 }
table { zone bag: public }
value all_bids(p: player): int = sum of q.bid for q in everyone
value higher(p: player): int = size(q in everyone where (any r in everyone has r != q and r.bid > q.bid))
action tell in main {
  if turn_number > 1 then each p in everyone { reveal p.bid }
  log "1 {sum of q.bid for q in everyone}"
  log "2 {all_bids(me)} {higher(me)} {size(q in everyone where (any r in everyone has r != q and r.bid > q.bid))}"
  each q in everyone {
    let mine = q.bid
    q.told += 1
    log "3 {q} {mine}"
  }
  var last = 0
  each q in everyone { last = q.bid }
  log "4 {last}"
}
setup { each p in everyone { p.bid = seat_of(p) + 2 } }
play { turns clockwise from first of players up to 2 { phase main { ask active } } }
end when play is over { winners nobody }
)");
  using Lines = std::vector<std::string>;
  CHECK(log_lines(game, -1) == Lines{"1 5", "2 5 1 1", "3 a 2", "3 b 3", "4 3"});
  CHECK(log_lines(game, 0) ==
        Lines{"1 ?", "2 ? ? ?", "3 a 2", "3 b ?", "4 ?"});   // each player knows only their own bid
  CHECK(log_lines(game, 1) == Lines{"1 ?", "2 ? ? ?", "3 a ?", "3 b 3", "4 ?"});
  const Lines later = log_lines(game, 0, 2);
  // From turn 2 on, all bids are revealed, so the lines contain every value.
  CHECK(Lines(later.begin() + 5, later.end()) == Lines{"1 5", "2 5 1 1", "3 a 2", "3 b 3", "4 3"});
}

TEST_CASE("texts: a value computed from all players' secrets is shown after all were revealed", "[api][texts]") {
  const auto lines_for = [](const std::string& before, int reader) {
    const Game game = game_of(R"(game "Auction"
players 3
player { offer: 0..9 = 0, secret; paid: 0..9 = 0 }
setup { each p in players at i { p.offer = 2 * i } }
action open in main {
  )" + before + R"(
  let best = first of (players with most it.offer)
  if best is some { log "1 {best} pays {best.offer}"; best.paid = best.offer }
}
play { phase main { ask first of players } }
end when play is over { winners nobody }
)");
    return log_lines(game, reader);
  };
  const std::vector<std::string> all{"1 c pays 4"}, none{"1 ? pays ?"};
  for (const int reader : {0, 1, 2}) CHECK(lines_for("each p in players { reveal p.offer }", reader) == all);
  for (const int reader : {0, 1}) CHECK(lines_for("", reader) == none);
  // If only some bids are revealed, the result is shown only to a player who knows the others.
  CHECK(lines_for("each p in others { reveal p.offer }", 0) == all);
  CHECK(lines_for("each p in others { reveal p.offer }", 1)[0].find('c') == std::string::npos);
}

TEST_CASE("texts: a player who knows all bids learns each winner, but no earlier bids", "[api][texts]") {
  const auto lines_for = [](const std::string& act, int reader) {
    return log_lines(game_of(R"(game "Auctions"
players 3
player { offer: 0..9 = 0, secret; paid: 0..9 = 0 }
setup { each p in players at i { p.offer = 2 * i } }
action open in main {
)" + act + R"(
}
play { phase main { ask first of players } }
end when play is over { winners nobody }
)"),
                     reader);
  };
  const std::string loop = R"(
  var left = players
  repeat 2 times {
    let best = first of (left with most it.offer)
    if best is some { log "1 {best} pays {best.offer}"; left -= best }
  })";
  const std::string reveal = "each p in players { reveal p.offer }", offer_again = "(last of players).offer = 7\n";
  CHECK(lines_for(reveal + loop, 0) == std::vector<std::string>{"1 c pays 4", "1 b pays 2"});
  CHECK(lines_for(loop, 0) == std::vector<std::string>{"1 ? pays ?", "1 ? pays ?"});
  const std::string before = "let x = (last of players).offer\n", says = "\nlog \"2 {x}\"";
  CHECK(lines_for(before + reveal + says, 0) == std::vector<std::string>{"2 4"});
  CHECK(lines_for(before + offer_again + reveal + says, 0) == std::vector<std::string>{"2 ?"});
}

TEST_CASE("texts: players who see a played card read its name, others don't", "[api][texts]") {
  const Game game = game_of(R"(game "Played"
players 3
card type Chip "a{n}" { n: 1..9 }
deck Chips: Chip into bag { each k in 1..9: Chip(n: k) }
player { zone hand: owner; zone table: public; zone stash: facedown; kept: 0..9 = 0 }
table { zone bag: pile, facedown }
setup { deal 3 from bag to each hand }
action lay(c: Chip in me.hand) in turns "1 lay {c}" { move c to me.table }
action hide(c: Chip in me.hand) in turns "2 hide {c}" { move c to me.stash }
action count(c: Chip in me.hand) in turns "3 count {c}" { me.kept += c.n }
window turns(p: player) { ask p }
play { repeat 3 times { open turns(first of players) } }
end when play is over { winners nobody }
)");
  Log log(game);
  State state = game.new_state(1, 0, &log);
  const auto take = [&](char sort) {
    std::size_t at = 0;
    while (state.option(at).words[0] != sort) ++at;
    const std::string words = state.option(at).words;
    state.apply(at, &log);
    return words;
  };
  const auto reads = [&](int reader, const std::string& line) {
    const std::vector<std::string> lines = log.lines(reader);
    return std::find(lines.begin(), lines.end(), "a: " + line) != lines.end();
  };
  const std::string laid = take('1'), hidden = take('2'), counted = take('3');
  for (const int reader : {1, 2, -2}) {
    CHECK(reads(reader, laid));
    CHECK(reads(reader, "2 hide a card"));
    CHECK(reads(reader, "3 count a card"));
  }
  CHECK(reads(0, hidden));
  CHECK(reads(0, counted));
}
