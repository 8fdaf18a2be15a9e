// Creates the data for pages that show a game: the description of a game, its visible parts, news and the parts of
// options, in the format of docs/reference/protocol.md. It contains only what an observer knows; an observer is a seat,
// kEverything or kSpectator.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cardwright/cardwright.hpp"

namespace cardwright::api {

inline constexpr int kEverything = -1;   // sees everything
inline constexpr int kSpectator = -2;   // sees what every player knows

// Returns a JSON object with the zones, variables, prints, boards and actions of the game. It is the same for every
// game with these rules, players and options, is created once, and is valid as long as the Game exists.
const std::string& describe(const Game& game);
// Returns the name of the print or action with this number in the description; empty for an unknown number.
std::string name_of_print(const Game& game, std::int64_t print);
std::string name_of_action(const Game& game, std::int64_t action);

// One visible part of the table: its key ("z3", "v5", "b0") and its value as JSON.
struct Thing {
  std::string key, value;
  bool operator==(const Thing&) const = default;
};
// Returns everything that this observer may know about the table except empty zones, in an order that does not depend
// on the State. Throws Error(caller) for a player if the State does not track knowledge.
std::vector<Thing> things(const State& state, int observer);

// An event as an observer may know it.
struct News {
  enum class Kind : std::uint8_t { move, change, say, choice, heading };
  Kind kind = Kind::say;
  int from = -1, to = -1;   // for a move: source and target zone
  std::vector<int> prints;   // for a move: the print of each card; -1 for a card unknown to the observer
  int variable = -1;   // for a change: the variable
  int seat = -1;   // for a choice: the seat that chose
  std::string text;   // the event's line in the log
};
// Returns the events in the log from entry `from` (at most size()).
std::vector<News> news(const Log& log, int observer, std::size_t from);

// The pending decision as an observer may know it.
struct Asked {
  bool all = false;   // true if the decision is simultaneous, so the set of players who have answered is hidden
  int seat = -1;   // the deciding player; -1 if none
  std::string window, prompt;   // as in Question, but the prompt contains only what the observer may read
};
Asked asked(const State& state, int observer);

// One argument of an option, with the data that a page needs to highlight the argument on the table.
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
  int print = -1;   // for a card: its print
  std::vector<int> zones;   // for a card: all zones where it can be; for an unknown card: its zone
  std::vector<int> prints;   // for a set of cards: the print of each
  int board = -1;   // for cells, edges and directions: the board
  // For a cell, an edge or a set of these: the cells. For a direction: the cell to which it leads, if the option names
  // exactly one start, which is a cell or a piece on a cell.
  std::vector<int> cells;
  int placed = -1, piece = -1;   // for a piece: its kind and its number
  int area = -1;   // for a part of an area: number of the area in the description
  int owner = -1, index = 0;   // for a part of an area: owner (-1: the table) and number of the part, from 1
  std::int64_t value = 0;   // for numbers, booleans, players and directions: the value
};
// An option; `action` is the number of its action in the description.
struct OptionShown {
  int action = -1;
  std::vector<OptionPart> parts;
};
// Returns the options of the pending decision in the order of State::legal(); empty if no decision is pending.
std::vector<OptionShown> show_options(const State& state);

}   // namespace cardwright::api
