// Boards: their cells, edges and directions are constants of enums, and everything that enums can do they can. An
//         offset is a record.
// With several boards the names of all that belongs to one begin with its own: see several_boards.h. Graphs:
// graphs.cpp.
#include <algorithm>

#include "compiler/sema/analysis.h"

namespace cardwright::sema {

namespace {

// As on a chess board, for people and scenarios: a1, b1 … z1, aa1.
std::string cell_name(Int x, Int y) {
  std::string column;
  for (Int n = x + 1; n > 0; n = (n - 1) / 26) column.insert(column.begin(), static_cast<char>('a' + (n - 1) % 26));
  return fmt::format("{}{}", column, y + 1);
}

}  // namespace

std::string Analysis::name_on(const model::Board& board, std::string_view name) const {
  return ruleset_.several_boards ? fmt::format("{}.{}", board.name, name) : std::string(name);
}

// A constant of a board: where it is known which board is meant, its own name is enough.
void Analysis::name_constant(const model::Board& board, const std::string& name, std::uint32_t of, Int constant) {
  constant_names_[name].push_back({of, constant});
  if (ruleset_.several_boards) constant_names_[name_on(board, name)].push_back({of, constant});
}

std::uint32_t Analysis::add_enum(const model::Board& board, std::string_view of,
                                 const std::vector<std::string>& constants) {
  const auto id = static_cast<std::uint32_t>(model_->enums.size());
  const Range range = board.range;
  const std::string name = name_on(board, of);
  if (auto [other, fresh] = enum_names_.emplace(name, id); !fresh)
    error(Code::declared_twice, model_->enums[other->second].range,
          fmt::format("`{}` belongs to the board, and there is one already", name), "give this enum another name");
  model_->enums.push_back({});
  model::Enum& e = model_->enums.back();
  e.name = name;
  e.range = range;
  for (const std::string& constant : constants) {
    name_constant(board, constant, id, static_cast<Int>(e.constants.size()));
    e.constants.push_back({.name = name_on(board, constant),
                           .label = name_on(board, constant),
                           .number = static_cast<Int>(e.constants.size()),
                           .attributes = {},
                           .text = {},
                           .range = range});
  }
  return id;
}

void Analysis::add_attribute(std::uint32_t to, std::string name, Type type, const std::vector<Int>& values) {
  model::Enum& e = model_->enums[to];
  e.attributes.push_back({static_cast<std::uint32_t>(model_->attributes.size())});
  model_->attributes.push_back({.name = std::move(name), .type = std::move(type), .unprinted = true, .range = e.range});
  for (std::size_t i = 0; i < values.size(); ++i) e.constants[i].attributes.push_back(values[i]);
}

void Analysis::declare_board(const Decl& d) {
  const Node* node = d.node;
  if (const auto other = board_names_.find(node->text); other != board_names_.end())
    return void(twice(node, "board", model_->boards[other->second].range));
  if (model_->boards.size() >= model::kMostBoards)
    return void(
        error(Code::too_many, name_range(node), fmt::format("a game has at most {} boards", model::kMostBoards)));
  if (node->number & 8) declare_graph(d);
  else declare_grid(node);
}

// The board itself; its cells have numbers x and y.
model::Board& Analysis::add_board(model::Board board, const std::vector<std::string>& names, const std::vector<Int>& xs,
                                  const std::vector<Int>& ys) {
  const std::uint32_t cells = add_enum(board, "cell", names);
  model_->enums[cells].cells = true;
  const auto add = [&](const char* name, const std::vector<Int>& values) {
    add_attribute(
        cells, name,
        integer_type(*std::min_element(values.begin(), values.end()), *std::max_element(values.begin(), values.end())),
        values);
  };
  add("x", xs);
  add("y", ys);
  board.cells = {cells};
  board_names_.emplace(board.name, static_cast<std::uint32_t>(model_->boards.size()));
  return model_->boards.emplace_back(std::move(board));
}

void Analysis::declare_grid(const Node* node) {
  const auto width = fixed_int(view::board(node).width()), height = fixed_int(view::board(node).height());
  if (!width || !height) return;
  for (std::size_t i : {0, 1})
    if (const Int n = i ? *height : *width; n < 1 || n > model::kMostCells)
      return void(error(Code::out_of_range, node->child(i)->range,
                        fmt::format("a board is from 1 to {} cells wide and high, not {}", model::kMostCells, n)));
  if (*width * *height > model::kMostCells)
    return void(
        error(Code::too_many, name_range(node),
              fmt::format("`{}` has {} cells, and {} is the limit", node->text, *width * *height, model::kMostCells)));
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
                     .range = name_range(node)};
  std::vector<std::string> names;
  std::vector<Int> xs, ys;
  for (Int cell = 0; cell < *width * *height; ++cell) {
    xs.push_back(cell % *width);
    ys.push_back(cell / *width);
    names.push_back(cell_name(xs.back(), ys.back()));
  }
  const bool first =
      std::all_of(model_->boards.begin(), model_->boards.end(), [](const model::Board& b) { return b.graph; });
  model::Board& added = add_board(std::move(board), names, xs, ys);
  declare_directions(added);
  declare_edges(added);
  if (first) declare_offset();
}

