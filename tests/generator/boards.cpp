// Generates boards of squares, of hexagons, or of points and lines, and code that uses their cells and directions.
#include "tests/generator/writer.h"

namespace cardwright::test {

// ---------------------------------------------------------------- declarations

void Writer::choose_families(Chance chance) {
  families_.boards = chance.one_in(3);
  families_.grid = chance.pick(std::vector<Grid>{Grid::squares, Grid::squares, Grid::hexagons, Grid::graph});
  families_.second = chance.pick(std::vector<Grid>{Grid::squares, Grid::hexagons, Grid::graph});
  families_.several = families_.boards && chance.one_in(6);
  if (!families_.boards) families_.grid = Grid::squares;
  families_.pieces = families_.boards && chance.percent(60);
  families_.tables = chance.one_in(3);
  families_.edges = families_.boards && chance.one_in(3);
  families_.laid = families_.boards && !families_.several && families_.grid != Grid::graph && chance.one_in(3);
  families_.phases = chance.one_in(4);
  families_.groups = chance.one_in(4);
  families_.places = chance.one_in(4);
  families_.files = chance.one_in(6);
  families_.watched = chance.one_in(3);
  families_.dice = chance.one_in(3);
  families_.dealing = chance.one_in(8);
  families_.marks = chance.one_in(5);
  families_.nested = chance.one_in(5);
}

void Writer::boards() {
  board("field", families_.grid);
  if (families_.several) board("yard", families_.second);
}

void Writer::board(const std::string& name, Grid grid) {
  Board board{name, grid, chance_.between(2, 9), chance_.between(2, 8)};
  const std::string rim = chance_.word({"", "", " wraps across", " wraps both", " wraps down"});
  if (grid == Grid::graph) {
    points(board);
    line(say("board {0}: graph from \"{0}.csv\"", {name}));
  } else {
    line(grid == Grid::squares ? say("board {}: grid {} x {}{}", {name, board.width, board.height, rim})
                               : say("board {}: hex {} x {}", {name, board.width, board.height}));
  }
  static const std::vector<std::string> pages{"grid", "hex", "graph"};
  line(say("use std.{} on {}", {pages[static_cast<std::size_t>(grid)], name}));
  boards_.push_back(board);
}

// Writes a file with the points and lines of a graph. Most pairs of consecutive points have a line, and some others.
void Writer::points(Board& board) {
  static const std::vector<std::string> names{"Alder", "Birch", "Cedar", "Elm", "Fir",
                                              "Hazel", "Larch", "Maple", "Oak"};
  const int count = chance_.between(3, 9);
  board.points.assign(names.begin(), names.begin() + count);
  std::vector<std::string> next(static_cast<std::size_t>(count));
  for (int a = 0; a < count; ++a)
    for (int b = a + 1; b < count; ++b) {
      if (!chance_.percent(b == a + 1 ? 80 : 15)) continue;
      next[static_cast<std::size_t>(a)] += " " + names[static_cast<std::size_t>(b)];
      next[static_cast<std::size_t>(b)] += " " + names[static_cast<std::size_t>(a)];
    }
  files_ += say("// file {}.csv\nname,next,x,y\n", {board.name});
  for (int i = 0; i < count; ++i) {
    const std::string& all = next[static_cast<std::size_t>(i)];
    const std::string& name = names[static_cast<std::size_t>(i)];
    files_ += say("{},{},{},{}\n", {name, all.empty() ? "" : all.substr(1), 3 * i, chance_.below(9)});
  }
}

std::string Writer::on(int which, const std::string& name) const {
  return boards_.size() > 1 ? board_of(which).name + "." + name : name;
}

std::string Writer::first_cells(int which) const {
  const Board& board = board_of(which);
  if (!board.points.empty()) return say("[{}, {}]", {on(which, board.points[0]), on(which, board.points[1])});
  return say("[{}, {}]", {on(which, "a1"), on(which, "b2")});
}

// ---------------------------------------------------------------- types

Type Writer::directed_type() {
  const int which = some_board();
  return plain(is_directed(which) ? Sort::direction : Sort::cell, which);
}

Type Writer::board_type() {
  const int which = some_board();
  if (const int b = families_.edges && chance_.one_in(3) ? board_with_edges() : -1; b >= 0) return edge_type(b);
  switch (chance_.below(6)) {
    case 0:
    case 1: return plain(Sort::cell, which);
    case 2: return maybe(plain(Sort::cell, which));
    case 3: return directed_type();
    default: return set_of(plain(Sort::cell, which));
  }
}

// ---------------------------------------------------------------- cells

std::string Writer::some_cell(int which) {
  const Board& board = board_of(which);
  if (!board.points.empty()) return on(which, chance_.pick(board.points));
  const std::string column(1, static_cast<char>('a' + chance_.below(board.width)));
  return on(which, column + std::to_string(1 + chance_.below(board.height)));
}

std::string Writer::cell(int which, int depth) {
  const Type type = plain(Sort::cell, which);
  if (const std::string place = stored(type, depth - 1); !place.empty() && chance_.percent(60)) return place;
  if (families_.boards && depth > 0 && chance_.one_in(4))
    if (const Callable* f = callable_giving(type)) return call(*f, depth);
  if (depth > 0 && chance_.one_in(3)) return say("({} or else {})", {maybe_cell(which, depth - 1), cell(which, 0)});
  return some_cell(which);
}

std::string Writer::maybe_cell(int which, int depth) {
  const Type type = maybe(plain(Sort::cell, which));
  if (const std::string place = stored(type, depth - 1); !place.empty() && chance_.percent(30)) return place;
  if (depth <= 0) return cell(which, 0);
  if (families_.boards && chance_.one_in(5))
    if (const Callable* f = callable_giving(type)) return call(*f, depth);
  if (families_.pieces && chance_.one_in(3))
    if (const int a = pieces_on(which); a >= 0) return part(a) + ".at";
  if (const std::string card = present_card(); !card.empty() && chance_.one_in(3)) return card + ".at";
  const Board& board = board_of(which);
  switch (chance_.below(3)) {
    case 0: return say("(first of {})", {set_of_cells(which, depth - 1)});
    case 1: return step(which, depth);
    default: {
      if (board.grid == Grid::graph) return say("(last of {})", {set_of_cells(which, depth - 1)});
      const std::string name = board.name, x = std::to_string(chance_.below(board.width));
      const std::string y = chance_.one_in(2) ? say("({}) mod {}", {integer(0), board.height})
                                              : std::to_string(chance_.below(board.height));
      return say("{}[{}, {}]", {name, x, y});
    }
  }
}

std::string Writer::step(int which, int depth) {
  const std::string from = cell(which, depth - 1);
  if (!is_directed(which)) return say("(first of {}.next)", {from});
  if (families_.edges && chance_.one_in(3))
    return say("({} {} {})", {from, chance_.word({"+", "-"}), offset(depth - 1)});
  const std::string there = direction(which, depth - 1);
  if (!families_.boards || chance_.one_in(2)) return say("({} + {})", {from, there});
  if (chance_.one_in(2)) return say("({} - {})", {from, there});
  return say("({} + {} + {})", {from, there, direction(which, 0)});
}

std::string Writer::direction(int which, int depth) {
  const Type type = plain(Sort::direction, which);
  if (const std::string place = stored(type, depth - 1); !place.empty() && chance_.one_in(2)) return place;
  if (depth > 0 && chance_.one_in(3)) return say("rotate({}, {})", {direction(which, depth - 1), small_integer()});
  if (families_.pieces && chance_.one_in(3))
    if (const int a = pieces_on(which); a >= 0 && areas_[static_cast<std::size_t>(a)].faces) return part(a) + ".facing";
  if (const std::string card = present_card(); !card.empty() && cards_face_ && chance_.one_in(3))
    return card + ".facing";
  if (families_.boards && depth > 0 && chance_.one_in(3)) return turned(which, depth - 1);
  if (board_of(which).grid == Grid::hexagons) return on(which, chance_.word({"NE", "E", "SE", "SW", "W", "NW"}));
  return on(which, chance_.word({"N", "NE", "E", "SE", "S", "SW", "W", "NW"}));
}

std::string Writer::turned(int which, int depth) {
  const bool squares = board_of(which).grid == Grid::squares;
  switch (chance_.below(4)) {
    case 0: return direction(which, depth) + ".opposite";
    case 1:
      if (!squares) return direction(which, 0);
      return say("({}({}, {}) or else {})", {on(which, "toward"), cell(which, depth), cell(which, 0), on(which, "N")});
    case 2:
      if (const Callable* f = callable_giving(plain(Sort::direction, which))) return call(*f, depth + 1);
      return direction(which, 0);
    default: return say("(first of {} or else {})", {set_of_directions(which, depth), direction(which, 0)});
  }
}

// ---------------------------------------------------------------- sets

std::string Writer::set_of_directions(int which, int depth) {
  const std::string all = on(which, "dirs");
  if (depth <= 0 || !has_budget()) return all;
  switch (chance_.below(5)) {
    case 0: return say("({}{})", {all, where(plain(Sort::direction, which), depth - 1)});
    case 1: return say("[{}, {}]", {direction(which, depth - 1), direction(which, 0)});
    case 2:
      if (board_of(which).grid == Grid::squares) return on(which, chance_.word({"sides", "diagonals"}));
      return all;
    case 3: return say("({} - {})", {all, direction(which, depth - 1)});
    default: return all;
  }
}

// Returns a condition on the cell `it`, for a `where` clause.
std::string Writer::about_cell(int which, int depth) {
  const std::string cells = board_of(which).name + ".cells";
  const std::string number = std::to_string(chance_.between(0, 3));
  if (!is_directed(which))
    return say(chance_.word({"it.x < {0}", "it.y == {0}", "it.next disjoint from {1}", "size(it.next) > {0}"}),
               {number, set_of_cells(which, depth)});
  const std::string there = direction(which, 0);
  if (!families_.boards || chance_.one_in(2))
    return say(chance_.word({"it.x < {0}", "it.y == {0}", "it + {1} in {2}", "(it + {1}) is not none"}),
               {number, there, cells});
  const std::string x = fresh("x"), among = set_of_cells(which, depth);
  switch (chance_.below(4)) {
    case 0: return say("(any {0} in {1} has it + {0} in {2})", {x, on(which, "dirs"), among});
    case 1: return say("(every {0} in {1} has it + {0} not in {2})", {x, on(which, "dirs"), among});
    case 2: return say("it + {} in {} and it.x <= {}", {there, among, number});
    default: return say("it == {} or it - {} in {}", {cell(which, 0), there, among});
  }
}

// Returns a call of a function in the library for the board.
std::string Writer::of_library(int which, int depth) {
  const auto from = [&] { return set_of_cells(which, depth); };
  const std::string some = from(), one = cell(which, 0), number = std::to_string(chance_.between(0, 3));
  const auto called = [&](const std::string& name, const std::string& given) {
    return on(which, name) + "(" + given + ")";
  };
  const Grid grid = board_of(which).grid;
  switch (chance_.below(6)) {
    case 0: return called("flood", some + ", " + from());
    case 1: return called("disc", one + ", " + number);
    case 2: return called(grid == Grid::graph ? "neighbours" : "beside", some);
    case 3:
      if (grid == Grid::graph) return one + ".next";
      return called(chance_.word({"row", "column"}), number);
    case 4:
      if (grid == Grid::graph) return called("beside", some);
      return called("glide", say("{}, {}, {}", {some, direction(which, 0), from()}));
    default:
      if (grid == Grid::hexagons) return called("ring", one + ", " + number);
      return called("beside", some);
  }
}

std::string Writer::set_of_cells(int which, int depth) {
  const std::string all = board_of(which).name + ".cells";
  const Type type = set_of(plain(Sort::cell, which));
  if (const std::string place = stored(type, depth - 1); !place.empty() && chance_.one_in(2)) return place;
  if (depth <= 0 || !has_budget()) return chance_.one_in(2) ? all : say("[{}, {}]", {cell(which, 0), cell(which, 0)});
  const int d = depth - 1;
  if (families_.pieces && chance_.one_in(4))
    if (const int a = pieces_on(which); a >= 0) return cells_of_pieces(a, d);
  if (families_.edges && is_directed(which) && chance_.one_in(4)) return cells_by_edges(which, d);
  if (families_.edges && is_directed(which) && chance_.one_in(8))
    return say("({} + {})", {set_of_cells(which, d), offset(d)});
  if (const std::string card = present_card(); !card.empty() && chance_.one_in(4)) return cells_of_card(card);
  if (families_.boards && chance_.one_in(3)) return of_library(which, d);
  if (families_.boards && chance_.one_in(5))
    if (const Callable* f = callable_giving(type)) return call(*f, depth);
  switch (chance_.below(6)) {
    case 0:
      if (!is_directed(which)) return all;
      return say("({} + {})", {set_of_cells(which, d), direction(which, d)});
    case 1: return say("({} {} {})", {set_of_cells(which, d), chance_.word({"+", "-", "&"}), set_of_cells(which, d)});
    case 2: {
      const std::string from = set_of_cells(which, d);
      return say("({} where {})", {from, about_cell(which, d)});
    }
    case 3: return say("({}{})", {set_of_cells(which, d), where(plain(Sort::cell, which), d)});
    case 4: {
      const std::string name = board_of(which).grid == Grid::squares ? chance_.word({"beside", "around"}) : "beside";
      return say("{}({})", {on(which, name), set_of_cells(which, d)});
    }
    default: return all;
  }
}

// ---------------------------------------------------------------- numbers and conditions

std::string Writer::number_on_board(int depth) {
  const int b = some_board();
  if (families_.edges && is_directed(b) && chance_.one_in(3)) return number_of_edges(b, depth);
  const Board& board = board_of(b);
  switch (chance_.below(6)) {
    case 0: return cell(b, depth) + chance_.word({".x", ".y"});
    case 1: return say("size({})", {set_of_cells(b, depth)});
    case 2: {
      const std::string two = cell(b, depth) + ", " + cell(b, 0);
      if (board.grid == Grid::squares)
        return say("{}({})", {on(b, chance_.word({"king_steps", "rook_steps", "square_apart"})), two});
      return say(board.grid == Grid::graph ? "({}({}) or else 9)" : "{}({})", {on(b, "steps_between"), two});
    }
    case 3:
      if (!is_directed(b)) return say("size({}.next)", {cell(b, depth)});
      return direction(b, depth) + chance_.word({".dx", ".dy"});
    case 4: {
      const std::string x = fresh("x"), all = set_of_cells(b, depth);
      const Inside inside(*this);
      bind(x, plain(Sort::cell, b));
      return say("(sum of {} for {} in {})", {integer(depth), x, all});
    }
    default:
      return say("(count of {} for it in {})",
                 {chance_.one_in(2) ? "it.x > 0" : "it.y == it.x", set_of_cells(b, depth)});
  }
}

std::string Writer::truth_on_board(int depth) {
  if (families_.laid && chance_.one_in(3)) return truth_of_laid(depth);
  const int b = some_board();
  if (families_.edges && is_directed(b) && chance_.one_in(3)) return truth_of_edges(b, depth);
  const Grid grid = board_of(b).grid;
  switch (chance_.below(8)) {
    case 0:
    case 1: return say("{} {} {}", {maybe_cell(b, depth), chance_.word({"in", "not in"}), set_of_cells(b, depth)});
    case 2:
      return say("{} {} {}",
                 {set_of_cells(b, depth), chance_.word({"disjoint from", "within", "=="}), set_of_cells(b, depth)});
    case 3: return say("{} is {}", {maybe_cell(b, depth), chance_.word({"none", "not none"})});
    case 4: return say("{} == {}", {maybe_cell(b, depth), cell(b, depth)});
    case 5:
      if (grid == Grid::graph) return say("{} in {}.next", {cell(b, depth), cell(b, 0)});
      return say("{}({}, {})", {on(b, "in_line"), set_of_cells(b, depth), chance_.between(2, 4)});
    case 6:
      if (grid == Grid::graph) return say("{} is not empty", {set_of_cells(b, depth)});
      if (grid == Grid::squares && chance_.one_in(2)) return direction(b, depth) + ".diagonal";
      return say("{} {} {}", {direction(b, depth), chance_.word({"==", "!="}), direction(b, 0)});
    default: {
      const std::string x = fresh("x"), all = set_of_cells(b, depth);
      const Inside inside(*this);
      bind(x, plain(Sort::cell, b));
      return say("{} {} in {} has {}", {chance_.word({"any", "no", "every"}), x, all, boolean(depth)});
    }
  }
}

// ---------------------------------------------------------------- parameters and statements

std::string Writer::board_parameter(const std::string& name, bool last) {
  const int b = some_board();
  const Type one = plain(Sort::cell, b), way = plain(Sort::direction, b);
  const std::string type = spelled(one);
  const bool few = board_of(b).width * board_of(b).height <= 30;   // limits the number of options
  if (families_.edges && is_directed(b) && few && chance_.one_in(3)) {
    const Type edge = plain(Sort::edge, b);
    const std::string from = set_of_edges(b, 2), some = chance_.one_in(3) ? where(edge, 2) : "";
    bind(name, edge);
    return say("{}: {} in {}{}", {name, spelled(edge), from, some});
  }
  const auto filter = [&](const Type& elem) { return chance_.one_in(3) ? where(elem, 2) : std::string(); };
  switch (chance_.below(last && boards_.size() == 1 ? 7 : 5)) {
    case 0:
    case 1: {
      const std::string from = set_of_cells(b, 2), some = filter(one);
      bind(name, one);
      return say("{}: {} in {}{}", {name, type, from, some});
    }
    case 2: {
      const std::string some = chance_.one_in(2) ? say(" where {}", {about_cell(b, 1)}) : "";
      bind(name, one);
      return say("{}: {}{}", {name, type, some});
    }
    case 3:
    case 4: {
      if (!is_directed(b)) {
        const std::string from = set_of_cells(b, 1);
        bind(name, one);
        return say("{} in {}", {name, from});
      }
      const std::string some = filter(way);
      bind(name, way);
      return say("{}: {}{}", {name, spelled(way), some});
    }
    default: {
      const std::string from = set_of_cells(b, 1), some = filter(one);
      bind(name, set_of(one));
      return say("{}: {} cells in {}{}", {name, chance_.word({"2", "up to 2", "up to 3"}), from, some});
    }
  }
}

void Writer::on_board() {
  const int b = some_board();
  const Type one = plain(Sort::cell, b);
  const std::string x = fresh("x");
  switch (chance_.below(at_.manner == Manner::still ? 4 : 7)) {
    case 0: {
      const std::string all = set_of_cells(b, 2);
      line(say("let {} = {}", {x, all}));
      return bind(x, set_of(one));
    }
    case 1: {
      const std::string found = maybe_cell(b, 2);
      line(say("let {} = {}", {x, found}));
      return bind(x, maybe(one));
    }
    case 2: {
      if (at_.loops > 1) return assignment();
      const Inside inside(*this);
      ++at_.loops;
      const std::string all = set_of_cells(b, 2);
      open(say("each {} in {}", {x, all}));
      bind(x, one);
      block(1);
      return close();
    }
    case 3: {
      const std::string found = maybe_cell(b, 2);
      line(say("let {} = {}", {x, found}));
      open(say("if {} is not none", {x}));
      {
        const Inside there(*this);
        at_.loops = 2;   // prevents deferred code, in which the test for `none` does not hold
        bind(x, one);
        block(1);
      }
      return close();
    }
    case 4: {
      const std::string all = set_of_cells(b, 1);
      line(say("let {} = random of {}", {x, all}));
      return bind(x, maybe(one));
    }
    default: return choice_on_board();
  }
}

void Writer::choice_on_board() {
  if (at_.manner != Manner::loud) return assignment();
  const int b = some_board();
  const Type one = plain(Sort::cell, b);
  const std::string x = fresh("x"), p = player(1), all = set_of_cells(b, 2);
  switch (chance_.below(boards_.size() == 1 ? 4 : 3)) {
    case 0: {
      line(say("{} chooses {} from {}", {p, x, all}));
      return bind(x, maybe(one));
    }
    case 1: {
      open(say("{} may choose {} from {} \"Where?\"", {p, x, all}));
      {
        const Inside there(*this);
        bind(x, one);
        statement();
      }
      return close();
    }
    case 2: {
      if (!is_directed(b)) return assignment();
      line(say("{} chooses {} from {}", {p, x, set_of_directions(b, 1)}));
      return bind(x, maybe(plain(Sort::direction, b)));
    }
    default:
      line(say("{} chooses {}: {} cells from {}", {p, x, chance_.word({"2", "up to 2", "exactly 2"}), all}));
      return bind(x, set_of(one));
  }
}

}   // namespace cardwright::test
