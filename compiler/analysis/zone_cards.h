// Computes which kinds of cards each zone can ever hold: those that decks put there, and those that rules move there
// from zones that can hold them. Scenarios are ignored.
// In:     the Model of a first look (sema/sema.cpp). Declared types are trusted; the second look checks them.
// Out:    per zone the kinds in it, in ascending order.
// Source: flow-insensitive points-to analysis: Andersen, "Program Analysis and Specialization for C", 1994.
#pragma once

#include <cstdint>
#include <vector>

#include "compiler/model/model.h"

namespace cardwright::analysis {

std::vector<std::vector<std::int64_t>> zone_cards(const model::Model& model);

}   // namespace cardwright::analysis
