#include "compiler/lower/context/function_context.h"

#include "compiler/lower/context/env.h"
#include "compiler/lower/context/program_context.h"

namespace cardwright::lower {}   // namespace cardwright::lower
