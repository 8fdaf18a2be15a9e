// Builds calls that pass rules to functions, such as `reachable(me.at, 3, step_cost(me, _, _))`. A function with a
// parameter `cost: rule(cell, dir) -> int?` is instantiated once for each distinct list of passed rules, so rules are
// not values at run time.
#include "compiler/sema/expressions/passing.h"

#include <algorithm>

#include <fmt/format.h>

#include "compiler/sema/operations/locals.h"
#include "compiler/sema/operations/sequences.h"
#include "compiler/sema/operations/type_relations.h"
#include "compiler/sema/expressions/arguments.h"
#include "compiler/sema/expressions/expressions.h"
#include "compiler/sema/expressions/type_names.h"
#include "compiler/sema/operations/convert.h"
#include "compiler/sema/operations/names.h"
#include "compiler/sema/operations/record_lists.h"
#include "compiler/sema/symbols/errors.h"
#include "compiler/sema/symbols/make.h"
#include "compiler/sema/symbols/types.h"

namespace cardwright::sema {

static bool fits_rule(SemaContext& sema, const Passed& rule, const Node* type, Range range);

// Resolves a passed rule: `step_cost`, `step_cost(me, _, _)`, or a parameter that is a rule.
static std::optional<Passed> passed_rule(RuleContext& rule, const Node* node, const Node* type) {
  if (node && node->kind == NodeKind::arg) node = view::arg(node).value();
  if (!node || (node->kind != NodeKind::name_ref && node->kind != NodeKind::call)) {
    error(rule.sema, "wrong_type"_code, node ? node->range : type->range, "expected a rule",
          "write the name of a value or function, with `_` for open arguments: `step_cost(me, _, _)`");
    return std::nullopt;
  }
  const Node* list = node->kind == NodeKind::call ? view::call(node).arguments() : nullptr;
  Passed passed;
  if (auto own = rule.rules.find(node->text); own != rule.rules.end()) {
    passed.is_value = own->second.is_value;
    passed.id = own->second.id;
    for (const auto& given : own->second.given)
      passed.given.push_back(given ? local(rule, *given, node->range) : nullptr);
  } else {
    const auto value = rule.sema.names.values.find(node->text), function = rule.sema.names.functions.find(node->text);
    passed.is_value = value != rule.sema.names.values.end();
    if (!passed.is_value && function == rule.sema.names.functions.end()) {
      if (silent_if_absent(rule, node)) return std::nullopt;
      std::vector<std::string> names;
      for (const Table* t : {&rule.sema.names.values, &rule.sema.names.functions})
        for (const auto& [n, id] : *t) names.push_back(n);
      error(rule.sema, "unknown_name"_code, node->range, fmt::format("unknown value or function `{}`", node->text),
            did_you_mean(node->text, names));
      return std::nullopt;
    }
    passed.id = passed.is_value ? value->second : function->second;
    rule.sema.used.insert(std::string(node->text));
    const Callable& of = signature_of(rule.sema, passed.is_value, passed.id);
    passed.given.assign(of.names.size(), nullptr);
    if (of.hidden_me) passed.given[0] = me(rule, node);
  }
  const Callable& of = signature_of(rule.sema, passed.is_value, passed.id);
  std::size_t at = 0;
  const auto next = [&] {
    while (at < passed.given.size() && passed.given[at]) ++at;
    return at;
  };
  for (const Node* a : list ? list->children : std::span<Node* const>{}) {
    const Node* what = a && a->kind == NodeKind::arg ? view::arg(a).value() : a;
    if (!what) continue;
    if (next() == passed.given.size() || (a->kind == NodeKind::arg && !a->text.empty())) {
      error(rule.sema, "wrong_arguments"_code, a->range,
            fmt::format("`{}` takes {} positional argument{}", node->text, of.count(), of.count() == 1 ? "" : "s"));
      return std::nullopt;
    }
    if (what->kind != NodeKind::name_ref || what->text != "_") {
      passed.given[at] = convert_in_bounds(rule, expr(rule, what, &of.types[at]), of.types[at], of.names[at],
                                           fmt::format("`{}` of `{}`", of.names[at], node->text));
      if (is_poison(passed.given[at])) return std::nullopt;
    }
    ++at;
  }
  return fits_rule(rule.sema, passed, type, node->range) ? std::optional(passed) : std::nullopt;
}

// Checks that the passed rule accepts the arguments and returns the declared type.
static bool fits_rule(SemaContext& sema, const Passed& passed, const Node* type, Range range) {
  const Callable& of = signature_of(sema, passed.is_value, passed.id);
  const std::string name(of.node->text);
  std::vector<Type> open;
  for (std::size_t i = 0; i < passed.given.size(); ++i)
    if (!passed.given[i]) open.push_back(of.types[i]);
  const std::size_t wanted = type->children.size() - 1;
  if (open.size() != wanted) {
    error(sema, "wrong_arguments"_code, range,
          fmt::format("expected a rule with {} open argument{}, but `{}` has {}", wanted, wanted == 1 ? "" : "s", name,
                      open.size()),
          "`_` marks an open argument; write a value for each other one: `f(me, _)`");
    return false;
  }
  for (std::size_t i = 0; i < wanted; ++i)
    if (const Type t = type_or_poison(sema, view::type_rule(type).parameters(i));
        !fits(sema, t, open[i]) && t.kind != TypeKind::poison) {
      error(sema, "wrong_type"_code, range,
            fmt::format("expected a rule that takes `{}`, but `{}` takes `{}`", show(sema, t), name,
                        show(sema, open[i])));
      return false;
    }
  if (passed.is_value)
    sema.builders.value(sema, passed.id);
  else
    sema.builders.function(sema, passed.id);
  const Type gives = passed.is_value ? sema.model.values[passed.id].result : sema.model.functions[passed.id].result,
             needed = type_or_poison(sema, view::type_rule(type).result());
  const bool good = fits(sema, gives, needed) || gives.kind == TypeKind::poison || needed.kind == TypeKind::poison;
  if (!good || !of.part.empty() || (!passed.is_value && sema.model.functions[passed.id].sequence))
    error(sema, "wrong_type"_code, range,
          fmt::format("expected a rule that returns `{}`, but `{}` {}", show(sema, needed), name,
                      good ? "does not return a single value" : fmt::format("returns `{}`", show(sema, gives))));
  return good && of.part.empty();
}

const Expr* call_with_rules(RuleContext& rule, const Node* node, const Decl& of) {
  const bool walked = std::exchange(rule.walked, nullptr) == node;
  const Node* list = node->kind == NodeKind::call ? view::call(node).arguments() : nullptr;
  std::vector<const Node*> parameters;
  for (const Node* p : view::callable(of.node).parameters()->children)
    if (p) parameters.push_back(p);
  std::vector<const Node*> handed(parameters.size(), nullptr);
  std::set<const Node*> rules;
  std::size_t at = 0;
  for (const Node* a : list ? list->children : std::span<Node* const>{}) {
    if (!a) continue;
    if (a->kind == NodeKind::arg && !a->text.empty())
      at = static_cast<std::size_t>(
          std::find_if(parameters.begin(), parameters.end(), [&](const Node* p) { return p->text == a->text; }) -
          parameters.begin());
    if (at < parameters.size() && view::param(parameters[at]).type() &&
        view::param(parameters[at]).type()->kind == NodeKind::type_rule)
      handed[at] = a, rules.insert(a);
    ++at;
  }
  std::vector<Passed> passed;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const Node* type = view::param(parameters[i]).type();
    if (!type || type->kind != NodeKind::type_rule) continue;
    if (!handed[i]) {
      error(rule.sema, "wrong_arguments"_code, node->range,
            fmt::format("`{}` is missing the argument `{}`", node->text, parameters[i]->text));
      return poison(rule.sema, node->range);
    }
    const auto given = passed_rule(rule, handed[i], type);
    if (!given) return poison(rule.sema, node->range);
    passed.push_back(*given);
  }
  rule.sema.used.insert(std::string(node->text));
  std::vector<FunctionInstance>& made = rule.sema.rules.made_for[std::string(node->text)];
  auto it = std::find_if(made.begin(), made.end(), [&](const FunctionInstance& m) {
    return std::equal(m.passed.begin(), m.passed.end(), passed.begin(), passed.end(),
                      [](const Passed& a, const Passed& b) { return a.same_as(b); });
  });
  const std::uint32_t id =
      it != made.end() ? it->function : static_cast<std::uint32_t>(rule.sema.rules.functions.size());
  if (it == made.end()) {
    made.push_back({passed, id});
    rule.sema.builders.instance(rule.sema, of, passed);
  }
  rule.sema.builders.function(rule.sema, id);
  const Callable& c = rule.sema.rules.functions[id];
  std::vector<const Expr*> initial;
  for (const model::Parameter& p : rule.model.functions[id].parameters) initial.push_back(p.initial);
  std::size_t given = c.names.size() - c.passed;
  for (const Passed& one : passed)
    for (const Expr* e : one.given)
      if (e) initial[given++] = e;
  std::vector<const Expr*> args = arguments(rule, node, list, c, initial, node->text, false, rules);
  if (std::any_of(args.begin(), args.end(), [](const Expr* a) { return is_poison(a); }))
    return poison(rule.sema, node->range);
  const Type result = rule.model.functions[id].result;
  if (result.kind == TypeKind::nothing) {
    error(rule.sema, "circular"_code, node->range,
          fmt::format("`{}` is recursive, so its type must be declared", node->text),
          fmt::format("write `function {}(…): int = …`", node->text));
    return poison(rule.sema, node->range);
  }
  Expr* e = make(rule.sema, ExprKind::call_function, result, node->range, std::move(args));
  e->ref = id;
  give_locals(rule, e);
  return is_sequence(rule, e) && !walked ? not_a_value(rule.sema, e) : e;
}

