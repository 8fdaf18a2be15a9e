// Writes the final state of a handwritten game into the bytes of a State, so that it can be compared with the engines'
// State byte by byte.
#pragma once

#include <string>
#include <vector>

#include "tools/bench/handwritten/references.h"
#include "runtime/program/program.h"

namespace handwritten {

// Writes the rules state and streams at the end of a game to `state`, in the layout of the engines. Throws
// std::runtime_error for an unknown name.
void write_final(const cardwright::Program& program, const Final& final, cardwright::Byte* state);

// Describes the differences between two final states, one on each line: "towels 1: 3 instead of 4". Returns an empty
// string if the rules state and all streams are equal.
std::string difference(const cardwright::Program& program, const cardwright::Byte* expected,
                       const cardwright::Byte* found);

}   // namespace handwritten
