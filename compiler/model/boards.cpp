// Computes the neighbors and edges of the cells of a board.
#include "compiler/model/boards.h"

namespace cardwright::model {

std::int64_t Board::next(std::int64_t cell, std::int64_t direction) const {
  const Direction& way = ways()[static_cast<std::size_t>(direction)];
  std::int64_t x = cell % width + way.east, y = cell / width + way.north;
  if (across) x = (x + width) % width;
  if (down) y = (y + height) % height;
  return x < 0 || x >= width || y < 0 || y >= height ? kNone : y * width + x;
}

std::vector<std::int64_t> Board::in_a_row(std::int64_t edge, std::int64_t length) const {
  std::int64_t cell = between[static_cast<std::size_t>(edge)].first, side = 0;
  while (border(cell, side) != edge) ++side;
  const bool horizontal = ways()[static_cast<std::size_t>(side)].east == 0;
  std::int64_t on = 0;   // the direction of the row: east or north
  while (ways()[static_cast<std::size_t>(on)].east != horizontal ||
         ways()[static_cast<std::size_t>(on)].north != !horizontal)
    ++on;
  std::vector<std::int64_t> all;
  for (; cell != kNone && static_cast<std::int64_t>(all.size()) < length; cell = next(cell, on))
    all.push_back(border(cell, side));
  return all;
}

std::int64_t Board::at(std::int64_t cell, std::int64_t east, std::int64_t north) const {
  const std::int64_t x = cell % width + east, y = cell / width + north;
  return x < 0 || x >= width || y < 0 || y >= height ? kNone : y * width + x;
}

void Board::find_edges() {
  const auto is_side = [&](std::int64_t d) {
    return hex || ways()[static_cast<std::size_t>(d)].east == 0 || ways()[static_cast<std::size_t>(d)].north == 0;
  };
  const std::int64_t cell_count = width * height, half = directions() / 2;
  borders.assign(static_cast<std::size_t>(cell_count * directions()), kNone);
  const auto name_after = [&](std::int64_t cell, std::int64_t d, std::int64_t other) {
    const auto edge = static_cast<std::int64_t>(between.size());
    between.push_back({cell, other});
    borders[static_cast<std::size_t>(cell * directions() + d)] = edge;
    if (other != kNone) borders[static_cast<std::size_t>(other * directions() + (d + half) % directions())] = edge;
  };
  for (std::int64_t cell = 0; cell < cell_count; ++cell)
    for (std::int64_t d = 0; d < half; ++d)
      if (is_side(d)) name_after(cell, d, next(cell, d));
  for (std::int64_t d = half; d < directions(); ++d)   // edges at the rim
    for (std::int64_t cell = 0; cell < cell_count; ++cell)
      if (is_side(d) && next(cell, d) == kNone) name_after(cell, d, kNone);
}

}   // namespace cardwright::model
