// What a game is made of, in words for people and tools: enums, boards, pieces and dice, cards.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "runtime/program/layout.h"

namespace cardwright {

// A part of an area of players has the number of parts of each player where an enumeration has its index; a piece has
// that of its kind.
enum class ValueKind : std::uint8_t {
  integer,
  boolean,
  player,
  card,
  enumeration,
  kind,
  player_set,
  card_set,
  other_set,
  cell_set,
  part,
  piece
};

struct EnumInfo {
  std::string name;
  std::vector<std::string> constants;   // names as written in rules
  std::vector<std::string> labels;   // as shown to people
  std::vector<std::string> texts;   // printed text of a character, or empty
  struct Attribute {   // that the constants have
    std::string name;
    ValueKind kind = ValueKind::integer;
    Int enumeration = -1;
    std::vector<Int> values;   // by constant; kNone where it has none
  };
  std::vector<Attribute> attributes = {};
};

struct AreaInfo {   // several places alike, but for pieces and dice
  std::string name;
  Int parts = 1;   // of all players together
  Int each = 0;   // of an area of players: so many parts are each player's
};

inline constexpr Int kOfKinds = -2;   // in the place of an enumeration: the other_set holds kinds of cards
inline constexpr Int kOfTime = -3;   // … the integer is a time in microseconds

// What a board shows on a cell where nothing lies.
struct BoardShows {
  Int function = -1;   // IR function (cell) -> value
  ValueKind kind = ValueKind::integer;
  Int enumeration = -1;
  Int variable = -1;   // whose entries it shows, if it is one table as it stands
  bool secret = false;   // it depends on what not all know: only who sees everything is shown it
  std::string text = {};   // as the rules say it
};

// A grid of squares: its cells are the constants of an enum, y * width + x. The points of a graph are one row.
struct BoardInfo {
  std::string name;
  Int width = 0, height = 0;
  bool across = false, down = false;   // it wraps that way
  // of hexagons: each row begins half a cell further to the east than the one below
  bool hex = false;
  Int enumeration = -1;
  Int edge_enumeration = -1;   // a graph has none
  Int dir_enumeration = -1;   // likewise
  std::vector<std::pair<Int, Int>> ways = {};   // by direction: how far to the east and to the north
  // by edge: the cell and the direction it is named after, numbers of constants
  std::vector<std::pair<Int, Int>> edges = {};
  std::vector<std::pair<Int, Int>> places = {};   // of a graph, by point: how far to the east and north it is drawn
  std::vector<std::pair<Int, Int>> lines = {};   // … the points that a line joins, each line once
  std::optional<BoardShows> shows = {}, edges_show = {};

  bool is_graph() const { return !places.empty(); }
  // The cell that way, or kNone.
  Int next(Int cell, Int direction) const {
    const auto [east, north] = ways[static_cast<std::size_t>(direction)];
    const auto step = [](Int from, Int by, Int size, bool wraps) {
      const Int to = from + by;
      return wraps ? (to + size) % size : to < 0 || to >= size ? kNone : to;
    };
    const Int x = step(cell % width, east, width, across), y = step(cell / width, north, height, down);
    return x == kNone || y == kNone ? kNone : y * width + x;
  }
};

struct SetListInfo {
  ValueKind kind = ValueKind::card;   // of an element of a set
  Int enumeration = -1;
  std::vector<std::vector<Int>> sets;
};

struct PlacedInfo {   // a kind of pieces or dice, or the cards that lie on a board
  std::string name;
  bool of_players = false;   // each player has one
  std::vector<std::string> labels = {};   // by piece, if each has a name of its own
  Int at = -1, facing = -1;   // variables
  std::string sign;   // with which it is drawn
  Int facings = 1;   // shape = shape_of[piece] + its facing, if that makes a difference
  std::vector<Int> shape_of = {};   // by piece: its first shape; empty: it covers one cell
  std::vector<std::vector<Int>> shapes = {};   // by shape: x and y of each cell, one after the other
  Int zone = -1;   // of cards: the zone that the board is; they are numbered by card
  std::vector<std::string> signs = {};   // of cards: with which each is drawn
  // IR function (piece) that logs its sign, and in a second line what of it the legend explains; -1: `sign`
  Int drawn = -1;
  // of what covers several edges: which, by shape and its own edge
  std::vector<std::vector<std::vector<Int>>> edges = {};
  Int face = -1;   // of dice: the variable of their faces; they lie on no board
  Int each = 0;   // … so many are each player's
  std::vector<Int> faces = {};   // … of each side
};

// a text that screens show beside what lies in front of each player, or of the table
struct ShownInfo {
  Int function = -1;   // IR function (player) that logs it; of the table without one
  bool of_players = false;
};

struct AttributeInfo {
  std::string name;
  ValueKind kind = ValueKind::integer;
  Int enumeration = -1;
  bool printed = true;
};
struct KindInfo {
  std::string name;   // as written in rules
  std::string label;   // as shown
  std::string text;   // printed
};
struct CardInfo {   // by card id; guards have kind -1
  Int kind = -1;
  Int look_alike = -1;   // class index
  // "Splash", or "Hat (Ducky)" where look-alikes of a kind differ in what is printed
  std::string label;
  std::vector<Int> attributes;   // by Program::attributes
};

}   // namespace cardwright