const model::Board& Analysis::first_grid() const {
  return *std::find_if(model_->boards.begin(), model_->boards.end(), [](const model::Board& b) { return !b.graph; });
}

// Named after a cell and the side on which it lies: e5|N, which is e6|S too.
void Analysis::declare_edges(model::Board& board) {
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
      if (first.empty() && board.between[static_cast<std::size_t>(edge)].first == cell) first = name;
      else others.emplace_back(name, edge);
    }
  const std::uint32_t edges = add_enum(board, "edge", names);
  for (const auto& [name, edge] : others) name_constant(board, name, edges, edge);
  model_->enums[edges].cells = true;
  board.edges = {edges};
}

// How far it is from one cell to another.
void Analysis::declare_offset() {
  constexpr Int kFarthest = 1023;
  if (auto [other, fresh] = record_names_.emplace("offset", static_cast<std::uint32_t>(model_->records.size())); !fresh)
    return void(error(Code::declared_twice, model_->records[other->second].range,
                      "`offset` belongs to the board, and there is one already", "give this record another name"));
  model::Record record{.name = "offset", .fields = {}, .range = first_grid().range};
  RecordInfo info{.node = nullptr, .state = Callable::State::done, .initial = {nullptr, nullptr}, .units = {"", ""}};
  for (const char* name : {"dx", "dy"})
    record.fields.push_back({name, integer_type(-kFarthest, kFarthest), record.range});
  model_->records.push_back(std::move(record));
  records_.push_back(std::move(info));
  used_.insert("record offset");                           // whether or not somebody needs it
}

void Analysis::declare_directions(model::Board& board) {
  std::vector<std::string> names;
  std::vector<Int> dx, dy, diagonal, opposite;
  for (const model::Direction& way : board.ways()) {
    opposite.push_back((static_cast<Int>(names.size()) + board.directions() / 2) % board.directions());
    names.push_back(way.name);
    dx.push_back(way.east);
    dy.push_back(way.north);
    diagonal.push_back(way.east != 0 && way.north != 0);
  }
  const std::uint32_t dir = add_enum(board, "dir", names);
  model_->enums[dir].dirs = true;
  board.dirs = {dir};
  add_attribute(dir, "dx", integer_type(-1, 1), dx);
  add_attribute(dir, "dy", integer_type(-1, 1), dy);
  if (!board.hex) add_attribute(dir, "diagonal", boolean_type(), diagonal);
  add_attribute(dir, "opposite", enum_type(dir), opposite);
}

// What a board shows, once all rules have names.
void Analysis::build_boards() {
  for (const Decl& d : decls_) {
    if (d.node->kind != NodeKind::board) continue;
    model::Board& board = model_->boards[board_names_.find(d.node->text)->second];
    expand(view::board(d.node).members(), model::RuleKind::rule, [&](const Node* m, model::RuleKind) {
      if (m->kind == NodeKind::shows_decl) build_shown(m, board);
    });
  }
}

