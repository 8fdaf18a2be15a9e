// Defines boards: their cells and edges, and the shapes of the pieces and cards placed on them.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "compiler/model/code.h"

namespace cardwright::model {

// The offset to a neighboring cell, in cells to the east and north.
struct Direction {
  const char* name;
  std::int64_t east, north;
};
// The directions in clockwise order. The second half contains the opposites of the first half, in the same order.
inline constexpr Direction kOfSquares[] = {{"N", 0, 1},  {"NE", 1, 1},   {"E", 1, 0},  {"SE", 1, -1},
                                           {"S", 0, -1}, {"SW", -1, -1}, {"W", -1, 0}, {"NW", -1, 1}};
inline constexpr Direction kOfHexagons[] = {{"NE", 0, 1},  {"E", 1, 0},  {"SE", 1, -1},
                                            {"SW", 0, -1}, {"W", -1, 0}, {"NW", -1, 1}};

// The shapes of a piece or card type on a board: for each distinct `covers` (a "sort") and facing, the covered cells,
// as offsets from `at`.
struct Shapes {
  std::string name;   // name of the piece or card type
  std::uint32_t board = 0;   // index of the board
  // The number of facings, or 1 if turning has no effect. The number of a shape is sort * facings + facing.
  std::int64_t facings = 1;
  std::vector<std::vector<std::pair<std::int64_t, std::int64_t>>> offsets = {};
  std::vector<std::int64_t> lengths = {};   // for pieces on edges, by shape: number of edges in a row
};
// The variables of an area or card that store its position on a board.
struct Placing {
  VariableId at;
  std::optional<VariableId> facing;
  std::optional<std::uint32_t> shapes;   // index in Model::shapes; unset if the piece or card covers only one cell
  std::optional<AttributeId> sort = {};   // attribute that selects the sort; unset if there is only one
  bool edges = false;   // the piece or card is placed on edges, so `at` is an edge
};

// A board: a grid of squares, a rhombus of hexagons (each row is shifted half a cell to the east of the row below), or
// a graph of points and lines. A cell is a constant of the enum `cells`, numbered y * width + x from 0, where x grows
// to the east and y to the north. The points of a graph form one row.
struct Board {
  std::string name;
  EnumId cells;
  EnumId dirs;   // unset for a graph
  std::int64_t width = 0, height = 0;
  bool across = false, down = false;   // the board wraps around in this direction
  bool hex = false;
  bool graph = false;
  // For a graph: the neighbors of each point, in ascending order.
  std::vector<std::vector<std::int64_t>> joined;
  std::vector<std::pair<std::int64_t, std::int64_t>> places;   // for a graph: the position of each point in the drawing
  // An edge is the border between two cells, or the border of a cell at the rim. Edges are numbered by cell and
  // direction: first the edges in the first half of the directions (north and east), then the remaining ones at the
  // rim.
  EnumId edges;   // unset for a graph
  // The edge in each direction of each cell, at index cell * directions() + direction. kNone for diagonals.
  std::vector<std::int64_t> borders;
  // For each edge: the cell that names it, and the cell on the other side (kNone at the rim).
  std::vector<std::pair<std::int64_t, std::int64_t>> between;
  struct Shows {   // `shows level`: the value that `play` draws on an empty cell or an edge
    Body body;   // { return <int, bool or constant> }; its first local is the cell or edge
    Type type;
    std::string text;   // the label, or the source text if there is no label
  };
  std::optional<Shows> shows = {}, edges_show = {};
  Range range;

  // Returns the cell at this offset, or kNone if it is outside the board. Unlike next(), does not wrap around.
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
  // Returns `length` edges in a row to the east or north, starting with `edge`; at the rim of the board, there may be
  // fewer.
  std::vector<std::int64_t> in_a_row(std::int64_t edge, std::int64_t length) const;
  // Returns the next cell in a direction (a constant of `dirs`), or kNone if there is none.
  std::int64_t next(std::int64_t cell, std::int64_t direction) const;
};
inline constexpr std::int64_t kMostCells = 32'767;
inline constexpr std::size_t kMostBoards = 4;

}   // namespace cardwright::model
