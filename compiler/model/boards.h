// Boards: their cells and edges, and what a piece or a card covers of them.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "compiler/model/code.h"

namespace cardwright::model {

// A way to a neighbour: how far to the east and to the north.
struct Direction {
  const char* name;
  std::int64_t east, north;
};
// They go round clockwise, and the second half of them is the first half turned round.
inline constexpr Direction kOfSquares[] = {{"N", 0, 1},  {"NE", 1, 1},   {"E", 1, 0},  {"SE", 1, -1},
                                           {"S", 0, -1}, {"SW", -1, -1}, {"W", -1, 0}, {"NW", -1, 1}};
inline constexpr Direction kOfHexagons[] = {{"NE", 0, 1},  {"E", 1, 0},  {"SE", 1, -1},
                                            {"SW", 0, -1}, {"W", -1, 0}, {"NW", -1, 1}};

// What has a place on a board (a piece, or a card that may lie on one) covers there, by sort (what is of a size is one)
// and facing: offsets from its `at`.
struct Shapes {
  std::string name;   // of the pieces or of the type of card
  std::uint32_t board = 0;   // on which they lie
  std::int64_t facings = 1;   // shape number = sort * facings + facing; one, if turning changes nothing
  std::vector<std::vector<std::pair<std::int64_t, std::int64_t>>> offsets = {};
  std::vector<std::int64_t> lengths = {};   // of what covers edges, by shape: so many in a row, from its own on
};
// Where a piece or a card says that it lies: variables of the area, or of the card.
struct Placing {
  VariableId at;
  std::optional<VariableId> facing;
  std::optional<std::uint32_t> shapes;   // index into Model::shapes; none: one cell
  std::optional<AttributeId> sort = {};   // of the constant or card: which sort of them; none: there is one
  bool edges = false;   // it lies on edges, and `at` is one
};

// A grid of squares; or a rhombus of hexagons, each row of which begins half a cell further to the east than the one
// below; or a graph: points, and lines between some of them. A cell is a constant of `cells`: y * width + x, from 0, x
// to the east and y to the north. The points of a graph count as one row.
struct Board {
  std::string name;
  EnumId cells;
  EnumId dirs;   // a graph has none
  std::int64_t width = 0, height = 0;
  bool across = false, down = false;   // what leaves it at one side comes in at the other
  bool hex = false;
  bool graph = false;
  // of a graph, by point: those to which a line leads, ascending
  std::vector<std::vector<std::int64_t>> joined;
  std::vector<std::pair<std::int64_t, std::int64_t>> places;   // of a graph, by point: where it is drawn
  // The border between two cells is an edge, as is the border of a cell at the rim. They are numbered by cell and
  // direction: those of the first half of the sides of each cell (north and east), then those at the rim that have no
  // such cell.
  EnumId edges;   // a graph has none
  // by cell, then direction: its edge; kNone at a corner
  std::vector<std::int64_t> borders;
  // by edge: the cell that it is named after, the other or kNone
  std::vector<std::pair<std::int64_t, std::int64_t>> between;
  struct Shows {   // `shows level`: what `play` draws on a cell where nothing lies, or on an edge
    Body body;   // { return <int, bool or constant> }; its first local is the cell or edge
    Type type;
    std::string text;   // what it is called, or else as it is written
  };
  std::optional<Shows> shows = {}, edges_show = {};
  Range range;

  // The cell so far to the east and north, or none. (Where it wraps, `next` goes on.)
  std::int64_t at(std::int64_t cell, std::int64_t east, std::int64_t north) const;
  std::int64_t border(std::int64_t cell, std::int64_t direction) const {
    return borders[static_cast<std::size_t>(cell * directions() + direction)];
  }
  void find_edges();
  std::int64_t size() const { return width * height; }
  std::span<const Direction> ways() const {
    return graph ? std::span<const Direction>()
           : hex ? std::span<const Direction>(kOfHexagons)
                 : std::span<const Direction>(kOfSquares);
  }
  std::int64_t directions() const { return static_cast<std::int64_t>(ways().size()); }
  // The edges in a row from one on, to the east or to the north; fewer than `length` where they would leave the board.
  std::vector<std::int64_t> in_a_row(std::int64_t edge, std::int64_t length) const;
  // The next cell that way (a constant of `dirs`), or none.
  std::int64_t next(std::int64_t cell, std::int64_t direction) const;
};
inline constexpr std::int64_t kMostCells = 32'767;
inline constexpr std::size_t kMostBoards = 4;

}   // namespace cardwright::model
