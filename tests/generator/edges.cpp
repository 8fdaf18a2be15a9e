// Generates expressions with edges of boards and with offsets, which are differences between two cells.
#include "tests/generator/writer.h"

namespace cardwright::test {

// Returns the index of a board that has edges; -1 if the selected board has none.
int Writer::board_with_edges() {
  const int which = some_board();
  return families_.edges && is_directed(which) ? which : -1;
}

Type Writer::edge_type(int which) {
  const Type one = plain(Sort::edge, which);
  switch (chance_.below(5)) {
    case 0: return maybe(one);
    case 1: return plain(Sort::offset);
    case 2: return one;
    default: return set_of(one);
  }
}

std::string Writer::side(int which) {
  if (board_of(which).grid == Grid::hexagons) return on(which, chance_.word({"NE", "E", "SE", "SW", "W", "NW"}));
  return on(which, chance_.word({"N", "E", "S", "W"}));
}

std::string Writer::first_edge(int which) const {
  return first_cell(which) + (board_of(which).grid == Grid::hexagons ? "|NE" : "|N");
}

std::string Writer::edge(int which, int depth) {
  const Type type = plain(Sort::edge, which);
  if (const std::string place = stored(type, depth - 1); !place.empty() && chance_.one_in(2)) return place;
  if (depth > 0 && chance_.one_in(3))
    if (const Callable* f = callable_giving(type)) return call(*f, depth);
  if (chance_.one_in(2)) {
    const std::string from = cell(which, depth - 1);
    // Rarely uses a direction without an edge (a diagonal), which ends the game with an error.
    const std::string way = chance_.one_in(40) ? stored(plain(Sort::direction, which), 0) : "";
    return say("{}.edge({})", {from, way.empty() ? side(which) : way});
  }
  const std::string way = side(which);
  return some_cell(which) + "|" + way.substr(way.rfind('.') + 1);
}

std::string Writer::maybe_edge(int which, int depth) {
  const Type type = maybe(plain(Sort::edge, which));
  if (const std::string place = stored(type, depth - 1); !place.empty() && chance_.one_in(3)) return place;
  if (depth <= 0 || chance_.one_in(2)) return edge(which, depth);
  return say("(first of {})", {set_of_edges(which, depth - 1)});
}

std::string Writer::set_of_edges(int which, int depth) {
  const std::string all = board_of(which).name + ".edges";
  const Type one = plain(Sort::edge, which), type = set_of(one);
  if (const std::string place = stored(type, depth - 1); !place.empty() && chance_.one_in(2)) return place;
  if (depth <= 0 || !has_budget()) return chance_.one_in(3) ? all : say("[{}, {}]", {edge(which, 0), edge(which, 0)});
  const int d = depth - 1;
  const std::string x = fresh("x");
  switch (chance_.below(6)) {
    case 0: return say("({} {} {})", {set_of_edges(which, d), chance_.word({"+", "-", "&"}), set_of_edges(which, d)});
    case 1: return say("({}{})", {set_of_edges(which, d), where(one, d)});
    case 2: return say("(set of {0}.edge({1}) for {0} in {2})", {x, side(which), set_of_cells(which, d)});
    case 3: {
      const std::string cells = set_of_cells(which, d);
      return say("({}.edges where it.cells disjoint from {})", {board_of(which).name, cells});
    }
    case 4:
      if (const Callable* f = callable_giving(type)) return call(*f, depth);
      return all;
    default: return all;
  }
}

// Returns a set of cells that depends on edges.
std::string Writer::cells_by_edges(int which, int depth) {
  const std::string walls = set_of_edges(which, depth), cells = set_of_cells(which, depth);
  const bool squares = board_of(which).grid == Grid::squares;
  switch (chance_.below(squares ? 5 : 3)) {
    case 0: return say("({} where it.edge({}) {} {})", {cells, side(which), chance_.word({"in", "not in"}), walls});
    case 1: return say("{}.cells", {edge(which, depth)});
    case 2: return say("({} where it.edge({}) in {} or {})", {cells, side(which), walls, about_cell(which, 0)});
    case 3: return say("{}({}, {})", {on(which, "open_steps"), side(which), walls});
    default: return say("{}({}, {}, {})", {on(which, "flood_within"), cells, set_of_cells(which, 0), walls});
  }
}

std::string Writer::truth_of_edges(int which, int depth) {
  switch (chance_.below(5)) {
    case 0: return say("{} == {}", {edge(which, depth), edge(which, depth)});
    case 1:
      return say("{} {} {}", {maybe_edge(which, depth), chance_.word({"in", "not in"}), set_of_edges(which, depth)});
    case 2:
      return say("{} {} {}", {set_of_edges(which, depth), chance_.word({"disjoint from", "within", "=="}),
                              set_of_edges(which, depth)});
    case 3: return say("{} {} {}", {offset(depth), chance_.word({"==", "!="}), offset(0)});
    default: return say("size({}.cells) == {}", {edge(which, depth), chance_.between(1, 2)});
  }
}

std::string Writer::number_of_edges(int which, int depth) {
  switch (chance_.below(3)) {
    case 0: return say("size({})", {set_of_edges(which, depth)});
    case 1: return offset(depth) + chance_.word({".dx", ".dy"});
    default: {
      const std::string x = fresh("x"), all = set_of_edges(which, depth);
      const Inside inside(*this);
      bind(x, plain(Sort::edge, which));
      return say("(sum of {} for {} in {})", {integer(depth), x, all});
    }
  }
}

// ---------------------------------------------------------------- offsets

std::string Writer::offset(int depth) {
  const int which = some_board();
  if (const std::string place = stored(plain(Sort::offset), depth - 1); !place.empty() && chance_.one_in(2))
    return place;
  if (depth <= 0 || !is_directed(which)) return say("offset({}, {})", {chance_.between(-3, 3), chance_.between(-3, 3)});
  const int d = depth - 1;
  switch (chance_.below(5)) {
    case 0: return say("({} - {})", {cell(which, d), cell(which, 0)});
    case 1: return say("({} * {} + {})", {chance_.between(-2, 3), direction(which, d), direction(which, 0)});
    case 2: return say("({} {} {})", {offset(d), chance_.word({"+", "-"}), offset(0)});
    case 3: {
      const std::string x = say("max(-9, min(9, {}))", {integer(d)});
      return say("offset({}, {})", {x, chance_.between(-3, 3)});
    }
    default: return say("({} * {})", {chance_.between(-2, 2), offset(0)});
  }
}

}   // namespace cardwright::test
