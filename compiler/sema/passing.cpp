// Rules that are handed over to functions: `reachable(me.at, 3, step_cost(me, _, _))`. A function with a parameter
// `cost: rule(cell, dir) -> int?` is made once for each way in which it is called, so that nothing is left of the rule
// when the game runs.
#include <algorithm>

#include "compiler/sema/analysis.h"

namespace cardwright::sema {

bool Passed::same_as(const Passed& other) const {
  if (is_value != other.is_value || id != other.id || given.size() != other.given.size()) return false;
  for (std::size_t i = 0; i < given.size(); ++i)
    if (!given[i] != !other.given[i]) return false;
  return true;
}

// `step_cost`, `step_cost(me, _, _)`, or a rule that was handed over to this one.
std::optional<Passed> Analysis::passed_rule(const Node* node, const Node* type) {
  if (node && node->kind == NodeKind::arg) node = view::arg(node).value();
  if (!node || (node->kind != NodeKind::name_ref && node->kind != NodeKind::call)) {
    error(Code::wrong_type, node ? node->range : type->range, "a rule is handed over here",
          "the name of a value or function, with `_` for what comes later: `step_cost(me, _, _)`");
    return std::nullopt;
  }
  const Node* list = node->kind == NodeKind::call ? view::call(node).arguments() : nullptr;
  Passed rule;
  if (auto own = rule_->rules.find(node->text); own != rule_->rules.end()) {
    rule.is_value = own->second.is_value;
    rule.id = own->second.id;
    for (const auto& given : own->second.given) rule.given.push_back(given ? local(*given, node->range) : nullptr);
  } else {
    const auto value = value_names_.find(node->text), function = function_names_.find(node->text);
    rule.is_value = value != value_names_.end();
    if (!rule.is_value && function == function_names_.end()) {
      if (silent_if_absent(node)) return std::nullopt;
      std::vector<std::string> names;
      for (const Table* t : {&value_names_, &function_names_})
        for (const auto& [n, id] : *t) names.push_back(n);
      error(Code::unknown_name, node->range, fmt::format("no value or function named `{}`", node->text),
            did_you_mean(node->text, names));
      return std::nullopt;
    }
    rule.id = rule.is_value ? value->second : function->second;
    used_.insert(std::string(node->text));
    const Callable& of = signature_of(rule.is_value, rule.id);
    rule.given.assign(of.names.size(), nullptr);
    if (of.hidden_me) rule.given[0] = me(node);
  }
  const Callable& of = signature_of(rule.is_value, rule.id);
  std::size_t at = 0;
  const auto next = [&] {
    while (at < rule.given.size() && rule.given[at]) ++at;
    return at;
  };
  for (const Node* a : list ? list->children : std::span<Node* const>{}) {
    const Node* what = a && a->kind == NodeKind::arg ? view::arg(a).value() : a;
    if (!what) continue;
    if (next() == rule.given.size() || (a->kind == NodeKind::arg && !a->text.empty())) {
      error(
          Code::wrong_arguments, a->range,
          fmt::format("`{}` takes {} argument{}, in their order", node->text, of.count(), of.count() == 1 ? "" : "s"));
      return std::nullopt;
    }
    if (what->kind != NodeKind::name_ref || what->text != "_") {
      rule.given[at] = convert(expr(what, &of.types[at]), of.types[at], of.names[at]);
      if (is_poison(rule.given[at])) return std::nullopt;
    }
    ++at;
  }
  return fits_rule(rule, type, node->range) ? std::optional(rule) : std::nullopt;
}

// Does it take what the rule is called with, and give what is wanted of it?
bool Analysis::fits_rule(const Passed& rule, const Node* type, Range range) {
  const Callable& of = signature_of(rule.is_value, rule.id);
  const std::string name(of.node->text);
  std::vector<Type> open;
  for (std::size_t i = 0; i < rule.given.size(); ++i)
    if (!rule.given[i]) open.push_back(of.types[i]);
  const std::size_t wanted = type->children.size() - 1;
  if (open.size() != wanted) {
    error(Code::wrong_arguments, range,
          fmt::format("this rule is called with {} argument{}, and `{}` has {} open", wanted, wanted == 1 ? "" : "s",
                      name, open.size()),
          "`_` stands for one that is open, what is not is given: `f(me, _)`");
    return false;
  }
  for (std::size_t i = 0; i < wanted; ++i)
    if (const Type t = type_or_poison(type->child(i + 1)); !fits(t, open[i]) && t.kind != TypeKind::poison) {
      error(Code::wrong_type, range,
            fmt::format("this rule is called with a `{}`, and `{}` takes a `{}`", show(t), name, show(open[i])));
      return false;
    }
  if (rule.is_value) build_value(rule.id);
  else build_function(rule.id);
  const Type gives = rule.is_value ? model_->values[rule.id].result : model_->functions[rule.id].result,
             needed = type_or_poison(view::type_rule(type).result());
  const bool good = fits(gives, needed) || gives.kind == TypeKind::poison || needed.kind == TypeKind::poison;
  if (!good || !of.part.empty() || (!rule.is_value && model_->functions[rule.id].sequence))
    error(Code::wrong_type, range,
          fmt::format("a rule that gives a `{}` is needed, and `{}` {}", show(needed), name,
                      good ? "gives no single value" : fmt::format("gives a `{}`", show(gives))));
  return good && of.part.empty();
}

const Expr* Analysis::call_with_rules(const Node* node, const Decl& of) {
  const bool walked = std::exchange(walked_, nullptr) == node;
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
      error(Code::wrong_arguments, node->range, fmt::format("`{}` needs its `{}`", node->text, parameters[i]->text));
      return poison(node->range);
    }
    const auto rule = passed_rule(handed[i], type);
    if (!rule) return poison(node->range);
    passed.push_back(*rule);
  }
  used_.insert(std::string(node->text));
  std::vector<MadeFor>& made = made_for_[std::string(node->text)];
  auto it = std::find_if(made.begin(), made.end(), [&](const MadeFor& m) {
    return std::equal(m.passed.begin(), m.passed.end(), passed.begin(), passed.end(),
                      [](const Passed& a, const Passed& b) { return a.same_as(b); });
  });
  const std::uint32_t id = it != made.end() ? it->function : static_cast<std::uint32_t>(functions_.size());
  if (it == made.end()) {
    made.push_back({passed, id});
    declare_callable(of, passed);
    finish_defaults(functions_[id], model_->functions[id].parameters);
  }
  build_function(id);
  const Callable& c = functions_[id];
  std::vector<const Expr*> initial;
  for (const model::Parameter& p : model_->functions[id].parameters) initial.push_back(p.initial);
  std::size_t given = c.names.size() - c.passed;
  for (const Passed& rule : passed)
    for (const Expr* e : rule.given)
      if (e) initial[given++] = e;
  std::vector<const Expr*> args = arguments(node, list, c, initial, node->text, false, rules);
  if (std::any_of(args.begin(), args.end(), [](const Expr* a) { return is_poison(a); })) return poison(node->range);
  const Type result = model_->functions[id].result;
  if (result.kind == TypeKind::nothing) {
    error(Code::circular, node->range,
          fmt::format("`{}` needs its type written down: it is computed from itself", node->text),
          fmt::format("`function {}(…): int = …`", node->text));
    return poison(node->range);
  }
  Expr* e = make(ExprKind::call_function, result, node->range, std::move(args));
  e->ref = id;
  give_locals(e);
  return is_sequence(e) && !walked ? not_a_value(e) : e;
}