// `shows level`, `shows it in water`: a table by cells or edges, or what is worked out for each cell.
void Analysis::build_shown(const Node* shows, model::Board& board) {
  const Node* what = view::shows_decl(shows).what();
  model::Board::Shows shown;
  bool by_edges = false;
  Rule rule;
  rule.body = &shown.body;
  rule.pure = true;
  in_rule(rule, [&] {
    const LocalId it = add_local("it", enum_type(board.cells.index), what->range);
    rule.elements.push_back({local(it, what->range)});
    const Expr* e = expr(what);
    if (is_poison(e)) return;
    if (e->type.kind == TypeKind::map && !board.graph && e->type.key->kind == TypeKind::enumeration &&
        e->type.key->ref == board.edges.index) {
      by_edges = true;
      shown.body.locals[it.index].type = enum_type(board.edges.index);
    }
    e = entry_shown(e, local(it, what->range));
    if (is_poison(e)) return;
    const TypeKind kind = e->type.kind;
    if (kind != TypeKind::integer && kind != TypeKind::boolean && kind != TypeKind::enumeration)
      return void(
          error(Code::wrong_type, what->range,
                fmt::format("a board shows a number, a yes or no, or a constant of an enum for each cell, and no `{}`",
                            show(e->type)),
                "`shows level`, a table by cells, or `shows it in water`"));
    shown.type = e->type;
    Block block;
    emit(block, StmtKind::return_value, what->range, {e});
    shown.body.block = std::move(block);
    shown.body.present = true;
  });
  if (!shown.body.present) return;
  shown.text = view::shows_decl(shows).called() ? plain_words(view::shows_decl(shows).called())
                                                : std::string(diagnostics_.sources().text(what->range));
  std::optional<model::Board::Shows>& place = by_edges ? board.edges_show : board.shows;
  if (place)
    return void(error(Code::misplaced, first_word(shows),
                      fmt::format("`shows` is said twice here for {}", by_edges ? "edges" : "cells"),
                      "one of them is enough; another one may stand in a `with`"));
  place = std::move(shown);
}

// Of a table by cells or edges the entry of this one.
const Expr* Analysis::entry_shown(const Expr* e, const Expr* it) {
  if (e->type.kind != TypeKind::map) return e;
  if (e->type.key->kind == TypeKind::enumeration && e->type.key->ref == it->type.ref) return picked(e, it, e->range);
  error(Code::wrong_type, e->range,
        fmt::format("this table is by `{}`, and a board shows one by its cells or edges", show(*e->type.key)));
  return poison(e->range);
}

// A text that is filled in for `it`, a player or piece; of the table there is none.
model::ShownText Analysis::shown_text(const Node* text, Range range, const Type& of) {
  model::ShownText shown{.text = std::string(diagnostics_.sources().text(text->range)), .range = range};
  Rule rule;
  rule.body = &shown.body;
  rule.pure = true;
  in_rule(rule, [&] {
    if (of.kind != TypeKind::nothing) rule.elements.push_back({local(add_local("it", of, text->range), text->range)});
    const Expr* words = filled_text(text);
    Block block;
    emit(block, StmtKind::log, range, words->kind == ExprKind::text ? words->args : std::vector<const Expr*>{})->text =
        words->text;
    shown.body.block = std::move(block);
    shown.body.present = true;
  });
  return shown;
}

// What is shown of players, the table and pieces, once all rules have names.
void Analysis::build_shown_texts() {
  for (const auto& [area, text] : drawn_) model_->areas[area].drawn = shown_text(text, text->range, area_type(area));
  for (const auto& [node, of_players] : shown_) {
    const Node* text = view::shows_decl(node).what();
    if (text->kind != NodeKind::string || view::shows_decl(node).called()) {
      error(Code::wrong_type, text->range,
            fmt::format("{} shows a text, and this is none", of_players ? "a player" : "the table"),
            "`shows \"sees {n} of them\"`: what stands in braces is filled in");
      continue;
    }
    model_->shown.push_back(
        shown_text(text, node->range, of_players ? player_type() : model::Type{.kind = TypeKind::nothing}));
    model_->shown.back().of_players = of_players;
  }
}

