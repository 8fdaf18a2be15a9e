// Evaluates syntax trees that are known before the game: options, consts, the number of players, and operations on
// them.
// Input:  nodes.
// Output: constants.
#pragma once

#include <optional>

#include "compiler/sema/context/context.h"

namespace cardwright::sema {

std::optional<Fixed> fixed(SemaContext& sema, const Node* node, bool report = true);
std::optional<Fixed> fixed_name(SemaContext& sema, const Node* node, bool report);
std::optional<bool> fixed_truth(SemaContext& sema, const Node* node, bool report = true);
// The branch of a `with` that the options select, and the other branch. Either may be null.
struct Branch {
  const Node* taken;
  const Node* left_out;
};
std::optional<Branch> branch(SemaContext& sema, const Node* with, bool report = true);
std::optional<Int> fixed_int(SemaContext& sema, const Node* node, bool report = true);
bool mentions_option(SemaContext& sema, const Node* node);

}   // namespace cardwright::sema
