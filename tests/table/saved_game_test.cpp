// Tests the format of saved games, and reads files of all earlier versions (tests/table/saves).
#include <catch2/catch.hpp>

#include "cardwright/saved_game.hpp"
#include "tests/support/checkout.h"
#include "tests/support/command.h"

using namespace cardwright::api;
using cardwright::test::checkout;
using cardwright::test::has;
using cardwright::test::slurp;
using Kind = TableEntry::Kind;

namespace {

SavedGame example() {
  SavedGame saved;
  saved.game = "splash";
  saved.configuration = {5, {{"snorkel", "icon20"}}};
  saved.fingerprint = 0xabc;
  saved.people = {0, 2};
  saved.seed = ~std::uint64_t{0};
  saved.time_factor = 3;
  saved.journal = {{Kind::begin, -1, 5, {}}, {Kind::choose, 2, 17, "draw, \"n\" 1"}};
  return saved;
}

void check_equal(const SavedGame& a, const SavedGame& b) {
  CHECK(a.game == b.game);
  CHECK(a.configuration.players == b.configuration.players);
  CHECK(a.configuration.options == b.configuration.options);
  CHECK(a.fingerprint == b.fingerprint);
  CHECK(a.people == b.people);
  CHECK(a.seed == b.seed);
  CHECK(a.time_factor == b.time_factor);
  CHECK((a.journal == b.journal));
}

std::string refusal(const std::string& text) {
  try {
    (void)read_saved_game(text);
  } catch (const Error& error) {
    CHECK(error.blame() == Blame::caller);
    return error.what();
  }
  return "";
}

std::string replaced(std::string text, const std::string& old, const std::string& by) {
  REQUIRE(has(text, old));
  return text.replace(text.find(old), old.size(), by);
}

SavedGame saved_in(const std::string& file) { return read_saved_game(slurp(checkout("tests/table/saves/" + file))); }

// Returns the state after a replay of the journal.
State state_of(const SavedGame& saved, const Game& game) {
  const std::vector<TableEntry> journal = complete_journal(saved, game);
  REQUIRE(journal.at(0).kind == Kind::begin);
  State state = game.new_state(saved.seed, 0, nullptr, static_cast<std::uint64_t>(journal[0].id), saved.time_factor);
  for (std::size_t i = 1; i < journal.size(); ++i) switch (journal[i].kind) {
      case Kind::choose:
        REQUIRE((state.actor() == journal[i].seat || state.ask_first(journal[i].seat)));
        state.apply_id(journal[i].id);
        break;
      case Kind::arrive: REQUIRE_FALSE(state.arrive(journal[i].seat)); break;
      case Kind::clock: state.run_clock(journal[i].id); break;
      default: FAIL("unexpected entry");
    }
  return state;
}

}   // namespace

TEST_CASE("saved games: a file contains the game that was written", "[table][saved]") {
  SavedGame saved = example();
  std::string text = saved_text(saved);
  check_equal(read_saved_game(text), saved);
  const std::vector<TableEntry> more{{Kind::back, -1, 1, {}}, {Kind::choose, 0, 3, "pass"}};
  text.resize(text.size() - kSavedEnd.size());
  text += appended_text(more);
  saved.journal.insert(saved.journal.end(), more.begin(), more.end());
  check_equal(read_saved_game(text), saved);
  CHECK(text == saved_text(saved));
}

TEST_CASE("saved games: an incomplete last line is dropped", "[table][saved]") {
  const std::string text = saved_text(example());   // ends with kSavedEnd
  const std::pair<std::string, std::size_t> all[] = {{text + "17 5e6", 2},
                                                     {text.substr(0, text.size() - 1), 2},
                                                     {text.substr(0, text.size() - 2), 2},
                                                     {text.substr(0, text.size() - 3), 2},
                                                     {text.substr(0, text.size() - 4), 1},
                                                     {text.substr(0, text.size() - 20), 1}};
  for (const auto& [torn, entries] : all) {
    INFO(torn);
    const SavedGame read = read_saved_game(torn);
    CHECK(read.torn == (torn != text.substr(0, text.size() - 1)));   // only the final line feed may be missing
    CHECK(read.journal.size() == entries);
  }
}

