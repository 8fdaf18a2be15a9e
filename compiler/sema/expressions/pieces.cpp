// Builds pieces: areas whose parts are placed on a board. Position and facing are variables; the covered cells or edges
// are computed from them.
#include "compiler/sema/expressions/pieces.h"

#include <algorithm>

#include <fmt/format.h>

#include "compiler/sema/statements/assign.h"
#include "compiler/sema/expressions/board_cards.h"
#include "compiler/sema/expressions/boards.h"
#include "compiler/sema/expressions/calls.h"
#include "compiler/sema/options/collect.h"
#include "compiler/sema/expressions/comparisons.h"
#include "compiler/sema/declarations/components.h"
#include "compiler/sema/expressions/convert.h"
#include "compiler/sema/expressions/expressions.h"
#include "compiler/sema/options/fixed.h"
#include "compiler/sema/expressions/graphs.h"
#include "compiler/sema/expressions/members.h"
#include "compiler/sema/statements/moves.h"
#include "compiler/sema/expressions/names.h"
#include "compiler/sema/expressions/narrowing.h"
#include "compiler/sema/expressions/operators.h"
#include "compiler/sema/expressions/records.h"
#include "compiler/sema/expressions/sets.h"
#include "compiler/sema/declarations/state.h"
#include "compiler/sema/statements/statements.h"
#include "compiler/sema/expressions/texts.h"

