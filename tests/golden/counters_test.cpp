// Counts undesirable constructs and phrases of the code by folder. A count may fall and must not rise;
// tests/golden/counters.txt contains the counts, and `./cardwright selftest --update "[counters]"` rewrites it. A
// commit that raises a count must give the reason.
#include <functional>
#include <iterator>
#include <map>
#include <regex>
#include <string>

#include "tests/support/golden.h"

namespace cardwright::golden {
namespace {

constexpr std::size_t kColumns = 120;

std::size_t times(const std::string& line, const std::string& what) {
  std::size_t n = 0;
  for (std::size_t at = 0; (at = line.find(what, at)) != line.npos; at += what.size()) ++n;
  return n;
}

// Returns the number of columns of a line, in which a multi-byte character is one column.
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

// Phrases that docs/style.md replaces, in comments and in the pages of docs. Those at zero must stay there.
const std::map<std::string, std::regex>& phrases() {
  using std::regex;
  static const std::map<std::string, regex> all = {
      {"a sentence that begins with Of, What, Whether, Which or Who", regex("(^|[.:] )(Of|What|Whether|Which|Who) ")},
      {"is no", regex("\\b(?!there )\\w+\\W? (is|are) no (?!longer)[a-z]")},
      {"comes to, come of", regex("\\b(comes? to|came to|comes? of)\\b")},
      {"goes on", regex("\\bgo(es)? on\\b")},
      {"work out", regex("\\bwork(s|ed)? (it |them )?out\\b")},
      {"anew", regex("\\banew\\b")},
      {"as well at the end", regex("\\bas well[.;,)]")},
      {"so many", regex("\\bso many\\b")},
      {"nobody, somebody", regex("\\b([Nn]o|[Ss]ome)body\\b")},
      {"lie, stand", regex("\\b(lies?|stands?)\\b")},
      {"tell, told", regex("\\b(tells?|told)\\b")},
  };
  return all;
}

void count_phrases(const std::string& text, const std::string& folder, std::map<std::string, std::size_t>& counts) {
  for (const auto& [what, phrase] : phrases())
    counts[folder + ": words: " + what] += static_cast<std::size_t>(
        std::distance(std::sregex_iterator(text.begin(), text.end(), phrase), std::sregex_iterator()));
}

// Returns the comment on a line, or an empty string.
std::string comment_of(const std::string& line) {
  const std::size_t at = line.find("// ");
  return at == line.npos ? "" : line.substr(at + 3);
}

using Counts = std::map<std::string, std::size_t>;

Counts counted() {
  Counts counts;
  for (const char* top : {"api", "compiler", "include", "runtime", "simulation", "support", "tests", "tools"})
    for (fs::recursive_directory_iterator entry(root() / top), end; entry != end; ++entry) {
      const fs::path suffix = entry->path().extension();
      if (entry->path().filename() == "node_modules") entry.disable_recursion_pending();
      const bool is_script = suffix == ".ts" || suffix == ".tsx" || suffix == ".js" || suffix == ".mjs";
      if (suffix != ".cpp" && suffix != ".h" && suffix != ".hpp" && !is_script) continue;
      const std::string folder = fs::relative(entry->path().parent_path(), root()).string();
      const bool is_product = std::string(top) != "tests" && std::string(top) != "include" && !is_script;
      std::istringstream lines(read_text(entry->path()));
      for (std::string line; std::getline(lines, line);) {
        count_phrases(comment_of(line), top, counts);
        if (!is_product) continue;
        for (const auto& [what, in] : counters()) counts[folder + ": " + what] += in(line);
      }
    }
  for (const auto& entry : fs::recursive_directory_iterator(root() / "docs")) {
    if (entry.path().extension() != ".md" || entry.path().filename() == "style.md") continue;
    std::istringstream lines(read_text(entry.path()));
    bool code = false;
    for (std::string line; std::getline(lines, line);) {
      if (line.starts_with("```")) code = !code;
      if (!code) count_phrases(line, "docs", counts);
    }
  }
  return counts;
}

Counts parse_counts(const std::string& text) {
  Counts counts;
  std::istringstream lines(text);
  std::size_t number = 0;
  for (std::string what; lines >> number && std::getline(lines >> std::ws, what);) counts[what] = number;
  return counts;
}

}   // namespace

TEST_CASE("counters: no count rises", "[golden][counters]") {
  const fs::path file = root() / "tests/golden/counters.txt";
  const Counts now = counted();
  REQUIRE_FALSE(now.empty());
  if (updating()) {
    std::string text;
    for (const auto& [what, number] : now)
      if (number > 0) text += std::to_string(number) + " " + what + "\n";
    return write_text(file, text);
  }
  Counts before = parse_counts(read_text(file));
  REQUIRE_FALSE(before.empty());
  for (const auto& [what, number] : now) {
    INFO(what << ": " << number << "; tests/golden/counters.txt has " << before[what]);
    CHECK(number <= before[what]);
  }
}

}   // namespace cardwright::golden
