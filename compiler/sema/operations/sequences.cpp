// Distinguishes sequences from lists, and limits the lengths of lists.
#include "compiler/sema/operations/sequences.h"

#include <algorithm>

#include <fmt/format.h>

#include "compiler/sema/operations/board_types.h"
#include "compiler/sema/operations/locals.h"
#include "compiler/sema/symbols/components.h"
#include "compiler/sema/symbols/errors.h"
#include "compiler/sema/symbols/make.h"
#include "compiler/sema/symbols/types.h"

namespace cardwright::sema {

const Expr* filtered(const Expr* e) {
  while (e->kind == ExprKind::filter) e = model::view::filter(e).domain();
  return e;
}

// Returns whether the expression is a sequence, possibly filtered. At run time, subsets and large ranges are also
// sequences.
bool is_sequence(const RuleContext& rule, const Expr* e) {
  e = filtered(e);
  switch (e->kind) {
    case ExprKind::subsets: return !rule.constant;
    case ExprKind::numbers: return !rule.constant && e->type.kind == TypeKind::list;
    default: return e->kind == ExprKind::call_function && rule.model.functions[e->ref].sequence;
  }
}

const Expr* not_a_value(SemaContext& sema, const Expr* sequence) {
  const auto what = [&]() -> const char* {
    switch (filtered(sequence)->kind) {
      case ExprKind::subsets: return "the subsets of a set can be used only in a loop";
      case ExprKind::numbers: return "a range of this size can be used only in a loop";
      default: return "a sequence can be used only in a loop";
    }
  };
  error(sema, "misplaced"_code, sequence->range, what(),
        "use `each x in …`, `least of … for x in …`, `any x in … has …` or `count of … for x in …`");
  return poison(sema, sequence->range);
}

// Returns an upper bound on the number of ints in one element of a list. Elements can be sets and lists.
static Int each_of(const SemaContext& sema, const Type& list) {
  // These sizes suffice for most games, so that only larger boards reduce the maximum length of lists.
  constexpr Int kWordsOfSet = 16, kWordsOfEdges = 34;
  const Type& element = *list.elem;
  if (element.kind == TypeKind::list) return element.most + 1;
  if (element.kind != TypeKind::set || !element.elem) return 1;
  const Type& of = *element.elem;
  if (of.kind == TypeKind::card) return kWordsOfSet;
  if (of.kind != TypeKind::enumeration) return has_wide_sets(sema, of) ? kWordsOfSet : 1;
  if (!sema.model.enums[of.ref].has_wide_sets()) return 1;
  const Int words = static_cast<Int>(sema.model.enums[of.ref].constants.size()) / 64 + 1;
  return std::max(board_of_edge(sema, of) ? kWordsOfEdges : kWordsOfSet, words);
}

// Returns the maximum length of a list of this type.
Int most_in(const SemaContext& sema, const Type& list) {
  constexpr Int kMostTogether = 4'000;
  return std::clamp<Int>(kMostTogether / each_of(sema, list), 1, kMostInList);
}

bool has_room(SemaContext& sema, const Type& list, Range range, bool report) {
  if (list.most <= most_in(sema, list)) return true;
  if (report)
    error(sema, "limit_exceeded"_code, range,
          fmt::format("list too long: a list of `{}` has at most {} elements", show(sema, *list.elem),
                      most_in(sema, list)),
          "reduce its length");
  return false;
}

// Converts a list of positions in a const list of sets to a list of the sets at these positions.
const Expr* as_plain_list(RuleContext& rule, const Expr* e) {
  const Type element = element_type(e->type);
  if (element.kind != TypeKind::listed) return e;
  const LocalId x = add_local(rule, "it", element, e->range);
  const Expr* body = local(rule, x, e->range);
  const Type type = list_type(body->type, rule.constant ? 0 : e->type.most);
  if (!has_room(rule.sema, type, e->range)) return poison(rule.sema, e->range);
  Expr* all = make(rule.sema, ExprKind::list_of, type, e->range, {e, nullptr, body});
  all->local = x;
  return all;
}

}   // namespace cardwright::sema
