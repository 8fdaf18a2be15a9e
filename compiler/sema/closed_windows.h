// Finds reads of a window's or event's variables after it has closed. Input: a checked Model. Output: the reads.
#pragma once

#include <compare>
#include <vector>

#include "compiler/model/model.h"

namespace cardwright::sema {

struct Running {
  bool window;   // else an event
  std::uint32_t id;
  friend auto operator<=>(const Running&, const Running&) = default;
};
struct ClosedRead {
  Running of;
  Range range;   // of `W.x` or `E.x`
};
std::vector<ClosedRead> reads_of_what_is_over(const model::Model& model);

}   // namespace cardwright::sema
