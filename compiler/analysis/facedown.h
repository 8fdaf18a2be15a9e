// Finds the zones that may contain both faceup and facedown cards. Players' knowledge about facedown cards is stored as
// if these cards were in a separate hidden zone.
// Input:  the Model.
// Output: for each zone, whether it may contain facedown cards.
#pragma once

#include <vector>

#include "compiler/model/model.h"

namespace cardwright::analysis {

std::vector<bool> zones_with_facedown(const model::Model& model);

}   // namespace cardwright::analysis