TEST_CASE("saved games: damaged files are rejected", "[table][saved]") {
  const std::string text = saved_text(example());
  CHECK(has(refusal("once upon a time\n"), "not a saved Cardwright game"));
  CHECK(has(refusal("{}"), "not a saved Cardwright game"));
  CHECK(has(refusal(replaced(text, "\"kind\":0", "\"kind\":9")), "invalid entry"));
  CHECK(has(refusal(replaced(text, "\"seat\":2", "\"seat\":5")), "invalid entry"));
  CHECK(has(refusal(replaced(text, "\"seat\":2", "\"seat\":-1")), "invalid entry"));
  CHECK(has(refusal(replaced(text, "\"id\":17", "\"id\":-1")), "invalid entry"));
  CHECK(has(refusal(replaced(text, "\"kind\":6", "\"kind\":0")), "invalid entry"));
  CHECK(has(refusal(replaced(text, "\"kind\":6", "\"kind\":5")), "does not begin a game"));
  CHECK(has(refusal(replaced(text, "\"people\":[0,2]", "\"people\":[7]")), "no seat belongs to a person"));
  CHECK(has(refusal(replaced(text, "\"players\":5", "\"players\":99")), "`players` is missing"));
  CHECK(has(refusal(replaced(text, "\"time_factor\":3", "\"time_factor\":0")), "invalid `time_factor`"));
}

TEST_CASE("saved games: a journal of the terminal can be read", "[table][saved]") {
  const SavedGame saved = saved_in("undo.journal");
  CHECK(saved.source == SavedGame::Source::old_journal);
  CHECK(saved.game == "goofspiel");
  CHECK(saved.configuration.players == 3);
  CHECK(saved.people == std::vector{0});
  const Game game = Ruleset::load("goofspiel").compile({3});
  State expected = game.new_state(5, 0, nullptr, 1);
  for (const std::int64_t id : {0, 8, 7, 1, 12, 3}) expected.apply_id(id);
  CHECK(state_of(saved, game).whole_hash() == expected.whole_hash());
}

TEST_CASE("saved games: a journal of several people at one keyboard can be read", "[table][saved]") {
  const SavedGame saved = saved_in("hot_seat.journal");
  CHECK(saved.people == std::vector{0, 1, 2});
  const Game game = Ruleset::load(checkout("tests/rulesets/small/once.rules")).compile({3});
  State expected = game.new_state(5);
  for (const std::int64_t id : {1, 2, 0}) expected.apply_id(id);
  CHECK(state_of(saved, game).whole_hash() == expected.whole_hash());
  SavedGame wrong = saved;
  wrong.journal[1].id = 1 << 20;
  CHECK_THROWS_WITH(complete_journal(wrong, game), Catch::Contains("line 2 of the journal"));
}

TEST_CASE("saved games: a journal of a race can be read", "[table][saved]") {
  const SavedGame saved = saved_in("race.journal");
  const Game game = Ruleset::load(checkout("tests/rulesets/small/race.rules")).compile({2});
  State expected = game.new_state(5, 0, nullptr, 1);
  expected.run_clock(3'000'000);
  expected.run_clock(3'446'092);
  expected.apply_id(30);
  expected.run_clock(3'908'063);
  REQUIRE_FALSE(expected.arrive(0));
  expected.apply_id(7);
  expected.run_clock(3'908'063);
  expected.run_clock(4'390'167);
  expected.apply_id(30);
  CHECK(state_of(saved, game).whole_hash() == expected.whole_hash());
}

TEST_CASE("saved games: damaged journals of the terminal are rejected", "[table][saved]") {
  const std::string text = slurp(checkout("tests/table/saves/undo.journal"));
  CHECK(has(refusal(replaced(text, "\n12 abb6147b", "\n11 abb6147b")), "line 16: wrong checksum"));
  CHECK(has(refusal(replaced(text, "seat a\n", "seat b\n")), "line 7: wrong checksum"));
  CHECK(has(refusal(text.substr(0, text.find("begin"))), "incomplete header"));
  const SavedGame torn = read_saved_game(text + "17 5e6");
  CHECK(torn.torn);
  CHECK((torn.journal == read_saved_game(text).journal));
}

TEST_CASE("saved games: a file of an exported page can be read", "[table][saved]") {
  const SavedGame saved = saved_in("page.json");
  CHECK(saved.source == SavedGame::Source::page);
  CHECK(saved.seed == 5);
  const Game game = Ruleset::load("goofspiel").compile({3});
  State expected = game.new_state(5, 0, nullptr, 1);
  for (const std::int64_t id : {0, 8, 7}) expected.apply_id(id);
  CHECK(state_of(saved, game).whole_hash() == expected.whole_hash());
}
