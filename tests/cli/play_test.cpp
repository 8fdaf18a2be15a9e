// Tests `play` with scripted input: commands at the prompt, resuming a saved game after a kill, undo, damaged files.
#include <catch2/catch.hpp>

#include <fstream>
#include <set>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cardwright/cardwright.hpp"
#include "tests/support/checkout.h"
#include "tests/support/command.h"

using namespace cardwright::test;

namespace {

const std::string kPlay = "play splash --engine interp --bots random --seed 5 ";

std::string ones(int n) {
  std::string text;
  for (int i = 0; i < n; ++i) text += "1\n";
  return text;
}

}   // namespace

TEST_CASE("cli: always taking the first option plays a game to its end", "[cli]") {
  const Ran ran = run(kPlay, ones(2000));
  INFO(ran.err);
  CHECK(ran.code == 0);
  CHECK(has(ran.out, "The game is over. The Birthday kid is soaked, so every Classmate wins."));
}

TEST_CASE("cli: the prompt answers commands and rejects invalid input", "[cli]") {
  const Ran ran = run(
      kPlay, "help\nlook\ncard splash\ncard nothing\nlog\n0\n99999\nfrobnicate\nwhy Splash\nwhy nothing\nundo\nquit\n");
  CHECK(ran.code == 0);
  CHECK(has(ran.out, "choose that option"));
  CHECK(has(ran.out, "unknown option 0"));
  CHECK(has(ran.out, "unknown option 99999"));
  CHECK(has(ran.out, "unknown option or command `frobnicate`"));
  CHECK(has(ran.out, "unknown card or action `nothing`"));
  CHECK(has(ran.out, "Splash (Bubble): icon Bubble; Splash a player within reach."));
  CHECK(has(ran.out, "unknown card or character `nothing`"));
  CHECK(has(ran.out, "cannot undo: you have no choice to take back"));
  CHECK(has(ran.out, "--resume"));
}

TEST_CASE("cli: a board is shown as a board", "[cli]") {
  const Ran ran = run("play connect_four --engine interp --bots random --seed 5 ", "3\nquit\n");
  CHECK(ran.code == 0);
  CHECK(has(ran.out, "  6  . . . . . . .\n  5  . . . . . . .\n"));
  CHECK(has(ran.out, "     a b c d e f g\n"));
  CHECK(has(ran.out, "A: discs of a, B: discs of b"));
}

TEST_CASE("cli: a question of an effect names the choice to which it belongs", "[cli]") {
  const Ran ran =
      run("play tests/rulesets/small/lifted.rules --engine interp --bots random --seed 5 ", "Lift the Barrel\nquit\n");
  INFO(ran.out);
  CHECK(has(ran.out, "a: Where to?\n   for: Lift the Barrel\n"));
  CHECK_FALSE(has(ran.out, "a: work\n   for:"));
}

TEST_CASE("cli: a part of a text lists the options that match it", "[cli]") {
  const Ran ran = run("play quoridor --engine interp --bots random --seed 5 ",
                      "fence east e\noptions e2\noptions nothing\nfrobnicate\nquit\n");
  INFO(ran.out);
  CHECK(has(ran.out, "options with `fence east e`; enter a number, or `options` for all\n"));
  CHECK(has(ran.out, "options with `e2`"));
  CHECK(has(ran.out, "no option contains `nothing`"));
  CHECK(has(ran.out, "unknown option or command `frobnicate`"));
  const std::string found = ran.out.substr(ran.out.find("options with `fence east e`"),
                                           ran.out.find("options with `e2`") - ran.out.find("options with `fence"));
  CHECK(has(found, "fence east of e8"));
  CHECK_FALSE(has(found, "north"));
  CHECK_FALSE(has(found, "of a1"));
}

TEST_CASE("cli: what the theme hides is neither on the table nor in the news", "[cli]") {
  const Ran ran = run("play checkers --engine interp --bots random --seed 5 ", "1\nlog\nquit\n");
  INFO(ran.out);
  REQUIRE(has(ran.out, "quiet 0 -> 1"));   // only `log` shows all events
  const std::string before_log = ran.out.substr(0, ran.out.rfind("a: move"));
  for (const char* name : {"crown", "quiet", "ways"}) CHECK_FALSE(has(before_log, name));
}

