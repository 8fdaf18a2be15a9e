// What compiles but can't be meant.
#include <algorithm>

#include "compiler/sema/analysis.h"

namespace cardwright::sema {

void Analysis::check_value_cycles() {}

void Analysis::warn() {}

}  // namespace cardwright::sema
