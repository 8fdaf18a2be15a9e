// Checks functions that have rules as parameters but are never called.
#include "compiler/sema/rules/passing.h"

#include <algorithm>

#include "compiler/sema/declarations/callables.h"
#include "compiler/sema/expressions/type_names.h"
#include "compiler/sema/rules/callables.h"

namespace cardwright::sema {

// Declares a placeholder function with the signature of a rule parameter. The placeholder exists only while an uncalled
// function is checked.
static std::optional<std::uint32_t> declare_placeholder(SemaContext& sema, const Node* rule) {
  Callable c;
  c.node = rule;
  c.state = Callable::State::done;
  model::Function f;
  f.result = type_or_poison(sema, view::type_rule(rule).result());
  const std::span<Node* const> takes = view::type_rule(rule).parameters();
  for (std::size_t i = 1; i <= takes.size(); ++i) {
    c.types.push_back(type_or_poison(sema, takes[i - 1]));
    c.names.push_back(std::to_string(i));
    f.parameters.push_back({LocalId{static_cast<std::uint32_t>(i - 1)}, nullptr});
    f.body.locals.push_back({c.names.back(), c.types.back(), rule->range});
  }
  const bool unknown =
      f.result.kind == TypeKind::poison ||
      std::any_of(c.types.begin(), c.types.end(), [](const Type& t) { return t.kind == TypeKind::poison; });
  if (unknown) return std::nullopt;
  sema.rules.functions.push_back(std::move(c));
  sema.model.functions.push_back(std::move(f));
  return static_cast<std::uint32_t>(sema.rules.functions.size() - 1);
}

static void check_uncalled(SemaContext& sema, const Decl& of) {
  std::vector<Passed> passed;
  for (const Node* p : view::callable(of.node).parameters()->children) {
    if (!p || !view::param(p).type() || view::param(p).type()->kind != NodeKind::type_rule) continue;
    const auto rule = declare_placeholder(sema, view::param(p).type());
    if (!rule) return;
    passed.push_back({.is_value = false,
                      .id = *rule,
                      .given = std::vector<const Expr*>(sema.rules.functions[*rule].names.size(), nullptr)});
  }
  const auto id = static_cast<std::uint32_t>(sema.rules.functions.size());
  std::vector<FunctionInstance>& made = sema.rules.made_for[std::string(of.node->text)];
  made.push_back({passed, id});
  declare_instance(sema, of, passed);
  if (id == sema.rules.functions.size())
    made.pop_back();
  else
    build_function(sema, id);
}

// Checks uncalled functions that have rules as parameters. Builds them with placeholder rules and discards the results.
void check_uncalled(SemaContext& sema) {
  const std::size_t functions = sema.rules.functions.size(), exprs = sema.model.exprs.size(),
                    stmts = sema.model.stmts.size(), lists = sema.model.set_lists.size();
  const auto consts = sema.constants.exprs;
  for (const auto& [name, decl] : sema.rules.with_rules)
    if (!sema.rules.made_for.contains(name) && !sema.names.values.contains(name) &&
        !sema.names.functions.contains(name))
      check_uncalled(sema, decl);
  sema.constants.exprs = consts;
  sema.rules.functions.resize(functions);
  sema.model.functions.resize(functions);
  sema.model.set_lists.resize(lists);
  while (sema.model.exprs.size() > exprs) sema.model.exprs.pop_back();
  while (sema.model.stmts.size() > stmts) sema.model.stmts.pop_back();
}

}   // namespace cardwright::sema