TEST_CASE("cli: piles and rows are shown in order, and a large map shows entries that differ", "[cli]") {
  const Ran ran = run("play tests/cli/shown.rules --engine interp --bots random --seed 5 ", "1\nquit\n");
  INFO(ran.out);
  CHECK(ran.code == 0);
  CHECK(has(ran.out, "heap, from the top: card 5, card 2, card 7"));
  CHECK(has(ran.out, "line: card 8, card 1, card 3"));
  CHECK(has(ran.out, "army b3 4;"));
  CHECK(has(ran.out, "a: Lay card 4\n"));
}

TEST_CASE("cli: a secret action is logged only for the player who takes it", "[cli]") {
  int others = 0;
  for (const char* seed : {"1", "2", "3", "4"}) {
    const Ran ran = run(
        std::string("play tests/rulesets/small/secretly.rules --engine interp --bots random --seat b --seed ") + seed,
        ones(9));
    INFO(ran.out);
    CHECK(ran.code == 0);
    CHECK(has(ran.out, "b: Watch a\n"));
    CHECK_FALSE(has(ran.out, "a: Watch"));
    CHECK_FALSE(has(ran.out, "c: Watch"));
    CHECK_FALSE(has(ran.out, "a: Hide"));
    others += has(ran.out, "a: Wave at") || has(ran.out, "c: Wave at") || has(ran.out, "a: Shout");
  }
  CHECK(others > 0);
}

TEST_CASE("cli: the end of input leaves the game", "[cli]") { CHECK(run(kPlay).code == 0); }

TEST_CASE("cli: a saved game can be resumed, even with an incomplete last line", "[cli]") {
  const TemporaryFolder folder;
  const std::string journal = folder.path() + "/game.journal";
  REQUIRE(run(kPlay + "--journal " + journal, ones(3) + "quit\n").code == 0);
  const std::string whole = slurp(journal);
  REQUIRE(whole.starts_with(R"({"what":"cardwright game","game":"splash",)"));

  CHECK(run("play --resume " + journal, "quit\n").code == 0);
  std::ofstream(journal, std::ios::app | std::ios::binary) << "17 5e6";
  const Ran torn = run("play --resume " + journal, "quit\n");
  CHECK(torn.code == 0);
  CHECK(has(torn.out, "the last line of " + journal + " was incomplete"));
  CHECK(slurp(journal) == whole);

  SECTION("an undo is stored too") {
    REQUIRE(run("play --engine interp --bots random --resume " + journal, "1\nundo\nquit\n").code == 0);
    CHECK(has(slurp(journal), "\n{\"kind\":3,"));
    CHECK(run("play --resume " + journal, "quit\n").code == 0);
  }
  SECTION("a damaged file is rejected") {
    std::string changed = whole;
    changed[changed.find("\"kind\":0") + 7] = '9';
    std::ofstream(journal, std::ios::binary) << changed;
    const Ran ran = run("play --resume " + journal, "quit\n");
    CHECK(ran.code == 2);
    CHECK(has(ran.err, journal + ": damaged saved game: invalid entry"));
  }
  SECTION("a file with choices of another deal is rejected") {
    std::string changed = whole;
    changed.replace(changed.find("\"seed\":5"), 8, "\"seed\":6");
    std::ofstream(journal, std::ios::binary) << changed;
    const Ran ran = run("play --resume " + journal, "quit\n");
    INFO(ran.out);
    CHECK(ran.code == 2);
    CHECK(has(ran.err, journal + " is damaged: "));
  }
  SECTION("a file of another kind is rejected") {
    std::ofstream(journal, std::ios::binary) << "once upon a time\n";
    const Ran ran = run("play --resume " + journal, "quit\n");
    CHECK(ran.code == 2);
    CHECK(has(ran.err, "not a saved Cardwright game"));
  }
  SECTION("a file is not overwritten") { CHECK(run(kPlay + "--journal " + journal, "quit\n").code == 2); }
}

namespace {

// Splits the output at each handover of the keyboard ("Seat …") into pairs of a seat letter and the text that its
// player saw.
std::vector<std::pair<char, std::string>> sights(const std::string& out) {
  std::vector<std::pair<char, std::string>> pieces;
  const std::string word = "Seat ";
  for (std::size_t at = out.find(word); at != std::string::npos;) {
    const std::size_t next = out.find(word, at + 1);
    pieces.emplace_back(out[at + word.size()], out.substr(at, next == std::string::npos ? next : next - at));
    at = next;
  }
  return pieces;
}

}   // namespace

