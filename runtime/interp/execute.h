// Runs decoded code. Registers and calls live on an arena of the host, never on the native stack.
#pragma once

#include "runtime/engine.h"
#include "runtime/interp/decode.h"

namespace cardwright::interp {

// Addresses of the handlers for card sets of this many words.
const void* const* handlers_for(Int words);

// Runs one function to its end, or until it leaves for the host.
Status execute(const Program& program, const Code& code, Game& g, Byte* s, ir::FunctionIndex function,
               std::span<const Int> arguments, Int* result);

}   // namespace cardwright::interp
