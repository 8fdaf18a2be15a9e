// `play` by script: commands at the prompt, the journal after a kill, undo, damaged journals.
#include <catch2/catch.hpp>

#include "tests/cli/run.h"

using namespace cardwright::test;

namespace {

const std::string kPlay = "play splash --engine interp --bots random --seed 5 ";

std::string ones(int n) {
  std::string text;
  for (int i = 0; i < n; ++i) text += "1\n";
  return text;
}

}  // namespace

TEST_CASE("cli: a game is played to its end by always taking the first option", "[cli]") {
  const Ran ran = run(kPlay, ones(2000));
  INFO(ran.err);
  CHECK(ran.code == 0);
  CHECK(has(ran.out, "The game is over. (no player is Classmate or Sibling)"));
}

TEST_CASE("cli: the prompt answers commands and refuses nonsense", "[cli]") {
  const Ran ran = run(kPlay, "help\nlook\ncard splash\ncard nothing\nlog\n0\n99999\nfrobnicate\nwhy Splash\nwhy nothing\nundo\nquit\n");
  CHECK(ran.code == 0);
  CHECK(has(ran.out, "take that option"));
  CHECK(has(ran.out, "there is no option 0"));
  CHECK(has(ran.out, "there is no option 99999"));
  CHECK(has(ran.out, "`frobnicate` is no option and no command"));
  CHECK(has(ran.out, "nothing here goes by the name `nothing`"));
  CHECK(has(ran.out, "Splash: suit Clubs, rank 5, icon Blank; Splash a player within reach."));
  CHECK(has(ran.out, "no card or character goes by the name `nothing`"));
  CHECK(has(ran.out, "this is your first decision"));
  CHECK(has(ran.out, "--resume"));
}

TEST_CASE("cli: a board is shown as a board", "[cli]") {
  const Ran ran = run("play connect_four --engine interp --bots random --seed 5 ", "3\nquit\n");
  CHECK(ran.code == 0);
  CHECK(has(ran.out, "  6  . . . . . . .\n  5  . . . . . . .\n"));
  CHECK(has(ran.out, "     a b c d e f g\n"));
  CHECK(has(ran.out, "A: discs of a, B: discs of b"));
}

TEST_CASE("cli: piles and rows lie in their order, and what differs of a large map is told", "[cli]") {
  const Ran ran = run("play tests/cli/shown.rules --engine interp --bots random --seed 5 ", "1\nquit\n");
  INFO(ran.out);
  CHECK(ran.code == 0);
  CHECK(has(ran.out, "heap, from the top: card 5, card 2, card 7"));
  CHECK(has(ran.out, "line: card 8, card 1, card 3"));
  CHECK(has(ran.out, "army b3 4;"));
  CHECK(has(ran.out, "a: Lay card 4\n"));
}