TEST_CASE("cli: several people at one keyboard see only their own side", "[cli]") {
  const Ran ran = run("play leduc_poker --engine interp --seed 5 --hot-seat", "\n1\n\n1\n\n1\n\n1\n\n1\n\n1\n");
  INFO(ran.out << ran.err);
  CHECK(ran.code == 0);
  const auto pieces = sights(ran.out);
  REQUIRE(pieces.size() >= 2);
  CHECK(pieces[0].first != pieces[1].first);
  for (const auto& [seat, text] : pieces) {
    CHECK(has(text, "press Enter when only you can see the screen."));
    const std::string other(seat == 'a' ? "b" : "a"), shown = text.substr(0, text.find("The game is over."));
    const auto line = shown.find("\n" + other + "  ");
    REQUIRE(line != std::string::npos);
    CHECK(has(shown.substr(line, shown.find('\n', line + 1) - line), "hole: 1 card"));
    // Each person sees this line once, on their first turn at the screen.
    CHECK(has(shown, "· " + other + " draws a card") == (&text == &pieces[0].second || &text == &pieces[1].second));
  }
}

TEST_CASE("cli: the seats at the keyboard can be chosen and are stored", "[cli]") {
  const TemporaryFolder folder;
  const std::string journal = folder.path() + "/game.journal";
  CHECK(run("play splash --seat a,b").code == 2);
  CHECK(run("play splash --hot-seat --seat a,z").code == 2);
  const Ran ran = run("play splash --engine interp --bots random --seed 5 --hot-seat --seat a,c --journal " + journal,
                      ones(0) + "\n1\n\nundo\nquit\n");
  CHECK(ran.code == 0);
  CHECK(has(ran.out, "you are a, c"));
  CHECK(has(slurp(journal), "\"people\":[0,2]"));
  const Ran on = run("play --engine interp --bots random --resume " + journal, "\nquit\n");
  CHECK(on.code == 0);
  CHECK(has(on.out, "press Enter when only you can see the screen"));
}

TEST_CASE("cli: at one keyboard simultaneous answers stay hidden until all players have answered", "[cli][races]") {
  const std::string once =
      "play " + checkout("tests/rulesets/small/once.rules") + " --players 3 --engine interp --seed 5 --hot-seat";
  const Ran one = run(once, "\n1\n\n1\n\n1\nquit\n"), other = run(once, "\n2\n\n1\n\n1\nquit\n");
  const auto here = sights(one.out), there = sights(other.out);
  REQUIRE(here.size() >= 4);
  REQUIRE(there.size() >= 4);
  CHECK(has(here[0].second, "point: b"));
  for (int seat = 1; seat < 3; ++seat) {
    CHECK(here[seat].first == "abc"[seat]);
    CHECK(here[seat].second == there[seat].second);   // for b and c, a's answer is still secret
    CHECK_FALSE(has(here[seat].second, "a uses point"));
  }
  CHECK(has(here[3].second, "a uses point"));   // shown after the last answer
  CHECK(here[3].second != there[3].second);
}

TEST_CASE("cli: at one keyboard a simultaneous decision calls every player", "[cli][races]") {
  const std::string nothing = "play tests/cli/nothing.rules --engine interp --seed 5 --hot-seat";
  const Ran ran = run(nothing, "\n1\n\n\n\n1\n");
  INFO(ran.out << ran.err);
  CHECK(ran.code == 0);
  const auto pieces = sights(ran.out);
  REQUIRE(pieces.size() == 3);
  for (int seat = 0; seat < 3; ++seat) CHECK(pieces[seat].first == "abc"[seat]);
  CHECK(has(pieces[1].second, "b: you have no decision to make; press Enter."));
  CHECK_FALSE(has(pieces[1].second, "middle"));   // the table is not shown to b
  CHECK(has(pieces[2].second, "  1  give"));
  CHECK(has(pieces[2].second, "The game is over."));
  CHECK_FALSE(has(pieces[2].second, "play is over"));
  CHECK(sights(run(nothing, "\n1\n").out).size() == 2);
}

