// Declares dead code elimination, which drops instructions without effects whose results are unused. Instructions that
// may trap stay.
#pragma once

#include "runtime/ir/ir.h"

namespace cardwright::passes {

bool dce(ir::Function& function);   // returns true if something was removed

}   // namespace cardwright::passes
