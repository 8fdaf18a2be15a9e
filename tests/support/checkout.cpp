// Defines the path of the checkout. Only this file is compiled with the path, so a compiler cache can share all other
// objects between checkouts.
#include "tests/support/checkout.h"

namespace cardwright::test {

std::string checkout(const std::string& path) {
  const std::string root = CARDWRIGHT_ROOT;
  return path.empty() ? root : root + "/" + path;
}

}   // namespace cardwright::test
