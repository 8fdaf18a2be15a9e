// Lowers pieces on boards: computes the cells that a piece covers and whether it fits on the board. Regardless of the
// size of the board, each shape is stored only once, as a set of cells that is shifted to the position of the piece.
#include "compiler/lower/sets/pieces.h"

#include <algorithm>

#include "compiler/lower/code/constants.h"
#include "compiler/lower/code/types.h"
#include "compiler/lower/context/function_context.h"
#include "compiler/lower/context/hooks.h"
#include "runtime/ops/bits.h"

namespace cardwright::lower {

static Int sort_of_piece(const ProgramContext& unit, const model::Area& area, Int part);

static std::string free_sign(const ProgramContext& unit, const std::string& name,
                             std::span<const std::string> taken = {});

namespace {

// Returns the bit of a covered cell, relative to the cell of the piece.
Int bit_of(const model::Board& board, const std::pair<Int, Int>& offset) {
  return offset.second * board.width + offset.first;
}

std::optional<Int> covered(const model::Board& board, Int cell, const std::pair<Int, Int>& offset) {
  Int x = cell % board.width + offset.first, y = cell / board.width + offset.second;
  if (board.across) x = (x % board.width + board.width) % board.width;
  if (board.down) y = (y % board.height + board.height) % board.height;
  return x < 0 || x >= board.width || y < 0 || y >= board.height ? std::nullopt : std::optional(y * board.width + x);
}

}   // namespace

static std::vector<Word> covered_from(const ProgramContext& unit, const model::Board& board,
                                      const std::vector<std::pair<Int, Int>>& offsets, Int cell) {
  std::vector<Word> words(static_cast<std::size_t>(unit.program.layout.words));
  for (const auto& offset : offsets) {
    const auto one = covered(board, cell, offset);
    if (!one) return std::vector<Word>(words.size());
    set_bit(words.data(), *one);
  }
  return words;
}

// Returns the index of a table that lists, for each shape, the cells or edges at which a piece of that shape stays on
// the board.
static Int fitting_cells(ProgramContext& unit, std::uint32_t shapes) {
  const model::Board& board = unit.model.boards[unit.model.shapes[shapes].board];
  std::vector<Int> masks;
  for (const Int length : unit.model.shapes[shapes].lengths) {
    std::vector<Word> mask(static_cast<std::size_t>(unit.program.layout.words));
    for (Int edge = 0; edge < static_cast<Int>(board.between.size()); ++edge)
      if (static_cast<Int>(board.in_a_row(edge, length).size()) == length) set_bit(mask.data(), edge);
    masks.insert(masks.end(), mask.begin(), mask.end());
  }
  if (!masks.empty()) return table_index(unit, std::move(masks));
  for (const auto& offsets : unit.model.shapes[shapes].offsets) {
    std::vector<Word> mask(static_cast<std::size_t>(unit.program.layout.words));
    for (Int cell = 0; cell < board.width * board.height; ++cell)
      if (std::all_of(offsets.begin(), offsets.end(),
                      [&](const auto& o) { return covered(board, cell, o).has_value(); }))
        set_bit(mask.data(), cell);
    masks.insert(masks.end(), mask.begin(), mask.end());
  }
  return table_index(unit, std::move(masks));
}

static Register fits(const FunctionContext& code, std::uint32_t shapes, Register shape, Register cell) {
  const Register where = code.set(Op::set_table, {fitting_cells(code.unit, shapes), shape});
  code.holds_no_card(where);
  return code.integer(Op::set_has, {where, cell}, 1);
}

// Looks up the covered edges in a table, which has a set for each edge and length.
static Register edges_covered(const FunctionContext& code, const model::Expr& e) {
  const view::footprint its(e);
  const model::Shapes& shapes = code.model.shapes[e.ref];
  const model::Board& board = code.model.boards[shapes.board];
  const Int edges = static_cast<Int>(board.between.size());
  if (!fits_table(code.unit, board.range, "a piece that covers edges", edges * static_cast<Int>(shapes.lengths.size())))
    return empty_set(code, *e.type.elem);
  std::vector<Int> sets;
  for (const Int length : shapes.lengths)
    for (Int edge = 0; edge < edges; ++edge) {
      std::vector<Word> set(static_cast<std::size_t>(code.program.layout.words));
      const std::vector<Int> covered = board.in_a_row(edge, length);
      if (static_cast<Int>(covered.size()) == length)
        for (const Int one : covered) set_bit(set.data(), one);
      sets.insert(sets.end(), set.begin(), set.end());
    }
  const Register shape = expr(code, *its.shape()), edge = expr(code, *its.cell());
  Register which = code.integer(Op::add_small, {code.integer(Op::mul_small, {shape, code.constant(edges)}), edge});
  if (its.cell()->type.optional)
    which =
        code.integer(Op::select, {code.integer(Op::ne, {edge, code.constant(kNone)}, 1), which, code.constant(kNone)});
  const Register set = code.set(Op::set_table, {table_index(code.unit, std::move(sets)), which});
  code.holds_no_card(set);
  return set;
}

Register footprint(const FunctionContext& code, const model::Expr& e) {
  const view::footprint its(e);
  if (!code.model.shapes[e.ref].lengths.empty()) return edges_covered(code, e);
  const model::Board& board = code.model.boards[code.model.shapes[e.ref].board];
  const auto& shapes = code.model.shapes[e.ref].offsets;
  const Int cells = board.width * board.height;
  const Register shape = expr(code, *its.shape()), cell = expr(code, *its.cell());
  const bool wraps = board.across || board.down;
  if (wraps &&
      !fits_table(code.unit, board.range, "a piece on a wrapping board", cells * static_cast<Int>(shapes.size())))
    return empty_set(code, *e.type.elem);
  std::vector<Int> masks, first;
  for (const auto& offsets : shapes) {
    Int lowest = 0;
    for (const auto& offset : offsets) lowest = std::min(lowest, bit_of(board, offset));
    first.push_back(lowest);
    if (wraps) {
      for (Int at = 0; at < cells; ++at) {
        const std::vector<Word> set = covered_from(code.unit, board, offsets, at);
        masks.insert(masks.end(), set.begin(), set.end());
      }
      continue;
    }
    std::vector<Word> set(static_cast<std::size_t>(code.program.layout.words));
    for (const auto& offset : offsets)
      if (bit_of(board, offset) - lowest < 64 * code.program.layout.words)
        set_bit(set.data(), bit_of(board, offset) - lowest);
    masks.insert(masks.end(), set.begin(), set.end());
  }
  const bool surely = its.always_inside() && !its.cell()->type.optional;
  Register which =
      wraps ? code.integer(Op::add_small, {code.integer(Op::mul_small, {shape, code.constant(cells)}), cell}) : shape;
  if (!surely && (!wraps || its.cell()->type.optional)) {
    const Register is_there = wraps || its.always_inside() ? code.integer(Op::ne, {cell, code.constant(kNone)}, 1)
                                                           : fits(code, e.ref, shape, cell);
    which = code.integer(Op::select, {is_there, which, code.constant(kNone)});
  }
  Register set = code.set(Op::set_table, {table_index(code.unit, std::move(masks)), which});
  code.holds_no_card(set);
  if (wraps) return set;
  Register by = cell;
  if (std::any_of(first.begin(), first.end(), [](Int n) { return n != 0; }))
    by = code.integer(Op::add_small,
                      {cell, code.integer(Op::table_small, {table_index(code.unit, std::move(first)), shape}, 2)});
  return code.set(Op::set_shift_by, {set, by});
}

// Returns the position if the piece stays on the board at this position, otherwise none.
Register fitting(const FunctionContext& code, const model::Expr& e) {
  const view::fitting its(e);
  const Register shape = expr(code, *its.shape()), cell = expr(code, *its.cell());
  const Register index =
      code.integer(Op::sub_small, {expr(code, *its.whose()), code.constant(bounds(code.unit, its.whose()->type).lo)});
  return code.integer(
      Op::fitting,
      {cell, fits(code, e.ref, shape, cell), code.unit.ids.variable[static_cast<std::size_t>(e.value)], index}, 2);
}

// ---------------------------------------------------------------- display

static void describe_shapes(const model::Shapes& shapes, PlacedInfo& info) {
  info.facings = shapes.facings;
  for (const auto& offsets : shapes.offsets) {
    info.shapes.emplace_back();
    for (const auto& [x, y] : offsets) info.shapes.back().insert(info.shapes.back().end(), {x, y});
  }
}

// Returns the edges that a piece covers, by the piece's length and the edge at its position.
static std::vector<std::vector<std::vector<Int>>> edges_by_place(const ProgramContext& unit,
                                                                 const model::Shapes& shapes) {
  const model::Board& board = unit.model.boards[shapes.board];
  std::vector<std::vector<std::vector<Int>>> all;
  for (const Int length : shapes.lengths) {
    all.emplace_back();
    for (Int edge = 0; edge < static_cast<Int>(board.between.size()); ++edge)
      all.back().push_back(board.in_a_row(edge, length));
  }
  return all;
}

static void describe_dice(ProgramContext& unit, const model::Area& area) {
  PlacedInfo info{.name = area.name, .of_players = area.each == 1, .sign = " "};
  info.face = unit.ids.variable[area.dice->face.index];
  info.each = area.each;
  info.faces.assign(area.dice->faces.begin(), area.dice->faces.end());
  if (area.parts == 1) info.labels.push_back(area.name);
  unit.program.placed.push_back(std::move(info));
}

void describe_pieces(ProgramContext& unit) {
  for (const model::Area& area : unit.model.areas) {
    if (area.dice) describe_dice(unit, area);
    if (!area.piece) continue;
    PlacedInfo info{.name = area.name, .of_players = area.each == 1, .sign = area.sign};
    if (area.each > 1) info.each = area.each;
    info.at = unit.ids.variable[area.piece->at.index];
    if (area.piece->facing) info.facing = unit.ids.variable[area.piece->facing->index];
    if (area.per)
      for (const model::EnumConst& c : unit.model.enums[area.per->index].constants)
        info.labels.push_back(c.label.empty() ? c.name : c.label);
    if (area.piece->shapes) {
      const model::Shapes& shapes = unit.model.shapes[*area.piece->shapes];
      describe_shapes(shapes, info);
      for (Int part = 0; part < area.parts; ++part)
        info.shape_of.push_back(sort_of_piece(unit, area, part) * shapes.facings);
      info.edges = edges_by_place(unit, shapes);
    }
    if (info.sign.empty()) info.sign = free_sign(unit, area.name);
    unit.program.placed.push_back(std::move(info));
  }
}

// Describes cards that are on a board. Must be called after all pieces have been described.
void describe_board_cards(ProgramContext& unit) {
  if (!unit.model.board_cards) return;
  const model::BoardCards& board_cards = *unit.model.board_cards;
  const std::string& name = unit.model.variables[board_cards.placing.at.index].name;
  PlacedInfo info{.name = name.substr(0, name.find('.'))};
  info.at = unit.ids.variable[board_cards.placing.at.index];
  if (board_cards.placing.facing) info.facing = unit.ids.variable[board_cards.placing.facing->index];
  info.zone = board_cards.zone.index;
  if (board_cards.placing.shapes) describe_shapes(unit.model.shapes[*board_cards.placing.shapes], info);
  std::vector<std::string> signs = board_cards.signs;
  for (std::size_t kind = 0; kind < signs.size(); ++kind)
    if (board_cards.sort_of[kind] != kNone && signs[kind].empty())
      signs[kind] = free_sign(unit, unit.model.kinds[kind].name, signs);
  for (const CardInfo& card : unit.program.cards) {
    const std::size_t kind = static_cast<std::size_t>(std::max<Int>(card.kind, 0));
    info.labels.push_back(card.kind < 0 ? "" : unit.model.kinds[kind].label);
    info.signs.push_back(card.kind < 0 ? "" : signs[kind]);
    if (board_cards.placing.shapes)
      info.shape_of.push_back(card.kind < 0 ? 0 : std::max<Int>(board_cards.sort_of[kind], 0) * info.facings);
  }
  unit.program.placed.push_back(std::move(info));
}

// Returns the first letter of the name that does not yet represent another kind of piece, or the first letter of the
// name if all of them do.
static std::string free_sign(const ProgramContext& unit, const std::string& name, std::span<const std::string> taken) {
  for (const char letter : name) {
    const std::string sign(1, letter);
    const bool used = std::find(taken.begin(), taken.end(), sign) != taken.end() ||
                      std::any_of(unit.model.areas.begin(), unit.model.areas.end(),
                                  [&](const model::Area& a) { return a.sign == sign; });
    if (letter != '_' && !used &&
        std::none_of(unit.program.placed.begin(), unit.program.placed.end(),
                     [&](const PlacedInfo& p) { return p.sign == sign; }))
      return sign;
  }
  return name.substr(0, 1);
}

// Returns the index of the piece's sort, or 0 if there is only one sort. sema stores the sort as an attribute of the
// constant that the piece belongs to.
static Int sort_of_piece(const ProgramContext& unit, const model::Area& area, Int part) {
  if (!area.piece->sort) return 0;
  const model::Enum& of = unit.model.enums[area.per->index];
  for (std::size_t i = 0; i < of.attributes.size(); ++i)
    if (of.attributes[i] == *area.piece->sort) return of.constants[static_cast<std::size_t>(part)].attributes[i];
  return 0;
}

}   // namespace cardwright::lower
