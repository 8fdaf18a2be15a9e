// Dead code elimination: drops instructions that have no effect and whose result nobody reads. What may trap stays.
#pragma once

#include "runtime/ir/ir.h"

namespace cardwright::passes {

bool dce(ir::Function& function);   // whether something went

}   // namespace cardwright::passes
