// Traverses a straight line over a board of squares from one cell border to the next, exactly and without division:
// Amanatides and Woo, "A fast voxel traversal algorithm for ray tracing" (1987), on integers. Gives the same result as
// `crossings` in std.grid.
#pragma once

#include "runtime/ops/sets.h"

namespace cardwright {

enum RayPlace : Int {
  kRayLeft,
  kRayOutOf,
  kRayInto,
  kRayOver,
  kRayNum,
  kRayDen,
  kRayNextX,
  kRayNextY,
  kRayAcross,
  kRayAlong,
  kRayLeftX,
  kRayLeftY,
  kRayStepX,
  kRayStepY,
  kRayInts
};

inline Trap op_ray_begin(Game& g, Byte*, const Layout&, Int* ray, Int length, Int ax, Int ay, Int bx, Int by,
                         Int columns, Int rows) {
  constexpr Int kFarthest = Int{1} << 30;
  for (const Int n : {ax, ay, bx, by})
    if (CARDWRIGHT_UNLIKELY(n < -kFarthest || n > kFarthest))
      return wrong(g, n == kNone ? Trap::none_in_arithmetic : Trap::overflow, About::operands, n, n);
  if (CARDWRIGHT_UNLIKELY(length < kRayInts)) return Trap::bad_index;
  // A point outside the board belongs to cell 0.
  const auto cell_of = [&](Int px, Int py, Int& x, Int& y) {
    x = px / 1000;
    y = py / 1000;
    if (x < 0 || x >= columns || y < 0 || y >= rows) x = y = 0;
  };
  Int x, y, goal_x, goal_y;
  cell_of(ax, ay, x, y);
  cell_of(bx, by, goal_x, goal_y);
  const bool east = goal_x > x, north = goal_y > y;
  ray[kRayInto] = y * columns + x;
  ray[kRayNextX] = east ? (x + 1) * 1000 - ax : ax - x * 1000;
  ray[kRayNextY] = north ? (y + 1) * 1000 - ay : ay - y * 1000;
  ray[kRayAcross] = bx > ax ? bx - ax : ax - bx;
  ray[kRayAlong] = by > ay ? by - ay : ay - by;
  ray[kRayLeftX] = east ? goal_x - x : x - goal_x;
  ray[kRayLeftY] = north ? goal_y - y : y - goal_y;
  ray[kRayLeft] = ray[kRayLeftX] + ray[kRayLeftY];
  ray[kRayStepX] = east ? 1 : -1;
  ray[kRayStepY] = north ? columns : -columns;
  ray[kRayOutOf] = ray[kRayOver] = ray[kRayNum] = ray[kRayDen] = 0;
  return Trap::none;
}

// Reads an entry of the ray; `place` is a RayPlace.
inline Int op_ray_get(Game&, Byte*, const Layout&, Int* ray, Int length, Int place) {
  return CARDWRIGHT_LIKELY(place < length) ? ray[place] : 0;
}
inline Trap op_ray_step(Game&, Byte*, const Layout&, Int* ray, Int length) {
  if (CARDWRIGHT_UNLIKELY(length < kRayInts)) return Trap::bad_index;
  const Int later = ray[kRayNextX] * ray[kRayAlong] - ray[kRayNextY] * ray[kRayAcross], left_x = ray[kRayLeftX],
            left_y = ray[kRayLeftY];
  const bool by_x = (left_y == 0) | ((left_x > 0) & (later <= 0)), by_y = (left_x == 0) | ((left_y > 0) & (later >= 0));
  const Int from = ray[kRayInto], to = from + (by_x ? ray[kRayStepX] : 0) + (by_y ? ray[kRayStepY] : 0);
  ray[kRayOutOf] = from;
  ray[kRayInto] = to;
  // Edges are numbered as in Board::find_edges: the north edge, then the east edge, of the lower cell.
  ray[kRayOver] = (by_x & by_y) ? kNone : 2 * (from < to ? from : to) + by_x;
  ray[kRayNum] = by_x ? ray[kRayNextX] : ray[kRayNextY];
  ray[kRayDen] = by_x ? ray[kRayAcross] : ray[kRayAlong];
  ray[kRayNextX] += by_x ? 1000 : 0;
  ray[kRayNextY] += by_y ? 1000 : 0;
  ray[kRayLeftX] = left_x - by_x;
  ray[kRayLeftY] = left_y - by_y;
  ray[kRayLeft] = ray[kRayLeftX] + ray[kRayLeftY];
  return Trap::none;
}

}   // namespace cardwright