// Each library that is about a board is used on one that there is, and of its shape. On another its rules would mean
// nothing, as do the game's where a board is missing with which something is wrong.
bool Analysis::check_boards() {
  const std::size_t before = errors_;
  for (const Decl& d : decls_)
    if (d.node->kind == NodeKind::board && !board_names_.contains(d.node->text)) return false;
  for (const Unit& unit : ruleset_.units) {
    if (!unit.on || !is_used(unit.root)) continue;
    const auto named = board_named(unit.on);
    if (!named) {
      std::vector<std::string> names;
      for (const auto& [name, id] : board_names_) names.push_back(name);
      error(Code::unknown_name, unit.on->range, fmt::format("no board named `{}`", unit.on->text),
            did_you_mean(unit.on->text, names));
      continue;
    }
    const model::Board& board = model_->boards[*named];
    const std::string_view shape = board.graph ? "graph" : board.hex ? "hex" : "grid";
    const auto of = [](std::string_view s) { return s == "graph" ? "points" : s == "hex" ? "hexagons" : "squares"; };
    for (const Node* n : unit.root->children)
      if (n && n->kind == NodeKind::library && view::library(n).shape() && view::library(n).shape()->text != shape)
        error(Code::wrong_arguments, unit.on->range,
              fmt::format("`{}` is a board of {}, and this library is about {}", board.name, of(shape),
                          of(view::library(n).shape()->text)),
              fmt::format("`use std.{} on …`", shape));
  }
  return errors_ == before;
}

std::optional<std::uint32_t> Analysis::board_named(const Node* node) const {
  if (!node || node->kind != NodeKind::name_ref) return std::nullopt;
  for (const Unit& unit : ruleset_.units) {
    if (!unit.on || unit.root->range.source != node->range.source) continue;
    for (const Node* n : unit.root->children)
      if (n && n->kind == NodeKind::library && view::library(n).board() && view::library(n).board()->text == node->text)
        return board_named(unit.on);
  }
  auto it = board_names_.find(node->text);
  return it == board_names_.end() ? std::nullopt : std::optional(it->second);
}

std::optional<std::uint32_t> Analysis::board_of(const Type& cell) const {
  if (cell.kind != TypeKind::enumeration) return std::nullopt;
  for (std::uint32_t b = 0; b < model_->boards.size(); ++b)
    if (model_->boards[b].cells.index == cell.ref) return b;
  return std::nullopt;
}

const Expr* Analysis::board_member(std::uint32_t index, const Node* node, Range at) {
  const model::Board& board = model_->boards[index];
  if (node->text == "cells") return universe(enum_type(board.cells.index), node->range);
  if (board.graph && (node->text == "edges" || node->text == "width" || node->text == "height"))
    return graph_has_no(board, fmt::format("`{}`", node->text), at);
  if (node->text == "edges") return universe(enum_type(board.edges.index), node->range);
  if (node->text == "width") return integer_constant(board.width, node->range);
  if (node->text == "height") return integer_constant(board.height, node->range);
  error(Code::unknown_member, at, fmt::format("a board has no `{}`", node->text),
        did_you_mean(node->text, {"cells", "edges", "width", "height"}));
  return poison(node->range);
}

// `c.edge(d)`: the edge of a cell on one of its sides.
const Expr* Analysis::edge_of(const Expr* cell, const Node* call) {
  const model::Board& board = model_->boards[*board_of(cell->type)];
  if (board.graph) return graph_has_no(board, "edges", call->range);
  const auto& given = view::call(call).arguments()->children;
  if (given.size() != 1) {
    error(Code::wrong_arguments, call->range, "an edge of a cell is named by a direction", "`c.edge(N)`");
    return poison(call->range);
  }
  cell = convert(cell, enum_type(board.cells.index));
  const Type directions = enum_type(board.dirs.index);
  const Expr* way = convert(expr(given[0], &directions), directions);
  if (is_poison(cell) || is_poison(way)) return poison(call->range);
  const Type edge = enum_type(board.edges.index);
  if (way->kind != ExprKind::constant) return make(ExprKind::edge_of, edge, call->range, {cell, way});
  if (board.border(0, way->value) == kNone) {
    error(
        Code::wrong_arguments, given[0]->range,
        fmt::format("{} has no edge: there two corners touch", board.ways()[static_cast<std::size_t>(way->value)].name),
        "take one of N, E, S, W");
    return poison(call->range);
  }
  if (cell->kind == ExprKind::constant) return constant(edge, board.border(cell->value, way->value), call->range);
  return make(ExprKind::edge_of, edge, call->range, {cell, way});
}

std::optional<std::uint32_t> Analysis::board_of_edge(const Type& edge) const {
  if (edge.kind != TypeKind::enumeration) return std::nullopt;
  for (std::uint32_t b = 0; b < model_->boards.size(); ++b)
    if (model_->boards[b].edges.index == edge.ref) return b;
  return std::nullopt;
}

