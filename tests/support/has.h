// Tests whether a text contains another one.
#pragma once

#include <catch2/catch.hpp>

#include <string>

namespace cardwright::test {

// Returns whether `text` contains `part`. If it does not, a failed assertion shows both.
inline bool has(const std::string& text, const std::string& part) {
  if (text.find(part) != std::string::npos) return true;
  UNSCOPED_INFO("looked for: " << part << "\nin:\n" << text);
  return false;
}

}   // namespace cardwright::test