// ---------------------------------------------------------------- what nobody calls

// A function that has what a rule is declared to have. It is only there while something is checked.
std::optional<std::uint32_t> Analysis::stand_in(const Node* rule) {
  Callable c;
  c.node = rule;
  c.state = Callable::State::done;
  model::Function f;
  f.result = type_or_poison(view::type_rule(rule).result());
  for (std::size_t i = 1; i < rule->children.size(); ++i) {
    c.types.push_back(type_or_poison(rule->child(i)));
    c.names.push_back(std::to_string(i));
    f.parameters.push_back({LocalId{static_cast<std::uint32_t>(i - 1)}, nullptr});
    f.body.locals.push_back({c.names.back(), c.types.back(), rule->range});
  }
  const bool unknown =
      f.result.kind == TypeKind::poison ||
      std::any_of(c.types.begin(), c.types.end(), [](const Type& t) { return t.kind == TypeKind::poison; });
  if (unknown) return std::nullopt;
  functions_.push_back(std::move(c));
  model_->functions.push_back(std::move(f));
  return static_cast<std::uint32_t>(functions_.size() - 1);
}

void Analysis::check_uncalled(const Decl& of) {
  std::vector<Passed> passed;
  for (const Node* p : view::callable(of.node).parameters()->children) {
    if (!p || !view::param(p).type() || view::param(p).type()->kind != NodeKind::type_rule) continue;
    const auto rule = stand_in(view::param(p).type());
    if (!rule) return;
    passed.push_back(
        {.is_value = false, .id = *rule, .given = std::vector<const Expr*>(functions_[*rule].names.size(), nullptr)});
  }
  const auto id = static_cast<std::uint32_t>(functions_.size());
  declare_callable(of, passed);
  if (id == functions_.size()) return;
  made_for_[std::string(of.node->text)].push_back({std::move(passed), id});
  finish_defaults(functions_[id], model_->functions[id].parameters);
  build_function(id);
}

