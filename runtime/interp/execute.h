// Runs decoded code. Registers and calls are stored in an arena owned by the host thread, never on the native stack.
#pragma once

#include "runtime/engine.h"
#include "runtime/interp/decode.h"

namespace cardwright::interp {

// Returns the handler addresses for card sets of this many words.
const void* const* handlers_for(Int words);

// Runs one function until it returns, or leaves with `to_host`.
Status execute(const Program& program, const Code& code, Game& g, Byte* s, ir::FunctionIndex function,
               std::span<const Int> arguments, Int* result);

}   // namespace cardwright::interp