TEST_CASE("cli: what is done secretly only who does it reads of", "[cli]") {
  int others = 0;
  for (const char* seed : {"1", "2", "3", "4"}) {
    const Ran ran = run(std::string("play tests/system/rules/secretly.rules --engine interp --bots random --seat b --seed ") + seed, ones(9));
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

TEST_CASE("cli: a journal is resumed, with a torn last line too", "[cli]") {
  const TemporaryFolder folder;
  const std::string journal = folder.path + "/game.journal";
  REQUIRE(run(kPlay + "--journal " + journal, ones(3) + "quit\n").code == 0);
  const std::string whole = slurp(journal);
  REQUIRE(has(whole, "cardwright journal 1\ngame splash\n"));

  CHECK(run("play --resume " + journal, "quit\n").code == 0);
  std::ofstream(journal, std::ios::app | std::ios::binary) << "17 5e6";
  const Ran torn = run("play --resume " + journal, "quit\n");
  CHECK(torn.code == 0);
  CHECK(has(torn.out, "torn"));
  CHECK(slurp(journal) == whole);

  SECTION("an undo is kept too") {
    REQUIRE(run("play --engine interp --bots random --resume " + journal, "1\nundo\nquit\n").code == 0);
    CHECK(has(slurp(journal), "\nback "));
    CHECK(run("play --resume " + journal, "quit\n").code == 0);
  }
  SECTION("a changed journal is refused") {
    std::string changed = whole;
    const auto at = changed.find("\nbegin ");
    changed[changed.find('\n', at + 1) + 1] ^= 1;
    std::ofstream(journal, std::ios::binary) << changed;
    const Ran ran = run("play --resume " + journal, "quit\n");
    CHECK(ran.code == 2);
    CHECK(has(ran.err, "can't be resumed"));
  }
  SECTION("a file of another kind is refused") {
    std::ofstream(journal, std::ios::binary) << "once upon a time\n";
    const Ran ran = run("play --resume " + journal, "quit\n");
    CHECK(ran.code == 2);
    CHECK(has(ran.err, "no journal"));
  }
  SECTION("a journal is not overwritten") { CHECK(run(kPlay + "--journal " + journal, "quit\n").code == 2); }
}

namespace {

// The pieces that each person saw: what is printed between one "press Enter" and the next.
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

}  // namespace

TEST_CASE("cli: several people at one keyboard see only their own side", "[cli]") {
  const Ran ran = run("play leduc_poker --engine interp --seed 5 --hot-seat", "\n1\n\n1\n\n1\n\n1\n\n1\n\n1\n");
  INFO(ran.out << ran.err);
  CHECK(ran.code == 0);
  const auto pieces = sights(ran.out);
  REQUIRE(pieces.size() >= 2);
  CHECK(pieces[0].first != pieces[1].first);
  for (const auto& [seat, text] : pieces) {
    CHECK(has(text, "press Enter when only you look."));
    const std::string other(seat == 'a' ? "b" : "a"), shown = text.substr(0, text.find("The game is over."));
    const auto line = shown.find("\n" + other + "  ");
    REQUIRE(line != std::string::npos);
    CHECK(has(shown.substr(line, shown.find('\n', line + 1) - line), "hole: 1 card"));
    CHECK(has(shown, "· " + other + " draws a card") == (&text == &pieces[0].second || &text == &pieces[1].second));   // told once
  }
}

TEST_CASE("cli: who sits at the keyboard is chosen and kept", "[cli]") {
  const TemporaryFolder folder;
  const std::string journal = folder.path + "/game.journal";
  CHECK(run("play splash --seat a,b").code == 2);
  CHECK(run("play splash --hot-seat --seat a,z").code == 2);
  const Ran ran = run("play splash --engine interp --bots random --seed 5 --hot-seat --seat a,c --journal " + journal, ones(0) + "\n1\n\nundo\nquit\n");
  CHECK(ran.code == 0);
  CHECK(has(ran.out, "you are a, c"));
  CHECK(has(slurp(journal), "\nseat ac\n"));
  const Ran on = run("play --engine interp --bots random --resume " + journal, "\nquit\n");
  CHECK(on.code == 0);
  CHECK(has(on.out, "press Enter when only you look"));
}

TEST_CASE("cli: at one keyboard nobody sees what another has answered before all have", "[cli][races]") {
  const std::string once = "play " + std::string(CARDWRIGHT_ROOT) + "/tests/system/rules/once.rules --players 3 --engine interp --seed 5 --hot-seat";
  const Ran one = run(once, "\n1\n\n1\n\n1\nquit\n"), other = run(once, "\n2\n\n1\n\n1\nquit\n");
  const auto here = sights(one.out), there = sights(other.out);
  REQUIRE(here.size() >= 4);
  REQUIRE(there.size() >= 4);
  CHECK(has(here[0].second, "point: b"));
  for (int seat = 1; seat < 3; ++seat) {
    CHECK(here[seat].first == "abc"[seat]);
    CHECK(here[seat].second == there[seat].second);          // b and c, while it is a secret
    CHECK_FALSE(has(here[seat].second, "a uses point"));
  }
  CHECK(has(here[3].second, "a uses point"));                // then all are told
  CHECK(here[3].second != there[3].second);
}

TEST_CASE("cli: at one keyboard all are called where all answer at once", "[cli][races]") {
  const std::string nothing = "play tests/cli/nothing.rules --engine interp --seed 5 --hot-seat";
  const Ran ran = run(nothing, "\n1\n\n\n\n1\n");
  INFO(ran.out << ran.err);
  CHECK(ran.code == 0);
  const auto pieces = sights(ran.out);
  REQUIRE(pieces.size() == 3);
  for (int seat = 0; seat < 3; ++seat) CHECK(pieces[seat].first == "abc"[seat]);
  CHECK(has(pieces[1].second, "b: there is nothing for you to answer; press Enter."));
  CHECK_FALSE(has(pieces[1].second, "middle"));              // nor anything else to look at
  CHECK(has(pieces[2].second, "  1  give"));
  CHECK(has(pieces[2].second, "The game is over. (play is over)"));
  CHECK(sights(run(nothing, "\n1\n").out).size() == 2);
}

TEST_CASE("cli: a race shows its clock and what runs", "[cli][races]") {
  const Ran ran = run("play tests/system/rules/running.rules --players 2 --engine interp --seed 5");
  INFO(ran.out << ran.err);
  CHECK(ran.code == 0);
  CHECK(has(ran.out, "\n0.0 s; goes on in 2.0 s; in 42.0 s: end rush;"));
  CHECK(has(ran.out, "; goal 5; laid 0\n"));
  CHECK_FALSE(has(ran.out, "best"));
}

TEST_CASE("cli: at one keyboard a race goes from decision to decision", "[cli][races]") {
  const std::string race = "play " + std::string(CARDWRIGHT_ROOT) + "/tests/system/rules/race.rules --players 2 --engine interp --seed 5 --hot-seat";
  std::string enters;
  for (int i = 0; i < 60; ++i) enters += "\n1\n";
  const Ran ran = run(race, enters);
  INFO(ran.out << ran.err);
  CHECK(ran.code == 0);
  CHECK(has(ran.out, "Seat b, press Enter when only you look."));
}
