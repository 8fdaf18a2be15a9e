// Tests that the compiler reports every place that must handle a new kind of expression or statement, as listed in
// docs/adding.md. The test adds an unused kind to a copy of the .def file and compiles the sources against it.
#include <catch2/catch.hpp>

#include <cstdlib>
#include <filesystem>
#include <string>

#include "tests/support/files.h"

using namespace cardwright::test;

namespace {

// Returns the compiler's messages about `file` when `def` begins with `line`.
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

}   // namespace

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
