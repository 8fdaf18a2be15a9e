// Which zones keep a known order whatever happens.
#pragma once

#include <vector>

#include "compiler/model/model.h"

namespace cardwright::model {

// By zone: all see its cards, those that lie face down excepted, and none ever lies there in an order that chance has still to decide.
std::vector<bool> zones_in_known_order(const Model& model);

}  // namespace cardwright::model
