// Numbers to choose from that fit into no mask, such as `to: 1..1200` or `p chooses n from 1..p.gold`. Conditions that
// hold up to some number, or from some number on, become bounds. Only what lies between the bounds is walked through;
// where nothing but bounds is asked, nothing is: there are high - low + 1 options, and the k-th is low + k.
#include <algorithm>
#include <cstdlib>

#include "compiler/lower/lowering.h"

namespace cardwright::lower {

using model::ExprKind;

namespace {

using Course = std::optional<Int>;       // 1: never falls while the number rises, -1: never rises, 0: stays as it is

Course turned(Course c) { return c ? Course(-*c) : c; }
Course both(Course a, Course b) {
  if (!a || !b || *a * *b < 0) return std::nullopt;
  return *a != 0 ? a : b;
}

}  // namespace

// How an expression follows a number. Only what can't trap for one number and not for another has a course.
Course Lowering::course(const model::Expr& e, model::LocalId number) const {
  constexpr Int kMostFactor = 1 << 20;                     // no product of it overflows
  if (!mentions(e, number)) return pure(e) ? Course(0) : std::nullopt;
  const auto of = [&](std::size_t i) { return course(*e.args[i], number); };
  switch (e.kind) {
    case ExprKind::local: return 1;
    case ExprKind::add: case ExprKind::minimum: case ExprKind::maximum: return both(of(0), of(1));
    case ExprKind::subtract: return both(of(0), turned(of(1)));
    case ExprKind::negate: return turned(of(0));
    case ExprKind::multiply: case ExprKind::divide: {
      const bool factor_first = e.kind == ExprKind::multiply && e.args[0]->kind == ExprKind::constant;
      const model::Expr& factor = *e.args[factor_first ? 0 : 1];
      if (factor.kind != ExprKind::constant || factor.value == 0 || std::abs(factor.value) > kMostFactor)
        return std::nullopt;
      return factor.value > 0 ? of(factor_first ? 1 : 0) : turned(of(factor_first ? 1 : 0));
    }
    case ExprKind::less: case ExprKind::less_equal: return both(turned(of(0)), of(1));
    case ExprKind::logical_not: return turned(of(0));
    default: return std::nullopt;
  }
}

namespace {

bool is_number(const model::Expr& e, model::LocalId number) { return e.kind == ExprKind::local && e.local == number; }

// Reading it traps in no State.
bool never_traps(const model::Model& model, const model::Expr& e) {
  const bool all =
      std::all_of(e.args.begin(), e.args.end(), [&](const model::Expr* a) { return !a || never_traps(model, *a); });
  if (!all || e.type.optional) return false;
  switch (e.kind) {
    case ExprKind::constant: return e.value != kNone;
    case ExprKind::variable: return !model.variables[e.ref].can_be_unset && model.variables[e.ref].indices.empty();
    case ExprKind::unlimited: case ExprKind::local: case ExprKind::add: case ExprKind::subtract: case ExprKind::negate:
    case ExprKind::minimum: case ExprKind::maximum: case ExprKind::equal: case ExprKind::less:
    case ExprKind::less_equal:
      return true;
    default: return false;
  }
}

}  // namespace

bool Lowering::is_bound(const model::Expr& condition, model::LocalId number) {
  if (plain_ || (asking() && reads(condition))) return false;
  if (condition.kind != ExprKind::equal) return course(condition, number).has_value();
  const bool first = is_number(*condition.args[0], number);
  const model::Expr& other = *condition.args[first ? 1 : 0];
  return (first || is_number(*condition.args[1], number)) && !mentions(other, number) && pure(other);
}

// Those of the conditions that are bounds; the others go to `left`. What stands behind one of these is asked early only
// if it can't trap.
std::vector<const model::Expr*> Lowering::bounds_among(const std::vector<const model::Expr*>& conditions,
                                                       model::LocalId number, std::vector<const model::Expr*>& left) {
  std::vector<const model::Expr*> found;
  for (const model::Expr* condition : conditions)
    for (const model::Expr* part : conjuncts(*condition))
      (is_bound(*part, number) && (left.empty() || never_traps(model_, *part)) ? found : left).push_back(part);
  return found;
}

// `n <= E` and the like: E is the bound.
bool Lowering::narrow_by_value(const model::Expr& condition, model::LocalId number, Register low, Register high,
                               BlockIndex none) {
  const bool equality = condition.kind == ExprKind::equal;
  if (!equality && condition.kind != ExprKind::less && condition.kind != ExprKind::less_equal) return false;
  const bool at_most = is_number(*condition.args[0], number);
  const model::Expr& other = *condition.args[at_most ? 1 : 0];
  if (mentions(other, number) || !(at_most || is_number(*condition.args[1], number))) return false;
  const Register bound = expr(other);
  if (equality) {
    b().put(Op::max, low, {low, bound});
    b().put(Op::min, high, {high, bound});
    return true;
  }
  const bool strict = condition.kind == ExprKind::less;
  BlockIndex some = b().add_block();
  b().branch(at_most ? b().integer(strict ? Op::lt : Op::le, {low, bound}, 1)
                     : b().integer(strict ? Op::lt : Op::le, {bound, high}, 1),
             some, none);
  b().go_to(some);
  const Register last = strict ? b().integer(at_most ? Op::sub_small : Op::add_small, {bound, b().constant(1)}) : bound;
  if (at_most) b().put(Op::min, high, {high, last});
  else b().put(Op::max, low, {low, last});
  return true;
}

// Where a condition begins or ceases to hold, by halves.
void Lowering::narrow_by_halves(const model::Expr& condition, model::LocalId number, Register low, Register high) {
  const bool falls = *course(condition, number) < 0;
  Register from = b().make_int(), to = b().make_int(), middle = b().make_int();
  // the last for which it holds is from..to; else the first
  if (falls) b().put(Op::sub_small, from, {low, b().constant(1)});
  else b().assign(from, low);
  if (falls) b().assign(to, high);
  else b().put(Op::add_small, to, {high, b().constant(1)});
  BlockIndex head = b().add_block(), look = b().add_block(), yes = b().add_block(), no = b().add_block(),
             done = b().add_block();
  b().jump(head);
  b().go_to(head);
  b().branch(b().integer(Op::lt_small, {from, to}, 1), look, done);
  b().go_to(look);
  const Register width = b().integer(Op::sub_small, {to, from});
  const Register half = b().integer(
      Op::div_small, {falls ? b().integer(Op::add_small, {width, b().constant(1)}) : width, b().constant(2)});
  b().put(Op::add_small, middle, {from, half});
  bind(number, middle);
  branch_on(condition, yes, no);
  b().go_to(yes);
  b().assign(falls ? from : to, middle);
  b().jump(head);
  b().go_to(no);
  if (falls) b().put(Op::sub_small, to, {middle, b().constant(1)});
  else b().put(Op::add_small, from, {middle, b().constant(1)});
  b().jump(head);
  b().go_to(done);
  b().assign(falls ? high : low, from);
}

// Narrows low..high to what the bounds leave of it; if that is nothing, high is less than low.
void Lowering::narrow_numbers(const std::vector<const model::Expr*>& bounds, model::LocalId number, Register low,
                              Register high) {
  BlockIndex none = b().add_block(), after = b().add_block();
  for (const model::Expr* condition : bounds) {
    BlockIndex some = b().add_block();
    b().branch(b().integer(Op::le_small, {low, high}, 1), some, none);   // of no numbers nothing is asked
    b().go_to(some);
    if (!mentions(*condition, number)) {
      BlockIndex holds = b().add_block();
      branch_on(*condition, holds, none);
      b().go_to(holds);
    } else if (!narrow_by_value(*condition, number, low, high, none)) {
      narrow_by_halves(*condition, number, low, high);
    }
  }
  b().jump(after);
  b().go_to(none);
  b().put(Op::sub_small, high, {low, b().constant(1)});
  b().jump(after);
  b().go_to(after);
}

Register Lowering::count_numbers(Register low, Register high) {
  const Register some = b().integer(Op::le_small, {low, high}, 1);
  const Register count = b().integer(Op::add_small, {b().integer(Op::sub_small, {high, low}), b().constant(1)});
  return b().integer(Op::select, {some, count, b().constant(0)});
}

}  // namespace cardwright::lower
