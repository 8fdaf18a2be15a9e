// Collects warnings from several analyses of one ruleset.
#pragma once

#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "support/diagnostics.h"

namespace cardwright::sema {

// Collects warnings from several analyses of one ruleset, each with different options. A warning is reported only if no
// analysis considered the code in its range correct.
class PendingWarnings {
 public:
  void add(Code code, Range range, bool bad, std::string message, std::string help);
  void report(Diagnostics& diagnostics) const;

 private:
  using Key = std::tuple<Code, SourceId, std::uint32_t, std::uint32_t>;
  struct Pending {
    Key key;
    Range range;
    std::string message, help;
  };
  std::vector<Pending> pending_;
  std::set<Key> suspected_, fine_;
};

}   // namespace cardwright::sema
