// Evaluates syntax trees that consist of options, consts, the number of players, and operations on them. Options select
// the declarations, so these trees are evaluated before names and types are resolved and can't use the Model.
// Input:  nodes.
// Output: constants.
#pragma once

#include <optional>

#include "compiler/sema/context/context.h"

namespace cardwright::sema {

std::optional<TreeConstant> tree_constant(SemaContext& sema, const Node* node, bool report = true);
std::optional<TreeConstant> tree_name(SemaContext& sema, const Node* node, bool report);
std::optional<bool> tree_truth(SemaContext& sema, const Node* node, bool report = true);
// The branch of a `with` that the options select, and the other branch. Either may be null.
struct Branch {
  const Node* taken;
  const Node* left_out;
};
std::optional<Branch> branch(SemaContext& sema, const Node* with, bool report = true);
std::optional<Int> tree_int(SemaContext& sema, const Node* node, bool report = true);
bool mentions_option(SemaContext& sema, const Node* node);

}   // namespace cardwright::sema