TEST_CASE("cli: a race shows its clock and running actions", "[cli][races]") {
  const Ran ran = run("play tests/rulesets/small/running.rules --players 2 --engine interp --seed 5");
  INFO(ran.out << ran.err);
  CHECK(ran.code == 0);
  CHECK(has(ran.out, "\n0.0 s; continues in 2.0 s; in 42.0 s the game continues;"));
  CHECK(has(ran.out, "; goal 5; laid 0\n"));
  CHECK_FALSE(has(ran.out, "best"));
}

TEST_CASE("cli: at one keyboard a race advances from decision to decision", "[cli][races]") {
  const std::string race =
      "play " + checkout("tests/rulesets/small/race.rules") + " --players 2 --engine interp --seed 5 --hot-seat";
  std::string enters;
  for (int i = 0; i < 60; ++i) enters += "\n1\n";
  const Ran ran = run(race, enters);
  INFO(ran.out << ran.err);
  CHECK(ran.code == 0);
  CHECK(has(ran.out, "Seat b: press Enter when only you can see the screen."));
}

namespace {

// Runs `play` with the given text of rules.
Ran played(const std::string& rules, const std::string& arguments, const std::string& input) {
  const TemporaryFolder folder;
  std::ofstream(folder.path() + "/game.rules") << rules;
  return run("play " + folder.path() + "/game.rules --engine interp --bots random --seed 5 " + arguments, input);
}

}   // namespace

TEST_CASE("cli: an option keeps its number while the question is open", "[cli]") {
  const Ran ran = run("play hearts --engine interp --bots random --seed 5", "1\n1\n2\npass nine, of clubs\nquit\n");
  INFO(ran.out);
  const auto first = ran.out.find("\n    1  Pass "), end = ran.out.find('\n', first + 1);
  REQUIRE(first != std::string::npos);
  const std::string card = ran.out.substr(first + 13, end - first - 13);
  CHECK(has(ran.out, "picked 1 of 3: " + card));
  CHECK(has(ran.out, "1 was `Pass " + card + "`, which is no longer available"));
  CHECK(has(ran.out, "picked 2 of 3: "));
}

TEST_CASE("cli: one of several similar options can be taken by its words and its number", "[cli]") {
  const TemporaryFolder folder;
  const std::string path = folder.path() + "/raise.rules";
  std::ofstream(path) << "game \"Raise\"\nplayers 2\ntable { high_bid: 0..200 = 77; is_open: bool = false }\naction "
                         "raise(n: 78..99) in main when n > high_bid \"Raise to {n}\" { high_bid = n }\n"
                         "action stop_it in main when is_open or high_bid >= 85 \"Stop\" { is_open = true }\n"
                         "play { turns clockwise from first of players up to 9 { phase main { ask active } } }\nend "
                         "when play is over { winners nobody }\n";
  const Ran ran = run("play " + path + " --engine interp --bots random --seed 5 --seat a",
                      "raise 100\nraise to 12\nwhy stop it\nraise 85\nquit\n");
  INFO(ran.out);
  CHECK(has(ran.out, "`raise to 100` is out of range; choose from 78 to 99"));
  CHECK(has(ran.out, "`raise to 12` is out of range; choose from 78 to 99"));
  CHECK(has(ran.out, "a: Raise to 85"));
  CHECK(has(ran.out, "Stop: only if is open or high bid is at least 85"));   // no operators, underscores or file names
  CHECK(has(ran.out, "high bid 77"));
  CHECK_FALSE(has(ran.out, "high_bid"));
}

TEST_CASE("cli: an option's words match without case or punctuation", "[cli]") {
  const Ran ran = run("play kuhn_poker --engine interp --bots random --seed 5", "  cHECK! \nquit\n");
  INFO(ran.out);
  CHECK(has(ran.out, "a: Check\n"));
}

