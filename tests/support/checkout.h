// Computes paths of files in this checkout.
#pragma once

#include <string>

namespace cardwright::test {

// Returns the absolute path of a file or folder, given relative to the root of the checkout.
std::string checkout(const std::string& path = "");

}   // namespace cardwright::test
