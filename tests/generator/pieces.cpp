// Generates pieces: objects on a board with variables of their own.
#include "tests/generator/writer.h"

namespace cardwright::test {

// ---------------------------------------------------------------- declarations

void Writer::plan_pieces() {
  if (!families_.pieces) return;
  static const std::vector<std::string> shapes{
      "1 x 1", "2 x 1", "1 x 2", "offsets [(0, 0), (1, 0), (0, 1)]", "3 x 2", "offsets [(0, 0), (-1, 2)]"};
  const auto piece = [&](const std::string& name, int count, Each each) {
    Area area{name, count, each == Each::player, true, some_board(), each};
    if (is_directed(area.board)) {
      area.faces = chance_.one_in(2);
      const Board& board = board_of(area.board);
      const int fitting = board.width > 2 && board.height > 2 ? 6 : 4;
      if (chance_.one_in(2)) area.covers = shapes[static_cast<std::size_t>(chance_.below(fitting))];
    }
    areas_.push_back(area);
  };
  piece("token", chance_.between(1, 6), Each::counted);
  if (chance_.one_in(2)) piece("scout", least_, Each::player);
  if (chance_.one_in(2)) piece("tower", static_cast<int>(enums_[0].constants.size()), Each::constant);
}

void Writer::piece(std::size_t which) {
  const Area& area = areas_[which];
  static const std::vector<std::string> heads{"piece {} x {} on {}", "piece {}, one per player on {2}",
                                              "piece {}, one per Col on {2}"};
  open(say(heads[static_cast<std::size_t>(area.each)], {area.name, area.count, board_of(area.board).name}));
  if (area.faces) line("facing " + direction_at_first(area.board));
  if (!area.covers.empty()) line("covers " + area.covers);
  declare_all(Home::area, static_cast<int>(which));
  close();
}

void Writer::first_places() {
  for (std::size_t a = 0; a < areas_.size(); ++a) {
    if (!areas_[a].piece || chance_.one_in(4)) continue;
    const Area& area = areas_[a];
    const std::string x = fresh("x"), cells = board_of(area.board).name + ".cells";
    const std::string free = area.covers.empty() ? cells : say("({} where footprint({}, it) is not empty)", {cells, x});
    line(say("each {0} in {1}s {{ place {0} at random of {2} }}", {x, area.name, free}));
  }
}

// Returns the index of an area that is a kind of piece; -1 if there is none.
int Writer::some_pieces() {
  std::vector<int> all;
  for (std::size_t a = 0; a < areas_.size(); ++a)
    if (areas_[a].piece) all.push_back(static_cast<int>(a));
  return all.empty() ? -1 : chance_.pick(all);
}

// Returns a random kind of piece if it is on this board, otherwise -1.
int Writer::pieces_on(int board) {
  const int a = some_pieces();
  return a >= 0 && areas_[static_cast<std::size_t>(a)].board == board ? a : -1;
}

Type Writer::piece_type() {
  const Type one = plain(Sort::part, some_pieces());
  switch (chance_.below(4)) {
    case 0: return maybe(one);
    case 1: return set_of(one);
    default: return one;
  }
}

// ---------------------------------------------------------------- in expressions

std::string Writer::maybe_part(int which, int depth) {
  const Type type = maybe(plain(Sort::part, which));
  if (const std::string place = stored(type, depth - 1); !place.empty() && chance_.one_in(2)) return place;
  if (depth <= 0) return part(which);
  return say("({} of {})", {chance_.word({"first", "last"}), set_of_pieces(which, depth - 1)});
}

std::string Writer::set_of_pieces(int which, int depth) {
  const Area& area = areas_[static_cast<std::size_t>(which)];
  const std::string all = area.name + "s";
  const Type one = plain(Sort::part, which);
  if (const std::string place = stored(set_of(one), depth - 1); !place.empty() && chance_.one_in(3)) return place;
  if (!area.piece || depth <= 0 || !has_budget()) return all;
  const int d = depth - 1;
  switch (chance_.below(6)) {
    case 0: return say("({} at {})", {all, cell(area.board, d)});
    case 1: return say("({} on {})", {all, set_of_cells(area.board, d)});
    case 2: return say("({} on {})", {all, board_of(area.board).name});
    case 3: return say("({}{})", {all, where(one, d)});
    case 4: return say("({} {} {})", {set_of_pieces(which, d), chance_.word({"+", "-", "&"}), set_of_pieces(which, d)});
    default: return all;
  }
}

std::string Writer::footprint(int which, const std::string& piece, int depth) {
  const Area& area = areas_[static_cast<std::size_t>(which)];
  const std::string there = area.faces && chance_.one_in(2) ? ", " + direction(area.board, 0) : "";
  return say("footprint({}, {}{})", {piece, cell(area.board, depth), there});
}

std::string Writer::cells_of_pieces(int which, int depth) {
  const std::string x = fresh("x");
  switch (chance_.below(3)) {
    case 0: return part(which) + ".cells";
    case 1: return footprint(which, part(which), depth);
    default: return say("(union of {0}.cells for {0} in {1})", {x, set_of_pieces(which, depth)});
  }
}

std::string Writer::truth_of_pieces(int depth) {
  const int which = some_pieces();
  const Area& area = areas_[static_cast<std::size_t>(which)];
  switch (chance_.below(6)) {
    case 0: return say("{} is {} {}", {part(which), chance_.word({"on", "off"}), board_of(area.board).name});
    case 1: return say("{} == {}", {part(which), maybe_part(which, depth)});
    case 2: return say("{} is {}empty", {set_of_pieces(which, depth), chance_.word({"", "not "})});
    case 3: return say("{}.at in {}", {part(which), set_of_cells(area.board, depth)});
    case 4:
      return say("{} {} {}", {cells_of_pieces(which, depth), chance_.word({"disjoint from", "within"}),
                              set_of_cells(area.board, depth)});
    default: {
      const std::string x = fresh("x"), all = set_of_pieces(which, depth);
      const Inside inside(*this);
      bind(x, plain(Sort::part, which));
      return say("{} {} in {} has {}", {chance_.word({"any", "no", "every"}), x, all, boolean(depth)});
    }
  }
}

std::string Writer::number_of_pieces(int depth) {
  const int which = some_pieces();
  const std::string x = fresh("x"), all = set_of_pieces(which, depth);
  switch (chance_.below(3)) {
    case 0: return say("size({})", {all});
    case 1: return say("index of {}", {part(which)});
    default: {
      const Inside inside(*this);
      bind(x, plain(Sort::part, which));
      return say("(sum of {} for {} in {})", {integer(depth), x, all});
    }
  }
}

// ---------------------------------------------------------------- choosing, placing, lifting

std::string Writer::piece_parameter(const std::string& name) {
  const int which = some_pieces();
  const Type one = plain(Sort::part, which);
  const std::string kind = areas_[static_cast<std::size_t>(which)].name;
  if (chance_.one_in(2)) {
    const std::string some = chance_.one_in(2) ? where(one, 2) : "";
    bind(name, one);
    return say("{}: {}{}", {name, kind, some});
  }
  const std::string from = set_of_pieces(which, 2);
  bind(name, one);
  return say("{} in {}", {name, from});
}

void Writer::with_pieces() {
  const int which = some_pieces();
  const Area& area = areas_[static_cast<std::size_t>(which)];
  switch (chance_.below(10)) {
    case 0: return line("lift " + part(which));
    case 1:
      return line(say("lift {}s {}", {area.name, chance_.one_in(2) ? "at " + cell(area.board, 1)
                                                                   : "on " + set_of_cells(area.board, 1)}));
    case 2: {
      if (at_.loops > 1) return assignment();
      const Inside inside(*this);
      ++at_.loops;
      const std::string x = fresh("x"), all = set_of_pieces(which, 2);
      open(say("each {} in {}{}", {x, all, chance_.one_in(4) ? " at " + fresh("i") : ""}));
      bind(x, plain(Sort::part, which));
      block(1);
      return close();
    }
    case 3: {
      const std::string x = fresh("x"), found = maybe_part(which, 2);
      line(say("let {} = {}", {x, found}));
      open(say("if {} is not none", {x}));
      {
        const Inside there(*this);
        at_.loops = 2;   // prevents deferred code, in which the test for `none` does not hold
        bind(x, plain(Sort::part, which));
        block(1);
      }
      return close();
    }
    case 4: {
      const std::string x = fresh("x"), all = set_of_pieces(which, 1);
      if (at_.manner != Manner::loud) return line(say("lift {}", {part(which)}));
      line(say("{} chooses {} from {}", {player(1), x, all}));
      return bind(x, maybe(plain(Sort::part, which)));
    }
    case 5:
      if (area.faces) return turn_piece(which);
      [[fallthrough]];
    default: return place_piece(which);
  }
}

// Places a piece. Leaving the board ends the game, so the generated code usually tests for it.
void Writer::place_piece(int which) {
  const Area& area = areas_[static_cast<std::size_t>(which)];
  const std::string one = part(which), there = maybe_cell(area.board, 2);
  const std::string way = area.faces && chance_.one_in(2) ? direction(area.board, 1) : "";
  const std::string facing = way.empty() ? "" : " facing " + way;
  if (area.covers.empty() || chance_.one_in(40)) return line(say("place {} at {}{}", {one, there, facing}));
  const std::string x = fresh("x"), c = fresh("c");
  line(say("let {} = {}", {x, one}));
  line(say("let {} = {}", {c, there}));
  if (!way.empty()) line(say("let {}d = {}", {x, way}));
  const std::string foot = way.empty() ? "" : say(", {}d", {x}), turned = way.empty() ? "" : say(" facing {}d", {x});
  line(
      say("if {0} is not none and footprint({1}, {0}{2}) is not empty then place {1} at {0}{3}", {c, x, foot, turned}));
}

void Writer::turn_piece(int which) {
  const Area& area = areas_[static_cast<std::size_t>(which)];
  const std::string one = part(which), way = direction(area.board, 1);
  if (area.covers.empty() || chance_.one_in(40)) return line(say("place {} facing {}", {one, way}));
  const std::string x = fresh("x"), c = fresh("c"), d = fresh("d");
  line(say("let {} = {}", {x, one}));
  line(say("let {} = {}.at", {c, x}));
  line(say("let {} = {}", {d, way}));
  line(say("if {0} is not none and footprint({1}, {0}, {2}) is not empty then place {1} facing {2}", {c, x, d}));
}

}   // namespace cardwright::test