// Functions with rules as parameters that nobody calls: read as if something were handed over, and nothing of it is
// kept.
void Analysis::check_uncalled() {
  const std::size_t functions = functions_.size(), exprs = model_->exprs.size(), stmts = model_->stmts.size(),
                    lists = model_->set_lists.size();
  const auto consts = const_exprs_;
  for (const auto& [name, decl] : with_rules_)
    if (!made_for_.contains(name) && !value_names_.contains(name) && !function_names_.contains(name))
      check_uncalled(decl);
  const_exprs_ = consts;
  functions_.resize(functions);
  model_->functions.resize(functions);
  model_->set_lists.resize(lists);
  while (model_->exprs.size() > exprs) model_->exprs.pop_back();
  while (model_->stmts.size() > stmts) model_->stmts.pop_back();
}

// `cost(c, d)` where `cost` was handed over.
const Expr* Analysis::call_passed(const Node* node, std::string_view name, const PassedIn& rule) {
  const Callable& of = signature_of(rule.is_value, rule.id);
  const Node* list = node->kind == NodeKind::call ? view::call(node).arguments() : nullptr;
  std::vector<const Node*> here;
  for (const Node* a : list ? list->children : std::span<Node* const>{})
    if (a) here.push_back(a->kind == NodeKind::arg ? view::arg(a).value() : a);
  if (here.size() != rule.takes.size()) {
    error(Code::wrong_arguments, node->range,
          fmt::format("the rule `{}` takes {} argument{}, not {}", name, rule.takes.size(),
                      rule.takes.size() == 1 ? "" : "s", here.size()));
    return poison(node->range);
  }
  std::vector<const Expr*> args;
  std::size_t at = 0;
  for (std::size_t i = 0; i < rule.given.size(); ++i) {
    if (rule.given[i]) {
      args.push_back(local(*rule.given[i], node->range));
      continue;
    }
    const Expr* value = convert(expr(here[at], &rule.takes[at]), rule.takes[at], name);
    ++at;
    if (is_poison(value)) return value;
    args.push_back(convert(value, of.types[i], of.names[i]));
    if (is_poison(args.back())) return args.back();
  }
  const Type result = rule.is_value ? model_->values[rule.id].result : model_->functions[rule.id].result;
  Expr* e = make(rule.is_value ? ExprKind::call_value : ExprKind::call_function, result, node->range, std::move(args));
  e->ref = rule.id;
  return convert(e, rule.gives);
}

}  // namespace cardwright::sema
