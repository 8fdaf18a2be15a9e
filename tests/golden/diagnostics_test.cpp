// Tests docs/errors: a faulty rules file for each code, with the expected message in comments at its end.
//
//   // ---- expected
//   // E0201.rules:4:9: error[E0201]: unknown event `dicard`
//   //  4 |         dicard(top_card)
//   //    |         ^^^^^^ did you mean `discard`?
//
// A file's name begins with its code. In a file that would be too large to store, `// repeat N` repeats the next line N
// times; the expanded file is written to a temporary folder. A first line `// for 3 players` or `// with option=value,
// other` checks only that table, `// read NAME` only reads a file with that name, and `// beside GAME` marks a file of
// measures for that bundled game.
#include <unistd.h>

#include <set>

#include "cardwright/tools.hpp"
#include "compiler/parse/parse.h"
#include "support/diagnostics.h"
#include "tests/support/golden.h"

namespace cardwright::golden {
namespace {

constexpr std::string_view kMark = "// ---- expected\n";

const fs::path& folder() {
  static const fs::path path = root() / "docs/errors";
  return path;
}

std::string before_mark(const std::string& text) {
  const std::size_t at = text.find(kMark);
  return at == std::string::npos ? text : text.substr(0, at);
}

std::string as_comment(const std::string& messages) {
  std::string out(kMark);
  std::istringstream in(messages);
  for (std::string line; std::getline(in, line);) out += line.empty() ? "//\n" : "// " + line + "\n";
  return out;
}

// Returns the text after `// word` at the start of a line, or nothing.
std::string directive(const std::string& text, const std::string& word) {
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);)
    if (line.starts_with("// " + word + " ")) return line.substr(word.size() + 4);
  return {};
}

// Returns the file with its `// repeat N` lines expanded; empty if it has none.
std::string written_out(const std::string& text) {
  if (directive(text, "repeat").empty()) return {};
  std::istringstream in(text);
  std::string out;
  for (std::string line; std::getline(in, line);) {
    out += line + "\n";
    if (!line.starts_with("// repeat ")) continue;
    const int times = std::stoi(line.substr(10));
    std::getline(in, line);
    for (int i = 0; i < times; ++i) out += line + "\n";
  }
  return out;
}

api::Report look_at(const fs::path& file, const std::string& text) {
  try {
    const std::string beside = directive(text, "beside");
    const api::Ruleset rules =
        beside.empty() ? api::Ruleset::load(file.string()) : api::Ruleset::load(beside, file.string());
    const std::string players = directive(text, "for"), with = directive(text, "with");
    if (players.empty() && with.empty()) return rules.check();
    api::Configuration configuration;
    if (!players.empty()) configuration.players = std::stoi(players);
    std::istringstream settings(with);
    for (std::string one; std::getline(settings >> std::ws, one, ',');)
      configuration.options.emplace_back(one.substr(0, one.find('=')),
                                         one.find('=') == std::string::npos ? "" : one.substr(one.find('=') + 1));
    return rules.check(configuration);
  } catch (const api::Error& error) {
    return error.report();
  }
}

// Returns the messages from reading a file with this path.
std::string reading(const fs::path& file) {
  SourceMap sources;
  Diagnostics diagnostics(sources);
  parse::read_source(file, sources, diagnostics);
  return render_text(diagnostics, sources);
}

// Returns the messages about a file, with paths shortened to its name so that they don't depend on the checkout.
std::string messages_about(const fs::path& file) {
  const std::string text = read_text(file);
  if (const std::string other = directive(text, "read"); !other.empty())
    return replace_all(reading(folder() / other), folder().string() + "/", "");
  const std::string long_text = written_out(text);
  if (long_text.empty()) return replace_all(look_at(file, text).text, folder().string() + "/", "");
  const fs::path elsewhere = fs::temp_directory_path() / ("cardwright-golden-" + std::to_string(::getpid()));
  fs::create_directories(elsewhere);
  write_text(elsewhere / file.filename(), long_text);
  const std::string messages =
      replace_all(look_at(elsewhere / file.filename(), text).text, elsewhere.string() + "/", "");
  fs::remove_all(elsewhere);
  return messages;
}

}   // namespace

TEST_CASE("golden: the messages of docs/errors", "[golden][diagnostics]") {
  for (const fs::path& file : files(folder(), ".rules")) {
    const std::string name = file.stem().string(), text = read_text(file), messages = messages_about(file);
    if (updating()) {
      const std::string wanted = before_mark(text) + as_comment(messages);
      if (wanted != text) write_text(file, wanted);
    }
    INFO(name << " says\n" << messages);
    CHECK(messages.find("[" + name.substr(0, 5) + "]") != std::string::npos);
    const std::size_t at = text.find(kMark);
    if (!updating() && (at == std::string::npos || text.substr(at) != as_comment(messages)))
      FAIL_CHECK(file.filename().string()
                 << ": " << difference(at == std::string::npos ? "" : text.substr(at), as_comment(messages)));
  }
}

TEST_CASE("golden: every code has an example in docs/errors", "[golden][diagnostics]") {
  std::set<std::string> shown;
  for (const fs::path& file : files(folder(), ".rules")) shown.insert(file.stem().string().substr(0, 5));
  for (const CodeEntry& code : all_codes()) {
    INFO(code.id << ": " << code.title);
    CHECK(shown.count(std::string(code.id)) == 1);
  }
}

TEST_CASE("golden: every code can be explained", "[golden][diagnostics]") {
  for (const CodeEntry& code : all_codes()) {
    const std::string text = api::explain(code.id);
    INFO(code.id);
    CHECK(text.size() > 40);
    CHECK(text.find(code.id) != std::string::npos);
  }
}

}   // namespace cardwright::golden
