// Tests that each folder includes only files of its declared dependencies (cmake/folders.cmake for the product,
// tests/README.md for tests), and that the root contains only known entries. `ninja link_alone` checks function calls
// between folders by linking.
#include <catch2/catch.hpp>

#include <filesystem>
#include <functional>
#include <map>
#include <regex>
#include <set>
#include <sstream>

#include "tests/support/files.h"

using namespace cardwright::test;
namespace fs = std::filesystem;

namespace {

using Folders = std::map<std::string, std::set<std::string>>;   // from each folder to the folders that it uses

Folders folders() {
  std::istringstream lines(text_of(checkout("cmake/folders.cmake")));
  std::string code;
  for (std::string line; std::getline(lines, line);) code += line.substr(0, line.find('#')) + "\n";
  const std::regex call("cardwright_folder\\(([^)]*)\\)");
  Folders out;
  for (std::sregex_iterator at(code.begin(), code.end(), call), end; at != end; ++at) {
    std::istringstream words((*at)[1].str());
    std::string folder, part;
    words >> folder;
    auto& used = out[folder];
    for (std::string word; words >> word;) {
      if (word == "USES" || word == "LINKS" || word == "HIDES" || word == "WITHOUT")
        part = word;
      else if (part == "USES")
        used.insert(word);
    }
  }
  return out;
}

bool is_source(const fs::path& path) {
  return path.extension() == ".cpp" || path.extension() == ".h" || path.extension() == ".hpp";
}

// Returns the folder of an included file; empty for a generated file in the build tree.
std::string folder_of(const std::string& included, const fs::path& including) {
  for (const fs::path& base : {fs::path(checkout(".")), fs::path(checkout("include")), including.parent_path()})
    if (fs::exists(base / included))
      return fs::relative(base / included, checkout(".")).parent_path().lexically_normal().string();
  return {};
}

// Calls `visit` with the folder of each file that a source includes. Returns the number of lines of the source.
int visit_includes(const fs::path& source, const std::function<void(const std::string& folder)>& visit) {
  static const std::regex include("^\\s*#\\s*include \"([^\"]+)\"");
  std::istringstream lines(text_of(source.string()));
  std::smatch found;
  int count = 0;
  for (std::string line; std::getline(lines, line); ++count)
    if (std::regex_search(line, found, include)) {
      INFO(source << " includes " << found[1]);
      visit(folder_of(found[1], source));
    }
  return count;
}

// Returns the sources below a top-level folder.
std::vector<fs::path> sources_below(const char* top) {
  std::vector<fs::path> out;
  for (const auto& entry : fs::recursive_directory_iterator(checkout(top)))
    if (is_source(entry.path())) out.push_back(entry.path());
  return out;
}

bool is_test_folder(const std::string& folder) { return folder == "tests" || folder.starts_with("tests/"); }

// Returns the names that are in a cycle or depend on one, separated by blanks.
std::string cycles_in(Folders left) {
  // Repeatedly removes the names whose dependencies are all removed.
  for (std::size_t before = left.size() + 1; before != left.size();) {
    before = left.size();
    std::erase_if(left, [&](const auto& one) {
      return std::none_of(one.second.begin(), one.second.end(),
                          [&](const std::string& used) { return left.contains(used); });
    });
  }
  std::string out;
  for (const auto& [name, used] : left) out += name + " ";
  return out;
}

}   // namespace

