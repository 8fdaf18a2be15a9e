// Counts undesirable code patterns in each folder; a count may fall but not rise. tests/golden/counters.txt stores the
// counts, and `./cardwright selftest --update "[counters]"` rewrites it. Explain a higher count in the commit.
#include <functional>
#include <map>

#include "tests/golden/golden.h"

namespace cardwright::golden {
namespace {

constexpr std::size_t kColumns = 120;

std::size_t times(const std::string& line, const std::string& what) {
  std::size_t n = 0;
  for (std::size_t at = 0; (at = line.find(what, at)) != line.npos; at += what.size()) ++n;
  return n;
}

// A multi-byte character is one column.
std::size_t columns(const std::string& line) {
  return static_cast<std::size_t>(std::count_if(line.begin(), line.end(), [](char c) { return (c & 0xc0) != 0x80; }));
}

const std::map<std::string, std::function<std::size_t(const std::string& line)>>& counters() {
  static const std::map<std::string, std::function<std::size_t(const std::string&)>> all = {
      {"parts of a tree by number",
       [](const std::string& line) { return times(line, "child(") + times(line, "children["); }},
      {"parts of the Model by number",
       [](const std::string& line) { return times(line, "args[") + times(line, "exprs["); }},
      {"switches that forget a kind",
       [](const std::string& line) { return times(line, "default:") - times(line, "(default:"); }},
      {"lines over 120 columns", [](const std::string& line) -> std::size_t { return columns(line) > kColumns; }},
  };
  return all;
}

using Counts = std::map<std::string, std::size_t>;

Counts counted() {
  Counts counts;
  for (const char* top : {"api", "compiler", "runtime", "simulation", "support", "tools"})
    for (const auto& entry : fs::recursive_directory_iterator(root() / top)) {
      if (entry.path().extension() != ".cpp" && entry.path().extension() != ".h") continue;
      const std::string folder = fs::relative(entry.path().parent_path(), root()).string();
      std::istringstream lines(read_text(entry.path()));
      for (std::string line; std::getline(lines, line);)
        for (const auto& [what, in] : counters()) counts[folder + ": " + what] += in(line);
    }
  return counts;
}

Counts kept(const std::string& text) {
  Counts counts;
  std::istringstream lines(text);
  std::size_t number = 0;
  for (std::string what; lines >> number && std::getline(lines >> std::ws, what);) counts[what] = number;
  return counts;
}

}   // namespace

TEST_CASE("counters: no count of an undesirable pattern grows", "[golden][counters]") {
  const fs::path file = root() / "tests/golden/counters.txt";
  const Counts now = counted();
  REQUIRE_FALSE(now.empty());
  if (updating()) {
    std::string text;
    for (const auto& [what, number] : now)
      if (number > 0) text += std::to_string(number) + " " + what + "\n";
    return write_text(file, text);
  }
  Counts before = kept(read_text(file));
  REQUIRE_FALSE(before.empty());
  for (const auto& [what, number] : now) {
    INFO(what << ": " << number << ", and tests/golden/counters.txt says " << before[what]);
    CHECK(number <= before[what]);
  }
}

}   // namespace cardwright::golden
