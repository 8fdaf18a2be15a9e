// Builds expressions that read variables and parameters of windows and events, entries of tables, and elements of
// lists.
#include "compiler/sema/operations/members.h"

#include <algorithm>
#include <functional>

#include "compiler/sema/operations/locals.h"
#include "compiler/model/visit.h"
#include "compiler/sema/operations/records.h"
#include "compiler/sema/symbols/make.h"

namespace cardwright::sema {

const Expr* parameter_of(SemaContext& sema, const Callable& c, std::string_view name, Range range,
                         const std::function<const Expr*(std::size_t)>& leaf) {
  const auto at = [&](std::string_view n) {
    return static_cast<std::size_t>(std::find(c.names.begin(), c.names.end(), n) - c.names.begin());
  };
  if (auto r = c.composed.find(name);
      r != c.composed.end() && at(leaves_of(sema, r->second, r->first)[0].name) < c.names.size())
    return spread(sema, r->first, r->second, range, [&](const std::string& n, const Type&) { return leaf(at(n)); });
  return at(name) < c.names.size() ? leaf(at(name)) : nullptr;
}

const Expr* running_member(RuleContext& rule, ExprKind kind, std::uint32_t of, const Callable& c,
                           const model::Body& body, const std::vector<LocalId>& variables, std::string_view name,
                           Range range) {
  const auto field = [&](const Type& type, Int index) {
    Expr* e = make(rule.sema, kind, type, range);
    e->ref = of;
    e->value = index;
    refine(rule, e);
    return e;
  };
  const auto variable = [&](std::string_view n) -> const Expr* {
    for (std::size_t i = 0; i < variables.size(); ++i)
      if (const model::Local& l = body.locals[variables[i].index]; l.name == n)
        return field(l.type, static_cast<Int>(i));
    return nullptr;
  };
  if (const Expr* e = variable(name)) return e;
  if (auto r = c.composed.find(name);
      r != c.composed.end() && variable(leaves_of(rule.sema, r->second, r->first)[0].name))
    return spread(rule.sema, r->first, r->second, range,
                  [&](const std::string& n, const Type&) { return variable(n); });
  return parameter_of(rule.sema, c, name, range,
                      [&](std::size_t i) { return field(c.types[i], -1 - static_cast<Int>(i)); });
}

const Expr* window_member(RuleContext& rule, std::uint32_t window, std::string_view name, Range range) {
  const model::Window& w = rule.model.windows[window];
  return running_member(rule, ExprKind::window_field, window, rule.sema.rules.windows[window], w.body, w.variables,
                        name, range);
}

// Returns an entry of a table or an element of a list.
const Expr* picked(RuleContext& rule, const Expr* of, const Expr* at, Range range) {
  if (of->type.kind == TypeKind::map) {
    if (of->kind == ExprKind::list_literal) return entry_of(rule.sema, of, at, range);
    if (of->kind != ExprKind::variable) {
      Expr* entry = make(rule.sema, ExprKind::element_at, *of->type.elem, range, {of, at});
      refine(rule, entry);
      return entry;
    }
    std::vector<const Expr*> args = of->args;
    args.push_back(at);
    return variable_of(rule, of->ref, range, std::move(args));
  }
  const Type element = *of->type.elem;
  if (of->kind != ExprKind::set_list) at = make(rule.sema, ExprKind::element_at, element, range, {of, at});
  if (element.kind != TypeKind::listed) return at;
  Expr* set = make(rule.sema, ExprKind::listed_set, rule.model.set_lists[element.ref].element, range, {at});
  set->ref = element.ref;
  return set;
}

}   // namespace cardwright::sema
