// Merges the parts of a run, and declares how each command prints the merged result.
#pragma once

#include <string>
#include <vector>

#include <fmt/format.h>

#include "cardwright/tools.hpp"

namespace cardwright::cli {

struct PartText {
  std::string path, text;
};

// Reads a part; errors are prefixed with its file name.
template <class Read>
auto read_named(const PartText& part, const Read& read) {
  try {
    return read(part.text);
  } catch (const api::Error& error) {
    throw api::Error(error.blame(), fmt::format("{}: {}", api::printable(part.path), error.what()));
  }
}

// Merges all parts; there must be at least one.
template <class Read>
auto added_up(const std::vector<PartText>& parts, const Read& read) {
  auto all = read_named(parts[0], read);
  for (std::size_t i = 1; i < parts.size(); ++i)
    read_named(parts[i], [&](const std::string& text) { all.add(read(text)); });
  return all;
}

int show_simulation(const std::vector<PartText>& parts, const std::string& output, bool json);
int show_skill(const std::vector<PartText>& parts, const std::string& output, bool json);
int show_comparison(const std::vector<PartText>& parts, const std::string& output, bool json);

}   // namespace cardwright::cli
