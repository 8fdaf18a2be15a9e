// What a `kept` value may depend on.
#pragma once

#include "compiler/model/model.h"

namespace cardwright::analysis {

// Something the value reads, itself or by what it calls, whose changes nothing tells; or null. Then it can't be stored.
const model::Expr* unwatched(const model::Model& model, const model::Value& value);

}   // namespace cardwright::analysis
