// Describes the components of a game for display and for tools: enums, boards, pieces, dice and cards.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "runtime/program/layout.h"

namespace cardwright {

// The kind of a value. The `enumeration` stored next to it is usually an index into Program::enums. For a part of a
// player area, it is the number of parts per player; for a piece, it is an index into Program::placed.
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
  std::vector<std::string> labels;   // names shown to people
  std::vector<std::string> texts;   // text printed on a card that represents this constant, or empty
  struct Attribute {   // an attribute of the constants of an enum
    std::string name;
    ValueKind kind = ValueKind::integer;
    Int enumeration = -1;
    std::vector<Int> values;   // by constant; kNone for a constant without this attribute
  };
  std::vector<Attribute> attributes = {};
};

struct AreaInfo {   // a group of identical parts: an area, pieces or dice
  std::string name;
  Int parts = 1;   // number of parts of all players together
  Int each = 0;   // number of parts per player; 0 for an area of the table
};

inline constexpr Int kOfKinds = -2;   // value of `enumeration` for an other_set of card kinds
inline constexpr Int kOfTime = -3;   // value of `enumeration` for an integer that is a time in microseconds

// The content that a board shows on an empty cell.
struct BoardShows {
  Int function = -1;   // IR function (cell) -> value
  ValueKind kind = ValueKind::integer;
  Int enumeration = -1;
  Int variable = -1;   // the variable that stores the content of each cell, or -1 if the content is computed
  bool secret = false;   // the content depends on hidden information, so only an observer who sees everything gets it
  std::string text = {};   // the expression as written in the rules
};

// A board: a grid whose cells are the constants of an enum, numbered y * width + x, or a graph whose points form one
// row.
struct BoardInfo {
  std::string name;
  Int width = 0, height = 0;
  bool across = false, down = false;   // true if the board wraps around horizontally or vertically
  // Hexagonal cells: each row begins half a cell further east than the row below.
  bool hex = false;
  Int enumeration = -1;
  Int edge_enumeration = -1;   // -1 for a graph
  Int dir_enumeration = -1;   // -1 for a graph
  // By direction: the offset of the neighboring cell, as steps to the east and to the north.
  std::vector<std::pair<Int, Int>> ways = {};
  // By edge: the cell and the direction that identify it, both as constants.
  std::vector<std::pair<Int, Int>> edges = {};
  // For a graph, by point: the coordinates (east, north) at which it is drawn.
  std::vector<std::pair<Int, Int>> places = {};
  std::vector<std::pair<Int, Int>> lines = {};   // for a graph: pairs of points joined by a line, each line once
  std::optional<BoardShows> shows = {}, edges_show = {};

  bool is_graph() const { return !places.empty(); }
  // Returns the neighboring cell in that direction, or kNone beyond the edge of the board.
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
  ValueKind kind = ValueKind::card;   // kind of the elements of each set
  Int enumeration = -1;
  std::vector<std::vector<Int>> sets;
};

struct PlacedInfo {   // a kind of pieces or dice, or the cards on a board
  std::string name;
  bool of_players = false;   // each player has one
  std::vector<std::string> labels = {};   // by piece, if pieces have their own names
  Int at = -1, facing = -1;   // variables that store position and facing; -1: none
  std::string sign;   // symbol of a piece on a board
  // Number of facings that differ in shape: shape = shape_of[piece] + facing. If 1, the facing does not change the
  // shape.
  Int facings = 1;
  std::vector<Int> shape_of = {};   // by piece: index of its first shape; empty if every piece covers one cell
  std::vector<std::vector<Int>> shapes = {};   // by shape: x and y of its cells, alternating
  Int zone = -1;   // for cards: the zone whose cards are on the board; piece indices are card ids
  std::vector<std::string> signs = {};   // for cards: the symbol of each card
  // IR function (piece) that logs the symbol of a piece and, on a second line, its explanation for the legend. -1: use
  // `sign`.
  Int drawn = -1;
  // For pieces that cover several edges: these edges, by shape and by the edge at which the piece is placed.
  std::vector<std::vector<std::vector<Int>>> edges = {};
  Int face = -1;   // for dice: the variable with their faces; dice are not on a board
  Int each = 0;   // for dice: number per player
  std::vector<Int> faces = {};   // for dice: value of each side
};

// A text that screens show next to the zones of each player, or of the table.
struct ShownInfo {
  Int function = -1;   // IR function that logs the text: takes the player, or nothing for a text of the table
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
  std::string label;   // name shown to people
  std::string text;   // text printed on its cards
};
struct CardInfo {   // by card id; guard ids have kind -1
  Int kind = -1;
  Int look_alike = -1;   // index of the look-alike class
  // Name shown to people: "Splash", or "Hat (Ducky)" if look-alikes of a kind differ in their printed text.
  std::string label;
  std::vector<Int> attributes;   // one value for each of Program::attributes
};

}   // namespace cardwright
