// Tests sight, walking and bouncing in std.grid against independent methods: exact fractions for all columns and
// fences, Dijkstra's algorithm, and unfolded reflection.
#include <catch2/catch.hpp>

#include <algorithm>
#include <queue>
#include <vector>

#include <fmt/format.h>

#include "cardwright/tools.hpp"
#include "tests/support/files.h"
#include "tests/support/state_reader.h"

using namespace cardwright;

namespace {

using Wide = __int128;
constexpr Int kColumns = 12, kRows = 9, kCells = kColumns * kRows;

// The fraction num / den with den > 0.
struct Fraction {
  Wide num, den;
  friend bool operator<(const Fraction& a, const Fraction& b) { return a.num * b.den < b.num * a.den; }
  friend bool operator==(const Fraction& a, const Fraction& b) { return a.num * b.den == b.num * a.den; }
};
Fraction fraction(Wide num, Wide den) { return den < 0 ? Fraction{-num, -den} : Fraction{num, den}; }

struct Field {
  explicit Field(const api::State& state) : program(state.data().program()), bytes(state.bytes().data()) {}

  Int of(std::string_view name, Int index = 0) const {
    const auto found = std::find_if(program.variable_infos.begin(), program.variable_infos.end(),
                                    [&](const VariableInfo& v) { return v.name == name; });
    REQUIRE(found != program.variable_infos.end());
    return value_of_variable(program, bytes, found - program.variable_infos.begin(), index);
  }
  // Returns the neighboring cell in direction d; directions are clockwise from north, which is 0.
  static Int next(Int cell, Int d) {
    constexpr Int kEast[] = {0, 1, 1, 1, 0, -1, -1, -1}, kNorth[] = {1, 1, 0, -1, -1, -1, 0, 1};
    const Int x = cell % kColumns + kEast[d], y = cell / kColumns + kNorth[d];
    return x < 0 || x >= kColumns || y < 0 || y >= kRows ? -1 : y * kColumns + x;
  }
  Int wall(Int cell, Int d) const {   // height; each cell stores the walls at its northern and eastern border
    const Int other = next(cell, d);
    const bool own = d == 0 || d == 2;
    return of("wall", 2 * (own ? cell : other) + (d == 2 || d == 6));
  }