// `e.cells`
const Expr* Analysis::cells_of_edge(std::uint32_t board, const Expr* edge, Range range) {
  const Type cell = enum_type(model_->boards[board].cells.index);
  edge = convert(edge, enum_type(model_->boards[board].edges.index));
  return is_poison(edge) ? edge : make(ExprKind::cells_beside, set_type(cell), range, {edge});
}

// The board whose directions these are.
const model::Board& Analysis::board_with(const Type& direction) const {
  return *std::find_if(model_->boards.begin(), model_->boards.end(),
                       [&](const model::Board& b) { return !b.graph && b.dirs.index == direction.ref; });
}

// `dirs`, or with several boards `field.dirs`: of which board.
const model::Board* Analysis::board_with_dirs(std::string_view name) const {
  for (const model::Board& board : model_->boards)
    if (!board.graph && name == name_on(board, "dirs")) return &board;
  return nullptr;
}

// With several boards, `c + N`: a direction of the board on which c lies.
std::optional<Type> Analysis::direction_on(const Type& cells, const Node* added) const {
  const auto board = ruleset_.several_boards && added && added->kind == NodeKind::name_ref
                         ? board_of(cells.elem ? *cells.elem : cells)
                         : std::nullopt;
  if (!board || model_->boards[*board].graph || find_binding(added->text)) return std::nullopt;
  const Type way = enum_type(model_->boards[*board].dirs.index);
  const auto named = constant_names_.find(added->text);
  const bool is_way = named != constant_names_.end() && std::any_of(named->second.begin(), named->second.end(),
                                                                    [&](const auto& c) { return c.first == way.ref; });
  return is_way ? std::optional(way) : std::nullopt;
}

// What `field.cell` should have been, if that is no type.
std::string Analysis::of_one_board(std::string_view board, std::string_view name) const {
  const auto known = board_names_.find(board);
  if (known == board_names_.end()) return did_you_mean_one_of(board, [&] {
    std::vector<std::string> names;
    for (const auto& [n, id] : board_names_) names.push_back(n);
    return names;
  }());
  const model::Board& b = model_->boards[known->second];
  if (b.graph) return fmt::format("`{}` is a graph: it has the type `{}`", board, model_->enums[b.cells.index].name);
  if (!ruleset_.several_boards && (name == "cell" || name == "dir" || name == "edge"))
    return fmt::format("there is one board: say `{}`", name);
  return fmt::format("`{}`, `{}` and `{}` are the types of that board", name_on(b, "cell"), name_on(b, "dir"),
                     name_on(b, "edge"));
}

// With several boards: how a name that belongs to some of them is to be written.
std::string Analysis::of_which_board(std::string_view name) const {
  std::string all;
  for (const model::Board& board : model_->boards) {
    const std::string whole = fmt::format("{}.{}", board.name, name);
    bool known = board_with_dirs(whole) || constant_names_.contains(whole) || consts_.contains(whole);
    for (const Table* t : {&enum_names_, &record_names_, &value_names_, &function_names_})
      known = known || t->contains(whole);
    if (known) all += fmt::format("{}`{}`", all.empty() ? "say " : " or ", whole);
  }
  return all;
}

// ---------------------------------------------------------------- offsets

bool Analysis::is_offset(const Type& t) const {
  return t.kind == TypeKind::record && !model_->boards.empty() && model_->records[t.ref].name == "offset";
}

// An offset, or the step that a direction is; null where it is neither.
const Expr* Analysis::as_offset(const Expr* e) {
  if (is_offset(e->type)) return e;
  if (!is_direction(e->type)) return nullptr;
  e = convert(e, enum_type(e->type.ref));
  if (is_poison(e) || !only_looks(e)) return poison(e->range);
  return offset(member_of(e, "dx", e->range, e->range), member_of(e, "dy", e->range, e->range), e->range);
}

const Expr* Analysis::offset(const Expr* east, const Expr* north, Range range) {
  if (is_poison(east) || is_poison(north)) return poison(range);
  return make(ExprKind::record, with_ref(TypeKind::record, record_names_.find("offset")->second), range, {east, north});
}

