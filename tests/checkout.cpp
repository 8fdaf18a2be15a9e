// The only file that is compiled with the path of the checkout, so that a compiler cache serves all others
// in every checkout.
#include "tests/checkout.h"

namespace cardwright::test {

std::string checkout(const std::string& path) {
  const std::string root = CARDWRIGHT_ROOT;
  return path.empty() ? root : root + "/" + path;
}

}   // namespace cardwright::test
