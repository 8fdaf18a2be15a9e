// The components of a game in terms for people and tools: enums, boards, pieces and dice, cards.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "runtime/program/layout.h"

namespace cardwright {

// For a part of a player area, `enumeration` is the number of parts per player; for a piece it is the kind of piece.
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
  std::vector<std::string> texts;   // text printed on a card with this character, or empty
  struct Attribute {   // an attribute of the constants of an enum
    std::string name;
    ValueKind kind = ValueKind::integer;
    Int enumeration = -1;
    std::vector<Int> values;   // by constant; kNone if it has none
  };
  std::vector<Attribute> attributes = {};
};

struct AreaInfo {   // several identical places, also used for pieces and dice
  std::string name;
  Int parts = 1;   // for all players together
  Int each = 0;   // for an area of players: number of parts per player
};

inline constexpr Int kOfKinds = -2;   // value of `enumeration`: the other_set holds kinds of cards
inline constexpr Int kOfTime = -3;   // value of `enumeration`: the integer is a time in microseconds

// The content that a board shows on an empty cell.
struct BoardShows {
  Int function = -1;   // IR function (cell) -> value
  ValueKind kind = ValueKind::integer;
  Int enumeration = -1;
  Int variable = -1;   // the variable whose entries it shows, if it is a plain table
  bool secret = false;   // depends on hidden information, so only an observer who sees everything gets it
  std::string text = {};   // as written in the rules
};

// A grid of squares: its cells are the constants of an enum, numbered y * width + x. The points of a graph form one
// row.
struct BoardInfo {
  std::string name;
  Int width = 0, height = 0;
  bool across = false, down = false;   // true if it wraps in that direction
  // hexagonal: each row begins half a cell further east than the row below
  bool hex = false;
  Int enumeration = -1;
  Int edge_enumeration = -1;   // -1 for a graph
  Int dir_enumeration = -1;   // -1 for a graph
  std::vector<std::pair<Int, Int>> ways = {};   // by direction: steps to the east and to the north
  // by edge: the cell and direction that name it, as constants
  std::vector<std::pair<Int, Int>> edges = {};
  // for a graph, by point: position to the east and north where it is drawn
  std::vector<std::pair<Int, Int>> places = {};
  std::vector<std::pair<Int, Int>> lines = {};   // for a graph: pairs of points joined by a line, each line once
  std::optional<BoardShows> shows = {}, edges_show = {};

  bool is_graph() const { return !places.empty(); }
  // The neighbour in that direction, or kNone.
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
  ValueKind kind = ValueKind::card;   // kind of the elements of a set
  Int enumeration = -1;
  std::vector<std::vector<Int>> sets;
};

struct PlacedInfo {   // a kind of pieces or dice, or the cards on a board
  std::string name;
  bool of_players = false;   // one for each player
  std::vector<std::string> labels = {};   // by piece, if pieces have their own names
  Int at = -1, facing = -1;   // variables
  std::string sign;   // symbol with which it is drawn
  Int facings = 1;   // shape = shape_of[piece] + its facing; 1 if the facing does not change the shape
  std::vector<Int> shape_of = {};   // by piece: its first shape; empty: it covers one cell
  std::vector<std::vector<Int>> shapes = {};   // by shape: x and y of each cell in turn
  Int zone = -1;   // for cards: the zone that the board represents; indices are card ids
  std::vector<std::string> signs = {};   // for cards: symbol for each
  // IR function (piece) that logs its symbol, and in a second line the part that the legend explains; -1: use `sign`
  Int drawn = -1;
  // for pieces that cover several edges: the edges, by shape and own edge
  std::vector<std::vector<std::vector<Int>>> edges = {};
  Int face = -1;   // for dice: the variable with their faces; dice are not on a board
  Int each = 0;   // for dice: number per player
  std::vector<Int> faces = {};   // for dice: value of each side
};

// a text that screens show next to the zones of each player, or of the table
struct ShownInfo {
  Int function = -1;   // IR function (player) that logs it; without a parameter for the table
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
struct CardInfo {   // by card id; guard ids have kind -1
  Int kind = -1;
  Int look_alike = -1;   // index of the look-alike class
  // "Splash", or "Hat (Ducky)" if look-alikes of a kind differ in their printed text
  std::string label;
  std::vector<Int> attributes;   // by Program::attributes
};

}   // namespace cardwright
