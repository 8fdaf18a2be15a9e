// Tests diagnostics for boards: names of cells and directions, types of different boards, and uses before a
// declaration.
#include "tests/support/analyze.h"

namespace cardwright::sema_tests {

namespace {
// Returns the messages about rules for a game with one board. The rules begin at line 23.
std::string with_board(const std::string& rules) { return messages("board field: grid 8 x 6\n" + rules); }
}   // namespace

TEST_CASE("sema: a board declares cells and directions") {
  CHECK(with_board("value v(): cell = field[7, 5]") == "");
  CHECK(with_board("value v(c: cell): set of cell = [c, a1, h6] + (field.cells where x == 3 and it.y > 2)") == "");
  CHECK(with_board("const d = NE\nvalue v(c: cell): cell? = c + N + d.opposite - d") == "");
  CHECK(with_board("value v(s: set of cell, d: dir): set of cell = s + d + rotate(d, 3) - E") == "");
  CHECK(with_board("value v(): int = field.width * field.height + size(dirs)") == "");
  CHECK(has(printed("board field: grid 8 x 6\nvalue v(): cell = field[2, 1]"), "c2"));
  CHECK(has(printed("board field: grid 30 x 2\nvalue v(): cell = field[29, 1]"), "ad2"));
}

TEST_CASE("sema: cells beyond the rim") {
  CHECK(with_board("value v(): cell = field[8, 0]") ==
        "23:25 E0304 coordinate out of range: `field` is 8 cells wide (from 0 to 7)");
  CHECK(with_board("value v(): cell = field[0, -1]") ==
        "23:28 E0304 coordinate out of range: `field` is 6 cells high (from 0 to 5)");
  CHECK(with_board("value v(n: int): cell = field[n, 0]") ==
        "23:25 E0302 expected `cell` for `v`, but this may be none (check first that it `is not none`, or add a "
        "fallback: `or else …`)");
  CHECK(with_board("value v(n: 0..7): cell = field[n, 0]") == "");
  CHECK(with_board("value v(c: cell): cell = c + N") ==
        "23:26 E0302 expected `cell` for `v`, but this may be none (check first that it `is not none`, or add a "
        "fallback: `or else …`)");
  CHECK(with_board("value v(c: cell): cell = if c + N is not none then c + N else c") == "");
  CHECK(messages("board field: grid 8 x 6 wraps both\nvalue v(c: cell): cell = c + N") == "");
  CHECK(messages("board field: grid 8 x 6 wraps across\nvalue v(c: cell): cell = c + N") != "");
  CHECK(with_board("value v(): cell = i1") == "23:19 E0201 unknown name `i1`");
}

TEST_CASE("sema: sets in brackets form a list, and can't be mixed with single elements") {
  CHECK(with_board("const lines = [[a1, b1], [c3, d3, e3]]\nvalue v(s: set of cell): bool = size(lines) == 2 and any m "
                   "in lines has m within s") == "");
  CHECK(has(printed("board field: grid 8 x 6\nconst lines = [[a1, b1], [c3, d3, e3]]\nvalue v(): int = size(lines)"),
            "2"));
  CHECK(with_board("value v(c: cell, s: set of cell): set of cell = [c, s]") ==
        "23:53 E0301 expected a single element of type `cell`, found a set (join sets with `+`: `[x] + s`)");
  CHECK(has(with_board("value v(c: cell, s: set of cell): bool = [s, c] is empty"),
            "E0301 expected an element of type `set of cell`, found `cell`"));
  CHECK(with_board("value v(c: cell, s: set of cell): bool = c within s") ==
        "23:42 E0301 expected a set before `within`, found `cell` (for a single element, write `x in S`)");
  CHECK(with_board("value v(c: cell, s: set of cell): bool = c disjoint from s") ==
        "23:42 E0301 expected a set before `disjoint from`, found `cell` (for a single element, write `x not in S`)");
}

TEST_CASE("sema: values that are not a board, cell or direction") {
  CHECK(messages("value v(c: cell): int = 1") ==
        "22:12 E0201 unknown type `cell`: the game has no board (declare a board: `board field: grid 8 x 8`)");
  CHECK(messages("player { way: dir }") ==
        "22:15 E0201 unknown type `dir`: the game has no board (declare a board: `board field: grid 8 x 8`)");
  CHECK(with_board("value v(): set of cell = field") ==
        "23:26 E0301 `field` is a board, not a value (use `field.cells` for its cells, or `field[0, 0]` for one of "
        "them)");
  CHECK(with_board("value v(): int = field.witdh") ==
        "23:24 E0206 a board has no member `witdh` (did you mean `width`?)");
  CHECK(with_board("value v(): cell = field[1]") ==
        "23:19 E0309 expected two coordinates (`field[x, y]`, both from 0)");
  CHECK(with_board("value v(c: cell): cell? = c + 1") ==
        "23:27 E0301 expected a number, found `cell` (use `c.x` or `c.y`)");
  CHECK(with_board("value v(p: player, c: cell): bool = c in p.hand") ==
        "23:37 E0301 `cell` can't be an element of a set of `card`");
  CHECK(with_board("value v(c: cell): dir = rotate(c, 1)") == "23:32 E0301 expected `dir`, found `cell`");
}

TEST_CASE("sema: sizes of boards") {
  CHECK(messages("board field: grid 200 x 200") == "22:7 E0308 `field` has 40000 cells; the limit is 32767");
  CHECK(messages("board field: grid 181 x 181") == "");
  CHECK(messages("board field: grid 0 x 20") ==
        "22:19 E0304 board size out of range: expected 1 to 32767 cells in each direction, found 0");
  CHECK(
      messages("option big\nconst n = if big then 19 else 9\nboard field: grid n x n\nvalue v(): cell = field[18, 18]",
               0, {{"big", "on"}}) == "");
  CHECK(messages("table { board field: grid 2 x 2 }") ==
        "22:9 E0403 `board` is not allowed in `table { … }` (declare it at the top of the file)");
  CHECK(messages("board a: grid 2 x 2\nboard a: grid 2 x 2") == "23:7 E0202 duplicate board `a`");
  CHECK(messages("board a: grid 2 x 2\nboard b: grid 2 x 2\nboard c: grid 2 x 2\nboard d: grid 2 x 2") == "");
  CHECK(
      messages(
          "board a: grid 2 x 2\nboard b: grid 2 x 2\nboard c: grid 2 x 2\nboard d: grid 2 x 2\nboard e: grid 1 x 1") ==
      "26:7 E0308 too many boards; the limit is 4");
}

TEST_CASE("sema: hexagons") {
  const auto hex = [](const std::string& rules) { return messages("board field: hex 8 x 6\n" + rules); };
  CHECK(hex("value v(c: cell): cell? = c + NE - SW + rotate(W, 2)") == "");
  CHECK(has(printed("board field: hex 8 x 6\nvalue v(): dir = rotate(NE, 7)"), "E"));
  CHECK(hex("value v(c: cell): cell? = c + N") == "23:31 E0201 unknown name `N`");
  CHECK(has(hex("value v(d: dir): bool = d.diagonal"), "E0206 `dir` has no attribute `diagonal`"));
  CHECK(messages("board field: hex 8 x 6 wraps both") ==
        "22:30 E0116 a `hex` board can't wrap (only a grid can: `grid W x H wraps across`)");
  CHECK(has(printed("board field: hex 8 x 6\nvalue v(): int = 1"), "board field: hex 8 x 6"));
  CHECK(hex("use std.grid on field") ==
        "23:17 E0309 `field` is a board of hexagons, but this library is for boards of squares (`use std.hex on …`)");
  CHECK(with_board("use std.hex on field") ==
        "23:16 E0309 `field` is a board of squares, but this library is for boards of hexagons (`use std.grid on …`)");
}

TEST_CASE("sema: a library refers to the board on which it is used") {
  const std::string library =
      "library lines on surface\nfunction top(): set of cell = surface.cells where it.y == surface.height - 1\n";
  const auto of = [&](const std::string& rules, const std::string& page) {
    return run({{"game.rules", game(rules)}, {"lines.rules", page}})->messages();
  };
  CHECK(of("board field: grid 8 x 6\nuse lines on field\nvalue v(): set of cell = top()", library) == "");
  CHECK(of("board field: grid 8 x 6\nuse lines on field\nvalue v(): set of cell = surface.cells", library) ==
        "24:26 E0201 unknown name `surface`");
  CHECK(of("board field: grid 8 x 6\nuse lines\n", library) ==
        "23:1 E0309 the library `lines` needs a board (name the board: `use … on field`)");
  CHECK(of("board field: grid 8 x 6\nuse lines on field\n", "library lines\n") ==
        "23:14 E0309 the library `lines` does not take a board");
  CHECK(has(of("board field: grid 8 x 6\nuse lines on filed\n", library),
            "23:14 E0201 unknown board `filed` (did you mean `field`?)"));
}

TEST_CASE("sema: sets of cells have their declared initial value") {
  CHECK(with_board(
            "player { men: set of cell = [a1, b2] }\ntable { rest: set of cell = field.cells where it.y > 2 }") == "");
  CHECK(with_board("turn var trodden: set of cell = [a1]") ==
        "23:33 E0112 a set of cells that is reset can't have an initial value, because it is reset to empty (assign it "
        "in `before turn(p)`)");
}

TEST_CASE("sema: edges") {
  CHECK(with_board("value v(c: cell, d: dir): edge = c.edge(d)\nvalue w(e: edge): set of cell = e.cells + (field.cells "
                   "where it.edge(N) in [e, a1|W])") == "");
  CHECK(has(printed("board field: grid 8 x 6\nvalue v(): edge = c3.edge(S)"), "c2|N"));
  CHECK(has(printed("board field: grid 8 x 6 wraps across\nvalue v(): edge = a1.edge(W)"), "h1|E"));
  CHECK(has(printed("board field: hex 8 x 6\nvalue v(): edge = b2.edge(W)"), "a2|E"));
  CHECK(with_board("value v(): int = size(field.edges)\nvalue w(): edge = a1|S") == "");
  CHECK(with_board("value v(c: cell): edge = c.edge(NE)") ==
        "23:33 E0309 no edge in the direction NE: diagonal cells share only a corner (use N, E, S or W)");
  CHECK(with_board("value v(c: cell): edge = c.edge()") == "23:26 E0309 `edge` needs one direction (`c.edge(N)`)");
  CHECK(with_board("value v(): edge = a1|NE") ==
        "23:19 E0201 unknown name `a1|NE` (`e5|N` is an edge of a board; use `or` for conditions and `+` for sets)");
}

TEST_CASE("sema: offsets") {
  CHECK(with_board("value v(c: cell, b: cell): cell? = c + (c - b) - 2 * N + -E") == "");
  CHECK(with_board("value v(s: set of cell, o: offset): set of cell = s + o - offset(1, o.dx)") == "");
  CHECK(with_board("value v(c: cell, b: cell): bool = c - b == offset(1, 2) or c - b == E + N") == "");
  CHECK(has(with_board("value v(c: cell): cell = c + offset(1, 0)"),
            "E0302 expected `cell` for `v`, but this may be none"));
  for (const std::string of : {"2 * d", "N + d", "d + N", "-d"})
    CHECK(has(with_board("value v(d: dir?): offset = " + of), "E0302 expected `dir`, but this may be none"));
  CHECK(with_board("value v(): offset = offset(1)") == "23:21 E0309 `offset` is missing the field `dy`");
  CHECK(messages("board field: grid 8 x 6\nrecord offset { a: int = 0 }") ==
        "23:8 E0202 duplicate record `offset`, which the board declares (rename this record)");
}

TEST_CASE("sema: lookup tables in rules") {
  CHECK(with_board("function f(c: cell): int per cell { var t: int per cell = 0; t[c] = 3; return t }\nvalue v(): int "
                   "= f(a1)[b2]") == "");
  CHECK(has(
      with_board("record R { a: int = 0 }\nfunction f(): int { var t: R per cell = R(1); return 1 }"),
      "24:21 E0301 entries of a local table must be single values or sets, not `R` (declare a table for each field)"));
  CHECK(has(with_board("value v: int per cell { var m: int per cell = 0; return m }"),
            "23:7 E0301 `v` is a table, so each read would compute all its entries"));
  CHECK(has(with_board("kept value v(c: cell): int per cell { var m: int per cell = 0; return m }"),
            "23:12 E0301 `v` is a table, so it can't have parameters"));
  CHECK(has(with_board("function f(): int per dir { var t: int per cell = 0; return t }"),
            "E0301 expected `int per dir` for `the result`, found `int per cell`"));
  CHECK(has(with_board("function f(): int { var t: int per cell = 0; t += 1; return t[a1] }"),
            "E0301 a table can only be assigned with `=`: `t`"));
  CHECK(has(with_board("function f(): int per cell { var t: int? per cell = none; return t }"),
            "E0302 expected `int per cell` for `the result`, found `int? per cell`"));
  CHECK(has(with_board("window w() { var t: int per cell = 0; ask active }"),
            "23:14 E0301 a window can't contain a table"));
}

namespace {
std::string with_graph(
    const std::string& rules,
    const std::string& points = "name,next,x,y\nRome,Oslo Bern,0,0\nOslo,Rome,0,2\nBern,Rome,3,0\n") {
  return run({{"game.rules", game("board roads: graph from \"points.csv\"\n" + rules)}, {"points.csv", points}})
      ->messages();
}
// Returns the messages about rules for a game with two boards. The rules begin at line 24.
std::string with_two(const std::string& rules) {
  return messages("board field: grid 8 x 6\nboard moon: hex 4 x 3\n" + rules);
}
}   // namespace

TEST_CASE("sema: a graph has points and lines") {
  CHECK(with_graph(
            "value v(c: cell): set of cell = c.next + [Rome, Bern] + (roads.cells where it.x > 1 and Oslo in next)") ==
        "");
  CHECK(with_graph("use std.graph on roads\nvalue v(s: set of cell): set of cell = neighbours(s) + flood(s, beside(s)) "
                   "+ disc(Rome, 1)") == "");
  CHECK(with_graph("piece cart x 3 on roads { shows \"c\" }\nvalue v(): set of cart = carts at Rome") == "");
  CHECK(with_graph("value v(c: cell?): set of cell = c.next") ==
        "23:34 E0302 expected `cell`, but this may be none (check first that it `is not none`, or add a fallback: `or "
        "else …`)");
}

TEST_CASE("sema: a graph has no directions, edges and numbers") {
  const auto none = [](const std::string& at, const std::string& what) {
    return at + " E0206 `roads` is a graph, which has no " + what + " (use `c.next` for the cells connected to c)";
  };
  CHECK(with_graph("value v(c: cell): cell? = c + N") == none("23:31", "`N`"));
  CHECK(with_graph("value v(c: cell): int = (c - Rome).dx") == none("23:26", "directions"));
  CHECK(with_graph("value v(c: cell): bool = c.edge(N) == c.edge(E)") ==
        none("23:26", "edges") + "\n" + none("23:39", "edges"));
  CHECK(with_graph("value v(d: dir): int = 1") == none("23:12", "`dir`"));
  CHECK(with_graph("value v(): int = size(dirs)") == none("23:23", "`dirs`"));
  CHECK(with_graph("value v(): int = roads.width") == none("23:24", "`width`"));
  CHECK(with_graph("value v(): cell? = roads[0, 0]") ==
        "23:20 E0309 the cells of the graph `roads` have names, not coordinates (`Rome`)");
  CHECK(with_graph("piece cart x 3 on roads { covers 2 x 1 }") ==
        "23:27 E0301 `roads` is a graph, where a piece always covers one cell (remove `covers`)");
  CHECK(with_graph("piece cart x 3 on roads { facing N }") == none("23:27", "directions"));
  CHECK(with_graph("use std.grid on roads") ==
        "23:17 E0309 `roads` is a board of points, but this library is for boards of squares (`use std.graph on …`)");
}

TEST_CASE("sema: errors in the file of a graph") {
  const auto file = [](const std::string& points) {
    const std::string all = with_graph("", points);
    return all.starts_with("points.csv:") ? all.substr(11) : all;
  };
  CHECK(
      file("") ==
      "22:25 E0307 \"points.csv\" has no points (the first line must be `name,next,x,y`; each other line is a point)");
  CHECK(file("name,x,y\nRome,0,0\n") ==
        "1:1 E0307 missing column `next` (a graph needs the columns `name`, `next`, `x` and `y`)");
  CHECK(file("name,next,x,y,size\nRome,,0,0,3\n") ==
        "1:15 E0307 unknown column `size` of a graph (use the columns `name`, `next`, `x` and `y`)");
  CHECK(file("name,next,x,y\nRome,Olso,0,0\nOslo,Rome,0,1\n") ==
        "2:6 E0307 unknown point `Olso` (did you mean `Oslo`?)");
  CHECK(file("name,next,x,y\nRome,Rome,0,0\n") == "2:6 E0307 `Rome` is listed as its own neighbor (remove it)");
  CHECK(file("name,next,x,y\nRome,,0,0\nRome,,0,1\n") == "3:1 E0202 duplicate point `Rome`");
  CHECK(file("name,next,x,y\nRome,,0,0\nOslo,,0,0\n") == "3:1 E0307 `Oslo` has the same position as `Rome`");
  CHECK(file("name,next,x,y\nRome,,-1,0\n") ==
        "2:7 E0307 `-1` is not a valid coordinate (use an integer from 0 to 99; x increases to the east, y to the "
        "north)");
  CHECK(file("name,next,x,y\n3rd street,,1,0\n") ==
        "2:1 E0307 `3rd street` is not a valid name (use letters, digits and `_`)");
}

TEST_CASE("sema: a loop over pieces counts with a new name, and filters by cell with a known one") {
  const std::string token = "piece token x 3 on field\ntable { sum: 0..9 = 0 }\n";
  CHECK(with_board(token + "event e() { each t in tokens at i { sum += i } }") == "");
  CHECK(with_board(token + "event e() { each t in tokens where it is on field at i { sum += i } }") == "");
  CHECK(with_board(
            token +
            "event e(c: cell) { each t in tokens at c at i { sum += i; each u in tokens at c { sum += 1 } } }") == "");
}

TEST_CASE("sema: `heroes` means the pieces of all players, even where players are filtered") {
  const std::string hero = "piece hero, one per player on field\n";
  CHECK(with_board(hero + "value v(): set of player = players where heroes is empty or hero.at == a1") == "");
  CHECK(with_board(hero + "value v(p: player): set of hero = p.heroes") ==
        "24:37 E0206 each player has one `hero` (write `p.hero`)");
}

TEST_CASE("sema: with several boards, names begin with the board's name") {
  CHECK(with_two("value v(c: field.cell, m: moon.cell): bool = c == e4 and m == moon.a1 and c + N is none and m + "
                 "moon.NE is none") == "");
  CHECK(with_two("use std.grid on field\nuse std.hex on moon\nvalue v(): int = size(field.row(1)) + "
                 "size(moon.ring(moon.b2, 1)) + size(field.diagonals)") == "");
  CHECK(with_two("value v(c: cell): int = 1") ==
        "24:12 E0203 ambiguous name `cell`: several boards declare it (write `field.cell` or `moon.cell`)");
  CHECK(with_two("value v(): int = size(dirs)") ==
        "24:23 E0203 ambiguous name `dirs`: several boards declare it (write `field.dirs` or `moon.dirs`)");
  CHECK(with_two("use std.grid on field\nvalue v(): int = size(row(1))") ==
        "25:23 E0203 ambiguous name `row`: several boards declare it (write `field.row`)");
  CHECK(with_two("value v(): bool = a1 in field.cells") ==
        "24:19 E0203 ambiguous name `a1`: several enums have this constant (write `field.a1` or `moon.a1`)");
  CHECK(with_two("value v(c: field.cell): field.cell? = c + moon.NE") ==
        "24:43 E0301 expected `field.dir`, found `moon.dir`");
  CHECK(with_two("value v(c: field.cell): set of moon.cell = [c]") ==
        "24:45 E0301 expected an element of type `moon.cell`, found `field.cell`");
  CHECK(with_two("piece hero, one per player on field\nvalue v(p: player): bool = p.hero is on moon") ==
        "25:28 E0301 `hero` belongs to board `field`, not `moon` (write `field`)");
  CHECK(with_two("use std.grid") == "24:1 E0309 the library `grid` needs a board (name the board: `use … on field`)");
  CHECK(with_board("value v(c: field.cell): int = 1") ==
        "23:12 E0201 unknown type `field.cell` (with one board, write `cell`)");
}

TEST_CASE("sema: texts and the game's own libraries name boards too") {
  const std::string library =
      "library top on surface\nconst most = 1\nrecord Pair { one: cell, other: cell }\nfunction top(n: int): set of "
      "cell = surface.cells where it.y == surface.height - n\n"
      "function pair(most: cell): Pair = Pair(most, surface[0, 0])\nfunction tops(): set of cell = top(most) + (top(2) "
      "+ N)\n";
  const auto of = [&](const std::string& rules) {
    return run({{"game.rules", game("board field: grid 8 x 6\nboard yard: grid 3 x 3\n" + rules)},
                {"top.rules", library}})
        ->messages();
  };
  CHECK(of("use top on field\nuse top on yard\nvalue v(): set of field.cell = field.tops()\nvalue w(): yard.cell = "
           "yard.pair(b2).other") == "");
  CHECK(of("use top on yard\nevent told() { log \"{yard.b2} and {yard.tops()}\" }") == "");
  CHECK(of("use top on field\nvalue v(): set of yard.cell = field.tops()") ==
        "25:31 E0301 expected `set of yard.cell` for `v`, found `set of field.cell`");
}

TEST_CASE("sema: output of a board", "[boards]") {
  const auto shows = [](const std::string& what) {
    return messages(
        "board field: grid 3 x 3 { shows " + what +
        " }\ntable { level: 0..9 per cell = 0; rich: 0..9 per player = 0; spots: set of cell }\npiece cat x 2 "
        "on field");
  };
  CHECK(shows("level") == "");
  CHECK(shows("level[it] > 3 or it in spots") == "");
  CHECK(shows("if it in spots then first of players else none") == "");
  CHECK(shows("spots") == "");
  CHECK(has(shows("players"), "but not `set of player`"));
  CHECK(has(shows("rich"), "expected a table by cells or edges of the board, found a table by `player`"));
  CHECK(has(shows("\"#\""), "a board can show a number"));
  CHECK(has(messages("board field: grid 3 x 3 { shows 1; shows 2 }"), "duplicate `shows`"));
  CHECK(
      has(messages("board field: grid 3 x 3\npiece cat x 2 on field { shows 3 }"), "expected a string after `shows`"));
  const auto edges = [](const std::string& what) {
    return messages("board field: grid 3 x 3 { shows " + what +
                    " }\ntable { level: 0..9 per cell = 0; fence: 0..9 per edge = 0; walls: set of edge }");
  };
  CHECK(edges("level \"height\"; shows fence") == "");
  CHECK(edges("level; shows walls where it != a1|N") == "");
  CHECK(has(edges("fence; shows walls"), "duplicate `shows` for edges"));
  CHECK(has(edges("fence; shows fence"), "duplicate `shows` for edges"));
  CHECK(
      messages(
          "board field: grid 3 x 3\npiece cat x 2 on field { facing N; lives: 0..9 = 9; shows \"{facing}{lives}\" }") ==
      "");
  CHECK(has(messages("board field: grid 3 x 3\npiece cat x 2 on field { shows \"{lives}\" }"), "`lives`"));
  CHECK(messages("player { n: 0..9 = 0; shows \"has {it.n}\" }\ntable { shows \"{size(players)} play\" }") == "");
  CHECK(has(messages("player { n: 0..9 = 0; shows 3 }"), "`shows` of a player needs a string"));
  CHECK(messages("table { shows \"one\"; shows \"two\" }") == "");   // both texts are shown, in this order
}

TEST_CASE("sema: only a dependent condition gives a reason", "[boards]") {
  CHECK(messages("function few(p: player): bool { return size(players) < 3 \"{size(players)} play\" }") == "");
  CHECK(messages("function some(p: player): set of player { return players where it != p \"it is the same\" }") == "");
  CHECK(has(messages("function n(p: player): int { return 3 \"for no reason\" }"),
            "a reason is only allowed for a condition or a set"));
}

}   // namespace cardwright::sema_tests
