// Defines the path of the checkout. No other file is compiled with this path, so a compiler cache can serve all
// other files in every checkout.
#include "tests/support/checkout.h"

namespace cardwright::test {

std::string checkout(const std::string& path) {
  const std::string root = CARDWRIGHT_ROOT;
  return path.empty() ? root : root + "/" + path;
}

}   // namespace cardwright::test
