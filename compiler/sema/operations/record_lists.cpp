// Builds lists of records, and loops over records. A list of records is split like a record: `plan: list of Trip`
// becomes the lists `plan.to` and `plan.cost`, which always have the same length. A loop over such a list iterates over
// its positions. In a loop over a sequence of records, locals store the fields of the current record.
#include "compiler/sema/operations/record_lists.h"

#include "compiler/sema/operations/locals.h"
#include "compiler/sema/operations/type_relations.h"
#include "compiler/sema/operations/comparisons.h"
#include "compiler/sema/operations/convert.h"
#include "compiler/sema/operations/lists.h"
#include "compiler/sema/operations/members.h"
#include "compiler/sema/operations/records.h"
#include "compiler/sema/symbols/make.h"

namespace cardwright::sema {

// Returns an empty list of records.
const Expr* no_records(SemaContext& sema, const Type& list, Range range) {
  return spread(sema, "", list, range,
                [&](const std::string&, const Type& t) { return make(sema, ExprKind::list_literal, t, range); });
}

const Expr* records_literal(RuleContext& rule, const std::vector<const Expr*>& items, const Type& list, Range range) {
  if (items.empty()) return no_records(rule.sema, list, range);
  for (const Expr* item : items)
    if (!has_no_effects(rule.sema, item)) return poison(rule.sema, range);
  const auto shape = [&](const Type& t) { return list_type(t, list.most); };
  return fieldwise(
      rule.sema, items,
      [&](const std::vector<const Expr*>& x) {
        Type element = x[0]->type;
        for (const Expr* one : x) element = *common(rule.sema, element, one->type);
        std::vector<const Expr*> own;
        for (const Expr* one : x) own.push_back(element.kind == TypeKind::list ? convert(rule, one, element) : one);
        return make(rule.sema, ExprKind::list_literal, list_type(element, list.most), range, own);
      },
      shape);
}

// Returns the record at one position of a list.
const Expr* record_at(RuleContext& rule, const Expr* list, const Expr* at, Range range) {
  return fieldwise(
      rule.sema, {list}, [&](const auto& x) { return picked(rule, x[0], at, range); },
      [](const Type& t) { return Type(*t.elem); });
}

static const Expr* places_of(RuleContext& rule, const Expr* list, Range range) {
  const Expr* last = make(rule.sema, ExprKind::subtract, integer_type(-1, list->type.most - 1), range,
                          {size_of(rule, list, range), integer_constant(rule.sema, 1, range)});
  return make(rule.sema, ExprKind::numbers, list_type(integer_type(0, list->type.most - 1), list->type.most), range,
              {integer_constant(rule.sema, 0, range), last});
}

// Returns the call of the sequence of records over which a loop iterates, directly or through `where`. Returns null for
// other loops.
const Expr* record_sequence(const Expr* e) {
  while (e->kind == ExprKind::filter) e = model::view::filter(e).domain();
  return e->kind == ExprKind::call_function && e->local.valid() ? e : nullptr;
}

// Creates a local for each field of the records that a sequence yields.
void give_locals(RuleContext& rule, Expr* call) {
  const Type& yields = rule.sema.rules.functions[call->ref].gives;
  if (yields.kind != TypeKind::record || !rule.model.functions[call->ref].sequence) return;
  for (const Part& part : leaves_of(rule.sema, yields, "")) {
    const LocalId id = add_local(rule, part.name, part.type, call->range);
    if (call->value++ == 0) call->local = id;
  }
}

const Expr* yielded_record(RuleContext& rule, const Expr* call) {
  std::uint32_t at = call->local.index;
  return spread(rule.sema, "", rule.sema.rules.functions[call->ref].gives, call->range,
                [&](const std::string&, const Type&) { return local(rule, LocalId{at++}, call->range); });
}

// Prepares a loop: returns its domain and its element. A loop statement first copies a list, because its body may
// change the list.
Walked walked_through(RuleContext& rule, const Expr* over, std::string_view name, Range range, Block* out) {
  if (!is_record_list(rule.sema, over->type)) {
    Walked w{over,
             name.empty() ? add_local(rule, "it", element_type(over->type), range)
                          : bind(rule, name, element_type(over->type), range),
             nullptr};
    const Expr* sequence = record_sequence(over);
    w.element = sequence ? yielded_record(rule, sequence) : local(rule, w.local, range);
    if (sequence && !name.empty()) rule.bindings.back() = {name, LocalId{}, w.element};
    return w;
  }
  if (out)
    over = fieldwise(rule.sema, {over}, [&](const auto& x) {
      const LocalId stored = add_local(rule, "", x[0]->type, range);
      emit(rule.sema, *out, StmtKind::let, range, {x[0]})->local = stored;
      return local(rule, stored, range);
    });
  else if (!has_no_effects(rule.sema, over))
    over = no_records(rule.sema, over->type, range);
  Walked w{places_of(rule, over, range), add_local(rule, "", integer_type(0, over->type.most - 1), range), nullptr};
  w.element = record_at(rule, over, local(rule, w.local, range), range);
  w.list = over;
  if (!name.empty()) rule.bindings.push_back({name, LocalId{}, w.element});
  return w;
}

// Returns the list of the records for which the condition is true.
const Expr* records_where(SemaContext& sema, const Walked& w, const Expr* where, Range range) {
  return fieldwise(
      sema, {w.element},
      [&](const auto& x) {
        Expr* list =
            make(sema, ExprKind::list_of, list_type(x[0]->type, w.list->type.most), range, {w.domain, where, x[0]});
        list->local = w.local;
        return list;
      },
      [&](const Type& t) { return list_type(t, w.list->type.most); });
}

// Returns the condition that the list contains the record.
const Expr* record_in_list(RuleContext& rule, const Expr* record, const Expr* list, Range range) {
  if (!has_no_effects(rule.sema, record)) return poison(rule.sema, range);
  Scoped scope(rule);
  const Walked w = walked_through(rule, list, "", range, nullptr);
  const Expr* same = equals(rule, w.element, record, range);
  if (is_poison(same)) return same;
  Expr* some = make(rule.sema, ExprKind::exists, boolean_type(), range, {w.domain, same});
  some->local = w.local;
  return some;
}

// Returns the list without the first record that equals `record`. In a statement, the position of that record is stored
// in a local.
const Expr* without_record(RuleContext& rule, const Expr* list, const Expr* record, Range range, Block* out) {
  if (!has_no_effects(rule.sema, list) || !has_no_effects(rule.sema, record)) return poison(rule.sema, range);
  const Walked w = walked_through(rule, list, "", range, nullptr),
               remaining = walked_through(rule, list, "", range, nullptr);
  const Expr* same = equals(rule, w.element, record, range);
  if (is_poison(same)) return same;
  Expr* first = make(rule.sema, ExprKind::aggregate, with_none(integer_type(0, list->type.most - 1)), range,
                     {w.domain, same, local(rule, w.local, range)});
  first->value = Int(model::Aggregate::least);
  first->local = w.local;
  const Expr* place = first;
  if (out) {
    const LocalId at = add_local(rule, "", first->type, range);
    emit(rule.sema, *out, StmtKind::let, range, {first})->local = at;
    place = raw_local(rule, at, range);
  }
  return records_where(
      rule.sema, remaining,
      make(rule.sema, ExprKind::not_equal, boolean_type(), range, {place, local(rule, remaining.local, range)}), range);
}

}   // namespace cardwright::sema
