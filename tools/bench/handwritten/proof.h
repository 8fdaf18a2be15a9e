// Puts the end of a hand-written game into the bytes of a State, so that both can be compared byte by byte.
#pragma once

#include <string>
#include <vector>

#include "tools/bench/handwritten/references.h"
#include "runtime/program/program.h"

namespace handwritten {

// Rules state and streams at the end of a game, as the engines keep them. Throws std::runtime_error on an unknown name.
void write_final(const cardwright::Program& program, const Final& final, cardwright::Byte* state);

// How two finished states differ, in words: "hand of b: …"; empty if the rules state and all streams are equal.
std::string difference(const cardwright::Program& program, const cardwright::Byte* expected,
                       const cardwright::Byte* found);

}   // namespace handwritten
