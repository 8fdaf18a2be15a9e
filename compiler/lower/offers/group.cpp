#include "compiler/lower/offers/group.h"

#include <algorithm>

namespace cardwright::lower {

std::vector<const Level*> as_written(const Group& g) {
  std::vector<const Level*> levels(g.levels.size());
  for (const Level& l : g.levels) levels[l.written] = &l;
  return levels;
}

}   // namespace cardwright::lower
