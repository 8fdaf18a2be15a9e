// In which zones cards may lie face down beside those that lie face up. What each player knows of them follows as if
// they lay in a hidden zone behind it.
// In: the Model. Out: by zone, whether it has such cards.
#pragma once

#include <vector>

#include "compiler/model/model.h"

namespace cardwright::analysis {

std::vector<bool> zones_with_facedown(const model::Model& model);

}   // namespace cardwright::analysis
