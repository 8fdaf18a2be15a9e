// Reads the journals that `cardwright play` wrote before it saved games as JSON. They are text files with these lines:
//
//   cardwright journal 1
//   game splash                         name or absolute path
//   players 5
//   option snorkel=icon20               one line each
//   times 3                             the time factor, unless it is 1
//   seat a                              the seats of people; several at one keyboard: ac
//   seed 7
//   fingerprint 0123456789abcdef
//   begin 1a2b3c4d
//   17 5e6f7a8b                         option 17 was chosen
//   back 3 9c0d1e2f                     undo: only the first 3 choices remain
//   clock 1300000 2b3c4d5e              in a race: microseconds since the race was opened
//   acts a 3c4d5e6f                     this player acts in a race, or answers a simultaneous question, with the
//                                       option on the next line
//   reseed 8 4d5e6f70                   chance is reseeded with this number
//
// The last word of each line from `begin` on is a checksum over the line and all lines before it. A last line without a
// line feed was not written completely, because the program was killed; it is dropped.
#pragma once

#include <string_view>
#include <vector>

#include "cardwright/saved_game.hpp"

namespace cardwright::table {

bool is_old_journal(std::string_view text);
// Reads a journal, with `acts` as `arrive` and choices without seats. Throws Error(caller) if it is damaged.
api::SavedGame read_old_journal(std::string_view text);
// Replays the choices of an old journal, and returns the journal of a table with the same state.
std::vector<api::TableEntry> converted(const api::SavedGame& old, const api::Game& game);

}   // namespace cardwright::table
