// Reads files of the checkout, and lists its rulesets.
#pragma once

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "support/temporary_folder.h"
#include "tests/support/checkout.h"

namespace cardwright::test {

using cardwright::TemporaryFolder;

inline std::string text_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error("can't read " + path);
  return {std::istreambuf_iterator<char>(file), {}};
}

inline std::vector<std::string> rules_in(const std::string& folder) {
  std::vector<std::string> out;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    if (entry.path().extension() == ".rules") out.push_back(entry.path().string());
  std::sort(out.begin(), out.end());
  return out;
}

}   // namespace cardwright::test
