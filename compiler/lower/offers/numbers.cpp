// Lowers choices of numbers that do not fit into a mask, such as `to: 1..1200` or `p chooses n from 1..p.gold`. A
// condition that is true up to some number, or from some number on, becomes a bound, and only the numbers between the
// bounds are enumerated. If there are no other conditions, no number is enumerated: there are high - low + 1 options,
// and the k-th option is low + k.
#include "compiler/lower/offers/numbers.h"

#include <algorithm>
#include <cstdlib>

#include "compiler/lower/code/locals.h"
#include "compiler/lower/context/function_context.h"
#include "compiler/lower/context/hooks.h"

namespace cardwright::lower {

using model::ExprKind;

namespace {

using Monotonicity = std::optional<Int>;   // 1: nondecreasing in the number; -1: nonincreasing; 0: constant

Monotonicity turned(Monotonicity c) { return c ? Monotonicity(-*c) : c; }

Monotonicity both(Monotonicity a, Monotonicity b) {
  if (!a || !b || *a * *b < 0) return std::nullopt;
  return *a != 0 ? a : b;
}

}   // namespace

// Returns the monotonicity of an expression as a function of a number, or nullopt if it is not monotone. An expression
// that traps for only some numbers counts as not monotone.
static Monotonicity monotonicity(const ProgramContext& unit, const model::Expr& e, model::LocalId number) {
  constexpr Int kMostFactor = 1 << 20;   // products of such factors do not overflow
  if (!mentions(e, number)) return pure(unit, e) ? Monotonicity(0) : std::nullopt;
  const auto of = [&](const model::Expr* part) { return monotonicity(unit, *part, number); };
  const auto left = [&] { return of(view::pair(e).left()); };
  const auto right = [&] { return of(view::pair(e).right()); };
  const auto operand = [&] { return of(view::single(e).operand()); };
  switch (e.kind) {
    case ExprKind::local: return 1;
    case ExprKind::add:
    case ExprKind::minimum:
    case ExprKind::maximum: return both(left(), right());
    case ExprKind::subtract: return both(left(), turned(right()));
    case ExprKind::negate: return turned(operand());
    case ExprKind::multiply:
    case ExprKind::divide: {
      const view::pair its(e);
      const bool factor_first = e.kind == ExprKind::multiply && its.left()->kind == ExprKind::constant;
      const model::Expr& factor = factor_first ? *its.left() : *its.right();
      if (factor.kind != ExprKind::constant || factor.value == 0 || std::abs(factor.value) > kMostFactor)
        return std::nullopt;
      const Monotonicity other = factor_first ? right() : left();
      return factor.value > 0 ? other : turned(other);
    }
    case ExprKind::less:
    case ExprKind::less_equal: return both(turned(left()), right());
    case ExprKind::logical_not: return turned(operand());
    default: return std::nullopt;
  }
}

namespace {

bool is_number(const model::Expr& e, model::LocalId number) { return e.kind == ExprKind::local && e.local == number; }

// Returns whether evaluating the expression never traps, in any State.
bool never_traps(const model::Model& model, const model::Expr& e) {
  const bool all =
      std::all_of(e.args.begin(), e.args.end(), [&](const model::Expr* a) { return !a || never_traps(model, *a); });
  if (!all || e.type.optional) return false;
  switch (e.kind) {
    case ExprKind::constant: return e.value != kNone;
    case ExprKind::variable: return !model.variables[e.ref].can_be_unset && model.variables[e.ref].indices.empty();
    case ExprKind::unlimited:
    case ExprKind::local:
    case ExprKind::add:
    case ExprKind::subtract:
    case ExprKind::negate:
    case ExprKind::minimum:
    case ExprKind::maximum:
    case ExprKind::equal:
    case ExprKind::less:
    case ExprKind::less_equal: return true;
    default: return false;
  }
}

}   // namespace

static bool is_bound(const FunctionContext& code, const model::Expr& condition, model::LocalId number) {
  if (code.unit.plain || (asking(code) && reads(code, condition))) return false;
  if (condition.kind != ExprKind::equal) return monotonicity(code.unit, condition, number).has_value();
  const view::pair its(condition);
  const bool first = is_number(*its.left(), number);
  const model::Expr& other = first ? *its.right() : *its.left();
  return (first || is_number(*its.right(), number)) && !mentions(other, number) && pure(code.unit, other);
}

// Returns the conditions that are bounds, and appends the others to `left`. A bound may follow another condition in the
// source but is evaluated before it; such a bound must not trap.
std::vector<const model::Expr*> bounds_among(const FunctionContext& code,
                                             const std::vector<const model::Expr*>& conditions, model::LocalId number,
                                             std::vector<const model::Expr*>& left) {
  std::vector<const model::Expr*> found;
  for (const model::Expr* condition : conditions)
    for (const model::Expr* part : conjuncts(*condition))
      (is_bound(code, *part, number) && (left.empty() || never_traps(code.model, *part)) ? found : left)
          .push_back(part);
  return found;
}

// Handles conditions such as `n <= E`, where E is the bound. Returns false for all other conditions.
static bool narrow_by_value(const FunctionContext& code, const model::Expr& condition, model::LocalId number,
                            Register low, Register high, BlockIndex none) {
  const bool equality = condition.kind == ExprKind::equal;
  if (!equality && condition.kind != ExprKind::less && condition.kind != ExprKind::less_equal) return false;
  const view::pair its(condition);
  const bool at_most = is_number(*its.left(), number);
  const model::Expr& other = at_most ? *its.right() : *its.left();
  if (mentions(other, number) || !(at_most || is_number(*its.right(), number))) return false;
  const Register bound = expr(code, other);
  if (equality) {
    code.put(Op::max, low, {low, bound});
    code.put(Op::min, high, {high, bound});
    return true;
  }
  const bool strict = condition.kind == ExprKind::less;
  BlockIndex some = code.add_block();
  code.branch(at_most ? code.integer(strict ? Op::lt : Op::le, {low, bound}, 1)
                      : code.integer(strict ? Op::lt : Op::le, {bound, high}, 1),
              some, none);
  code.go_to(some);
  const Register last =
      strict ? code.integer(at_most ? Op::sub_small : Op::add_small, {bound, code.constant(1)}) : bound;
  if (at_most)
    code.put(Op::min, high, {high, last});
  else
    code.put(Op::max, low, {low, last});
  return true;
}

// Finds the boundary of a monotone condition by binary search.
static void narrow_by_bisection(const FunctionContext& code, const model::Expr& condition, model::LocalId number,
                                Register low, Register high) {
  const bool falls = *monotonicity(code.unit, condition, number) < 0;
  Register from = code.make_int(), to = code.make_int(), middle = code.make_int();
  // Searches from..to for the last number that satisfies the condition if it is true for low numbers, otherwise for the
  // first such number.
  if (falls)
    code.put(Op::sub_small, from, {low, code.constant(1)});
  else
    code.assign(from, low);
  if (falls)
    code.assign(to, high);
  else
    code.put(Op::add_small, to, {high, code.constant(1)});
  BlockIndex head = code.add_block(), look = code.add_block(), yes = code.add_block(), no = code.add_block(),
             done = code.add_block();
  code.jump(head);
  code.go_to(head);
  code.branch(code.integer(Op::lt_small, {from, to}, 1), look, done);
  code.go_to(look);
  const Register width = code.integer(Op::sub_small, {to, from});
  const Register half = code.integer(
      Op::div_small, {falls ? code.integer(Op::add_small, {width, code.constant(1)}) : width, code.constant(2)});
  code.put(Op::add_small, middle, {from, half});
  bind(code, number, middle);
  branch_on(code, condition, yes, no);
  code.go_to(yes);
  code.assign(falls ? from : to, middle);
  code.jump(head);
  code.go_to(no);
  if (falls)
    code.put(Op::sub_small, to, {middle, code.constant(1)});
  else
    code.put(Op::add_small, from, {middle, code.constant(1)});
  code.jump(head);
  code.go_to(done);
  code.assign(falls ? high : low, from);
}

// Narrows low..high to the numbers within the bounds. If no number is within the bounds, high becomes less than low.
void narrow_numbers(const FunctionContext& code, const std::vector<const model::Expr*>& bounds, model::LocalId number,
                    Register low, Register high) {
  BlockIndex none = code.add_block(), after = code.add_block();
  for (const model::Expr* condition : bounds) {
    BlockIndex some = code.add_block();
    // If there are no numbers, no condition is evaluated.
    code.branch(code.integer(Op::le_small, {low, high}, 1), some, none);
    code.go_to(some);
    if (!mentions(*condition, number)) {
      BlockIndex holds = code.add_block();
      branch_on(code, *condition, holds, none);
      code.go_to(holds);
    } else if (!narrow_by_value(code, *condition, number, low, high, none)) {
      narrow_by_bisection(code, *condition, number, low, high);
    }
  }
  code.jump(after);
  code.go_to(none);
  code.put(Op::sub_small, high, {low, code.constant(1)});
  code.jump(after);
  code.go_to(after);
}

Register count_numbers(const FunctionContext& code, Register low, Register high) {
  const Register some = code.integer(Op::le_small, {low, high}, 1);
  const Register count = code.integer(Op::add_small, {code.integer(Op::sub_small, {high, low}), code.constant(1)});
  return code.integer(Op::select, {some, count, code.constant(0)});
}

}   // namespace cardwright::lower
