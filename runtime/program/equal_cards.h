// Marks card parameters for which identical cards in different places are different options.
#pragma once

#include "runtime/program/decisions.h"

namespace cardwright {

// Value of `ParameterInfo::enumeration` for a card parameter whose options differ by place. Such a parameter also has
// `by_id`.
inline constexpr Int kByPlace = -4;

inline bool is_by_place(const ParameterInfo& parameter) {
  return parameter.kind == ValueKind::card && parameter.enumeration == kByPlace;
}

}   // namespace cardwright
