// Options that mean one of several equal cards by the place where it lies.
#pragma once

#include "runtime/program/decisions.h"

namespace cardwright {

// In `ParameterInfo::enumeration` of a card, with `by_id`: equal cards at different places are different options.
inline constexpr Int kByPlace = -4;

inline bool is_by_place(const ParameterInfo& parameter) {
  return parameter.kind == ValueKind::card && parameter.enumeration == kByPlace;
}

}   // namespace cardwright