namespace cardwright::sema {

static std::optional<model::VariableId> lies_always(SemaContext& sema, std::uint32_t area, const Node* members,
                                                    const Type& cell);
static void declare_covers(SemaContext& sema, std::uint32_t area, const Node* covers);
static void note_sorts(SemaContext& sema, model::Area& kind, Int sorts, const std::vector<Int>& sort_of);
static void declare_covered_edges(SemaContext& sema, std::uint32_t area, const Node* covers);
static std::optional<std::vector<Int>> numbers_covered(SemaContext& sema, const Covered& covered);
static const Expr* constant_of_part(SemaContext& sema, const Expr* part, Range range);
static const Expr* placed_thing(RuleContext& rule, const Node* node);

namespace {

constexpr Int kMostPieces = 4'000;   // limit for each kind of piece, and for all pieces together

// Returns the name of the member that contains the constant of a piece: `t.item` for pieces `per Item`.
std::string lowered(std::string_view name) {
  std::string out(name);
  if (!out.empty() && out[0] >= 'A' && out[0] <= 'Z') out[0] = static_cast<char>(out[0] - 'A' + 'a');
  return out;
}

// Returns the name of the hidden attribute that stores the size of a constant's piece. No identifier can have this
// name.
std::string shape_attribute(std::string_view piece) { return fmt::format("shape of {}", piece); }

}   // namespace

// ---------------------------------------------------------------- declarations

// Returns the member of this node kind under the chosen options. Duplicates are reported elsewhere.
const Node* said_in(SemaContext& sema, const Node* members, NodeKind kind) {
  const Node* found = nullptr;
  expand(sema, members, model::RuleKind::rule, [&](const Node* m, model::RuleKind) {
    if (m->kind == kind) found = m;
  });
  return found;
}

// Declares `hero.at`. The name is generated, so it can't be a duplicate.
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

// Reads the text of `shows "@"`.
std::string sign_of(SemaContext& sema, const Node* shows) {
  const Node* sign = view::shows_decl(shows).what();
  if (sign->kind == NodeKind::string) return plain_words(sema, sign);
  error(sema, Code::wrong_type, sign->range, "expected a text after `shows`",
        "write `shows \"@\"`; the body of a board declares the text of empty cells");
  return {};
}

// Sets the number of pieces. After an error, makes the area inaccessible.
void count_piece(SemaContext& sema, std::uint32_t area, const Node* node, bool of_players) {
  const auto refuse = [&](Code code, Range range, std::string what, std::string help = {}) {
    error(sema, code, range, std::move(what), std::move(help));
    forget_area(sema, area);
  };
  if (!board_named(sema, view::piece(node).board())) {
    std::vector<std::string> names;
    for (const auto& [n, id] : sema.boards.names) names.push_back(n);
    return refuse(Code::unknown_name, view::piece(node).board()->range,
                  fmt::format("unknown board `{}`", view::piece(node).board()->text),
                  names.empty() ? "declare a board: `board field: grid 8 x 8`"
                                : did_you_mean_one_of(view::piece(node).board()->text, names));
  }
  const Node* of = view::piece(node).count();
  Int count = sema.players;
  if (node->number != 0 && of_players)
    return refuse(
        Code::misplaced, of->range, "expected a number of pieces for each player",
        fmt::format("write `piece {} x 5 on {}` in `player {{ … }}`; declare a piece per constant at the top level",
                    node->text, view::piece(node).board()->text));
  if (node->number == 0) {
    const auto n = fixed_int(sema, of);
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
    return refuse(Code::unknown_name, of->range,
                  fmt::format("expected `player` or an enum after `per`, found `{}`", of->text),
                  did_you_mean(of->text, names));
  }
  if (count < 1 || count > kMostPieces)
    return refuse(Code::out_of_range, of->range,
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
  const Node* const covers = said_in(sema, its.members(), NodeKind::covers);
  const bool edges = covers && covers->number == 2 && !on.graph;
  const Type spot = enum_type(edges ? on.edges.index : on.cells.index);
  const auto always = lies_always(sema, area, its.members(), spot);
  kind.piece = model::Placing{
      .at = always ? *always : add("at", with_none(spot)), .facing = {}, .shapes = {}, .sort = {}, .edges = edges};
  if (const Node* facing = said_in(sema, its.members(), NodeKind::facing_decl); facing && on.graph) {
    graph_has_no(sema, on, "directions", facing->range);
  } else if (facing && edges) {
    error(sema, Code::wrong_type, facing->range, fmt::format("a `{}` covers edges, so it can't have a facing", name),
          "its edge already determines its direction");
  } else if (facing) {
    const Type direction = enum_type(on.dirs.index);
    kind.piece->facing = add("facing", direction);
    sema.model.variables[kind.piece->facing->index].initial =
        constant(sema, direction, first_facing(sema, facing, direction), facing->range);
  }
  if (const Node* shows = said_in(sema, its.members(), NodeKind::shows_decl)) {
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
    error(sema, Code::too_many, name_range(sema, node),
          fmt::format("with `{}` the game has {} pieces; the limit is {}", name, all, kMostPieces));
  expand(sema, its.members(), model::RuleKind::rule, [&](const Node* m, model::RuleKind) {
    const bool place = m->kind == NodeKind::field && m->text == "at";
    if (!place && (m->kind == NodeKind::field || m->kind == NodeKind::zone)) declare_area_member(sema, area, m);
  });
}

// Reads `at: cell = a1`, which places the piece on the board permanently. With `at: cell?`, the piece can be taken off
// the board.
static std::optional<model::VariableId> lies_always(SemaContext& sema, std::uint32_t area, const Node* members,
                                                    const Type& cell) {
  const Node* at = nullptr;
  expand(sema, members, model::RuleKind::rule, [&](const Node* m, model::RuleKind) {
    if (m->kind != NodeKind::field || m->text != "at") return;
    if (at) error(sema, Code::declared_twice, name_range(sema, m), "duplicate declaration of `at`");
    at = m;
  });
  if (!at) return std::nullopt;
  declare_area_member(sema, area, at);
  const auto refuse = [&](std::string what) {
    error(sema, Code::wrong_type, at->range, std::move(what),
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
        return void(error(sema, Code::out_of_range, at->initial->range,
                          fmt::format("a `{}` here extends beyond the board", sema.areas.all[a].name),
                          piece->edges ? "it covers edges to the east or to the north of its position"
                                       : "it covers cells to the east and to the north of its position"));
  }
}

// Reads `covers`: collects the distinct sizes, and records the size of each constant's piece.
static void declare_covers(SemaContext& sema, std::uint32_t area, const Node* covers) {
  const auto per = sema.model.areas[area].per;
  const model::Board& on = board_of_piece(sema, *sema.model.areas[area].piece);
  if (on.graph)
    return void(error(sema, Code::wrong_type, covers->range,
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

// Stores the size of each constant's piece in a hidden attribute.
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
      return void(error(sema, Code::out_of_range, covers->range,
                        fmt::format("length of a piece on `{}` out of range; expected 1 to {} edges, found {}", on.name,
                                    std::max(on.width, on.height), length)));
    if (on.hex && length > 1)
      return void(error(sema, Code::wrong_type, covers->range, "on hexagons, a piece can't cover several edges",
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

// Evaluates the numbers after `covers`. If there is one piece per constant, they can depend on the constant.
static std::optional<std::vector<Int>> numbers_covered(SemaContext& sema, const Covered& covered) {
  Body& body = sema.scratch.emplace_back();
  RuleContext rule(sema);
  rule.body = &body;
  rule.pure = true;
  std::vector<Int> numbers;
  if (covered.of) rule.elements.push_back(*covered.of);
  for (const Node* n : covered.node->children) {
    const Expr* e = integer(rule, n);
    if (!is_poison(e)) e = known(sema, e, "covers");
    if (is_poison(e)) return std::nullopt;
    numbers.push_back(e->value);
  }
  if (numbers.empty()) return std::nullopt;
  return numbers;
}

// Returns the covered cells as offsets from the piece's position, to the east and to the north.
std::optional<std::vector<std::pair<Int, Int>>> offsets_of(SemaContext& sema, const Covered& covered) {
  if (covered.node->number == 2) {
    error(sema, Code::wrong_type, covered.node->range, "cards can only cover cells",
          "write `covers 2 x 1`, or declare a piece to cover edges: `piece wall x 20 on field { covers 2 edges }`");
    return std::nullopt;
  }
  const auto said = numbers_covered(sema, covered);
  if (!said || said->size() < 2) return std::nullopt;
  const std::vector<Int>& numbers = *said;
  std::vector<std::pair<Int, Int>> offsets;
  if (covered.node->number == 1) {
    for (std::size_t i = 0; i + 1 < numbers.size(); i += 2) offsets.emplace_back(numbers[i], numbers[i + 1]);
    std::sort(offsets.begin(), offsets.end());
    offsets.erase(std::unique(offsets.begin(), offsets.end()), offsets.end());
    return offsets;
  }
  for (std::size_t i = 0; i < 2; ++i)
    if (numbers[i] < 1 || numbers[i] > model::kMostCells) {
      error(sema, Code::out_of_range, view::covers(covered.node).numbers(i)->range,
            fmt::format("size of a piece out of range; expected 1 to {} cells in each direction, found {}",
                        model::kMostCells, numbers[i]));
      return std::nullopt;
    }
  for (Int x = 0; x < numbers[0]; ++x)
    for (Int y = 0; y < numbers[1]; ++y) offsets.emplace_back(x, y);
  return offsets;
}

namespace {

std::pair<Int, Int> extent(const std::vector<std::pair<Int, Int>>& offsets, bool across) {
  const auto part = [&](const auto& o) { return across ? o.first : o.second; };
  const auto [least, most] = std::minmax_element(offsets.begin(), offsets.end(),
                                                 [&](const auto& a, const auto& b) { return part(a) < part(b); });
  return {part(*least), part(*most)};
}

bool is_rectangle(const std::vector<std::pair<Int, Int>>& offsets) {
  const auto [left, right] = extent(offsets, true);
  const auto [low, high] = extent(offsets, false);
  return left == 0 && low == 0 && static_cast<Int>(offsets.size()) == (right + 1) * (high + 1);
}

}   // namespace

bool fits_board(SemaContext& sema, const model::Board& board, const std::vector<std::pair<Int, Int>>& offsets,
                Range range) {
  const auto [left, right] = extent(offsets, true);
  const auto [low, high] = extent(offsets, false);
  const bool turned = right - left < board.height && high - low < board.width;
  if ((right - left < board.width && high - low < board.height) || turned) return true;
  error(sema, Code::out_of_range, range,
        fmt::format("this covers {} x {} cells, but `{}` has only {} x {}", right - left + 1, high - low + 1,
                    board.name, board.width, board.height));
  return false;
}

// Adds the shape of each sort for each facing. On squares, a w x d rectangle looks the same from both sides, and
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

// ---------------------------------------------------------------- expressions

static const model::Placing* placing_of(const SemaContext& sema, const Type& t) {
  if (lies_on_board(sema, t)) return &sema.model.lying->placing;
  if (t.kind == TypeKind::integer && t.ref < sema.model.areas.size() && sema.model.areas[t.ref].piece)
    return &*sema.model.areas[t.ref].piece;
  return nullptr;
}

// Returns the piece or card whose `at` or `facing` is this variable, and its name.
std::optional<std::pair<const model::Placing*, std::string>> placed_by(const SemaContext& sema,
                                                                       std::uint32_t variable) {
  const auto is_of = [&](const model::Placing& p) {
    return p.at.index == variable || (p.facing && p.facing->index == variable);
  };
  for (std::uint32_t a = 0; a < sema.areas.all.size(); ++a)
    if (const auto& piece = sema.model.areas[a].piece; piece && is_of(*piece))
      return std::pair{&*piece, sema.areas.all[a].name};
  if (sema.model.lying && is_of(sema.model.lying->placing))
    return std::pair{&sema.model.lying->placing, std::string("card")};
  return std::nullopt;
}

// Returns whether every element of the set is certainly on the board, as in `cards at c` and `tokens on field`.
bool surely_lie(RuleContext& rule, const Expr& set) {
  if (set.type.kind != TypeKind::set || !placing_of(rule.sema, element_type(set.type))) return false;
  if (set.kind == ExprKind::zone) return rule.model.lying && set.ref == rule.model.lying->zone.index;
  if (set.kind != ExprKind::filter || is_poison(model::view::filter(set).condition())) return false;
  Scoped scope(rule);
  narrow(rule, model::view::filter(set).condition(), true);
  return is_narrowed(rule, place_of(rule, local(rule, set.local, set.range), set.range)) ||
         surely_lie(rule, *model::view::filter(set).domain());
}

const Expr* place_of(RuleContext& rule, const Expr* x, Range range) {
  return variable_of(rule, placing_of(rule.sema, x->type)->at.index, range, {x});
}

// Returns the facing of a piece, or north if the piece has none. Graphs have no facings.
static const Expr* facing_of(RuleContext& rule, const Expr* x, Range range) {
  const model::Placing& placing = *placing_of(rule.sema, x->type);
  if (placing.facing) return variable_of(rule, placing.facing->index, range, {x});
  return constant(rule.sema, enum_type(board_of_piece(rule.sema, placing).dirs.index), 0, range);
}

static const Expr* shape_of(SemaContext& sema, const Expr* x, const Expr* facing, Range range) {
  const model::Shapes& shapes = sema.model.shapes[*placing_of(sema, x->type)->shapes];
  const Int sorts = static_cast<Int>(shapes.offsets.size()) / shapes.facings;
  const Expr* sort = integer_constant(sema, 0, range);
  if (placing_of(sema, x->type)->sort) {
    Expr* of = make(sema, ExprKind::attribute, integer_type(0, sorts - 1), range,
                    {x->type.kind == TypeKind::card ? x : constant_of_part(sema, x, range)});
    of->ref = placing_of(sema, x->type)->sort->index;
    sort = of;
  }
  if (shapes.facings == 1) return sort;
  const Expr* way = make(sema, ExprKind::number_of, integer_type(0, shapes.facings - 1), range, {facing});
  if (!placing_of(sema, x->type)->sort) return way;
  const Expr* first = make(sema, ExprKind::multiply, integer_type(0, (sorts - 1) * shapes.facings), range,
                           {sort, integer_constant(sema, shapes.facings, range)});
  return make(sema, ExprKind::add, integer_type(0, sorts * shapes.facings - 1), range, {first, way});
}

static const Expr* footprint(SemaContext& sema, const Expr* x, const Expr* cell, const Expr* facing, bool surely,
                             Range range) {
  if (is_poison(cell) || is_poison(facing)) return poison(sema, range);
  const model::Placing& placing = *placing_of(sema, x->type);
  const Type cells = set_type(spot_type(sema, placing));
  if (!placing.shapes) return make(sema, ExprKind::set_of_one, cells, range, {cell});
  Expr* e = make(sema, ExprKind::footprint, cells, range, {shape_of(sema, x, facing, range), cell});
  e->ref = *placing.shapes;
  e->value = surely;
  return e;
}

// Builds `footprint(x, c)` and `footprint(x, c, d)`: the cells that x would cover there.
const Expr* footprint_call(RuleContext& rule, const std::vector<const Node*>& nodes, Range range) {
  const Expr* x = placed_thing(rule, nodes[0]);
  if (is_poison(x)) return x;
  const model::Board& board = board_of_piece(rule.sema, *placing_of(rule.sema, x->type));
  if (board.graph && nodes.size() > 2) return graph_has_no(rule.sema, board, "directions", nodes[2]->range);
  if (placing_of(rule.sema, x->type)->edges && nodes.size() > 2) {
    error(rule.sema, Code::wrong_type, nodes[2]->range,
          fmt::format("a `{}` covers edges, so it can't have a facing", placed_word(rule.sema, x->type)),
          "write `footprint(x, e)`");
    return poison(rule.sema, range);
  }
  const Type cell = with_none(spot_type(rule.sema, *placing_of(rule.sema, x->type))),
             direction = enum_type(board.dirs.index);
  const Expr* at = convert(rule, expr(rule, nodes[1], &cell), cell);
  const Expr* way =
      nodes.size() > 2 ? convert(rule, expr(rule, nodes[2], &direction), direction) : facing_of(rule, x, range);
  return footprint(rule.sema, x, at, way, false, range);
}

static const Expr* constant_of_part(SemaContext& sema, const Expr* part, Range range) {
  const Type type = enum_type(sema.model.areas[part->type.ref].per->index);
  if (part->kind == ExprKind::constant) return constant(sema, type, part->value - 1, range);
  return make(sema, ExprKind::constant_of_part, type, range, {part});
}

// Builds `thing[book]`.
const Expr* piece_of(RuleContext& rule, std::uint32_t area, const Node* node) {
  const Type type = enum_type(rule.model.areas[area].per->index);
  const Expr* of = convert(rule, expr(rule, view::index(node).keys(0), &type), type, rule.sema.areas.all[area].name);
  if (is_poison(of)) return of;
  if (of->kind == ExprKind::constant)
    return constant(rule.sema, area_type(rule.sema, area), of->value + 1, node->range);
  return make(rule.sema, ExprKind::part_of_constant, area_type(rule.sema, area), node->range, {of});
}

bool has_piece_member(const SemaContext& sema, std::uint32_t area, std::string_view name) {
  if (!sema.areas.all[area].piece) return false;
  const auto per = sema.model.areas[area].per;
  return name == (sema.model.areas[area].piece->edges ? "edges" : "cells") ||
         (per && (name == sema.areas.all[area].constant || has_member(sema, enum_type(per->index), name)));
}

// Builds a member of a piece other than its variables and zones, or returns null if the name is unknown.
const Expr* piece_member(RuleContext& rule, const Expr* of, std::string_view name, Range range, Range whole,
                         bool report) {
  if (of->type.kind == TypeKind::card && name == "at") return place_of(rule, of, whole);
  if (of->type.kind == TypeKind::card && name == "facing" && placing_of(rule.sema, of->type)->facing)
    return facing_of(rule, of, whole);
  const bool edges = placing_of(rule.sema, of->type)->edges;
  if (name == (edges ? "edges" : "cells"))
    return footprint(rule.sema, of, place_of(rule, of, whole), facing_of(rule, of, whole), true, whole);
  if (name == (edges ? "cells" : "edges") && report) {
    error(rule.sema, Code::unknown_member, range,
          edges ? fmt::format("`{}` covers edges, so it has no member `cells`", placed_word(rule.sema, of->type))
                : fmt::format("`{}` covers cells, so it has no member `edges`", placed_word(rule.sema, of->type)),
          edges ? "write `x.edges`" : "write `x.cells`, or `covers 2 edges` in its declaration to place it on edges");
    return poison(rule.sema, whole);
  }
  if (of->type.kind == TypeKind::card) return nullptr;
  const model::Area& kind = rule.model.areas[of->type.ref];
  if (!kind.per) return nullptr;
  if (name == rule.sema.areas.all[of->type.ref].constant) return constant_of_part(rule.sema, of, whole);
  if (!has_member(rule.sema, enum_type(kind.per->index), name)) return nullptr;
  return member_of(rule, constant_of_part(rule.sema, of, whole), name, range, whole, report);
}

// Builds an expression that must be a piece or a card on a board. Reports an error otherwise.
static const Expr* placed_thing(RuleContext& rule, const Node* node) {
  const Expr* x = expr(rule, node);
  if (is_poison(x)) return x;
  if (!placing_of(rule.sema, x->type)) {
    error(rule.sema, Code::wrong_type, node->range,
          fmt::format("expected a piece, found `{}`", show(rule.sema, x->type)),
          x->type.kind == TypeKind::set    ? "use a loop: `each x in … { … }`"
          : x->type.kind == TypeKind::card ? "to place the card on a board, write `covers 1 x 1` in its card type"
                                           : "");
    return poison(rule.sema, node->range);
  }
  if (x->type.optional && !is_soft(rule, x)) {
    error(rule.sema, Code::may_be_none, node->range,
          fmt::format("this `{}` may be none", placed_word(rule.sema, x->type)), "check first that it `is not none`");
    return poison(rule.sema, node->range);
  }
  return x;
}

// Builds `tokens at c` and `tokens on S`: the tokens that cover the cell c, or a cell of the set S. Claims of scenarios
// can also use `a.hero at c`.
const Expr* pieces_where(RuleContext& rule, const Node* what, const Node* cells, bool at, Range range) {
  const bool whole =
      !at && cells->kind == NodeKind::name_ref && !find_binding(rule, cells->text) && board_named(rule.sema, cells);
  const bool all_cards = what->kind == NodeKind::name_ref && what->text == "cards" && !find_binding(rule, what->text) &&
                         !rule.sema.names.table_variables.contains(what->text) &&
                         !rule.sema.names.table_zones.contains(what->text) && !area_named(rule.sema, what->text);
  if (whole && all_cards) return cards_on_board(rule.sema, range);
  const Expr* such = at && rule.scenario && !all_cards ? cards_named(rule, what) : nullptr;
  const Expr* of = all_cards ? cards_on_board(rule.sema, range) : such ? such : expr(rule, what);
  if (is_poison(of)) return of;
  const bool one = at && rule.scenario && placing_of(rule.sema, of->type);
  const model::Placing* placing =
      of->type.kind == TypeKind::set ? placing_of(rule.sema, element_type(of->type)) : nullptr;
  const bool counts =
      at && cells->kind == NodeKind::name_ref && !find_binding(rule, cells->text) && !placing_of(rule.sema, of->type);
  if (!placing && !one) {
    error(rule.sema, Code::wrong_type, what->range,
          fmt::format("expected pieces before `{}`, found `{}`", at ? "at" : "on", show(rule.sema, of->type)),
          placing_of(rule.sema, of->type) ? "for a single piece, write `x.at == c` or `c in x.cells`"
          : counts ? "write the counter of a loop after its condition: `each c in S where C at i { … }`"
                   : "for example, `tokens at c` is the set of tokens that cover cell c");
    return poison(rule.sema, range);
  }
  const auto those = [&](const std::function<const Expr*(const Expr*)>& condition) {
    const LocalId x = add_local(rule, "", element_type(of->type), range);
    Expr* e = make(rule.sema, ExprKind::filter, of->type, range, {of, condition(local(rule, x, range))});
    e->local = x;
    return e;
  };
  const auto compare = [&](ExprKind kind, const Expr* a, const Expr* b) {
    return make(rule.sema, kind, boolean_type(), range, {a, b});
  };
  if (whole && !lies_on_this(rule.sema, *placing, cells, range, placed_word(rule.sema, element_type(of->type))))
    return poison(rule.sema, range);
  if (whole)
    return those([&](const Expr* it) {
      return negated(rule.sema, make(rule.sema, ExprKind::is_none, boolean_type(), range, {place_of(rule, it, range)}));
    });
  const model::Placing& lying = one ? *placing_of(rule.sema, of->type) : *placing;
  const Type cell = spot_type(rule.sema, lying);
  const std::string_view covered = lying.edges ? "edges" : "cells";
  const Type wanted = at ? with_none(cell) : set_type(cell);
  const Expr* where = at ? convert(rule, expr(rule, cells, &cell), wanted) : set(rule, cells, &cell);
  if (is_poison(where)) return where;
  if (!at && !same_type(rule.sema, where->type, wanted)) {
    error(rule.sema, Code::wrong_type, cells->range,
          fmt::format("expected {} after `on`, found `{}`", covered, show(rule.sema, where->type)));
    return poison(rule.sema, range);
  }
  if (!pure_expr(*where)) {
    error(rule.sema, Code::not_this_here, cells->range,
          "this is evaluated for each piece, so it must not have an effect", "store it first: `let c = …`");
    return poison(rule.sema, range);
  }
  if (one) return equals(rule, place_of(rule, of, range), where, range);
  if (such)
    return negated(rule.sema, make(rule.sema, ExprKind::is_empty, boolean_type(), range, {those([&](const Expr* it) {
                                     return equals(rule, place_of(rule, it, range), where, range);
                                   })}));
  return those([&](const Expr* it) -> const Expr* {
    if (!placing->shapes && at && !where->type.optional)
      return compare(ExprKind::equal, place_of(rule, it, range), where);
    if (!placing->shapes)
      return compare(ExprKind::in_set, place_of(rule, it, range),
                     at ? make(rule.sema, ExprKind::set_of_one, set_type(cell), range, {where}) : where);
    if (at) return compare(ExprKind::in_set, where, piece_member(rule, it, covered, range, range, true));
    return negated(rule.sema, compare(ExprKind::disjoint, piece_member(rule, it, covered, range, range, true), where));
  });
}

// Builds `x is on field` and `x is off field`.
const Expr* lies_on(RuleContext& rule, const Node* node, const Expr* x) {
  const Node* board = view::is_expr(node).what(0);
  if (!board_named(rule.sema, board)) {
    std::vector<std::string> names;
    for (const auto& [n, id] : rule.sema.boards.names) names.push_back(n);
    error(rule.sema, Code::unknown_name, board->range, fmt::format("unknown board `{}`", board->text),
          did_you_mean_one_of(board->text, names));
    return poison(rule.sema, node->range);
  }
  if (const Expr* such = rule.scenario ? cards_named(rule, view::is_expr(node).subject()) : nullptr) {
    const LocalId card = add_local(rule, "", element_type(such->type), node->range);
    Expr* lying = make(rule.sema, ExprKind::filter, such->type, node->range,
                       {such, negated(rule.sema, make(rule.sema, ExprKind::is_none, boolean_type(), node->range,
                                                      {place_of(rule, local(rule, card, node->range), node->range)}))});
    lying->local = card;
    const Expr* none = make(rule.sema, ExprKind::is_empty, boolean_type(), node->range, {lying});
    return node->text == "off" ? none : negated(rule.sema, none);
  }
  if (!placing_of(rule.sema, x->type)) {
    error(rule.sema, Code::wrong_type, view::is_expr(node).subject()->range,
          fmt::format("expected a piece before `is on` or `is off`, found `{}`", show(rule.sema, x->type)));
    return poison(rule.sema, node->range);
  }
  if (!lies_on_this(rule.sema, *placing_of(rule.sema, x->type), board, node->range, placed_word(rule.sema, x->type)))
    return poison(rule.sema, node->range);
  const Expr* off = make(rule.sema, ExprKind::is_none, boolean_type(), node->range,
                         {place_of(rule, x, view::is_expr(node).subject()->range)});
  return node->text == "off" ? off : negated(rule.sema, off);
}

// Checks that the named board is the board of the piece.
bool lies_on_this(SemaContext& sema, const model::Placing& placing, const Node* board, Range range,
                  std::string_view name) {
  const model::Board& own = board_of_piece(sema, placing);
  if (own.name == sema.model.boards[*board_named(sema, board)].name) return true;
  error(sema, Code::wrong_type, range,
        fmt::format("a `{}` belongs to board `{}`, not `{}`", name, own.name, board->text),
        fmt::format("write `{}`", own.name));
  return false;
}

// Returns the index of the size of a constant's piece.
Int sort_of_part(const SemaContext& sema, std::uint32_t area, Int part) {
  const model::Area& kind = sema.model.areas[area];
  if (!kind.piece->sort) return 0;
  const model::Enum& of = sema.model.enums[kind.per->index];
  const auto at = std::find(of.attributes.begin(), of.attributes.end(), *kind.piece->sort) - of.attributes.begin();
  return of.constants[static_cast<std::size_t>(part - 1)].attributes[static_cast<std::size_t>(at)];
}

bool stays_on_board(const SemaContext& sema, const std::optional<std::uint32_t>& index, Int sort, Int cell,
                    Int facing) {
  if (!index) return true;
  const model::Shapes& shapes = sema.model.shapes[*index];
  const model::Board& board = sema.model.boards[shapes.board];
  if (!shapes.lengths.empty())
    return static_cast<Int>(board.in_a_row(cell, shapes.lengths[static_cast<std::size_t>(sort)]).size()) ==
           shapes.lengths[static_cast<std::size_t>(sort)];
  const auto& offsets =
      shapes.offsets[static_cast<std::size_t>(sort * shapes.facings + (shapes.facings > 1 ? facing : 0))];
  return std::all_of(offsets.begin(), offsets.end(), [&](const auto& o) {
    const Int x = cell % board.width + o.first, y = cell / board.width + o.second;
    return (board.across || (x >= 0 && x < board.width)) && (board.down || (y >= 0 && y < board.height));
  });
}

// ---------------------------------------------------------------- place and lift

// Builds `place`. Evaluates all expressions before the piece moves. If the cell is none, the statement does nothing.
void place_stmt(RuleContext& rule, const Node* node, Block& out) {
  if (!effect(rule, node->range, "`place`")) return;
  const Expr* x = placed_thing(rule, view::place_stmt(node).what());
  if (is_poison(x)) return;
  const bool card = x->type.kind == TypeKind::card;
  if (node->number != 0)
    return void(error(
        rule.sema, Code::wrong_type, node->range,
        card ? "cards on a board are always faceup" : "`faceup` and `facedown` are only for cards, not for pieces"));
  const auto known_to_cover = [&] {
    return is_narrowed(rule, place_of(rule, x, node->range)) ||
           std::find(rule.narrowed.begin(), rule.narrowed.end(), covering_key(rule.sema, x)) != rule.narrowed.end();
  };
  if (card && !surely_covers(rule.sema, x->type) && !known_to_cover())
    return void(
        error(rule.sema, Code::wrong_type, view::place_stmt(node).what()->range,
              fmt::format("a `{}` may be a card that can't be placed on a board", placed_word(rule.sema, x->type)),
              "write `covers 1 x 1` in its card type"));
  const model::Placing placing = *placing_of(rule.sema, x->type);
  if (view::place_stmt(node).facing() && !placing.facing)
    return void(
        error(rule.sema, Code::wrong_type, view::place_stmt(node).facing()->range,
              fmt::format("a `{}` has no facing", placed_word(rule.sema, x->type)),
              placing.edges ? "its edge already determines its direction" : "write `facing N` in its declaration"));
  if (!view::place_stmt(node).cell() && !view::place_stmt(node).facing())
    return void(error(rule.sema, Code::syntax, node->range, "expected `at` or `facing` after `place x`",
                      "write `place x at c` or `place x facing d`"));
  const model::Board& board = board_of_piece(rule.sema, placing);
  const Type cell = with_none(spot_type(rule.sema, placing)), direction = enum_type(board.dirs.index);
  const auto aside = [&](const Expr* e) { return is_poison(e) ? e : kept_aside(rule, e, node->range, out)[0]; };
  const std::string key = key_of(place_of(rule, x, node->range));
  x = aside(x);
  const Expr* at = view::place_stmt(node).cell()
                       ? aside(convert(rule, expr(rule, view::place_stmt(node).cell(), &cell), cell))
                       : nullptr;
  const Expr* way = view::place_stmt(node).facing()
                        ? aside(convert(rule, expr(rule, view::place_stmt(node).facing(), &direction), direction))
                        : nullptr;
  if ((at && is_poison(at)) || (way && is_poison(way))) return;
  const Expr* to = at ? at : place_of(rule, x, node->range);
  Block body;
  if (placing.shapes) {
    Expr* fits = make(rule.sema, ExprKind::fitting, without_none(to->type), node->range,
                      {shape_of(rule.sema, x, way ? way : facing_of(rule, x, node->range), node->range), to, x});
    fits->ref = *placing.shapes;
    fits->value = placing.at.index;
    to = fits;
  }
  if (card && at) {
    to = kept_aside(rule, to, node->range, body)[0];
    Block onto;
    move_onto_board(rule.sema, x, node->range, onto);
    emit(rule.sema, body, StmtKind::if_else, node->range,
         {make(rule.sema, ExprKind::is_none, boolean_type(), node->range, {place_of(rule, x, node->range)})})
        ->blocks = {std::move(onto), {}};
  }
  if (at || placing.shapes)
    emit(rule.sema, body, StmtKind::assign_variable, node->range, {x, to})->ref = placing.at.index;
  Block turned;
  if (way)
    emit(rule.sema, at || card ? body : turned, StmtKind::assign_variable, node->range, {x, way})->ref =
        placing.facing->index;
  const Expr* asked = at ? at : place_of(rule, x, node->range);
  if (!body.empty() && asked->type.optional) {
    Stmt* s = emit(rule.sema, out, StmtKind::if_else, node->range,
                   {negated(rule.sema, make(rule.sema, ExprKind::is_none, boolean_type(), node->range, {asked}))});
    s->blocks = {std::move(body), {}};
  } else {
    out.insert(out.end(), body.begin(), body.end());
  }
  out.insert(out.end(), turned.begin(), turned.end());
  if (!at || key.empty()) return;
  std::erase(rule.narrowed, key);
  if (!at->type.optional) rule.narrowed.push_back(key);
}

// Builds `lift x` and `lift tokens at c`.
void lift_stmt(RuleContext& rule, const Node* node, Block& out) {
  if (!effect(rule, node->range, "`lift`")) return;
  for (const Node* what : node->children) {
    const Expr* x = expr(rule, what);
    if (is_poison(x)) continue;
    if (const Type& t = x->type.kind == TypeKind::set ? element_type(x->type) : x->type; t.kind == TypeKind::card) {
      error(rule.sema, Code::wrong_type, what->range, "a card can't be lifted without a new zone",
            "write `move g to discard`");
      continue;
    }
    if (x->type.kind == TypeKind::set && placing_of(rule.sema, element_type(x->type))) {
      if (!may_be_lifted(rule.sema, element_type(x->type), what->range)) continue;
      const LocalId one = add_local(rule, "", element_type(x->type), what->range);
      Block body;
      lift(rule.sema, local(rule, one, what->range), node->range, body);
      Stmt* s = emit(rule.sema, out, StmtKind::each, node->range, {x, nullptr, nullptr});
      s->local = one;
      s->blocks = {std::move(body)};
      forget_variable(rule, placing_of(rule.sema, element_type(x->type))->at.index);
      continue;
    }
    x = placed_thing(rule, what);
    if (is_poison(x) || !may_be_lifted(rule.sema, x->type, what->range)) continue;
    forget(rule, place_of(rule, x, what->range));
    lift(rule.sema, kept_aside(rule, x, what->range, out)[0], node->range, out);
  }
}

// Checks that the piece can be taken off the board. A piece with `at: cell` can't.
bool may_be_lifted(SemaContext& sema, const Type& piece, Range range) {
  const model::Placing& placing = *placing_of(sema, piece);
  if (sema.model.variables[placing.at.index].type.optional) return true;
  error(sema, Code::wrong_type, range, fmt::format("a `{}` can't be taken off the board", placed_word(sema, piece)),
        "declare `at: cell?` to allow it")
      .notes.push_back({sema.model.variables[placing.at.index].range, "declared here"});
  return false;
}

// Takes a piece off the board. Also resets its facing, so that all pieces off the board are equal.
void lift(SemaContext& sema, const Expr* x, Range range, Block& out) {
  const model::Placing& placing = *placing_of(sema, x->type);
  emit(sema, out, StmtKind::assign_variable, range,
       {x, constant(sema, with_none(spot_type(sema, placing)), kNone, range)})
      ->ref = placing.at.index;
  if (placing.facing)
    emit(sema, out, StmtKind::assign_variable, range, {x, sema.model.variables[placing.facing->index].initial})->ref =
        placing.facing->index;
}

const model::Board& board_of_piece(const SemaContext& sema, const model::Placing& placing) {
  return sema.model.boards[placing.edges ? *board_of_edge(sema, sema.model.variables[placing.at.index].type)
                                         : *board_of(sema, sema.model.variables[placing.at.index].type)];
}

// Returns the type of the position of a piece.
Type spot_type(const SemaContext& sema, const model::Placing& placing) {
  return enum_type(placing.edges ? board_of_piece(sema, placing).edges.index
                                 : board_of_piece(sema, placing).cells.index);
}

}   // namespace cardwright::sema
