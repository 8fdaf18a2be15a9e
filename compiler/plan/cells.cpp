// Plans conditions on the cells of a board and their neighbors by shifting sets of cells.
#include <algorithm>

#include "compiler/plan/make.h"

namespace cardwright::plan {

using model::ExprKind;
using model::LocalId;
using model::TypeKind;

namespace {

// Plans `it.edge(d) in S`.
PlanRef by_edge(const Scope& scope, const Expr& condition, LocalId cell) {
  const ProgramFacts& game = *scope.game;
  const view::in_set its(condition);
  const view::edge_of edge(*its.element());
  if (!is_local(*edge.cell(), cell) || mentions(*its.set(), cell) || !pure(game, *its.set())) return nullptr;
  const auto way = static_value(game, scope.names, *edge.direction());
  const model::Board& board = board_of(game, edge.cell()->type);
  if (!way || board.border(0, *way) == kNone) return nullptr;
  ByEdge plan{its.set(), std::vector<Int>(board.between.size(), kNone)};
  for (Int c = 0; c < board.width * board.height; ++c)
    plan.cell_by_edge[static_cast<std::size_t>(board.border(c, *way))] = c;
  return make(scope, std::move(plan));
}

// Returns the steps in `moved`, outermost first, or nullopt unless `moved` consists only of steps from the cell.
std::optional<std::vector<const Expr*>> steps_of(const Scope& scope, const Expr& moved, LocalId cell) {
  std::vector<const Expr*> steps;
  const Expr* e = &moved;
  for (; e->kind == ExprKind::step; e = view::step(*e).cell()) {
    const Expr& direction = *view::step(*e).direction();
    if (mentions(direction, cell) || !pure(*scope.game, direction)) return std::nullopt;
    steps.push_back(e);
  }
  return is_local(*e, cell) ? std::optional(steps) : std::nullopt;
}

PlanRef shifted(const Scope& scope, const Expr& moved, const Expr* target, bool one, bool without, LocalId cell) {
  auto steps = steps_of(scope, moved, cell);
  return steps ? make(scope, Shifted{target, one, std::move(*steps), without}) : nullptr;
}

bool holds(ExprKind comparison, Int x, Int y) {
  switch (comparison) {
    case ExprKind::equal: return x == y;
    case ExprKind::not_equal: return x != y;
    case ExprKind::less: return x < y;
    default: return x <= y;
  }
}

// Plans a comparison of a number of the cell, such as `it.y == n`. The table contains a mask for each number that
// occurs, one mask for all smaller numbers, and one for all larger numbers.
PlanRef by_key(const Scope& scope, const Expr& condition, LocalId cell) {
  constexpr Int kMasks = 200;
  const ProgramFacts& game = *scope.game;
  const auto [key, number, swapped] = Sides(condition, cell);
  if (number.type.kind != TypeKind::integer || number.type.optional || mentions(number, cell) || !pure(game, number))
    return nullptr;
  std::vector<Int> keys;
  const Bounds cells = bounds(game, scope.names->type(cell));
  for (Int c = cells.lo; c <= cells.hi; ++c) {
    const auto known = static_value(game, scope.names, key, cell, c);
    if (!known || *known == kNone) return nullptr;
    keys.push_back(*known);
  }
  const Int least = *std::min_element(keys.begin(), keys.end()) - 1,
            most = *std::max_element(keys.begin(), keys.end()) + 1;
  if (most - least >= kMasks) return nullptr;
  Looked plan{{}, &number, Bounds{least, most}, least};
  plan.ordered = condition.kind == ExprKind::less || condition.kind == ExprKind::less_equal;
  for (Int n = least; n <= most; ++n) {
    std::vector<Word> mask(static_cast<std::size_t>(game.laid_out.layout.words));
    for (std::size_t i = 0; i < keys.size(); ++i)
      if (swapped ? holds(condition.kind, n, keys[i]) : holds(condition.kind, keys[i], n)) {
        const std::size_t c = i + static_cast<std::size_t>(cells.lo);
        mask[c / 64] |= Word{1} << c % 64;
      }
    plan.lines.insert(plan.lines.end(), mask.begin(), mask.end());
  }
  return make(scope, std::move(plan));
}

PlanRef equality(const Scope& scope, const Expr& condition, LocalId cell) {
  const auto [moved, target, swapped] = Sides(condition, view::pair(condition).right()->kind == ExprKind::step);
  if (moved.kind != ExprKind::step) return by_key(scope, condition, cell);
  if (target.type.optional || mentions(target, cell) || !pure(*scope.game, target)) return nullptr;
  return shifted(scope, moved, &target, true, condition.kind == ExprKind::not_equal, cell);
}

// Plans `any d in directions has C(it, d)`.
PlanRef any_way(const Scope& scope, const Expr& condition, LocalId cell, const Domain& domain) {
  const view::exists its(condition);
  const Expr& ways = *its.domain();
  if (ways.kind != ExprKind::set_constant || !ways.type.elem || !is_direction(*scope.game, *ways.type.elem) ||
      !scope.has_room())
    return nullptr;
  AnyWay plan{condition.local, {}};
  for (const Int way : ways.values) {
    Names names = *scope.names;
    names.be_constant(condition.local, way);
    const PlanRef some = plan_set(scope.in(names), *its.condition(), cell, domain);
    if (!some) return nullptr;
    plan.ways.push_back({way, some});
  }
  return make(scope, std::move(plan));
}

// Plans a call f(it, …) of a predicate that is defined by a single expression.
PlanRef call_of_cells(const Scope& scope, const Expr& call, LocalId cell, const Domain& domain) {
  const ProgramFacts& game = *scope.game;
  const model::Function& f = game.model.functions[call.ref];
  if (!is_inlined(game, call.ref, scope.inlining, scope.has_room()) || f.body.block.size() != 1 ||
      f.body.block[0]->kind != model::StmtKind::return_value)
    return nullptr;
  const auto names = std::make_shared<Names>();
  names->body = &f.body;
  std::optional<std::size_t> element;
  for (std::size_t i = 0; i < call.args.size(); ++i) {
    const Expr& given = *call.args[i];
    if (is_local(given, cell) && !element) {
      element = i;
    } else if (mentions(given, cell) || !pure(game, given)) {
      return nullptr;
    } else if (const auto known =
                   given.type.kind == TypeKind::set ? std::nullopt : static_value(game, scope.names, given)) {
      names->be_constant(f.parameters[i].local, *known);
    }
  }
  if (!element) return nullptr;
  Scope inner = scope.in(*names);
  inner.inlining.push_back(call.ref);
  const Expr& body = *view::return_value(*f.body.block[0]).value();
  const PlanRef what = plan_set(inner, body, f.parameters[*element].local, domain);
  return what ? make(scope, Inlined{&call, names, *element, what, true}) : nullptr;
}

}   // namespace

PlanRef plan_cells(const Scope& scope, const Expr& condition, LocalId cell, const Domain& domain) {
  switch (condition.kind) {
    case ExprKind::in_set: {
      const Expr &moved = *view::in_set(condition).element(), &target = *view::in_set(condition).set();
      if (moved.kind == ExprKind::edge_of) return by_edge(scope, condition, cell);
      if (moved.kind != ExprKind::step || mentions(target, cell) || !pure(*scope.game, target)) return nullptr;
      return shifted(scope, moved, &target, false, false, cell);
    }
    case ExprKind::is_none: {
      const Expr& moved = *view::is_none(condition).operand();
      return moved.kind == ExprKind::step ? shifted(scope, moved, nullptr, false, true, cell) : nullptr;
    }
    case ExprKind::equal:
    case ExprKind::not_equal: return equality(scope, condition, cell);
    case ExprKind::less:
    case ExprKind::less_equal: return by_key(scope, condition, cell);
    case ExprKind::exists: return any_way(scope, condition, cell, domain);
    case ExprKind::call_function: return call_of_cells(scope, condition, cell, domain);
    default: return nullptr;
  }
}

}   // namespace cardwright::plan