  const Program& program;
  const Byte* bytes;
};

struct Line {
  explicit Line(const Field& f) : from{f.of("ax"), f.of("ay"), f.of("az")}, to{f.of("bx"), f.of("by"), f.of("bz")} {}
  // Returns true if the line at t is lower than h.
  bool is_below(const Fraction& t, Int h) const {
    return from[2] * t.den + (to[2] - from[2]) * t.num < Wide{h} * t.den;
  }
  Fraction at(int axis, Int value) const { return fraction(value - from[axis], to[axis] - from[axis]); }
  // Clips the range [enter, leave] of the line, given as fractions of its length, to the coordinates between low and
  // high on this axis. Returns false if the line is parallel to these planes and not between them.
  bool clip(int axis, Int low, Int high, Fraction& enter, Fraction& leave) const {
    if (from[axis] == to[axis]) return low < from[axis] && from[axis] < high;
    const Fraction a = at(axis, low), b = at(axis, high);
    enter = std::max(enter, std::min(a, b));
    leave = std::min(leave, std::max(a, b));
    return true;
  }
  Int from[3], to[3];
};

bool sees(const Field& f) {
  const Line line(f);
  const auto cell_of = [](const Int* p) { return p[1] / 1000 * kColumns + p[0] / 1000; };
  for (Int cell = 0; cell < kCells; ++cell) {
    if (cell == cell_of(line.from) || cell == cell_of(line.to)) continue;
    const Int x = cell % kColumns * 1000, y = cell / kColumns * 1000;
    Fraction enter{0, 1}, leave{1, 1};
    if (!line.clip(0, x, x + 1000, enter, leave) || !line.clip(1, y, y + 1000, enter, leave) || !(enter < leave))
      continue;
    if (line.is_below(enter, f.of("tall", cell)) || line.is_below(leave, f.of("tall", cell))) return false;
  }
  for (Int cell = 0; cell < kCells; ++cell)
    for (const int axis : {0, 1}) {   // the eastern and the northern border of the cell
      const Int border = 1000 * ((axis == 0 ? cell % kColumns : cell / kColumns) + 1),
                low = 1000 * (axis == 0 ? cell / kColumns : cell % kColumns);
      if (line.from[axis] == line.to[axis]) continue;
      const Fraction t = line.at(axis, border);
      if (t < Fraction{0, 1} || Fraction{1, 1} < t) continue;
      // Position of the intersection along the border, times t.den.
      const Wide place = line.from[1 - axis] * t.den + (line.to[1 - axis] - line.from[1 - axis]) * t.num;
      if (place <= low * t.den || place >= (low + 1000) * t.den) continue;
      if (line.is_below(t, f.of("wall", 2 * cell + (axis == 0)))) return false;
    }
  return true;
}

// Returns true if a part of the line is inside the box. It is sufficient to test one point between each two consecutive
// crossings of the planes of the box.
bool meets(const Field& f) {
  const Line line(f);
  const Int foot = f.of("foot"), x = foot % kColumns * 1000 + 500, y = foot / kColumns * 1000 + 500;
  const Int low[] = {x - 280, y - 280, 200}, high[] = {x + 280, y + 280, 600};
  std::vector<Fraction> times{{0, 1}, {1, 1}};
  for (int axis = 0; axis < 3; ++axis)
    for (const Int plane : {low[axis], high[axis]})
      if (line.from[axis] != line.to[axis])
        if (const Fraction t = line.at(axis, plane); Fraction{0, 1} < t && t < Fraction{1, 1}) times.push_back(t);
  std::sort(times.begin(), times.end());
  for (std::size_t i = 0; i + 1 < times.size(); ++i) {
    if (times[i] == times[i + 1]) continue;
    const Fraction middle{times[i].num * times[i + 1].den + times[i + 1].num * times[i].den,
                          2 * times[i].den * times[i + 1].den};
    bool inside = true;
    for (int axis = 0; axis < 3; ++axis) {
      const Wide place = line.from[axis] * middle.den + (line.to[axis] - line.from[axis]) * middle.num;
      inside = inside && low[axis] * middle.den < place && place < high[axis] * middle.den;
    }
    if (inside) return true;
  }
  return false;
}

std::vector<Int> prices(const Field& f) {
  std::vector<Int> best(kCells, -1);
  using Entry = std::pair<Int, Int>;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue;
  queue.push({0, f.of("walker")});
  while (!queue.empty()) {
    const auto [price, cell] = queue.top();
    queue.pop();
    if (best[static_cast<std::size_t>(cell)] >= 0) continue;
    best[static_cast<std::size_t>(cell)] = price;
    for (Int d = 0; d < 8; ++d) {
      const Int to = Field::next(cell, d);
      if (to < 0) continue;
      const Int up = std::abs(f.of("tall", to) - f.of("tall", cell));
      if (up > 400 || (d % 2 == 0 && f.wall(cell, d) > 300)) continue;
      if (const Int all = price + 2 + d % 2 + (up > 200 ? 4 : 0); all <= f.of("budget")) queue.push({all, to});
    }
  }
  return best;
}

// Returns a coordinate after a move by `by` with reflection at the borders: the path becomes a straight line if the
// board is continued by mirrored copies.
Int reflected(Int place, Int by, Int size) {
  const Int there = ((place + by) % (2 * size) + 2 * size) % (2 * size);
  return there < size ? there : 2 * size - 1 - there;
}

void compare(std::uint64_t seed, int fields) {
  const api::Game game = api::Ruleset::load(test::checkout("tests/rulesets/small/rays.rules")).compile();
  api::State state = game.new_state(seed);
  int seen = 0, hit = 0, walks = 0;
  for (int i = 0; i < fields; ++i) {
    if (state.is_over()) state = game.new_state(seed + static_cast<std::uint64_t>(i));
    state.apply(0);
    const Field f(state);
    INFO(fmt::format("seed {}, field {}: from {},{},{} to {},{},{}", seed, i, f.of("ax"), f.of("ay"), f.of("az"),
                     f.of("bx"), f.of("by"), f.of("bz")));
    REQUIRE(f.of("seen") == sees(f));
    REQUIRE(f.of("hit") == meets(f));
    const std::vector<Int> best = prices(f);
    for (Int cell = 0; cell < kCells; ++cell)
      REQUIRE(f.of("price", cell) ==
              (best[static_cast<std::size_t>(cell)] < 0 ? kNone : best[static_cast<std::size_t>(cell)]));
    REQUIRE(f.of("arrived") == f.of("goal"));
    REQUIRE(f.of("paid") == best[static_cast<std::size_t>(f.of("goal"))]);
    constexpr Int kEast[] = {0, 1, 1, 1, 0, -1, -1, -1}, kNorth[] = {1, 1, 0, -1, -1, -1, 0, 1};
    const Int from = f.of("from"), d = f.of("heading"), n = f.of("length");
    REQUIRE(f.of("last") == reflected(from / kColumns, n * kNorth[d], kRows) * kColumns +
                                reflected(from % kColumns, n * kEast[d], kColumns));
    seen += f.of("seen") != 0;
    hit += f.of("hit") != 0;
    walks += f.of("paid") > 0;
  }
  CHECK(std::min(seen, fields - seen) > fields / 10);   // both results occur
  CHECK(hit > fields / 100);
  CHECK(walks > fields / 2);
}

}   // namespace

TEST_CASE("sight, walking and bouncing equal an exact computation", "[boards][sight]") { compare(7, 2000); }

// This test takes several minutes, so it is hidden (docs/building.md).
TEST_CASE("sight, walking and bouncing on 100,000 fields", "[.][sight-long]") { compare(8, 99'999); }
