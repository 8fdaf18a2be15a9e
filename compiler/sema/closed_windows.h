// What a window left behind, read where it is closed by now.
#pragma once

#include <vector>

#include "compiler/model/model.h"

namespace cardwright::sema {

struct ClosedRead {
  std::uint32_t window;
  Range range;                       // of `W.x`
};
std::vector<ClosedRead> reads_of_closed_windows(const model::Model& model);

}  // namespace cardwright::sema
