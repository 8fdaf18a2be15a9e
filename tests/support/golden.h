// Implements golden files: compares a computed text with the expected text in a file.
//
// A test computes a text and calls check_golden(). With CARDWRIGHT_UPDATE=1 (`./cardwright selftest --update`), this
// rewrites the file instead of comparing it; review the difference as carefully as code.
#pragma once

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "tests/support/checkout.h"

namespace cardwright::golden {

namespace fs = std::filesystem;

inline bool updating() {
  const char* value = std::getenv("CARDWRIGHT_UPDATE");
  return value && *value && std::string(value) != "0";
}

inline fs::path root() { return test::checkout(); }

inline std::string read_text(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

inline void write_text(const fs::path& path, const std::string& text) {
  std::ofstream file(path, std::ios::binary);
  file << text;
  INFO("writing " << path);
  REQUIRE(file.good());
}

inline std::string replace_all(std::string text, const std::string& what, const std::string& with) {
  for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += with.size())
    text.replace(at, what.size(), with);
  return text;
}

// Returns the first line that differs, with its number, because a complete IR listing is unreadable.
inline std::string difference(const std::string& expected, const std::string& actual) {
  std::istringstream a(expected), b(actual);
  std::string x, y;
  for (int line = 1;; ++line) {
    const bool more_a = static_cast<bool>(std::getline(a, x)), more_b = static_cast<bool>(std::getline(b, y));
    if (!more_a && !more_b) return "the ends of lines differ";
    if (!more_a) x = "(the end)";
    if (!more_b) y = "(the end)";
    if (x != y) return "line " + std::to_string(line) + "\n  expected: " + x + "\n  found:    " + y;
  }
}

// Checks that the file, whose path is relative to tests/golden, contains `actual`; in update mode, rewrites the file.
inline void check_golden(const std::string& path, const std::string& actual) {
  const fs::path file = root() / "tests/golden" / path;
  if (updating()) {
    if (read_text(file) != actual) write_text(file, actual);
    return;
  }
  const std::string expected = read_text(file);
  if (expected == actual) {
    SUCCEED();
    return;
  }
  FAIL_CHECK(path << ": " << difference(expected, actual) << "\n(./cardwright selftest --update rewrites it)");
}

// Returns the files of a folder with this extension, sorted by name.
inline std::vector<fs::path> files(const fs::path& folder, const std::string& ending) {
  std::vector<fs::path> out;
  for (const auto& entry : fs::directory_iterator(folder))
    if (entry.path().extension() == ending) out.push_back(entry.path());
  std::sort(out.begin(), out.end());
  return out;
}

}   // namespace cardwright::golden
