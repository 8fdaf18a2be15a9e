// Declares boards and their constants, and builds the symbols that boards show.
#include "compiler/sema/declarations/boards.h"

#include <algorithm>

#include <fmt/format.h>

#include "compiler/sema/operations/board_types.h"
#include "compiler/sema/operations/locals.h"
#include "compiler/sema/operations/type_relations.h"
#include "compiler/sema/declarations/graphs.h"
#include "compiler/sema/expressions/expressions.h"
#include "compiler/sema/expressions/texts.h"
#include "compiler/sema/operations/members.h"
#include "compiler/sema/options/collect.h"
#include "compiler/sema/options/tree_constants.h"
#include "compiler/sema/symbols/areas.h"
#include "compiler/sema/symbols/errors.h"
#include "compiler/sema/symbols/make.h"
#include "compiler/sema/symbols/texts.h"
#include "compiler/sema/symbols/types.h"

namespace cardwright::sema {

static void declare_grid(SemaContext& sema, const Node* node);

static void declare_edges(SemaContext& sema, model::Board& board);

static void declare_offset(SemaContext& sema);

static void declare_directions(SemaContext& sema, model::Board& board);

static void build_shown(SemaContext& sema, const Node* shows, model::Board& board);

static const Expr* entry_shown(RuleContext& rule, const Expr* e, const Expr* it);

// Returns the name of a cell in chess notation: a1, b1 … z1, aa1.
static std::string cell_name(Int x, Int y) {
  std::string column;
  for (Int n = x + 1; n > 0; n = (n - 1) / 26) column.insert(column.begin(), static_cast<char>('a' + (n - 1) % 26));
  return fmt::format("{}{}", column, y + 1);
}

// Registers the name of a constant of a board. Where the board is unambiguous, the name can be used without the board's
// prefix.
static void name_constant(SemaContext& sema, const model::Board& board, const std::string& name, std::uint32_t of,
                          Int constant) {
  sema.names.constants[name].push_back({of, constant});
  if (sema.ruleset.several_boards) sema.names.constants[name_on(sema, board, name)].push_back({of, constant});
}

static std::uint32_t add_enum(SemaContext& sema, const model::Board& board, std::string_view of,
                              const std::vector<std::string>& constants) {
  const auto id = static_cast<std::uint32_t>(sema.model.enums.size());
  const Range range = board.range;
  const std::string name = name_on(sema, board, of);
  if (auto [other, fresh] = sema.names.enums.emplace(name, id); !fresh)
    error(sema, "duplicate_declaration"_code, sema.model.enums[other->second].range,
          fmt::format("duplicate type `{}`, which the board declares", name), "rename this enum");
  sema.model.enums.push_back({});
  model::Enum& e = sema.model.enums.back();
  e.name = name;
  e.range = range;
  for (const std::string& constant : constants) {
    name_constant(sema, board, constant, id, static_cast<Int>(e.constants.size()));
    e.constants.push_back({.name = name_on(sema, board, constant),
                           .label = name_on(sema, board, constant),
                           .number = static_cast<Int>(e.constants.size()),
                           .attributes = {},
                           .text = {},
                           .range = range});
  }
  return id;
}

void add_attribute(SemaContext& sema, std::uint32_t to, std::string name, Type type, const std::vector<Int>& values) {
  model::Enum& e = sema.model.enums[to];
  e.attributes.push_back({static_cast<std::uint32_t>(sema.model.attributes.size())});
  sema.model.attributes.push_back(
      {.name = std::move(name), .type = std::move(type), .unprinted = true, .range = e.range});
  for (std::size_t i = 0; i < values.size(); ++i) e.constants[i].attributes.push_back(values[i]);
}

void declare_board(SemaContext& sema, const Decl& d) {
  const Node* node = d.node;
  if (const auto other = sema.boards.names.find(node->text); other != sema.boards.names.end())
    return void(twice(sema, node, "board", sema.model.boards[other->second].range));
  if (sema.model.boards.size() >= model::kMostBoards)
    return void(error(sema, "limit_exceeded"_code, name_range(sema, node),
                      fmt::format("too many boards; the limit is {}", model::kMostBoards)));
  if (node->number & 8)
    declare_graph(sema, d);
  else
    declare_grid(sema, node);
}

// Declares the board. Its cells have the attributes x and y.
model::Board& add_board(SemaContext& sema, model::Board board, const std::vector<std::string>& names,
                        const std::vector<Int>& xs, const std::vector<Int>& ys) {
  const std::uint32_t cells = add_enum(sema, board, "cell", names);
  sema.model.enums[cells].cells = true;
  const auto add = [&](const char* name, const std::vector<Int>& values) {
    add_attribute(
        sema, cells, name,
        integer_type(*std::min_element(values.begin(), values.end()), *std::max_element(values.begin(), values.end())),
        values);
  };
  add("x", xs);
  add("y", ys);
  board.cells = {cells};
  sema.boards.names.emplace(board.name, static_cast<std::uint32_t>(sema.model.boards.size()));
  return sema.model.boards.emplace_back(std::move(board));
}

static void declare_grid(SemaContext& sema, const Node* node) {
  const auto width = tree_int(sema, view::board(node).width()), height = tree_int(sema, view::board(node).height());
  if (!width || !height) return;
  for (std::size_t i : {0, 1})
    if (const Int n = i ? *height : *width; n < 1 || n > model::kMostCells)
      return void(error(sema, "out_of_range"_code, (i ? view::board(node).height() : view::board(node).width())->range,
                        fmt::format("board size out of range: expected 1 to {} cells in each direction, found {}",
                                    model::kMostCells, n)));
  if (*width * *height > model::kMostCells)
    return void(
        error(sema, "limit_exceeded"_code, name_range(sema, node),
              fmt::format("`{}` has {} cells; the limit is {}", node->text, *width * *height, model::kMostCells)));
  model::Board board{.name = std::string(node->text),
                     .cells = {},
                     .dirs = {},
                     .width = *width,
                     .height = *height,
                     .across = (node->number & 1) != 0,
                     .down = (node->number & 2) != 0,
                     .hex = (node->number & 4) != 0,
                     .joined = {},
                     .places = {},
                     .edges = {},
                     .borders = {},
                     .between = {},
                     .range = name_range(sema, node)};
  std::vector<std::string> names;
  std::vector<Int> xs, ys;
  for (Int cell = 0; cell < *width * *height; ++cell) {
    xs.push_back(cell % *width);
    ys.push_back(cell / *width);
    names.push_back(cell_name(xs.back(), ys.back()));
  }
  const bool first =
      std::all_of(sema.model.boards.begin(), sema.model.boards.end(), [](const model::Board& b) { return b.graph; });
  model::Board& added = add_board(sema, std::move(board), names, xs, ys);
  declare_directions(sema, added);
  declare_edges(sema, added);
  if (first) declare_offset(sema);
}

// Declares the edges of a board. The name of an edge consists of a cell and one of its sides, so most edges have two
// names, such as e5|N and e6|S.
static void declare_edges(SemaContext& sema, model::Board& board) {
  board.find_edges();
  std::vector<std::string> names(board.between.size());
  std::vector<std::pair<std::string, Int>> others;
  for (Int d = 0; d < board.directions(); ++d)
    for (Int cell = 0; cell < board.width * board.height; ++cell) {
      const Int edge = board.border(cell, d);
      if (edge == kNone) continue;
      const std::string name = fmt::format("{}|{}", cell_name(cell % board.width, cell / board.width),
                                           board.ways()[static_cast<std::size_t>(d)].name);
      std::string& first = names[static_cast<std::size_t>(edge)];
      if (first.empty() && board.between[static_cast<std::size_t>(edge)].first == cell)
        first = name;
      else
        others.emplace_back(name, edge);
    }
  const std::uint32_t edges = add_enum(sema, board, "edge", names);
  for (const auto& [name, edge] : others) name_constant(sema, board, name, edges, edge);
  sema.model.enums[edges].cells = true;
  board.edges = {edges};
}

// Declares the record `offset`, which stores the distance between two cells to the east and to the north.
static void declare_offset(SemaContext& sema) {
  constexpr Int kFarthest = 1023;
  if (auto [other, fresh] = sema.names.records.emplace("offset", static_cast<std::uint32_t>(sema.model.records.size()));
      !fresh)
    return void(error(sema, "duplicate_declaration"_code, sema.model.records[other->second].range,
                      "duplicate record `offset`, which the board declares", "rename this record"));
  model::Record record{.name = "offset", .fields = {}, .range = first_grid(sema).range};
  RecordInfo info{.node = nullptr, .state = Callable::State::done, .initial = {nullptr, nullptr}, .units = {"", ""}};
  for (const char* name : {"dx", "dy"})
    record.fields.push_back({name, integer_type(-kFarthest, kFarthest), record.range});
  sema.model.records.push_back(std::move(record));
  sema.records.infos.push_back(std::move(info));
  sema.used.insert("record offset");   // prevents a warning that the record is unused
}

static void declare_directions(SemaContext& sema, model::Board& board) {
  std::vector<std::string> names;
  std::vector<Int> dx, dy, diagonal, opposite;
  for (const model::Direction& way : board.ways()) {
    opposite.push_back((static_cast<Int>(names.size()) + board.directions() / 2) % board.directions());
    names.push_back(way.name);
    dx.push_back(way.east);
    dy.push_back(way.north);
    diagonal.push_back(way.east != 0 && way.north != 0);
  }
  const std::uint32_t dir = add_enum(sema, board, "dir", names);
  sema.model.enums[dir].dirs = true;
  board.dirs = {dir};
  add_attribute(sema, dir, "dx", integer_type(-1, 1), dx);
  add_attribute(sema, dir, "dy", integer_type(-1, 1), dy);
  if (!board.hex) add_attribute(sema, dir, "diagonal", boolean_type(), diagonal);
  add_attribute(sema, dir, "opposite", enum_type(dir), opposite);
}

// Builds the `shows` of each board. Runs after all rules are declared, because `shows` can use them.
void build_boards(SemaContext& sema) {
  for (const Decl& d : sema.collected.decls) {
    if (d.node->kind != NodeKind::board) continue;
    model::Board& board = sema.model.boards[sema.boards.names.find(d.node->text)->second];
    expand(sema, view::board(d.node).members(), model::RuleKind::rule, [&](const Node* m, model::RuleKind) {
      if (m->kind == NodeKind::shows_decl) build_shown(sema, m, board);
    });
  }
}

// Builds `shows level`, `shows fences()` or `shows it in water`. The operand is a table whose keys are cells or edges,
// a set of cells or edges, or an expression that is evaluated for each cell.
static void build_shown(SemaContext& sema, const Node* shows, model::Board& board) {
  const Node* what = view::shows_decl(shows).what();
  model::Board::Shows shown;
  bool by_edges = false;
  RuleContext rule(sema);
  rule.body = &shown.body;
  rule.pure = true;
  const LocalId it = add_local(rule, "it", enum_type(board.cells.index), what->range);
  rule.elements.push_back({local(rule, it, what->range)});
  const Expr* e = expr(rule, what);
  if (is_poison(e)) return;
  const Type by = e->type.kind == TypeKind::map   ? *e->type.key
                  : e->type.kind == TypeKind::set ? element_type(e->type)
                                                  : plain_type(TypeKind::nothing);
  if (!board.graph && by.kind == TypeKind::enumeration && by.ref == board.edges.index) {
    by_edges = true;
    shown.body.locals[it.index].type = enum_type(board.edges.index);
  }
  e = entry_shown(rule, e, local(rule, it, what->range));
  if (is_poison(e)) return;
  const TypeKind kind = e->type.kind;
  if (kind != TypeKind::integer && kind != TypeKind::boolean && kind != TypeKind::enumeration &&
      kind != TypeKind::player)
    return void(error(
        sema, "wrong_type"_code, what->range,
        fmt::format("a board can show a number, a bool, a constant of an enum or a player for each cell, but not `{}`",
                    show(sema, e->type)),
        "for example `shows level` (a table by cells), `shows water` (a set of cells or edges) or `shows it in "
        "water`"));
  shown.type = e->type;
  Block block;
  emit(sema, block, StmtKind::return_value, what->range, {e});
  shown.body.block = std::move(block);
  shown.body.present = true;

  const bool entry = e->kind == ExprKind::variable && e->args.size() == 1 &&
                     model::view::variable(*e).owner()->kind == ExprKind::local;
  shown.text = view::shows_decl(shows).called() ? plain_words(sema, view::shows_decl(shows).called())
               // `shows level[it]` has the same label as `shows level`: the name of the variable.
               : entry ? sema.model.variables[e->ref].name
                       : std::string(sema.diagnostics.sources().text(what->range));
  std::optional<model::Board::Shows>& place = by_edges ? board.edges_show : board.shows;
  if (place)
    return void(error(sema, "misplaced"_code, first_word(sema, shows),
                      fmt::format("duplicate `shows` for {}", by_edges ? "edges" : "cells"),
                      "remove one of them, or move one into a `with`"));
  place = std::move(shown);
}

// Returns the expression to show for one cell or edge: its entry in a table, or whether a set contains it.
static const Expr* entry_shown(RuleContext& rule, const Expr* e, const Expr* it) {
  if (e->type.kind == TypeKind::set && same_type(rule.sema, element_type(e->type), it->type))
    return make(rule.sema, ExprKind::in_set, boolean_type(), e->range, {it, e});
  if (e->type.kind != TypeKind::map) return e;
  if (e->type.key->kind == TypeKind::enumeration && e->type.key->ref == it->type.ref)
    return picked(rule, e, it, e->range);
  error(rule.sema, "wrong_type"_code, e->range,
        fmt::format("expected a table by cells or edges of the board, found a table by `{}`",
                    show(rule.sema, *e->type.key)));
  return poison(rule.sema, e->range);
}

// Builds a string in which `it` is a player or piece. In a string of the table, `it` is not available.
static model::ShownText shown_text(SemaContext& sema, const Node* text, Range range, const Type& of) {
  model::ShownText shown{.text = std::string(sema.diagnostics.sources().text(text->range)), .range = range};
  RuleContext rule(sema);
  rule.body = &shown.body;
  rule.pure = true;
  if (of.kind != TypeKind::nothing)
    rule.elements.push_back({local(rule, add_local(rule, "it", of, text->range), text->range)});
  const Expr* words = filled_text(rule, text);
  Block block;
  emit(sema, block, StmtKind::log, range, words->kind == ExprKind::text ? words->args : std::vector<const Expr*>{})
      ->text = words->text;
  shown.body.block = std::move(block);
  shown.body.present = true;
  return shown;
}

// Builds the strings displayed for players, the table and pieces. Runs after all rules are declared.
void build_shown_texts(SemaContext& sema) {
  for (const auto& [area, text] : sema.boards.drawn)
    sema.model.areas[area].drawn = shown_text(sema, text, text->range, area_type(sema, area));
  for (const auto& [node, of_players] : sema.boards.shown) {
    const Node* text = view::shows_decl(node).what();
    if (text->kind != NodeKind::string || view::shows_decl(node).called()) {
      error(sema, "wrong_type"_code, text->range,
            fmt::format("`shows` of {} needs a string", of_players ? "a player" : "the table"),
            "`shows \"sees {n} of them\"`; expressions in braces are replaced by their values");
      continue;
    }
    sema.model.shown.push_back(
        shown_text(sema, text, node->range, of_players ? player_type() : model::Type{.kind = TypeKind::nothing}));
    sema.model.shown.back().of_players = of_players;
  }
}

// Checks that each library for a board is used on an existing board of the right shape. Returns false after an error,
// because the remaining rules can't be checked without the board.
bool check_boards(SemaContext& sema) {
  const std::size_t before = sema.errors;
  for (const Decl& d : sema.collected.decls)
    if (d.node->kind == NodeKind::board && !sema.boards.names.contains(d.node->text)) return false;
  for (const Unit& unit : sema.ruleset.units) {
    if (!unit.on || !is_used(sema, unit.root)) continue;
    const auto named = board_named(sema, unit.on);
    if (!named) {
      std::vector<std::string> names;
      for (const auto& [name, id] : sema.boards.names) names.push_back(name);
      error(sema, "unknown_name"_code, unit.on->range, fmt::format("unknown board `{}`", unit.on->text),
            did_you_mean(unit.on->text, names));
      continue;
    }
    const model::Board& board = sema.model.boards[*named];
    const std::string_view shape = board.graph ? "graph" : board.hex ? "hex" : "grid";
    const auto of = [](std::string_view s) { return s == "graph" ? "points" : s == "hex" ? "hexagons" : "squares"; };
    for (const Node* n : unit.root->children)
      if (n && n->kind == NodeKind::library && view::library(n).shape() && view::library(n).shape()->text != shape)
        error(sema, "wrong_arguments"_code, unit.on->range,
              fmt::format("`{}` is a board of {}, but this library is for boards of {}", board.name, of(shape),
                          of(view::library(n).shape()->text)),
              fmt::format("`use std.{} on …`", shape));
  }
  return sema.errors == before;
}

}   // namespace cardwright::sema