TEST_CASE("cli: cards are shown in declaration order, rows in their own order", "[cli]") {
  const std::string rules = R"(game "Order"
players 2
card type Number "{n}" { n: 3..35 }
deck Numbers: Number into deck { each n in 3..35: Number(n: n) }
player { zone taken: public; zone line: row, public }
table { zone deck: public }
action take(c: Number in deck) in main { move c to me.line; move first of (deck where n == 9) to me.taken; move first of (deck where n == 11) to me.taken }
play { turns clockwise from first of players up to 8 { phase main { ask active } } }
end when play is over { winners players }
)";
  const Ran ran = played(rules, "", "take 20\ntake 4\ntake: 10\nquit\n");
  INFO(ran.out);
  CHECK(has(ran.out, "taken: 9, 11"));
  CHECK(has(ran.out, "line: 20, 4"));
  CHECK(has(ran.out, "deck: 3, 4, 5, 6, 7, 8, 9, 10, 11, 12"));
  CHECK(has(ran.out, "  1-33  take: 3 … take: 35"));
}

TEST_CASE("cli: a card type has one short entry", "[cli]") {
  const Ran ran =
      run("play hearts --engine interp --bots random --seed 5", "card French\ncard queen of spades\nquit\n");
  INFO(ran.out);
  CHECK(has(ran.out, "French: suit clubs to spades, rank two to ace (52 cards)"));
  CHECK(has(ran.out, "queen of spades: suit spades, rank queen"));
  CHECK_FALSE(has(ran.out, "{"));
}

TEST_CASE("cli: rules and goal are described in words", "[cli]") {
  const Ran ran = run("play splash --engine interp --bots random --seed 5", "rules\ngoal\nquit\n");
  INFO(ran.out);
  CHECK(has(ran.out, "How the game ends:"));
  CHECK(has(ran.out, "The Birthday kid is soaked, so every Classmate wins"));
  CHECK(has(ran.out, "Possible actions in incoming:"));
  CHECK(has(ran.out, "you are Classmate"));
}

TEST_CASE("cli: the scores are shown at the end of a game", "[cli]") {
  const Ran ran = run("play oh_hell --engine interp --bots random --seed 5", ones(500));
  INFO(ran.out);
  CHECK(has(ran.out, "All hands are played: the highest score wins."));
  CHECK(has(ran.out, "\nScores\n"));
}

TEST_CASE("cli: calling a player to the keyboard reveals nothing", "[cli]") {
  const std::string rules = R"(game "Forced"
players 2
card type Card
card X: Card
card Y: Card
deck Cards: Card into stock { X x 4, Y x 4 }
player { zone hand: owner; zone gone: owner }
table { zone stock: pile, facedown }
setup { shuffle stock; deal 2 from stock to each hand }
action hit in main "Make the other discard" {
  let q = next_player(me)
  q chooses c from q.hand where FILTER "Which do you discard?"
  move c to q.gone
}
play { turns clockwise from first of players up to 1 { phase main { ask active } } }
end when play is over { winners players }
)";
  const auto calls = [&](const std::string& filter, const std::string& seed) {
    std::string text = rules;
    text.replace(text.find("FILTER"), 6, filter);
    const TemporaryFolder folder;
    std::ofstream(folder.path() + "/game.rules") << text;
    const Ran ran = run("play " + folder.path() + "/game.rules --engine interp --hot-seat --seed " + seed, "\n1\n\n");
    const auto pieces = sights(ran.out);
    INFO(ran.out);
    CHECK(ran.code == 0);
    // b must be called whatever b's hand contains: skipping b would reveal that b has no choice.
    REQUIRE(pieces.size() == 1);
    CHECK(pieces[0].first == 'b');
    return std::string(has(pieces[0].second, "only option: ")         ? "forced"
                       : has(pieces[0].second, "no decision to make") ? "nothing"
                                                                      : "asked");
  };
  std::set<std::string> all, filtered;
  for (const char* seed : {"1", "2", "3", "4", "5", "6", "7", "8"})
    all.insert(calls("it in q.hand", seed)), filtered.insert(calls("it is X", seed));
  CHECK(all == std::set<std::string>{"asked", "forced"});
  CHECK(filtered.contains("nothing"));
}