// Builds the call `cost(c, d)`, where `cost` is a parameter that is a rule.
const Expr* call_passed(RuleContext& rule, const Node* node, std::string_view name, const PassedIn& handed) {
  const Callable& of = signature_of(rule.sema, handed.is_value, handed.id);
  const Node* list = node->kind == NodeKind::call ? view::call(node).arguments() : nullptr;
  std::vector<const Node*> here;
  for (const Node* a : list ? list->children : std::span<Node* const>{})
    if (a) here.push_back(a->kind == NodeKind::arg ? view::arg(a).value() : a);
  if (here.size() != handed.takes.size()) {
    error(rule.sema, "wrong_arguments"_code, node->range,
          fmt::format("rule `{}` takes {} argument{}, found {}", name, handed.takes.size(),
                      handed.takes.size() == 1 ? "" : "s", here.size()));
    return poison(rule.sema, node->range);
  }
  std::vector<const Expr*> args;
  std::size_t at = 0;
  for (std::size_t i = 0; i < handed.given.size(); ++i) {
    if (handed.given[i]) {
      args.push_back(local(rule, *handed.given[i], node->range));
      continue;
    }
    const Expr* value = convert_in_bounds(rule, expr(rule, here[at], &handed.takes[at]), handed.takes[at], name,
                                          fmt::format("argument {} of `{}`", at + 1, name));
    ++at;
    if (is_poison(value)) return value;
    args.push_back(convert_in_bounds(rule, value, of.types[i], of.names[i],
                                     fmt::format("`{}` of `{}`", of.names[i], of.node->text)));
    if (is_poison(args.back())) return args.back();
  }
  const Type result = handed.is_value ? rule.model.values[handed.id].result : rule.model.functions[handed.id].result;
  Expr* e = make(rule.sema, handed.is_value ? ExprKind::call_value : ExprKind::call_function, result, node->range,
                 std::move(args));
  e->ref = handed.id;
  return convert_in_bounds(rule, e, handed.gives, name, fmt::format("the result of `{}`", name));
}

const Callable& signature_of(const SemaContext& sema, bool is_value, std::uint32_t id) {
  return is_value ? sema.rules.values[id] : sema.rules.functions[id];
}

}   // namespace cardwright::sema
