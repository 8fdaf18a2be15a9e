// A game in a file, as `cardwright play` and exported pages save it. The file is one JSON object; the entries of the
// table's journal are on lines of their own, so that new entries are appended before the end of the object:
//
//   {"what":"cardwright game","game":"splash","players":5,"options":[["snorkel","icon20"]],
//    "fingerprint":"0123456789abcdef","settings":{"seed":7,"people":[0],"time_factor":1},"journal":[
//   {"kind":6,"seat":-1,"id":1,"name":""},
//   {"kind":0,"seat":0,"id":17,"name":"draw"}
//   ]}
//
// Journals of earlier versions (`cardwright journal 1`) can be read, but are no longer written.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cardwright/cardwright.hpp"
#include "cardwright/table.hpp"

namespace cardwright::api {

struct SavedGame {
  enum class Source : std::uint8_t {
    terminal,
    page,   // an exported page; its file also has data that only the page reads
    old_journal,
  };
  Source source = Source::terminal;
  std::string game;   // an argument of Ruleset::load; a page stores only the name of the game
  Configuration configuration;   // number of players and options
  std::uint64_t fingerprint = 0;   // Game::fingerprint() of the game that was played
  std::vector<int> people;   // seats of people; never empty
  std::uint64_t seed = 1;
  int time_factor = 1;
  std::vector<TableEntry> journal;   // in an old journal, choices have no seats until complete_journal() adds them
  bool torn = false;   // the last line was incomplete, because the program was killed, and has been dropped
};

// The end of a file, which appended entries replace.
inline constexpr std::string_view kSavedEnd = "\n]}\n";

// Returns the contents of a file; `journal` must not be empty.
std::string saved_text(const SavedGame& saved);
// Returns the text that replaces kSavedEnd to append entries.
std::string appended_text(std::span<const TableEntry> entries);
// Reads the contents of a file. Throws Error(caller) if it is not a saved game or is damaged.
SavedGame read_saved_game(std::string_view text);
// Returns the journal for Table's constructor, and determines the seats that an old journal does not contain. Throws
// Error(caller) if a choice is not possible in this game.
std::vector<TableEntry> complete_journal(const SavedGame& saved, const Game& game);

}   // namespace cardwright::api
