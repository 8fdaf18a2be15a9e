// Which functions anything calls.
#pragma once

#include <set>
#include <vector>

#include "compiler/model/model.h"

namespace cardwright::analysis {

struct Called {
  std::vector<bool> functions;   // by function: something calls it
  std::set<const model::Expr*> never;   // what stands in the bodies of the others
};

Called called_in(const model::Model& model);

}   // namespace cardwright::analysis