TEST_CASE("layers: a folder includes only files of its declared dependencies", "[layers]") {
  int lines_read = 0;
  for (const auto& [folder, used] : folders())
    for (const auto& entry : fs::directory_iterator(checkout(folder)))
      if (is_source(entry.path()))
        lines_read += visit_includes(entry.path(), [&](const std::string& included) {
          CHECK((included.empty() || included == folder || used.contains(included)));
        });
  CHECK(lines_read > 30'000);
}

TEST_CASE("layers: the product and its tools include no tests", "[layers]") {
  for (const char* top : {"api", "compiler", "grammar", "include", "runtime", "simulation", "support", "tools"})
    for (const fs::path& source : sources_below(top))
      visit_includes(source, [](const std::string& included) { CHECK_FALSE(is_test_folder(included)); });
}

TEST_CASE("layers: tests share only tests/support and the generator", "[layers]") {
  for (const fs::path& source : sources_below("tests")) {
    const std::string folder = fs::relative(source.parent_path(), checkout(".")).string();
    visit_includes(source, [&](const std::string& included) {
      const bool is_shared = included == "tests/support" || included == "tests/generator";
      CHECK((!is_test_folder(included) || included == folder || (is_shared && folder != "tests/support")));
    });
  }
}

TEST_CASE("layers: every folder with product sources is declared", "[layers]") {
  const Folders named = folders();
  for (const char* top : {"api", "compiler", "runtime", "simulation", "support"})
    for (const auto& entry : fs::recursive_directory_iterator(checkout(top))) {
      if (!is_source(entry.path())) continue;
      const std::string folder = fs::relative(entry.path().parent_path(), checkout(".")).string();
      INFO(folder);
      CHECK(named.contains(folder));
    }
}

TEST_CASE("layers: the folder dependencies contain no cycle", "[layers]") { CHECK(cycles_in(folders()) == ""); }

TEST_CASE("layers: the files of a folder do not include each other in cycles", "[layers]") {
  // Folders that still contain cycles. Remove a folder from this list when its last cycle is gone.
  const std::set<std::string> with_cycles = {"api/compile",
                                             "api/game",
                                             "compiler/analysis",
                                             "compiler/sema/declarations",
                                             "compiler/sema/options",
                                             "compiler/sema/rules",
                                             "compiler/sema/scenarios",
                                             "compiler/sema/statements",
                                             "simulation",
                                             "tools/server"};
  const std::regex include("#\\s*include \"([^\"]+)\\.h\"");
  for (const auto& [folder, used] : folders()) {
    Folders units;   // a unit is a header and its source file
    for (const auto& entry : fs::directory_iterator(checkout(folder))) {
      if (!is_source(entry.path())) continue;
      const std::string unit = fs::relative(entry.path(), checkout(".")).replace_extension().string();
      const std::string text = text_of(entry.path().string());
      for (std::sregex_iterator at(text.begin(), text.end(), include), end; at != end; ++at)
        if ((*at)[1] != unit && fs::path((*at)[1].str()).parent_path() == folder) units[unit].insert((*at)[1]);
    }
    const std::string cycles = cycles_in(units);
    INFO(folder << ": these units are in a cycle or depend on one: " << cycles);
    CHECK((cycles != "") == with_cycles.contains(folder));
  }
}

TEST_CASE("layers: the files of a folder define static functions with different names", "[layers]") {
  // Files of a folder are compiled together, so a call could silently select a function of another file.
  const std::regex definition(R"(\n(?:template [^\n]*\n)?static [^\n;={]*?[ &*](\w+)\()");
  for (const auto& [folder, used] : folders()) {
    std::map<std::string, std::string> file_of;
    for (const auto& entry : fs::directory_iterator(checkout(folder))) {
      if (entry.path().extension() != ".cpp") continue;
      const std::string text = text_of(entry.path().string()), file = entry.path().filename().string();
      for (std::sregex_iterator at(text.begin(), text.end(), definition), end; at != end; ++at) {
        const auto [first, is_new] = file_of.emplace((*at)[1].str(), file);
        INFO(folder << ": " << first->first << " in " << first->second << " and " << file);
        CHECK((is_new || first->second == file));
      }
    }
  }
}

TEST_CASE("layers: the root contains only allowed entries", "[layers]") {
  const std::set<std::string> allowed = {"api",
                                         "bindings",
                                         "cmake",
                                         "compiler",
                                         "docs",
                                         "grammar",
                                         "include",
                                         "rulesets",
                                         "runtime",
                                         "simulation",
                                         "stdlib",
                                         "support",
                                         "tests",
                                         "tools",
                                         "CHANGELOG.md",
                                         "CMakeLists.txt",
                                         "CMakePresets.json",
                                         "CONTRIBUTING.md",
                                         "LICENSE",
                                         "README.md",
                                         "SECURITY.md",
                                         "cardwright",
                                         "packages.txt",
                                         "build"};   // not tracked
  for (const auto& entry : fs::directory_iterator(checkout("."))) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with(".")) continue;
    INFO(name << " lies at the root");
    CHECK(allowed.contains(name));
  }
}
