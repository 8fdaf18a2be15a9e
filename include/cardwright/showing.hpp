// Data for pages that show a game: the description of a game, visible things, news and the parts of options, in the
// format of docs/reference/protocol.md. It contains only what an observer knows; an observer is a seat, kEverything or
// kSpectator.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cardwright/cardwright.hpp"

namespace cardwright::api {

inline constexpr int kEverything = -1;   // sees everything
inline constexpr int kSpectator = -2;   // sees what every player knows

// Zones, variables, prints, boards, actions …: a JSON object, the same for every game of these rules, players and
// options. It is created once and lives as long as the game.
const std::string& describe(const Game& game);
// Names of numbered parts of the description; empty for an unknown number.
std::string name_of_print(const Game& game, std::int64_t print);
std::string name_of_action(const Game& game, std::int64_t action);

// One visible part of the table: its key ("z3", "v5", "b0") and its value as JSON.
struct Thing {
  std::string key, value;
  bool operator==(const Thing&) const = default;
};
// Everything this observer may know about the table, in the order of the keys, without empty zones. Throws
// Error(caller) for a player if the State does not track knowledge.
std::vector<Thing> things(const State& state, int observer);

// An event as an observer may know it.
struct News {
  enum class Kind : std::uint8_t { move, change, say, choice, heading };
  Kind kind = Kind::say;
  int from = -1, to = -1;   // of a move: source and target zone
  std::vector<int> prints;   // of a move: the print of each card; -1: unknown
  int variable = -1;   // of a change: the variable
  int seat = -1;   // of a choice: the seat
  std::string text;   // the line in the log
};
// The news of the log from entry `from` (at most size()).
std::vector<News> news(const Log& log, int observer, std::size_t from);

// The pending decision as an observer may know it.
struct Asked {
  bool all = false;   // simultaneous decision: who has answered is hidden
  int seat = -1;   // the deciding player; -1: none
  std::string window, prompt;   // as in Question; the prompt as the observer may read it
};
Asked asked(const State& state, int observer);

// One argument of an option, with the data that a page needs to highlight it on the table.
struct OptionPart {
  std::string name;   // parameter name
  enum class Kind : std::uint8_t {
    card,
    unknown,
    player,
    cell,
    edge,
    direction,
    piece,
    part,
    number,
    boolean,
    constant,
    other
  };
  Kind kind = Kind::other;
  std::string words;
  int print = -1;   // of a card
  std::vector<int> zones;   // of a card: the zones where it can be; of an unknown card: its zone
  std::vector<int> prints;   // of a set of cards
  int board = -1;   // of cells, edges and directions
  // Cells of a cell, an edge or a set of them. Of a direction: the cell to which it leads, if the option names exactly
  // one cell, or one piece on a cell, as the start.
  std::vector<int> cells;
  int placed = -1, piece = -1;   // of a piece: its kind and number
  int area = -1;   // of a part of an area: the area's number in the description,
  int owner = -1, index = 0;   // its owner, if players have such areas, and its number from 1
  std::int64_t value = 0;   // of numbers, booleans, players, directions
};
// The option at that index. `action` is its number in the description. Throws Error(caller) if no decision is pending,
// or there is no such option.
struct OptionShown {
  int action = -1;
  std::vector<OptionPart> parts;
};
OptionShown show_option(const State& state, std::size_t index);

}   // namespace cardwright::api
