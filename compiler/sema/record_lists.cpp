// Lists of records, and walking through what has records in it. Such a list is taken apart as a record is: `plan: list
// of Trip` is the lists `plan.to` and `plan.cost`, always of one length. Who walks through it walks through its places,
// and a sequence of records leaves the fields in locals of the one who walks.
#include <algorithm>

#include "compiler/sema/analysis.h"

namespace cardwright::sema {

bool Analysis::is_record_list(const Type& t) const { return t.kind == TypeKind::list && record_in(t); }

// Without any elements.
const Expr* Analysis::no_records(const Type& list, Range range) {
  return spread("", list, range,
                [&](const std::string&, const Type& t) { return make(ExprKind::list_literal, t, range); });
}

const Expr* Analysis::records_literal(const std::vector<const Expr*>& items, const Type& list, Range range) {
  if (items.empty()) return no_records(list, range);
  for (const Expr* item : items)
    if (!only_looks(item)) return poison(range);
  const auto shape = [&](const Type& t) { return list_type(t, list.most); };
  return fieldwise(items, [&](const std::vector<const Expr*>& x) {
    Type element = x[0]->type;
    for (const Expr* one : x) element = *common(element, one->type);
    std::vector<const Expr*> own;
    for (const Expr* one : x) own.push_back(element.kind == TypeKind::list ? convert(one, element) : one);
    return make(ExprKind::list_literal, list_type(element, list.most), range, own);
  }, shape);
}

// With room for as many as are wanted.
const Expr* Analysis::as_record_list(const Expr* e, const Type& to) {
  std::vector<const Expr*> lists;
  const std::vector<Part> wanted = leaves_of(to, "");
  for (const Expr* list : fields_of(e)) {
    lists.push_back(as_list(list, wanted[lists.size()].type));
    if (is_poison(lists.back())) return lists.back();
  }
  std::size_t at = 0;
  return spread("", to, e->range, [&](const std::string&, const Type&) { return lists[at++]; });
}

// The record at a place of a list.
const Expr* Analysis::record_at(const Expr* list, const Expr* at, Range range) {
  return fieldwise(
      {list}, [&](const auto& x) { return picked(x[0], at, range); }, [](const Type& t) { return Type(*t.elem); });
}

const Expr* Analysis::places_of(const Expr* list, Range range) {
  const Expr* last = make(ExprKind::subtract, integer_type(-1, list->type.most - 1), range,
                          {size_of(list, range), integer_constant(1, range)});
  return make(ExprKind::numbers, list_type(integer_type(0, list->type.most - 1), list->type.most), range,
              {integer_constant(0, range), last});
}

// The call of a sequence of records that is walked through, perhaps of what a `where` leaves of it.
const Expr* Analysis::record_sequence(const Expr* e) const {
  while (e->kind == ExprKind::filter) e = model::view::filter(e).domain();
  return e->kind == ExprKind::call_function && e->local.valid() ? e : nullptr;
}

// A sequence of records gives each field to a local of its own.
void Analysis::give_locals(Expr* call) {
  const Type& yields = functions_[call->ref].gives;
  if (yields.kind != TypeKind::record || !model_->functions[call->ref].sequence) return;
  for (const Part& part : leaves_of(yields, "")) {
    const LocalId id = add_local(part.name, part.type, call->range);
    if (call->value++ == 0) call->local = id;
  }
}

const Expr* Analysis::yielded_record(const Expr* call) {
  std::uint32_t at = call->local.index;
  return spread("", functions_[call->ref].gives, call->range,
                [&](const std::string&, const Type&) { return local(LocalId{at++}, call->range); });
}

// What is walked through and what its elements are called. A list is kept aside by a statement, which may change it.
Analysis::Walked Analysis::walked_through(const Expr* over, std::string_view name, Range range, Block* out) {
  if (!is_record_list(over->type)) {
    Walked w{
        over,
        name.empty() ? add_local("it", element_type(over->type), range) : bind(name, element_type(over->type), range),
        nullptr};
    const Expr* sequence = record_sequence(over);
    w.element = sequence ? yielded_record(sequence) : local(w.local, range);
    if (sequence && !name.empty()) rule_->bindings.back() = {name, LocalId{}, w.element};
    return w;
  }
  if (out) over = fieldwise({over}, [&](const auto& x) {
    const LocalId kept = add_local("", x[0]->type, range);
    emit(*out, StmtKind::let, range, {x[0]})->local = kept;
    return local(kept, range);
  });
  else if (!only_looks(over)) over = no_records(over->type, range);
  Walked w{places_of(over, range), add_local("", integer_type(0, over->type.most - 1), range), nullptr};
  w.element = record_at(over, local(w.local, range), range);
  w.list = over;
  if (!name.empty()) rule_->bindings.push_back({name, LocalId{}, w.element});
  return w;
}

// A list of what stands at some places of another.
const Expr* Analysis::records_where(const Walked& w, const Expr* where, Range range) {
  return fieldwise({w.element}, [&](const auto& x) {
    Expr* list = make(ExprKind::list_of, list_type(x[0]->type, w.list->type.most), range, {w.domain, where, x[0]});
    list->local = w.local;
    return list;
  }, [&](const Type& t) { return list_type(t, w.list->type.most); });
}

// Is such a record in the list?
const Expr* Analysis::record_in_list(const Expr* record, const Expr* list, Range range) {
  if (!only_looks(record)) return poison(range);
  Scoped scope(*rule_);
  const Walked w = walked_through(list, "", range, nullptr);
  const Expr* same = equals(w.element, record, range);
  if (is_poison(same)) return same;
  Expr* some = make(ExprKind::exists, boolean_type(), range, {w.domain, same});
  some->local = w.local;
  return some;
}

// Without the first that is equal. Where it stands is kept by a statement.
const Expr* Analysis::without_record(const Expr* list, const Expr* record, Range range, Block* out) {
  if (!only_looks(list) || !only_looks(record)) return poison(range);
  const Walked w = walked_through(list, "", range, nullptr), kept = walked_through(list, "", range, nullptr);
  const Expr* same = equals(w.element, record, range);
  if (is_poison(same)) return same;
  Expr* first = make(ExprKind::aggregate, with_none(integer_type(0, list->type.most - 1)), range,
                     {w.domain, same, local(w.local, range)});
  first->value = 2;                                        // the least
  first->local = w.local;
  const Expr* place = first;
  if (out) {
    const LocalId at = add_local("", first->type, range);
    emit(*out, StmtKind::let, range, {first})->local = at;
    place = raw_local(at, range);
  }
  return records_where(kept, make(ExprKind::not_equal, boolean_type(), range, {place, local(kept.local, range)}),
                       range);
}

// `plan += trip`, `plan -= trip`
const Expr* Analysis::records_changed(const Expr* target, const Node* value, std::string_view op, Range range,
                                      Block& out) {
  const Type added = added_to(target->type, value), element = element_type(target->type);
  const Expr* change = standing(value, &added, out);
  if (is_poison(change)) return change;
  const bool lists = change->type.kind == TypeKind::list;
  if (!lists) change = convert(change, element, "an element");
  if (is_poison(change)) return change;
  const std::vector<const Expr*> fields = kept_aside(change, range, out);
  std::size_t at = 0;
  change = spread("", change->type, range, [&](const std::string&, const Type&) { return fields[at++]; });
  if (op == "-=" && lists) {
    error(Code::wrong_type, range, "one element is taken out at a time", "`each r in … { l -= r }`");
    return poison(range);
  }
  if (op == "-=") return without_record(target, change, range, &out);
  return lists ? joined(target, change, range) : list_with(target, change, range);
}

}  // namespace cardwright::sema
