// What a `kept` value may hang on.
#pragma once

#include "compiler/model/model.h"

namespace cardwright::model {

// Something the value reads, itself or by what it calls, whose changes nothing tells; or null. Then it can't be stored.
const Expr* unwatched(const Model& model, const Value& value);

}  // namespace cardwright::model
