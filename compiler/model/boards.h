// Boards: their cells and edges, and the cells or edges that pieces and cards cover.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "compiler/model/code.h"

namespace cardwright::model {

// The offset to a neighbouring cell, in cells to the east and north.
struct Direction {
  const char* name;
  std::int64_t east, north;
};
// In clockwise order; the second half contains the opposites of the first half.
inline constexpr Direction kOfSquares[] = {{"N", 0, 1},  {"NE", 1, 1},   {"E", 1, 0},  {"SE", 1, -1},
                                           {"S", 0, -1}, {"SW", -1, -1}, {"W", -1, 0}, {"NW", -1, 1}};
inline constexpr Direction kOfHexagons[] = {{"NE", 0, 1},  {"E", 1, 0},  {"SE", 1, -1},
                                            {"SW", 0, -1}, {"W", -1, 0}, {"NW", -1, 1}};

// The cells that a piece or card covers on a board, as offsets from its `at`, by sort (pieces of one size) and facing.
struct Shapes {
  std::string name;   // of the pieces or the card type
  std::uint32_t board = 0;   // the board they are on
  std::int64_t facings = 1;   // shape number = sort * facings + facing; 1 if turning has no effect
  std::vector<std::vector<std::pair<std::int64_t, std::int64_t>>> offsets = {};
  std::vector<std::int64_t> lengths = {};   // for pieces on edges, by shape: number of edges in a row
};
// The variables of an area or card that store the position on a board.
struct Placing {
  VariableId at;
  std::optional<VariableId> facing;
  std::optional<std::uint32_t> shapes;   // index into Model::shapes; unset: one cell
  std::optional<AttributeId> sort = {};   // attribute that selects the sort; unset: only one sort
  bool edges = false;   // it is placed on edges, so `at` is an edge
};

// A grid of squares; or a rhombus of hexagons, in which each row is shifted half a cell to the east of the row below;
// or a graph of points and lines. A cell is a constant of `cells`: y * width + x, from 0, with x to the east and y to
// the north. The points of a graph form one row.
struct Board {
  std::string name;
  EnumId cells;
  EnumId dirs;   // a graph has none
  std::int64_t width = 0, height = 0;
  bool across = false, down = false;   // wraps around in this direction
  bool hex = false;
  bool graph = false;
  // for a graph, by point: its neighbours, ascending
  std::vector<std::vector<std::int64_t>> joined;
  std::vector<std::pair<std::int64_t, std::int64_t>> places;   // for a graph, by point: the drawing position
  // An edge is the border between two cells, or the border of a cell at the rim. Edges are numbered by cell and
  // direction: first the edges in the first half of the directions (north and east), then the remaining ones at the
  // rim.
  EnumId edges;   // a graph has none
  // by cell, then direction: the edge; kNone for diagonals
  std::vector<std::int64_t> borders;
  // by edge: the cell after which it is named, and the other cell or kNone
  std::vector<std::pair<std::int64_t, std::int64_t>> between;
  struct Shows {   // `shows level`: what `play` draws on an empty cell, or on an edge
    Body body;   // { return <int, bool or constant> }; its first local is the cell or edge
    Type type;
    std::string text;   // its label, or else the source text
  };
  std::optional<Shows> shows = {}, edges_show = {};
  Range range;

  // Returns the cell at this offset, or kNone outside the board. Does not wrap, unlike next().
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
  // Returns `length` edges in a row, starting at `edge`, to the east or north; fewer at the rim of the board.
  std::vector<std::int64_t> in_a_row(std::int64_t edge, std::int64_t length) const;
  // Returns the next cell in a direction (a constant of `dirs`), or kNone.
  std::int64_t next(std::int64_t cell, std::int64_t direction) const;
};
inline constexpr std::int64_t kMostCells = 32'767;
inline constexpr std::size_t kMostBoards = 4;

}   // namespace cardwright::model