// What `+`, `-` and `*` make of cells, sets of cells, offsets and directions; null where they are about something else.
const Expr* Analysis::offset_arithmetic(std::string_view op, const Expr* a, const Expr* b, Range range) {
  if (model_->boards.empty()) return nullptr;
  const auto is_cell = [&](const Expr* e) { return board_of(e->type).has_value(); };
  if (op == "-" && is_cell(a) && is_cell(b)) return apart(a, b, range);
  const auto about = [&](const Expr* e) { return is_offset(e->type) || is_direction(e->type); };
  const auto numbers = [&](char sign, const Expr* x, const Expr* y) {
    return make(sign == '*'   ? ExprKind::multiply
                : sign == '+' ? ExprKind::add
                              : ExprKind::subtract,
                integer_type(), range, {x, y});
  };
  if (op == "*" && (about(a) || about(b))) {
    const Expr* by = about(a) ? b : a;
    const Expr* of = about(a) ? a : b;
    if (is_poison(by = to_int(by)) || is_poison(of = as_offset(of)) || !only_looks(by)) return poison(range);
    return offset(numbers('*', by, of->args[0]), numbers('*', by, of->args[1]), range);
  }
  if ((op != "+" && op != "-") || !about(b)) return nullptr;
  const Expr* by = as_offset(b);
  if (is_poison(by)) return by;
  const auto sum = [&](const Expr* x, const Expr* y) { return numbers(op[0], x, y); };
  if (about(a)) {
    const Expr* from = as_offset(a);
    return is_poison(from) ? from : offset(sum(from->args[0], by->args[0]), sum(from->args[1], by->args[1]), range);
  }
  const bool set = a->type.kind == TypeKind::set;
  if (!set && !is_cell(a)) return nullptr;
  if (set && !board_of(element_type(a->type))) return nullptr;
  const auto turned = [&](const Expr* x) { return op == "-" ? make(ExprKind::negate, integer_type(), range, {x}) : x; };
  return set ? shifted(a, turned(by->args[0]), turned(by->args[1]), range)
             : moved_by(a, turned(by->args[0]), turned(by->args[1]), range);
}

// `c - b`
const Expr* Analysis::apart(const Expr* to, const Expr* from, Range range) {
  const model::Board& board = model_->boards[*board_of(to->type)];
  if (board.graph) return graph_has_no(board, "directions", range);
  const Type cell = enum_type(board.cells.index);
  to = convert(to, cell);
  from = convert(from, cell);
  if (is_poison(to) || is_poison(from) || !only_looks(to) || !only_looks(from)) return poison(range);
  const auto difference = [&](std::string_view axis) {
    const Expr *x = member_of(to, axis, range, range), *y = member_of(from, axis, range, range);
    return make(ExprKind::subtract, integer_type(-x->type.hi, x->type.hi), range, {x, y});
  };
  return offset(difference("x"), difference("y"), range);
}

// `c + o`
const Expr* Analysis::moved_by(const Expr* cell, const Expr* east, const Expr* north, Range range) {
  const model::Board& board = model_->boards[*board_of(cell->type)];
  if (board.graph) return graph_has_no(board, "directions", range);
  if (!only_looks(cell) || !only_looks(east) || !only_looks(north)) return poison(range);
  const bool may_be_none = cell->type.optional && !is_soft(cell);
  const auto place = [&](std::string_view axis, const Expr* by, Int size, bool wraps) {
    const Expr* on_axis = member_of(cell, axis, range, range);
    Expr* from = make(on_axis->kind, without_none(on_axis->type), range, on_axis->args);
    from->ref = on_axis->ref;
    from->value = on_axis->value;
    const Expr* at = make(ExprKind::add, integer_type(), range, {from, by});
    return wraps ? make(ExprKind::modulo, integer_type(0, size - 1), range, {at, integer_constant(size, range)}) : at;
  };
  const Type type = enum_type(board.cells.index);
  const bool surely = board.across && board.down && !may_be_none;
  Expr* e = make(ExprKind::cell_at, surely ? type : with_none(type), range,
                 {place("x", east, board.width, board.across), place("y", north, board.height, board.down)});
  if (may_be_none) {
    const Expr* none = make(ExprKind::is_none, boolean_type(), range, {cell});
    e = make(ExprKind::conditional, with_none(type), range, {none, constant(with_none(type), kNone, range), e});
  }
  if (is_narrowed(e)) e->type.optional = false;
  return e;
}

