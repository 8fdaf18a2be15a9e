// Matches the arguments of a call with the parameters of the callable.
#include "compiler/sema/expressions/arguments.h"

#include <algorithm>

#include <fmt/format.h>

#include "compiler/sema/operations/locals.h"
#include "compiler/sema/operations/type_relations.h"
#include "compiler/sema/expressions/expressions.h"
#include "compiler/sema/operations/convert.h"
#include "compiler/sema/operations/records.h"
#include "compiler/sema/symbols/errors.h"
#include "compiler/sema/symbols/make.h"

namespace cardwright::sema {

void used_otherwise(SemaContext& sema, const Callable& callable, Code code, Range use, std::string message,
                    std::string help) {
  const bool elsewhere = callable.node && callable.node->range.source != use.source;
  if (elsewhere && callable.decl.replaces) {
    Diagnostic& reported = error(sema, "wrong_arguments"_code, name_range(sema, callable.node),
                                 "the parameters differ from those of the declaration that this replaces",
                                 "use the same parameters, or also replace the rules that call it");
    reported.notes.push_back({use, std::move(message)});
    return;
  }
  Diagnostic& reported = error(sema, code, use, std::move(message), std::move(help));
  if (elsewhere) reported.notes.push_back({name_range(sema, callable.node), "declared here"});
}

std::vector<const Expr*> arguments(RuleContext& rule, const Node* node, const Node* list, const Callable& callable,
                                   const std::vector<const Expr*>& initial, std::string_view what, bool lenient,
                                   const std::set<const Node*>& but) {
  const std::size_t n = callable.names.size();
  std::vector<const Expr*> given(n, nullptr);
  const std::size_t hidden = callable.hidden_me ? 1 : 0;
  if (hidden) {
    if (rule.me.valid()) {
      given[0] = local(rule, rule.me, node->range);
    } else {
      error(rule.sema, "no_subject_in_scope"_code, node->range,
            fmt::format("`{}` needs a player, but no player is in scope for `me`", what));
      given[0] = poison(rule.sema, node->range);
    }
  }
  std::size_t at = hidden;
  bool bad = false;
  const std::string_view of_what = callable.node ? callable.node->text : what;
  if (list)
    for (const Node* a : list->children) {
      if (!a || but.contains(a)) continue;
      std::size_t i = at;
      if (a->kind == NodeKind::arg && !a->text.empty()) {
        i = callable.find(a->text, hidden);
        if (i == n) {
          used_otherwise(rule.sema, callable, "wrong_arguments"_code, a->range,
                         fmt::format("`{}` has no parameter `{}`", what, a->text),
                         did_you_mean(a->text, callable.names));
          bad = true;
          continue;
        }
      } else if (i >= n - callable.passed) {
        const std::size_t all = callable.count() - hidden;
        used_otherwise(rule.sema, callable, "wrong_arguments"_code, a->range,
                       fmt::format("too many arguments: `{}` takes {} argument{}", what, all, all == 1 ? "" : "s"));
        expr(rule, a);
        bad = true;
        continue;
      }
      const Callable::Whole parameter = callable.at(i);
      if (given[i]) {
        error(rule.sema, "wrong_arguments"_code, a->range, fmt::format("duplicate argument `{}`", parameter.name));
        bad = true;
        continue;
      }
      Type t = parameter.type;
      const Expr* value = expr(rule, a, &t);
      // An event does nothing if its first player or its card is none, so none is a valid argument for these
      // parameters.
      const bool first = std::none_of(callable.types.begin(), callable.types.begin() + static_cast<std::ptrdiff_t>(i),
                                      [](const Type& other) { return other.kind == TypeKind::player; });
      // A literal `none` for a card is an error.
      const bool never = value->type.kind == TypeKind::nothing && t.kind == TypeKind::card;
      if (lenient && !never && ((t.kind == TypeKind::player && first) || t.kind == TypeKind::card)) t.optional = true;
      // If the value does not fit, the message names the declared type rather than the type that also allows none.
      if (t.optional && value->type.kind != TypeKind::nothing && !fits(rule.sema, value->type, t))
        t.optional = parameter.type.optional;
      value = convert_in_bounds(rule, value, t, parameter.name, fmt::format("`{}` of `{}`", parameter.name, of_what));
      const std::vector<const Expr*> fields = fields_of(value);
      for (std::size_t k = 0; k < parameter.fields; ++k) given[i + k] = is_poison(value) ? value : fields[k];
      at = i + parameter.fields;
    }
  for (std::size_t i = hidden; i < n; ++i) {
    if (given[i]) continue;
    if (i < initial.size() && initial[i]) {
      given[i] = initial[i];
      continue;
    }
    if (!bad)
      used_otherwise(rule.sema, callable, "wrong_arguments"_code, node->range,
                     fmt::format("`{}` is missing the argument `{}`", what, callable.at(i).name));
    bad = true;
    given[i] = poison(rule.sema, node->range);
  }
  return given;
}

}   // namespace cardwright::sema
