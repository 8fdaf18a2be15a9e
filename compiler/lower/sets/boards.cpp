// Lowers boards: cells, edges, directions, and sets of cells, which are stored in machine words. A shift moves all
// cells of a set, so a condition on the neighbors of `it` is evaluated for all cells at once.
#include "compiler/lower/sets/boards.h"

#include <algorithm>

#include "compiler/lower/code/calls.h"
#include "compiler/lower/code/constants.h"
#include "compiler/lower/code/functions.h"
#include "compiler/lower/code/locals.h"
#include "compiler/lower/code/traps.h"
#include "compiler/lower/code/types.h"
#include "compiler/lower/context/function_context.h"
#include "compiler/lower/context/hooks.h"
#include "runtime/ops/ray.h"

namespace cardwright::lower {

using model::ExprKind;
using model::TypeKind;

// A group of cells whose ids all change by the same amount in one step, so a single shift moves them all.
struct Part {
  Int by = 0;
  std::vector<Word> from;
  bool all = false;   // the shift itself drops all cells that are not in this group, so no mask is needed
};

// ---------------------------------------------------------------- edges

Register edge_of(const FunctionContext& code, const model::Expr& e) {
  const view::edge_of its(e);
  const model::Board& board = board_of(code.unit, its.cell()->type);
  const auto fixed = code.unit.plain ? std::nullopt : static_value(code.unit, code.environment, *its.direction());
  const Register cell = expr(code, *its.cell());
  if (fixed) {
    std::vector<Int> edges;
    for (Int c = 0; c < board.width * board.height; ++c) edges.push_back(board.border(c, *fixed));
    return code.integer(Op::table, {table_index(code.unit, std::move(edges)), cell}, 2);
  }
  const Register way = expr(code, *its.direction());
  const Register index =
      code.integer(Op::add_small, {code.integer(Op::mul_small, {cell, code.constant(board.directions())}), way});
  const Register edge = code.integer(Op::table, {table_index(code.unit, board.borders), index}, 2);
  if (board.hex) return edge;
  const BlockIndex corner = code.add_block(), side = code.add_block();
  code.branch(code.integer(Op::eq, {edge, code.constant(kNone)}, 1), corner, side);
  code.go_to(corner);
  fail(code, Trap::no_edge, About::nothing, way, way);
  code.go_to(side);
  return edge;
}

// Lowers `e.cells`, and `c.next` on a graph.
Register cells_beside(const FunctionContext& code, const model::Expr& e) {
  const view::cells_beside its(e);
  const bool graph = its.of()->type.ref == e.type.elem->ref;
  const model::Board& board = board_of(code.unit, *e.type.elem);
  if (!fits_table(code.unit, board.range, graph ? "`.next` of a graph" : "`.cells` of an edge",
                  graph ? board.size() : static_cast<Int>(board.between.size())))
    return empty_set(code, *e.type.elem);
  std::vector<Int> sets;
  const auto add = [&](std::span<const Int> beside) {
    std::vector<Word> cells(static_cast<std::size_t>(code.program.layout.words));
    for (Int cell : beside)
      if (cell != kNone) cells[static_cast<std::size_t>(cell / 64)] |= Word{1} << cell % 64;
    sets.insert(sets.end(), cells.begin(), cells.end());
  };
  if (graph)
    for (const auto& to : board.joined) add(to);
  else
    for (const auto& [first, other] : board.between) add(std::array{first, other});
  const Register set = code.set(Op::set_table, {table_index(code.unit, std::move(sets)), expr(code, *its.of())});
  code.holds_no_card(set);
  return set;
}

// ---------------------------------------------------------------- lines

// Implements `crossings` of std.grid with dedicated operations. Its parameters must be bound: two points with x, y and
// z each.
void for_each_crossing(const FunctionContext& code, const model::Function& f) {
  // The result type is that of `out_of`, the first yielded value, which is a cell of the board.
  const model::Board& board = board_of(code.unit, *f.result.elem);
  const Register ray = code.make(array_type(kRayInts));
  const auto given = [&](std::size_t i) { return read_local(code, f.parameters[i].local); };
  code.effect(Op::array_fill, {ray, code.constant(0)});
  code.effect(Op::ray_begin, {ray, given(0), given(1), given(3), given(4), board.width, board.height});
  const auto part = [&](Int place, int bytes) { return code.integer(Op::ray_get, {ray, place}, bytes); };
  const BlockIndex head = code.add_block(), inside = code.add_block(), done = code.add_block();
  code.jump(head);
  code.go_to(head);
  fuel(code, -(board.width + board.height));
  code.branch(part(kRayLeft, 8), inside, done);
  code.go_to(inside);
  code.effect(Op::ray_step, {ray});
  code.env().yields({part(kRayOutOf, 2), part(kRayInto, 2), part(kRayOver, 2), part(kRayNum, 8), part(kRayDen, 8)});
  code.jump(head);
  code.go_to(done);
}

// ---------------------------------------------------------------- one cell

Register cell_at(const FunctionContext& code, const model::Expr& e) {
  const view::cell_at its(e);
  const model::Board& board = board_of(code.unit, e.type);
  const Register x = expr(code, *its.x()), y = expr(code, *its.y());
  const Register cell =
      code.integer(Op::add_small, {code.integer(Op::mul_small, {y, code.constant(board.width)}), x}, 2);
  Register inside = ir::kNoRegister;
  const auto below = [&](Register small, Register large) {
    const Register is = code.integer(Op::lt_small, {small, large}, 1);
    inside = inside == ir::kNoRegister ? is : code.integer(Op::and_, {inside, is}, 1);
  };
  const auto within = [&](const model::Expr& of, Register value, Int size) {
    if (of.type.lo < 0) below(code.constant(-1), value);
    if (of.type.hi >= size) below(value, code.constant(size));
  };
  within(*its.x(), x, board.width);
  within(*its.y(), y, board.height);
  return inside == ir::kNoRegister ? cell : code.integer(Op::select, {inside, cell, code.constant(kNone)}, 2);
}

Register step(const FunctionContext& code, const model::Expr& e) {
  const view::step its(e);
  const model::Board& board = board_of(code.unit, e.type);
  const Int cells = board.width * board.height;
  const Register from = expr(code, *its.cell());
  const auto fixed = code.unit.plain ? std::nullopt : static_value(code.unit, code.environment, *its.direction());
  std::vector<Int> next;
  for (Int d = fixed.value_or(0); d < (fixed ? *fixed + 1 : board.directions()); ++d)
    for (Int cell = 0; cell < cells; ++cell) next.push_back(board.next(cell, d));
  Register index = from;
  if (!fixed) {
    index = code.integer(Op::add_small,
                         {code.integer(Op::mul_small, {expr(code, *its.direction()), code.constant(cells)}), from});
    if (its.cell()->type.optional)
      index = code.integer(Op::select, {code.integer(Op::eq, {from, code.constant(kNone)}, 1), from, index});
  }
  return code.integer(Op::table, {table_index(code.unit, std::move(next)), index}, 2);
}

// ---------------------------------------------------------------- sets

static std::vector<Part> parts(const ProgramContext& unit, const model::Board& board, Int direction) {
  const Int cells = board.width * board.height, bits = 64 * unit.program.layout.words;
  std::vector<Part> out;
  for (Int cell = 0; cell < cells; ++cell) {
    const Int to = board.next(cell, direction);
    if (to == kNone) continue;
    auto part = std::find_if(out.begin(), out.end(), [&](const Part& p) { return p.by == to - cell; });
    if (part == out.end())
      part = out.insert(out.end(),
                        {to - cell, std::vector<Word>(static_cast<std::size_t>(unit.program.layout.words)), false});
    part->from[static_cast<std::size_t>(cell / 64)] |= Word{1} << cell % 64;
  }
  for (Part& part : out) {
    part.all = true;
    for (Int cell = 0; cell < cells; ++cell) {
      const bool moves = part.from[static_cast<std::size_t>(cell / 64)] >> cell % 64 & 1;
      const bool falls_off = cell + part.by < 0 || cell + part.by >= bits;
      part.all = part.all && (moves || falls_off);
    }
  }
  return out;
}

static Register shift(const FunctionContext& code, Register cells, const model::Board& board, Int direction) {
  Register all = ir::kNoRegister;
  for (Part& part : parts(code.unit, board, direction)) {
    Register from = cells;
    if (!part.all) {
      Register mask = code.set(Op::const_set, {set_index(code.unit, std::move(part.from))});
      code.holds_no_card(mask);
      from = code.set(Op::set_and, {cells, mask});
    }
    const Register moved = part.by == 0 ? from : code.set(Op::set_shift, {from, part.by});
    all = all == ir::kNoRegister ? moved : code.set(Op::set_or, {all, moved});
  }
  return all == ir::kNoRegister ? empty_set(code,
                                            [&] {
                                              model::Type t = simple(TypeKind::enumeration);
                                              t.ref = board.cells.index;
                                              return t;
                                            }())
                                : all;
}

// Shifts a set of cells in a direction. If the direction is unknown at compile time, masks and shifts are looked up in
// tables, and the number of shifts is the maximum over all directions.
Register shift(const FunctionContext& code, Register cells, const model::Board& board, const model::Expr& direction,
               bool back) {
  const auto turned = [&](Int d) { return back ? (d + board.directions() / 2) % board.directions() : d; };
  if (const auto fixed = code.unit.plain ? std::nullopt : static_value(code.unit, code.environment, direction))
    return shift(code, cells, board, turned(*fixed));
  std::vector<std::vector<Part>> ways;
  std::size_t most = 0;
  for (Int d = 0; d < board.directions(); ++d) {
    ways.push_back(parts(code.unit, board, turned(d)));
    most = std::max(most, ways.back().size());
  }
  const Register way = expr(code, direction);
  Register all = ir::kNoRegister;
  for (std::size_t i = 0; i < most; ++i) {
    std::vector<Int> masks, by;
    for (const std::vector<Part>& way_parts : ways) {
      const std::vector<Word> mask = i < way_parts.size()
                                         ? way_parts[i].from
                                         : std::vector<Word>(static_cast<std::size_t>(code.program.layout.words));
      masks.insert(masks.end(), mask.begin(), mask.end());
      by.push_back(i < way_parts.size() ? way_parts[i].by : 0);
    }
    const Register mask = code.set(Op::set_table, {table_index(code.unit, std::move(masks)), way});
    code.holds_no_card(mask);
    const Register moved =
        code.set(Op::set_shift_by, {code.set(Op::set_and, {cells, mask}),
                                    code.integer(Op::table_small, {table_index(code.unit, std::move(by)), way}, 2)});
    all = all == ir::kNoRegister ? moved : code.set(Op::set_or, {all, moved});
  }
  return all;
}

// Shifts a set of cells by an offset: selects the columns that stay on the board, and shifts all words at once. Cells
// that leave the board at the top or bottom get ids outside the board.
Register shift_by(const FunctionContext& code, const model::Expr& e) {
  const view::shift_by its(e);
  const model::Board& board = board_of(code.unit, *e.type.elem);
  const Int cells = board.width * board.height;
  if (!fits_table(code.unit, board.range, "shifting cells by variable offsets", 2 * board.width - 1))
    return empty_set(code, *e.type.elem);
  std::vector<Int> columns;
  std::vector<Word> all(static_cast<std::size_t>(code.program.layout.words));
  for (Int cell = 0; cell < cells; ++cell) all[static_cast<std::size_t>(cell / 64)] |= Word{1} << cell % 64;
  for (Int east = -board.width + 1; east < board.width; ++east) {
    std::vector<Word> stay(static_cast<std::size_t>(code.program.layout.words));
    for (Int cell = 0; cell < cells; ++cell)
      if (const Int x = cell % board.width + east; x >= 0 && x < board.width)
        stay[static_cast<std::size_t>(cell / 64)] |= Word{1} << cell % 64;
    columns.insert(columns.end(), stay.begin(), stay.end());
  }
  const auto within = [&](Register n, Int least, Int most) {
    return code.integer(Op::min, {code.integer(Op::max, {n, code.constant(least)}), code.constant(most)});
  };
  const Register from = expr(code, *its.cells());
  const Register east = within(expr(code, *its.east()), -board.width, board.width),
                 north = within(expr(code, *its.north()), -board.height, board.height);
  // Offsets outside the table result in the empty set, because no column stays on the board.
  const Register column = code.integer(Op::add_small, {east, code.constant(board.width - 1)});
  const Register stay = code.set(Op::set_table, {table_index(code.unit, std::move(columns)), column});
  code.holds_no_card(stay);
  const Register by =
      code.integer(Op::add_small, {code.integer(Op::mul_small, {north, code.constant(board.width)}), east});
  const Register moved = code.set(Op::set_shift_by, {code.set(Op::set_and, {from, stay}), by});
  const Register whole = code.set(Op::const_set, {set_index(code.unit, std::move(all))});
  code.holds_no_card(whole);
  return code.set(Op::set_and, {moved, whole});
}

// ---------------------------------------------------------------- loops over directions

bool writes_out(const FunctionContext& code, const model::Expr& domain, model::LocalId local,
                std::initializer_list<const model::Expr*> bodies, const model::Block* block) {
  if (domain.kind != ExprKind::set_constant || !domain.type.elem || !is_direction(code.unit, *domain.type.elem) ||
      !has_room(code))
    return false;
  const auto moves = [&](auto&& self, const model::Expr& e, bool of_set) -> bool {
    if (e.kind == ExprKind::shift && mentions(*view::shift(e).direction(), local)) return true;
    if (e.kind == ExprKind::step && of_set && mentions(*view::step(e).direction(), local)) return true;
    const bool in_set = of_set || e.kind == ExprKind::filter || e.kind == ExprKind::exists;
    const bool with_set = std::any_of(e.args.begin(), e.args.end(),
                                      [&](const model::Expr* a) { return a && is_wide(code.unit, a->type); });
    if (e.kind == ExprKind::call_function && with_set && is_inlined(code, e.ref) && mentions(e, local)) return true;
    return std::any_of(e.args.begin(), e.args.end(), [&](const model::Expr* a) { return a && self(self, *a, in_set); });
  };
  const auto anywhere = [&](auto&& self, const model::Block& statements) -> bool {
    return std::any_of(statements.begin(), statements.end(), [&](const model::Stmt* s) {
      return std::any_of(s->exprs.begin(), s->exprs.end(),
                         [&](const model::Expr* e) { return e && moves(moves, *e, false); }) ||
             std::any_of(s->blocks.begin(), s->blocks.end(),
                         [&](const model::Block& inner) { return self(self, inner); });
    });
  };
  return std::any_of(bodies.begin(), bodies.end(),
                     [&](const model::Expr* e) { return e && moves(moves, *e, false); }) ||
         (block && anywhere(anywhere, *block));
}

}   // namespace cardwright::lower
