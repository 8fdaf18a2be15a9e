// Finds reads of variables of a window or event after it has closed. Input: a checked Model. Output: the reads.
#pragma once

#include <compare>
#include <vector>

#include "compiler/model/model.h"

namespace cardwright::sema {

struct Running {
  bool window;   // true for a window, false for an event
  std::uint32_t id;
  friend auto operator<=>(const Running&, const Running&) = default;
};
struct ClosedRead {
  Running of;
  Range range;   // range of `W.x` or `E.x`
};
std::vector<ClosedRead> reads_of_what_is_over(const model::Model& model);

}   // namespace cardwright::sema
