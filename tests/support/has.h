// Searches a text for a part, with a helpful message if a test fails.
#pragma once

#include <catch2/catch.hpp>

#include <string>

namespace cardwright::test {

// Returns true if `text` contains `part`. If it does not, a failing assertion prints both.
inline bool has(const std::string& text, const std::string& part) {
  if (text.find(part) != std::string::npos) return true;
  UNSCOPED_INFO("looked for: " << part << "\nin:\n" << text);
  return false;
}

}   // namespace cardwright::test
