// Finds reads of a window's or event's variables after the window or event has ended.
// Input:  a checked Model.
// Output: the ranges of these reads.
#pragma once

#include <compare>
#include <vector>

#include "compiler/model/model.h"

namespace cardwright::sema {

struct Running {
  bool window;   // true if it is a window, false if it is an event
  std::uint32_t id;
  friend auto operator<=>(const Running&, const Running&) = default;
};
struct ClosedRead {
  Running of;
  Range range;   // range of `W.x` or `E.x`
};
std::vector<ClosedRead> reads_after_end(const model::Model& model);

}   // namespace cardwright::sema