TEST_CASE("cli: calling a player to the keyboard reveals nothing for any kind of choice", "[cli]") {
  const std::string rules = R"(game "Called"
players 2
card type Card
card X: Card
card Y: Card
deck Cards: Card into stock { X x 4, Y x 4 }
player { zone hand: owner; role: 0..1 = 0, secret; n: 0..9 = 0 }
table { zone stock: pile, facedown }
setup { shuffle stock; deal 2 from stock to each hand; each p in players { p.role = roll 0..1 } }
action hit in main { let q = next_player(me); ASK }
play { turns clockwise from first of players up to 1 { phase main { ask active } } }
window asking(p: player) { ask p }
action bold in asking { me.n = 1 }
action shy in asking { me.n = 2 }
forbid bold when me.role == 1
end when play is over { winners players with most it.n }
)";
  for (const char* ask :
       {"q chooses one { \"A\" when q.role == 1 { q.n = 1 } \"B\" { q.n = 2 } }",
        "q chooses one { \"A\" when q.role == 1 { q.n = 1 } }", "q chooses k from 0..q.role \"Which?\"; q.n = k",
        "q chooses k from 1..3 where it == q.role + 4 \"Which?\"; q.n = size(q.hand)",
        "q chooses cs: up to 2 cards from q.hand where it is X \"Which?\"; q.n = size(cs)", "open asking(q)"}) {
    std::string text = rules;
    text.replace(text.find("ASK"), 3, ask);
    std::set<std::string> answers;
    const TemporaryFolder folder;
    std::ofstream(folder.path() + "/game.rules") << text;
    for (const char* seed : {"1", "2", "3", "4", "5", "6", "7", "8"}) {
      const Ran ran =
          run("play " + folder.path() + "/game.rules --engine interp --hot-seat --seed " + seed, "\n1\n\n1\n\n");
      INFO(ask << "\n" << ran.out << ran.err);
      CHECK(ran.code == 0);
      const auto pieces = sights(ran.out);
      REQUIRE(pieces.size() == 1);   // b is called whatever b's role and hand are
      CHECK(pieces[0].first == 'b');
    }
  }
}

TEST_CASE("cli: at one keyboard the last player is called in a simultaneous decision without having a choice",
          "[cli][races]") {
  std::string rules = slurp(checkout("tests/cli/nothing.rules"));
  rules.replace(rules.find("seat(3)"), 7, "seat(1)");   // b and c have no choice
  const Ran ran = played(rules, "--hot-seat", "\n1\n\n\n\n\n");
  INFO(ran.out << ran.err);
  const auto pieces = sights(ran.out);
  REQUIRE(pieces.size() == 3);
  for (int seat = 0; seat < 3; ++seat) CHECK(pieces[seat].first == "abc"[seat]);
  CHECK(has(pieces[2].second, "c: you have no decision to make; press Enter."));
  CHECK(has(pieces[2].second, "The game is over."));
}

TEST_CASE("cli: at one keyboard all players see the last lines of the log", "[cli]") {
  const std::string rules = R"(game "Count"
players 2
player { n: 0..9 = 0 }
action add(k: 1..3) in main { me.n += k; log "{me} has {me.n}" }
play { turns clockwise from first of players up to 2 { phase main { ask active } } log "the count is made" }
end when play is over { winners players with most n }
)";
  const Ran ran = played(rules, "--hot-seat", "\n1\n\n2\n");
  INFO(ran.out);
  CHECK(has(ran.out, "b has 2"));
  CHECK(has(ran.out, "the count is made"));
}

TEST_CASE("cli: turns have headings", "[cli]") {
  const Ran ran = run("play splash --engine interp --bots random --seed 5", "quit\n");
  INFO(ran.out);
  CHECK(has(ran.out, "\n—— turn 1: d\n"));
}

TEST_CASE("cli: the bundled games are listed", "[cli]") {
  const Ran ran = run("list");
  CHECK(ran.code == 0);
  CHECK(has(ran.out, "tic_tac_toe       2        Tic-tac-toe: three in a line on three by three cells\n"));
  CHECK(has(ran.out, "splash            4-8      Splash: a water fight"));
}

TEST_CASE("cli: a comparison of policies reports what its result proves", "[cli]") {
  const Ran few = run("compare kuhn_poker --policy bots:1 --against uniform --engine interp --pairs 1");
  INFO(few.out);
  CHECK(has(few.out, "undecided"));
  CHECK_FALSE(
      has(run("compare tic_tac_toe --policy bots:10 --against uniform --engine interp --pairs 2").out, "± 0.000"));
}

