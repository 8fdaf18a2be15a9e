// Inserts run-time checks of declared ranges.
// Input:  a converted expression and the declared type of its target.
// Output: the expression, wrapped in an `in_bounds` unless its own type proves that it fits.
#include "compiler/sema/operations/bounds.h"

#include <algorithm>

#include <fmt/format.h>

#include "compiler/sema/symbols/errors.h"
#include "compiler/sema/symbols/make.h"
#include "compiler/sema/symbols/types.h"

namespace cardwright::sema {

namespace {

// Returns the integer type of a value, or of the elements of a set, list or table. Returns null if the type contains no
// integers.
const Type* numbers_in(const Type& t) {
  const bool holds_many = t.kind == TypeKind::set || t.kind == TypeKind::list || t.kind == TypeKind::map;
  const Type* one = holds_many ? t.elem.get() : &t;
  return one && one->kind == TypeKind::integer && !is_duration(*one) ? one : nullptr;
}

bool is_within(const Type& from, const Type& to) { return from.lo >= to.lo && from.hi <= to.hi; }
bool is_outside(const Type& from, const Type& to) { return from.lo <= from.hi && (from.hi < to.lo || from.lo > to.hi); }

const Expr* never_fits(SemaContext& sema, const Expr* e, const std::string& number, const Type& to) {
  error(sema, "out_of_range"_code, e->range, fmt::format("{} is out of range {}..{}", number, to.lo, to.hi));
  return poison(sema, e->range);
}

const Expr* checked(SemaContext& sema, const Expr* e, const Type& to, std::string text) {
  Type type = to;
  type.optional = e->type.optional;
  Expr* check = make(sema, ExprKind::in_bounds, std::move(type), e->range, {e});
  check->text = std::move(text);
  return check;
}

std::string outside_text(const SemaContext& sema, const Type& to, std::string_view what) {
  return fmt::format("{} would {} {{}}, but is declared as {}", what, to.kind == TypeKind::integer ? "be" : "hold",
                     show(sema, to));
}

// Checks a constant set such as `[3, 13]`.
const Expr* constants_in_bounds(SemaContext& sema, const Expr* set, const Type& number) {
  for (const Int value : set->values)
    if (value < number.lo || value > number.hi) return never_fits(sema, set, fmt::format("{}", value), number);
  return set;
}

}   // namespace

const Expr* in_bounds(SemaContext& sema, const Expr* e, const Type& to, std::string_view what) {
  if (is_poison(e)) return e;
  const Type *from = numbers_in(e->type), *wanted = numbers_in(to);
  if (!from || !wanted || e->type.kind != to.kind) return e;
  if (e->kind == ExprKind::set_constant) return constants_in_bounds(sema, e, *wanted);
  // The element of a set of one may already have a check, because a set can contain only 0..kMostInSet. The new check
  // replaces it, because its message names the target.
  const bool is_one = e->kind == ExprKind::set_of_one;
  const bool may_fit_none = is_one && model::view::set_of_one(e).element()->kind == ExprKind::in_bounds;
  if ((is_within(*from, *wanted) && !may_fit_none) || (e->kind == ExprKind::list_literal && e->args.empty())) return e;
  const std::string text = outside_text(sema, to, what);
  if (!is_one) return checked(sema, e, to, text);
  const Expr* element = model::view::unchecked(model::view::set_of_one(e).element());
  if (!element->type.optional && is_outside(element->type, *wanted))
    return never_fits(sema, e,
                      element->type.lo == element->type.hi
                          ? fmt::format("{}", element->type.lo)
                          : fmt::format("a number in {}..{}", element->type.lo, element->type.hi),
                      *wanted);
  return make(sema, ExprKind::set_of_one, to, e->range, {checked(sema, element, *wanted, text)});
}

const Expr* in_bounds_of_sets(SemaContext& sema, const Expr* number) {
  const Type all = integer_type(0, kMostInSet);
  if (is_poison(number) || number->type.kind != TypeKind::integer || is_within(number->type, all)) return number;
  if (!number->type.optional && is_outside(number->type, all)) {
    error(sema, "out_of_range"_code, number->range,
          fmt::format("a set can only contain integers from 0 to {}", kMostInSet));
    return poison(sema, number->range);
  }
  const Type fitting = integer_type(std::max(number->type.lo, all.lo), std::min(number->type.hi, all.hi));
  return checked(sema, number, fitting,
                 fmt::format("a set of numbers would contain {{}}, but can contain only 0..{}", kMostInSet));
}

Type with_any_numbers(Type t) {
  if (t.kind == TypeKind::integer) return integer_type();
  const Type* number = numbers_in(t);
  if (!number || number->ref != ~std::uint32_t{0}) return t;
  Type any = t.kind == TypeKind::set ? integer_type(0, kMostInSet) : integer_type();
  any.optional = number->optional;
  t.elem = std::make_shared<const Type>(std::move(any));
  return t;
}

std::string result_name(std::string_view of) {
  return of.empty() ? "the result" : fmt::format("the result of `{}`", of);
}

}   // namespace cardwright::sema
