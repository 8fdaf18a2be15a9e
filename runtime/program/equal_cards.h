// Options that choose one of several identical cards by its place.
#pragma once

#include "runtime/program/decisions.h"

namespace cardwright {

// Value of `ParameterInfo::enumeration` of a card with `by_id`: identical cards in different places are different
// options.
inline constexpr Int kByPlace = -4;

inline bool is_by_place(const ParameterInfo& parameter) {
  return parameter.kind == ValueKind::card && parameter.enumeration == kByPlace;
}

}   // namespace cardwright