TEST_CASE("cli: a game saved by an exported page can be resumed", "[cli][journal]") {
  using namespace cardwright::api;
  using Json = nlohmann::ordered_json;
  const TemporaryFolder folder;
  const Game game = Ruleset::load("goofspiel").compile({3});
  State state = game.new_state(7);
  Json journal = Json::array();
  const auto add = [&](int kind, int seat, std::int64_t id) {
    journal.push_back({{"kind", kind}, {"seat", seat}, {"id", id}, {"name", ""}});
  };
  add(4, -1, 7);   // a chance result, then the game begins
  add(6, -1, 1);
  for (int round = 0; round < 3; ++round) {
    for (const int seat : {2, 0, 1}) {   // the seats act in any order
      REQUIRE(state.ask_first(seat));
      add(0, seat, state.legal()[static_cast<std::size_t>(round)]);
      state.apply_id(journal.back()["id"]);
    }
    add(4, -1, 100 + round);
    state.reseed(static_cast<std::uint64_t>(100 + round));
  }
  Json saved = {
      {"what", "cardwright game"}, {"id", "0f"}, {"game", "goofspiel"}, {"players", 3}, {"options", Json::array()}};
  saved["fingerprint"] = fmt::format("{:016x}", game.fingerprint());
  saved["settings"] = {{"seed", 7}, {"people", {0}}, {"bot_seconds", 0.1}};
  const auto resumed = [&](const Json& journal) {
    saved["journal"] = journal;
    const std::string path = folder.path() + "/saved.json";
    std::ofstream(path) << saved.dump();
    return run("play --bots random --resume " + path + " --journal " + folder.path() + "/own.journal", "quit\n");
  };
  const Ran ran = resumed(journal);
  INFO(ran.out << ran.err);
  CHECK(ran.code == 0);
  for (const std::string& line : state.table_in_words(0)) CHECK(has(ran.out, line));
  // Resuming again gives the same table.
  const Ran again = run("play --bots random --resume " + folder.path() + "/own.journal", "quit\n");
  CHECK(again.code == 0);
  for (const std::string& line : state.table_in_words(0)) CHECK(has(again.out, line));
  const auto wrong = [&](const Json& journal, const char* message) {
    const Ran refused = resumed(journal);
    CHECK(refused.code == 2);
    CHECK(has(refused.err, message));
  };
  wrong(nullptr, "`journal` is missing");
  wrong({{{"kind", 9}, {"seat", 0}, {"id", 1}}}, "invalid entry");
  journal[3]["id"] = 1 << 20;
  wrong(journal, "saved.json is damaged: ");
  saved["settings"] = 3;
  wrong(journal, "`settings` is missing");
  saved["settings"] = {{"people", {0}}};
  saved["fingerprint"] = "0";
  wrong(journal, "was recorded with different rules");
}

TEST_CASE("cli: a journal of an earlier version continues in a new file", "[cli][journal]") {
  using namespace cardwright::api;
  const TemporaryFolder folder;
  const Game game = Ruleset::load("goofspiel").compile({3});
  std::string text = fmt::format(
      "cardwright journal 1\ngame goofspiel\nplayers 3\nseat a\nseed 5\nfingerprint {:016x}\n", game.fingerprint());
  std::uint32_t sum = 0;
  const auto add = [&](const std::string& signed_text) {   // the sum that old journals contain: FNV-1a
    sum ^= 2166136261u;
    for (const char c : signed_text) sum = (sum ^ static_cast<unsigned char>(c)) * 16777619u;
  };
  add(text);
  State state = game.new_state(5, 0, nullptr, 1);
  for (const char* line : {"begin", "0", "8", "7"}) {
    add(line);
    text += fmt::format("{} {:08x}\n", line, sum);
    if (*line != 'b') state.apply_id(std::atoi(line));
  }
  const std::string old = folder.path() + "/old.journal", fresh = folder.path() + "/new";
  std::ofstream(old) << text;
  for (const std::string& arguments : {old + " --journal " + fresh, fresh}) {
    const Ran ran = run("play --bots random --resume " + arguments, "quit\n");
    INFO(ran.out << ran.err);
    CHECK(ran.code == 0);
    CHECK(has(ran.out, "cardwright play --resume " + fresh));
    for (const std::string& line : state.table_in_words(0)) CHECK(has(ran.out, line));
  }
  CHECK(slurp(old) == text);
}
