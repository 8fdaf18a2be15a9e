// Tests inputs that would parse too slowly, overflow the stack, or are not text: each gets one message immediately.
#include <chrono>
#include <filesystem>
#include <fstream>

#include "tests/parse/parsing.h"

namespace cardwright::parse_tests {
namespace {

std::string times(int n, const std::string& text) {
  std::string out;
  for (int i = 0; i < n; ++i) out += text;
  return out;
}

void refused(const std::string& text, const std::string& message) {
  const auto begin = std::chrono::steady_clock::now();
  Parsed p(text);
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
  INFO(text.substr(0, 40) << " …\n" << p.messages());
  CHECK(p.diagnostics.errors() == 1);
  CHECK(p.messages().find(message) != std::string::npos);
  CHECK(took.count() < 2);
}

std::filesystem::path write(const std::string& name, const std::string& text) {
  const auto path = std::filesystem::temp_directory_path() / ("cardwright_guards_" + name);
  std::ofstream(path, std::ios::binary) << text;
  return path;
}

std::string reading(const std::filesystem::path& path) {
  SourceMap sources;
  Diagnostics diagnostics(sources);
  const auto id = parse::read_source(path, sources, diagnostics);
  CHECK(id.has_value() == diagnostics.all().empty());
  CHECK(diagnostics.all().size() <= 1);
  return render_text(diagnostics, sources);
}

}   // namespace

TEST_CASE("guards: depth") {
  refused("let a = " + times(100'000, "("), "E01");
  refused("let a = " + times(10'000, "(") + "1" + times(10'000, ")"),
          "E0111]: brackets are nested more than 200 levels deep");
  refused("event e() " + times(40'000, "{") + times(40'000, "}"), "E0111]");
  refused("let a = " + times(50'000, "not ") + "b", "E0111]: expression with more than 500 operators");
  refused("let a = " + times(50'000, "-") + "b", "E0111]");
  refused("let a = " + times(30'000, "b + ") + "b", "E0111]");
  refused("let a = b" + times(30'000, ".c"), "E0111]");
  refused("let a = b" + times(30'000, "()"), "E0111]");
  refused("let a = " + times(10'000, "if b then c else ") + "d", "E0111]");
  refused("event e() { " + times(10'000, "if b then ") + "c() }", "E0111]");
  refused("event e() { " + times(10'000, "if b { c() } else ") + "c() }", "E0111]");
  refused("let a = " + times(10'000, "sum of b for c in ") + "d", "E0111]");
  refused("let a: " + times(10'000, "set of ") + "d = 1", "E0111]");
  refused(times(20'000, "replace ") + "card A: B", "E0111]");
}

TEST_CASE("guards: long input without deep nesting is accepted") {
  CHECK(Parsed("let a = [" + times(5'000, "1 + 2, ") + "3]").messages() == "");
  CHECK(Parsed("event e() {\n" + times(5'000, "  x = a + b * c\n") + "}").messages() == "");
  CHECK(Parsed("event e() {\n" + times(3'000, "  if a { b() } else { c() }\n") + "}").messages() == "");
  CHECK(Parsed("let a = " + times(150, "(") + "1" + times(150, ")")).messages() == "");
}

TEST_CASE("guards: size") {
  refused(times(120'000, ";\n"), "E0110]");
  refused(std::string(1024 * 1024, 'a'), "E0003]");
  refused("let a = \"" + std::string("\xff") + "\"", "E0002]");
  refused(std::string("let a = 1\n\0", 11), "E0004]");
}

TEST_CASE("guards: files") {
  CHECK(reading(write("good.rules", "game \"x\"\n")) == "");
  CHECK(reading("/nowhere/at/all.rules") == "error[E0001]: file not found: `/nowhere/at/all.rules`\n");
  CHECK(reading(std::filesystem::temp_directory_path()).find("is a folder, not a rules file") != std::string::npos);
  CHECK(reading(write("large.rules", std::string(1024 * 1024, 'a'))).find("is 1.0 MB; the limit is 256 KB") !=
        std::string::npos);
  CHECK(reading(write("latin.rules", "// fine\n// gr\xfcn\n")).find("latin.rules:2:6: error[E0002]") !=
        std::string::npos);
  CHECK(reading(write("zero.rules", std::string("a\0b", 3))).find("zero.rules:1:2: error[E0004]") != std::string::npos);
  for (const char* bad : {"\xC0\x80", "\xE0\x80\x80", "\xED\xA0\x80", "\xF4\x90\x80\x80", "\xF8", "\x80", "\xE2\x82"})
    CHECK(reading(write("bad.rules", bad)).find("E0002") != std::string::npos);
  for (const char* good : {"// é", "// €", "// 😀", "// \xEF\xBF\xBD"}) CHECK(reading(write("good.rules", good)) == "");
}

}   // namespace cardwright::parse_tests
