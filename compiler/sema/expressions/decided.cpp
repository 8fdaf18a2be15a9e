// Evaluates conditions in rules that depend only on options. Does not evaluate a condition in which a name has another
// meaning in its scope.
#include "compiler/sema/expressions/decided.h"

#include <algorithm>

#include "compiler/model/visit.h"
#include "compiler/sema/operations/names.h"
#include "compiler/sema/options/tree_constants.h"
#include "compiler/sema/symbols/make.h"

namespace cardwright::sema {

// Returns the value of a condition that depends only on options, otherwise nullopt. Such a condition is not part of the
// Model.
std::optional<TreeConstant> decided(SemaContext& sema, RuleContext* rule, const Node* condition) {
  if (!mentions_option(sema, condition)) return std::nullopt;
  // A local name or an attribute takes precedence over a constant of the same name, except if the constant is a value
  // with which an option is compared.
  const auto uses_local_name = [&](const auto& self, const Node* node) -> bool {
    if (!node || !rule) return false;
    const bool of_option = node->kind == NodeKind::binary && view::binary(node).left() &&
                           view::binary(node).left()->kind == NodeKind::name_ref &&
                           sema.options.chosen.contains(view::binary(node).left()->text);
    if (of_option && (node->text == "==" || node->text == "!=")) return false;
    if (node->kind == NodeKind::name_ref && !sema.options.chosen.contains(node->text) &&
        !sema.constants.declared.contains(node->text)) {
      const auto has = [&](const Element& e) { return has_member(sema, e.value->type, node->text); };
      if (find_binding(*rule, node->text) || std::any_of(rule->elements.begin(), rule->elements.end(), has))
        return true;
    }
    return std::any_of(node->children.begin(), node->children.end(), [&](const Node* c) { return self(self, c); });
  };
  if (uses_local_name(uses_local_name, condition)) {
    if (condition->text != "and" && condition->text != "or") return std::nullopt;
    // If the left operand decides the result, the right operand does not matter.
    auto first =
        condition->kind == NodeKind::binary ? decided(sema, rule, view::binary(condition).left()) : std::nullopt;
    const bool settles =
        first && first->kind == TreeConstant::Kind::boolean && (first->value != 0) == (condition->text == "or");
    return settles ? first : std::nullopt;
  }
  return tree_constant(sema, condition, false);
}

// Returns whether options alone decide which branch of the statement remains.
bool is_decided_by_options(SemaContext& sema, const Node* node) {
  if (node->kind == NodeKind::if_stmt) return decided(sema, nullptr, view::if_stmt(node).condition()).has_value();
  const bool block = node->kind == NodeKind::block || node->kind == NodeKind::list;
  return block && !node->children.empty() && node->children.back() &&
         is_decided_by_options(sema, node->children.back());
}

}   // namespace cardwright::sema
