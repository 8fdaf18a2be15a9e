// Declares pieces: their numbers, positions and shapes.
#include "compiler/sema/declarations/pieces.h"

#include <algorithm>

#include <fmt/format.h>

#include "compiler/sema/operations/board_types.h"
#include "compiler/sema/operations/type_relations.h"
#include "compiler/sema/declarations/boards.h"
#include "compiler/sema/declarations/state.h"
#include "compiler/sema/expressions/expressions.h"
#include "compiler/sema/expressions/pieces.h"
#include "compiler/sema/expressions/records.h"
#include "compiler/sema/operations/convert.h"
#include "compiler/sema/operations/graphs.h"
#include "compiler/sema/operations/pieces.h"
#include "compiler/sema/options/collect.h"
#include "compiler/sema/options/tree_constants.h"
#include "compiler/sema/symbols/areas.h"
#include "compiler/sema/symbols/errors.h"
#include "compiler/sema/symbols/make.h"
#include "compiler/sema/symbols/types.h"

namespace cardwright::sema {

static std::optional<model::VariableId> declared_position(SemaContext& sema, std::uint32_t area, const Node* members,
                                                          const Type& cell);

static void declare_covers(SemaContext& sema, std::uint32_t area, const Node* covers);

static void note_sorts(SemaContext& sema, model::Area& kind, Int sorts, const std::vector<Int>& sort_of);

static void declare_covered_edges(SemaContext& sema, std::uint32_t area, const Node* covers);

constexpr Int kMostPieces = 4'000;   // limit for each kind of piece, and for all pieces together

// Converts the name of an enum to the name of the member that returns a piece's constant: for pieces `per Item`, this
// is `t.item`.
static std::string lowered(std::string_view name) {
  std::string out(name);
  if (!out.empty() && out[0] >= 'A' && out[0] <= 'Z') out[0] = static_cast<char>(out[0] - 'A' + 'a');
  return out;
}

// Returns the name of the hidden attribute that stores the size of the piece for each constant. The name contains
// spaces, so it can't conflict with an identifier.
static std::string shape_attribute(std::string_view piece) { return fmt::format("shape of {}", piece); }

// Declares a variable with a generated name, such as `hero.at` or `cube.face`, which can't be a duplicate.
model::VariableId place_variable(SemaContext& sema, const std::string& name, Type type, std::optional<Type> of,
                                 Range range) {
  model::Variable v;
  v.name = name;
  v.type = std::move(type);
  if (of) v.indices.push_back(std::move(*of));
  v.range = range;
  sema.model.variables.push_back(std::move(v));
  return {static_cast<std::uint32_t>(sema.model.variables.size() - 1)};
}

// Sets the number of pieces. If there is an error, makes the area inaccessible.
void count_piece(SemaContext& sema, std::uint32_t area, const Node* node, bool of_players) {
  const auto refuse = [&](Code code, Range range, std::string what, std::string help = {}) {
    error(sema, code, range, std::move(what), std::move(help));
    forget_area(sema, area);
  };
  if (!board_named(sema, view::piece(node).board())) {
    std::vector<std::string> names;
    for (const auto& [n, id] : sema.boards.names) names.push_back(n);
    return refuse("unknown_name"_code, view::piece(node).board()->range,
                  fmt::format("unknown board `{}`", view::piece(node).board()->text),
                  names.empty() ? "declare a board: `board field: grid 8 x 8`"
                                : did_you_mean_one_of(view::piece(node).board()->text, names));
  }
  const Node* of = view::piece(node).count();
  Int count = sema.players;
  if (node->number != 0 && of_players)
    return refuse(
        "misplaced"_code, of->range, "expected a number of pieces for each player",
        fmt::format("write `piece {} x 5 on {}` in `player {{ … }}`; declare a piece per constant at the top level",
                    node->text, view::piece(node).board()->text));
  if (node->number == 0) {
    const auto n = tree_int(sema, of);
    if (!n) return forget_area(sema, area);
    count = *n < 1 || *n > kMostPieces ? *n : *n * (of_players ? sema.players : 1);
  } else if (auto e = sema.names.enums.find(of->text);
             e != sema.names.enums.end() && !sema.model.enums[e->second].cells) {
    count = static_cast<Int>(sema.model.enums[e->second].constants.size());
    sema.areas.all[area].constant = lowered(of->text);
    sema.model.areas[area].per = model::EnumId{e->second};
  } else if (of->text != "player") {
    std::vector<std::string> names{"player"};
    for (const auto& [n, id] : sema.names.enums)
      if (!sema.model.enums[id].cells) names.push_back(n);
    return refuse("unknown_name"_code, of->range,
                  fmt::format("expected `player` or an enum after `per`, found `{}`", of->text),
                  did_you_mean(of->text, names));
  }
  if (count < 1 || count > kMostPieces)
    return refuse("out_of_range"_code, of->range,
                  fmt::format("number of pieces out of range; expected 1 to {}, found {}{}", kMostPieces, count,
                              of_players ? fmt::format(" (with {} players)", sema.players) : ""));
  const bool one_each = node->number != 0 && of->text == "player";
  set_parts(sema, area, count, of_players ? count / sema.players : one_each ? 1 : 0);
}

void declare_piece(SemaContext& sema, const Node* node) {
  const view::piece its(node);
  const auto found = sema.areas.of_node.find(node);
  if (found == sema.areas.of_node.end()) return;
  const std::uint32_t area = found->second;
  const std::string name(node->text);
  const auto board = board_named(sema, its.board());
  const Type part = area_type(sema, area);
  const auto add = [&](const char* member, Type type) {
    const model::VariableId id =
        place_variable(sema, name + "." + member, std::move(type), part, name_range(sema, node));
    sema.model.variables[id.index].each = sema.areas.all[area].each;
    sema.areas.all[area].variables.emplace(member, id.index);
    return id;
  };
  model::Area kind = sema.model.areas[area];
  const model::Board& on = sema.model.boards[*board];
  const Node* const covers = find_member(sema, its.members(), NodeKind::covers);
  const bool edges = covers && covers->number == 2 && !on.graph;
  const Type spot = enum_type(edges ? on.edges.index : on.cells.index);
  const auto always = declared_position(sema, area, its.members(), spot);
  kind.piece = model::Placing{
      .at = always ? *always : add("at", with_none(spot)), .facing = {}, .shapes = {}, .sort = {}, .edges = edges};
  if (const Node* facing = find_member(sema, its.members(), NodeKind::facing_decl); facing && on.graph) {
    graph_has_no(sema, on, "directions", facing->range);
  } else if (facing && edges) {
    error(sema, "wrong_type"_code, facing->range, fmt::format("`{}` covers edges, so it can't have a facing", name),
          "its edge already determines its direction");
  } else if (facing) {
    const Type direction = enum_type(on.dirs.index);
    kind.piece->facing = add("facing", direction);
    sema.model.variables[kind.piece->facing->index].initial =
        constant(sema, direction, first_facing(sema, facing, direction), facing->range);
  }
  if (const Node* shows = find_member(sema, its.members(), NodeKind::shows_decl)) {
    const Node* sign = view::shows_decl(shows).what();
    if (sign->kind == NodeKind::string &&
        sema.diagnostics.sources().text(sign->range).find('{') != std::string_view::npos)
      sema.boards.drawn.emplace(area, sign);
    else
      kind.sign = sign_of(sema, shows);
  }
  sema.model.areas[area] = std::move(kind);
  if (covers) declare_covers(sema, area, covers);
  Int all = 0;
  for (std::uint32_t a = 0; a <= area; ++a)
    if (sema.areas.all[a].piece) all += sema.areas.all[a].count;
  if (all > kMostPieces)
    error(sema, "limit_exceeded"_code, name_range(sema, node),
          fmt::format("with `{}` the game has {} pieces; the limit is {}", name, all, kMostPieces));
  expand(sema, its.members(), model::RuleKind::rule, [&](const Node* m, model::RuleKind) {
    const bool place = m->kind == NodeKind::field && m->text == "at";
    if (!place && (m->kind == NodeKind::field || m->kind == NodeKind::zone)) declare_area_member(sema, area, m);
  });
}

// Reads `at: cell = a1`, which places the piece on the board permanently. A piece with `at: cell?` can be taken off the
// board.
static std::optional<model::VariableId> declared_position(SemaContext& sema, std::uint32_t area, const Node* members,
                                                          const Type& cell) {
  const Node* at = nullptr;
  expand(sema, members, model::RuleKind::rule, [&](const Node* m, model::RuleKind) {
    if (m->kind != NodeKind::field || m->text != "at") return;
    if (at) error(sema, "duplicate_declaration"_code, name_range(sema, m), "duplicate declaration of `at`");
    at = m;
  });
  if (!at) return std::nullopt;
  declare_area_member(sema, area, at);
  const auto refuse = [&](std::string what) {
    error(sema, "wrong_type"_code, at->range, std::move(what),
          "write `at: cell = a1` for the first position of a piece that stays on the board, `cell?` if it can be taken "
          "off "
          "(for a piece that covers edges: `at: edge = a1|N`)");
    sema.areas.all[area].variables.erase("at");
    return std::nullopt;
  };
  const std::string& name = sema.areas.all[area].name;
  const auto found = sema.areas.all[area].variables.find("at");
  const model::Variable* v =
      found == sema.areas.all[area].variables.end() ? nullptr : &sema.model.variables[found->second];
  if (v && v->type.kind == TypeKind::poison) return model::VariableId{found->second};
  if (!v || !same_type(sema, v->type, cell) || v->indices.size() != 1)
    return refuse(fmt::format("expected type `{1}` for the position of `{0}`", name, show(sema, cell)));
  if (!view::field(at).initial()) return refuse(fmt::format("the first position of `{}` is missing", name));
  if (v->visibility != model::Visibility::open) return refuse(fmt::format("the position of `{}` must be public", name));
  return model::VariableId{found->second};
}

// Checks that no piece extends beyond the board at its initial position.
void check_first_places(SemaContext& sema) {
  for (std::uint32_t a = 0; a < sema.areas.all.size(); ++a) {
    const auto& piece = sema.model.areas[a].piece;
    const model::Variable* at = piece ? &sema.model.variables[piece->at.index] : nullptr;
    if (!at || !at->initial || at->initial->value == kNone) continue;
    const Int facing = piece->facing ? sema.model.variables[piece->facing->index].initial->value : 0;
    for (Int part = 1; part <= sema.areas.all[a].count; ++part)
      if (!stays_on_board(sema, piece->shapes, sort_of_part(sema, a, part), at->initial->value, facing))
        return void(error(sema, "out_of_range"_code, at->initial->range,
                          fmt::format("`{}` extends beyond the board at this position", sema.areas.all[a].name),
                          piece->edges ? "it covers edges to the east or to the north of its position"
                                       : "it covers cells to the east and to the north of its position"));
  }
}

// Reads `covers`: collects the distinct sizes and, for pieces `per ENUM`, records the size for each constant.
static void declare_covers(SemaContext& sema, std::uint32_t area, const Node* covers) {
  const auto per = sema.model.areas[area].per;
  const model::Board& on = board_of_piece(sema, *sema.model.areas[area].piece);
  if (on.graph)
    return void(error(sema, "wrong_type"_code, covers->range,
                      fmt::format("`{}` is a graph, where a piece always covers one cell", on.name),
                      "remove `covers`"));
  if (covers->number == 2) return declare_covered_edges(sema, area, covers);
  std::vector<std::vector<std::pair<Int, Int>>> sorts;
  std::vector<Int> sort_of;
  for (Int i = 0; i < (per ? sema.areas.all[area].count : 1); ++i) {
    const auto offsets = offsets_of(
        sema,
        {covers, per ? std::optional(Element{constant(sema, enum_type(per->index), i, covers->range)}) : std::nullopt});
    if (!offsets || !fits_board(sema, on, *offsets, covers->range)) return;
    const auto found = std::find(sorts.begin(), sorts.end(), *offsets);
    sort_of.push_back(found - sorts.begin());
    if (found == sorts.end()) sorts.push_back(*offsets);
  }
  model::Area& kind = sema.model.areas[area];
  kind.piece->shapes =
      add_shapes(sema, *board_of(sema, enum_type(on.cells.index)), kind.name, sorts, kind.piece->facing.has_value());
  if (kind.piece->shapes && sorts.size() > 1) note_sorts(sema, kind, static_cast<Int>(sorts.size()), sort_of);
}

// Stores the size for each constant in a hidden attribute of the enum.
static void note_sorts(SemaContext& sema, model::Area& kind, Int sorts, const std::vector<Int>& sort_of) {
  kind.piece->sort = model::AttributeId{static_cast<std::uint32_t>(sema.model.attributes.size())};
  add_attribute(sema, kind.per->index, shape_attribute(kind.name), integer_type(0, sorts - 1), sort_of);
}

// Reads `covers 2 edges`. The edges form a row to the east or to the north.
static void declare_covered_edges(SemaContext& sema, std::uint32_t area, const Node* covers) {
  const auto per = sema.model.areas[area].per;
  const model::Board& on = board_of_piece(sema, *sema.model.areas[area].piece);
  model::Shapes shapes{.name = sema.areas.all[area].name,
                       .board = static_cast<std::uint32_t>(&on - sema.model.boards.data())};
  std::vector<Int> sort_of;
  for (Int i = 0; i < (per ? sema.areas.all[area].count : 1); ++i) {
    const auto numbers = numbers_covered(
        sema,
        {covers, per ? std::optional(Element{constant(sema, enum_type(per->index), i, covers->range)}) : std::nullopt});
    if (!numbers) return;
    const Int length = numbers->front();
    if (length < 1 || length > std::max(on.width, on.height))
      return void(error(sema, "out_of_range"_code, covers->range,
                        fmt::format("length of a piece on `{}` out of range; expected 1 to {} edges, found {}", on.name,
                                    std::max(on.width, on.height), length)));
    if (on.hex && length > 1)
      return void(error(sema, "wrong_type"_code, covers->range, "on hexagons, a piece can't cover several edges",
                        "write `covers 1 edges`"));
    const auto found = std::find(shapes.lengths.begin(), shapes.lengths.end(), length);
    sort_of.push_back(found - shapes.lengths.begin());
    if (found == shapes.lengths.end()) shapes.lengths.push_back(length);
  }
  const Int sorts = static_cast<Int>(shapes.lengths.size());
  if (sorts == 1 && shapes.lengths[0] == 1) return;
  shapes.offsets.resize(shapes.lengths.size());
  sema.model.shapes.push_back(std::move(shapes));
  model::Area& kind = sema.model.areas[area];
  kind.piece->shapes = static_cast<std::uint32_t>(sema.model.shapes.size() - 1);
  if (sorts > 1) note_sorts(sema, kind, sorts, sort_of);
}

// Evaluates `facing N`, the initial facing. Pieces off the board also have this facing.
Int first_facing(SemaContext& sema, const Node* facing, const Type& direction) {
  Body& body = sema.scratch.emplace_back();
  RuleContext rule(sema);
  rule.body = &body;
  rule.pure = true;
  Int way = 0;
  const Expr* e =
      known(sema, convert(rule, expr(rule, view::facing_decl(facing).direction(), &direction), direction, "facing"),
            "facing");
  if (!is_poison(e)) way = e->value;
  return way;
}

static bool is_rectangle(const std::vector<std::pair<Int, Int>>& offsets) {
  const auto [left, right] = extent(offsets, true);
  const auto [low, high] = extent(offsets, false);
  return left == 0 && low == 0 && static_cast<Int>(offsets.size()) == (right + 1) * (high + 1);
}

// Adds the shape of each size for each facing. On squares, a w x d rectangle looks the same from both sides, and
// becomes d x w if it faces east or west. Other shapes rotate around their position: in quarter turns on squares, in
// sixth turns on hexagons. A diagonal facing does not rotate a shape.
std::optional<std::uint32_t> add_shapes(SemaContext& sema, std::uint32_t on, const std::string& name,
                                        std::span<const std::vector<std::pair<Int, Int>>> sorts, bool faces) {
  const model::Board& board = sema.model.boards[on];
  const auto turned = [&](const std::vector<std::pair<Int, Int>>& offsets, Int facing) {
    std::vector<std::pair<Int, Int>> out;
    const Int quarters = board.hex ? facing : facing % 2 != 0 ? 0 : facing / 2;
    for (auto [x, y] : offsets) {
      if (!board.hex && is_rectangle(offsets)) {
        if (quarters % 2 != 0) std::swap(x, y);
      } else {
        for (Int i = 0; i < quarters; ++i) {
          const Int east = board.hex ? x + y : y;
          y = -x;
          x = east;
        }
      }
      out.emplace_back(x, y);
    }
    std::sort(out.begin(), out.end());
    return out;
  };
  model::Shapes shapes{.name = name, .board = on};
  const bool turns = faces && std::any_of(sorts.begin(), sorts.end(), [&](const auto& offsets) {
                       for (Int d = 1; d < board.directions(); ++d)
                         if (turned(offsets, d) != turned(offsets, 0)) return true;
                       return false;
                     });
  shapes.facings = turns ? board.directions() : 1;
  for (const auto& offsets : sorts)
    for (Int d = 0; d < shapes.facings; ++d) shapes.offsets.push_back(turned(offsets, d));
  const bool one_cell = std::all_of(shapes.offsets.begin(), shapes.offsets.end(), [](const auto& o) {
    return o.size() == 1 && o[0] == std::pair<Int, Int>{0, 0};
  });
  if (one_cell) return std::nullopt;
  sema.model.shapes.push_back(std::move(shapes));
  return static_cast<std::uint32_t>(sema.model.shapes.size() - 1);
}

}   // namespace cardwright::sema