// `S + o`: on a board that wraps cell by cell.
const Expr* Analysis::shifted(const Expr* cells, const Expr* east, const Expr* north, Range range) {
  const model::Board& board = model_->boards[*board_of(element_type(cells->type))];
  if (board.graph) return graph_has_no(board, "directions", range);
  if (!board.across && !board.down) return make(ExprKind::shift_by, cells->type, range, {cells, east, north});
  const LocalId it = add_local("", enum_type(board.cells.index), range);
  const Expr* to = moved_by(local(it, range), east, north, range);
  if (is_poison(to)) return to;
  Expr* all = make(ExprKind::aggregate, cells->type, range,
                   {cells, nullptr, make(ExprKind::set_of_one, cells->type, range, {to})});
  all->value = 3;
  all->local = it;
  return all;
}

// ---------------------------------------------------------------- cells

// rack[x, y]: a cell, where x and y are surely on the board.
const Expr* Analysis::cell_at(std::uint32_t index, const Node* node) {
  const view::index its(node);
  const model::Board& board = model_->boards[index];
  if (board.graph) {
    error(Code::wrong_arguments, node->range, fmt::format("the cells of `{}` have names, and no numbers", board.name),
          fmt::format("`{}`", model_->enums[board.cells.index].constants[0].name));
    return poison(node->range);
  }
  if (node->children.size() != 3) {
    error(Code::wrong_arguments, node->range, "a cell is named by two numbers",
          fmt::format("`{}[x, y]`, both from 0", board.name));
    return poison(node->range);
  }
  const Expr *x = integer(its.keys(0)), *y = integer(its.keys(1));
  if (is_poison(x) || is_poison(y)) return poison(node->range);
  const Type cell = enum_type(board.cells.index);
  const auto never = [&](const Expr* e, Int size, std::string_view what) {
    if (e->type.hi >= 0 && e->type.lo < size) return false;
    error(Code::out_of_range, e->range, fmt::format("`{}` is {} cells {}: this is never on it", board.name, size, what),
          fmt::format("from 0 to {}", size - 1));
    return true;
  };
  if (never(x, board.width, "wide") || never(y, board.height, "high")) return poison(node->range);
  if (x->kind == ExprKind::constant && y->kind == ExprKind::constant)
    return constant(cell, y->value * board.width + x->value, node->range);
  const bool surely = x->type.lo >= 0 && x->type.hi < board.width && y->type.lo >= 0 && y->type.hi < board.height;
  Expr* e = make(ExprKind::cell_at, surely ? cell : with_none(cell), node->range, {x, y});
  if (is_narrowed(e)) e->type.optional = false;
  return e;
}

// c + d, S + d, and back with `-`.
const Expr* Analysis::moved(const Expr* of, const Expr* direction, bool back, Range range) {
  const model::Board& board =
      model_->boards[*board_of(of->type.kind == TypeKind::set ? element_type(of->type) : of->type)];
  if (board.graph) return graph_has_no(board, "directions", range);
  direction = convert(direction, enum_type(board.dirs.index));
  if (is_poison(of) || is_poison(direction)) return poison(range);
  if (back) direction = rotated(direction, integer_constant(board.directions() / 2, range), range);
  if (of->type.kind == TypeKind::set) return make(ExprKind::shift, of->type, range, {of, direction});
  Expr* e = make(ExprKind::step, board.across && board.down ? of->type : with_none(of->type), range, {of, direction});
  if (is_narrowed(e)) e->type.optional = false;
  return e;
}

const Expr* Analysis::rotated(const Expr* direction, const Expr* by, Range range) {
  if (is_poison(direction) || is_poison(by)) return poison(range);
  direction = convert(
      direction, enum_type((is_direction(direction->type) ? board_with(direction->type) : first_grid()).dirs.index));
  if (is_poison(direction)) return direction;
  if (direction->kind == ExprKind::constant && by->kind == ExprKind::constant) {
    const Int all = board_with(direction->type).directions();
    return constant(direction->type, ((direction->value + by->value) % all + all) % all, range);
  }
  return make(ExprKind::rotated, direction->type, range, {direction, by});
}

}  // namespace cardwright::sema
