// Tests that the compiler reports every place that must handle a new kind of expression or statement, as listed in
// docs/adding.md. The test adds an unused kind to a copy of the .def file and compiles the sources against it. Also
// tests that the files and functions that the page names exist.
#include <catch2/catch.hpp>

#include <cstdlib>
#include <filesystem>
#include <regex>
#include <string>

#include "tests/support/files.h"

using namespace cardwright::test;

namespace {

// Returns the compiler's messages about `file` after `line` is inserted before the first entry of the same macro in
// `def`.
std::string messages_for(const std::string& file, const std::string& def, const std::string& line) {
  const TemporaryFolder folder;
  std::string text = text_of(checkout(def));
  const std::string macro = "\n" + line.substr(0, line.find('(') + 1);
  const std::size_t first = text.find(macro);
  REQUIRE(first != text.npos);
  text.insert(first + 1, line + "\n");
  std::filesystem::create_directories(std::filesystem::path(folder.path() + "/" + def).parent_path());
  folder.write(def, text);
  const std::string out = folder.path() + "/out";
  const std::string command = std::string(CARDWRIGHT_CXX) + " -std=c++20 -fsyntax-only -Werror=switch -DFMT_SHARED -I" +
                              folder.path() + " -I" + checkout("include") + " -I" + checkout("") + " -I" +
                              CARDWRIGHT_GENERATED + " " + checkout(file) + " >" + out + " 2>&1";
  const int status = std::system(command.c_str());
  return status == 0 ? "" : text_of(out);
}

void check_named(const std::string& def, const std::string& line, const std::vector<std::string>& files) {
  const std::string page = text_of(checkout("docs/adding.md"));
  for (const std::string& file : files) {
    INFO(file);
    CHECK(page.find(std::filesystem::path(file).filename().string()) != page.npos);
    const std::string messages = messages_for(file, def, line);
    INFO(messages);
    CHECK(messages.find("unhandled_kind") != messages.npos);
  }
}

// Returns the C++ sources of the compiler and the runtime as one text.
std::string all_sources() {
  std::string all;
  for (const char* folder : {"compiler", "runtime", "support"})
    for (const auto& entry : std::filesystem::recursive_directory_iterator(checkout(folder)))
      if (entry.path().extension() == ".cpp" || entry.path().extension() == ".h") all += text_of(entry.path().string());
  return all;
}

}   // namespace

TEST_CASE("adding: the files and functions that the page names exist", "[docs][adding]") {
  const std::string page = text_of(checkout("docs/adding.md")), sources = all_sources();
  const std::regex span("`([^`\n]+)`"), file("[\\w./]+/[\\w.]+\\.(cpp|h|def|g4|md|txt)"), called("([a-z]\\w+)\\(.*");
  int files = 0, names = 0;
  for (std::sregex_iterator at(page.begin(), page.end(), span), end; at != end; ++at) {
    const std::string text = (*at)[1];
    std::smatch parts;
    INFO(text);
    if (std::regex_match(text, file)) {
      ++files;
      CHECK(std::filesystem::exists(checkout(text)));
    } else if (std::regex_match(text, parts, called)) {
      ++names;
      CHECK(sources.find(parts[1].str() + "(") != sources.npos);
    }
  }
  CHECK(files > 20);
  CHECK(names > 5);
}

TEST_CASE("adding: the compiler reports all places that must handle a new expression", "[docs][adding]") {
  check_named(
      "compiler/model/exprs.def", "EXPR(unhandled_kind, more, NO_PARTS, \"\")",
      {"compiler/lower/expressions/expressions.cpp", "compiler/analysis/effects.cpp", "compiler/analysis/secrecy.cpp",
       "compiler/analysis/taint.cpp", "compiler/analysis/memoized_values.cpp"});
}

TEST_CASE("adding: the compiler reports all places that must handle a new statement", "[docs][adding]") {
  check_named(
      "compiler/model/stmts.def", "STMT(unhandled_kind, NO_PARTS, \"\")",
      {"compiler/lower/statements/statements.cpp", "compiler/analysis/secrecy.cpp", "compiler/analysis/named.cpp"});
}

TEST_CASE("adding: a file independent of the kinds compiles unchanged", "[docs][adding]") {
  CHECK(messages_for("compiler/model/print.cpp", "compiler/model/exprs.def",
                     "EXPR(unhandled_kind, more, NO_PARTS, \"\")") == "");
}
