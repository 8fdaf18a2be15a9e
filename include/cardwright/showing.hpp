// What a page needs to show a game and let people choose: the description of a game, things, news and the parts of
// options, as docs/reference/protocol.md says. All of it is made from what an observer knows; an observer is a seat, kEverything
// or kSpectator.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cardwright/cardwright.hpp"

namespace cardwright::api {

inline constexpr int kEverything = -1;   // sees all
inline constexpr int kSpectator = -2;   // knows what every player knows

// Zones, variables, prints, boards, actions …: an object of JSON, the same for every game of these rules, players and
// options.
// It is made once, and lives as long as the game does.
const std::string& describe(const Game& game);
// Names of what the description numbers; empty if there is none.
std::string name_of_print(const Game& game, std::int64_t print);
std::string name_of_action(const Game& game, std::int64_t action);

// One thing that lies on the table: its key ("z3", "v5", "b0") and its value as JSON.
struct Thing {
  std::string key, value;
  bool operator==(const Thing&) const = default;
};
// All that this observer may know of the table, in the order of the keys. Zones without cards are left out. Throws
// Error(caller) for a player where the State keeps no knowledge.
std::vector<Thing> things(const State& state, int observer);

// Something that happened, as an observer may know it.
struct News {
  enum class Kind : std::uint8_t { move, change, say, choice, heading };
  Kind kind = Kind::say;
  int from = -1, to = -1;   // of a move: zones,
  std::vector<int> prints;   // and of each card what is printed on it; -1: not known
  int variable = -1;   // of a change: of which variable
  int seat = -1;   // of a choice
  std::string text;   // the line of the log
};
// Of the entries of the log from `from` on (at most size()).
std::vector<News> news(const Log& log, int observer, std::size_t from);

// Who is asked what, as an observer may know it.
struct Asked {
  bool all = false;   // all are asked at once: who has answered nobody knows
  int seat = -1;   // who, if somebody is
  std::string window, prompt;   // Question::window; the prompt as the observer may read it
};
Asked asked(const State& state, int observer);

// What an option names, so that a page finds it on the table.
struct OptionPart {
  std::string name;   // of the parameter
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
  int print = -1;   // of a card,
  std::vector<int> zones;   // and where it may lie; of an unknown card the zone in which it lies
  std::vector<int> prints;   // of a set of cards
  int board = -1;   // of cells, edges and directions
  // of a cell, an edge or a set of them: which; of a direction: the cell to which it leads, where the option names the
  // one cell, or piece on a cell, from which one goes
  std::vector<int> cells;
  int placed = -1, piece = -1;   // of a piece: its kind and number
  int area = -1;   // of a part of an area: which area, by the description's number,
  int owner = -1, index = 0;   // whose, if players have such areas, and which of theirs, from 1
  std::int64_t value = 0;   // of numbers, booleans, players, directions
};
// Of the option at that index. `action`: its number in the description. Throws Error(caller) where nobody is asked, or
// there is none.
struct OptionShown {
  int action = -1;
  std::vector<OptionPart> parts;
};
OptionShown show_option(const State& state, std::size_t index);

}   // namespace cardwright::api
