// Computes the kinds of cards that each zone can ever contain: those that decks place in it, and those that rules move
// to it from zones that can contain them. Scenarios are ignored.
// Input:  the Model of the first pass (sema/sema.cpp). Declared types are trusted; the second pass checks them.
// Output: the kinds of each zone, in ascending order.
// Source: flow-insensitive points-to analysis: Andersen, "Program Analysis and Specialization for C", 1994.
#pragma once

#include <cstdint>
#include <vector>

#include "compiler/model/model.h"

namespace cardwright::analysis {

std::vector<std::vector<std::int64_t>> zone_cards(const model::Model& model);

}   // namespace cardwright::analysis
