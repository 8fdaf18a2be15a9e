// Drops instructions that have no effect and whose result nobody reads. What may trap stays.
#pragma once

#include "compiler/ir/ir.h"

namespace cardwright::passes {

bool drop_dead(ir::Function& function);   // whether something went

}  // namespace cardwright::passes
