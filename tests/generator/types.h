// Defines the types of the language that the generator supports, and the elements that a ruleset declares.
#pragma once

#include <memory>
#include <string>
#include <vector>

namespace cardwright::test {

enum class Sort {
  integer,
  boolean,
  player,
  enumeration,
  card,
  cell,
  direction,
  part,
  team,
  kind,
  edge,
  offset,
  set,
  list,
  record
};

struct Type {
  Sort sort = Sort::integer;
  int which = 0;   // which enum, record or area
  bool optional = false;
  int lo = 0, hi = 0;   // range of an integer; lo > hi: `int`
  int most = 0;   // maximum length of a list
  std::shared_ptr<const Type> elem = {};   // element type of a set or list

  bool is(Sort s) const { return sort == s; }
  bool is_set_of(Sort s) const { return sort == Sort::set && elem->sort == s; }
};

inline Type plain(Sort sort, int which = 0) { return {sort, which}; }
inline Type number(int lo, int hi) { return {Sort::integer, 0, false, lo, hi}; }
inline Type any_number() { return number(1, 0); }
inline Type maybe(Type type) {
  type.optional = true;
  return type;
}
inline Type set_of(Type elem) { return {Sort::set, 0, false, 0, 0, 0, std::make_shared<const Type>(std::move(elem))}; }
inline Type list_of(Type elem, int most) {
  return {Sort::list, 0, false, 0, 0, most, std::make_shared<const Type>(std::move(elem))};
}

// Returns true if an expression of type `from` may appear where `to` is expected. Ranges of numbers are checked when
// values are stored.
inline bool fits(const Type& from, const Type& to) {
  if (from.sort != to.sort || from.which != to.which || (from.optional && !to.optional)) return false;
  return !from.elem || fits(*from.elem, *to.elem);
}

struct Enum {
  std::string name;
  std::vector<std::string> constants;
};
struct Field {
  std::string name;
  Type type;
  std::string start;
};
struct Record {
  std::string name;
  std::vector<Field> fields;
};

enum class Home { table, player, team, area, turn };
struct Variable {
  std::string name;
  Type type;
  Home home = Home::table;
  int area = 0;
  std::vector<Type> per = {};   // key type of a table (`T per D`); empty: not a table
  std::string sight = {};   // "", "secret", "hidden"
};

enum class Shape { set, pile, row, slot };
struct Zone {
  std::string name;
  Home home = Home::table;
  int area = 0;
  Shape shape = Shape::set;
  std::string sight;
};

enum class Grid { squares, hexagons, graph };
struct Board {
  std::string name;
  Grid grid = Grid::squares;
  int width = 0, height = 0;
  std::vector<std::string> points = {};   // points of a graph
};

enum class Each { counted, player, constant };
struct Area {
  std::string name;
  int count = 0;
  bool of_players = false;
  bool piece = false;   // the following members belong to pieces
  int board = 0;
  Each each = Each::counted;
  bool faces = false;
  std::string covers = {};   // the covered cells; empty: one cell
};

// A value or function.
struct Callable {
  std::string name;
  std::vector<Type> parameters;
  Type result;
  bool bends = true;   // true: a value, which modifiers can change; false: a function
};

// The permitted effects of a body: none (pure), only setting variables (still, as `supposing` requires), everything
// except decisions (quiet, as races require), or everything (loud).
enum class Manner { pure, still, quiet, loud };
struct Event {
  std::string name;
  std::vector<Type> parameters;
  Manner manner = Manner::loud;
  bool gives = false;
  Type result = {};
  bool nested = false;   // the event may cause itself, counted by its second parameter
  std::string counter = {};   // name of a variable that the event declares; empty: none
};

enum class Asking { plain, at_once, race };
struct Window {
  std::string name;
  std::vector<Type> parameters;
  Asking asking = Asking::plain;
  std::vector<Field> fields = {};
  bool gives = false;   // the result is a number
};

// Features that were added to the language later. Only some rulesets use them, so that the rulesets of other seeds did
// not change.
struct Families {
  bool boards = false;   // boards of all kinds, and code in all contexts that uses cells and directions
  Grid grid = Grid::squares, second = Grid::squares;
  bool several = false;
  bool pieces = false;
  // Variables of phases, `as shot`, more kinds of zones, CSV, variables of events, dice and arranged cards.
  bool phases = false, groups = false, places = false, files = false, watched = false, dice = false;
  bool laid = false;   // cards on a board
  bool edges = false;   // edges of boards, and offsets
  bool tables = false;   // lookup tables in rules
  bool dealing = false;   // std.dealing
  bool marks = false;   // tables with an entry for each card
  bool nested = false;   // records in records
};

struct Local {
  std::string name;
  Type type;
  bool writable = false;
  std::vector<Type> per = {};   // key type of a table; empty: not a table
};

// A value or function that returns a table, or the type of a table.
struct Table {
  std::string name;
  Type entry, key;
  std::vector<Type> parameters = {};
};

}   // namespace cardwright::test
