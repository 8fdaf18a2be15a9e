// Finds the functions of a Model that are called, directly or indirectly.
#pragma once

#include <set>
#include <vector>

#include "compiler/model/model.h"

namespace cardwright::analysis {

struct Called {
  std::vector<bool> functions;   // whether each function is called
  std::set<const model::Expr*> never;   // the expressions in the bodies of uncalled functions
};

Called called_in(const model::Model& model);

}   // namespace cardwright::analysis
