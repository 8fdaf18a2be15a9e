// Which folder may include which. A folder uses those named here and no other, so there are no circles: each stands
// below those that name it. Linking proves the same of what is called: ninja link_alone.
#include <catch2/catch.hpp>

#include <filesystem>
#include <map>
#include <regex>
#include <set>
#include <sstream>

#include "tests/system/places.h"

using namespace cardwright::test;
namespace fs = std::filesystem;

namespace {

const std::map<std::string, std::set<std::string>> kMayInclude = {
    {"compiler/support", {}},
    {"compiler/ast", {"compiler/support"}},
    {"compiler/parse", {"compiler/support", "compiler/ast"}},
    {"compiler/model", {"compiler/support"}},
    {"compiler/ir", {"compiler/support"}},
    {"program", {"compiler/support", "compiler/ir"}},
    {"runtime/ops", {"compiler/ir", "program"}},
    {"compiler/analysis", {"compiler/support", "compiler/model", "program", "runtime/ops"}},
    {"compiler/sema", {"compiler/support", "compiler/ast", "compiler/parse", "compiler/model", "compiler/analysis"}},
    {"compiler/plan", {"compiler/support", "compiler/model", "compiler/analysis", "program", "runtime/ops"}},
    {"compiler/lower",
     {"compiler/support", "compiler/model", "compiler/ir", "compiler/analysis", "compiler/plan", "program",
      "runtime/ops"}},
    {"compiler/passes", {"compiler/ir", "program", "runtime/ops"}},
    {"runtime", {"compiler/ir", "compiler/support", "program", "runtime/ops"}},
    {"compiler/driver",
     {"compiler/support", "compiler/model", "compiler/analysis", "compiler/lower", "compiler/passes", "program",
      "runtime"}},
    {"search", {"program", "runtime", "runtime/ops"}},
    {"runtime/interp", {"compiler/ir", "compiler/passes", "program", "runtime", "runtime/ops"}},
    {"compiler/llvm",
     {"compiler/ir", "compiler/support", "compiler/passes", "program", "runtime", "runtime/ops", "runtime/interp"}},
    {"include/cardwright", {}},
    {"compiler/look", {"compiler/support"}},
    {"play",
     {"include/cardwright", "compiler/support", "compiler/ir", "program", "runtime", "runtime/ops", "runtime/interp",
      "search"}},
    {"api",
     {"include/cardwright", "compiler/support", "compiler/look", "compiler/parse", "compiler/ast", "compiler/model",
      "compiler/ir", "compiler/sema", "compiler/driver", "compiler/passes", "compiler/llvm", "program", "runtime",
      "runtime/ops", "runtime/interp", "search", "play"}},
    {"table", {"include/cardwright", "compiler/support"}},
    {"study", {"include/cardwright", "api", "play"}},
    {"press", {"include/cardwright", "compiler/support"}},
    {"serve", {"include/cardwright", "compiler/support"}},
    {"cli", {"include/cardwright"}},
};

bool is_source(const fs::path& path) {
  return path.extension() == ".cpp" || path.extension() == ".h" || path.extension() == ".hpp";
}

// Of what it includes in quotes; empty for what is generated into the build tree.
std::string folder_of(const std::string& included, const fs::path& including) {
  for (const fs::path& base : {fs::path(checkout(".")), fs::path(checkout("include")), including.parent_path()})
    if (fs::exists(base / included))
      return fs::relative(base / included, checkout(".")).parent_path().lexically_normal().string();
  return {};
}

}  // namespace

TEST_CASE("rooms: a folder includes only what stands below it", "[system][rooms]") {
  const std::regex include("^\\s*#\\s*include \"([^\"]+)\"");
  int looked_at = 0;
  for (const auto& [folder, allowed] : kMayInclude)
    for (const auto& entry : fs::directory_iterator(checkout(folder))) {
      if (!is_source(entry.path())) continue;
      std::istringstream lines(text_of(entry.path().string()));
      std::smatch found;
      for (std::string line; std::getline(lines, line); ++looked_at)
        if (std::regex_search(line, found, include)) {
          const std::string included = folder_of(found[1], entry.path());
          INFO(entry.path() << " includes " << found[1]);
          CHECK((included.empty() || included == folder || allowed.count(included) == 1));
        }
    }
  CHECK(looked_at > 30'000);
}

TEST_CASE("rooms: every folder of the compiler and the runtime is one of them", "[system][rooms]") {
  for (const char* top : {"compiler", "runtime"})
    for (const auto& entry : fs::recursive_directory_iterator(checkout(top)))
      if (entry.is_directory()) {
        const std::string folder = fs::relative(entry.path(), checkout(".")).string();
        INFO(folder);
        CHECK(kMayInclude.count(folder) == 1);
      }
}

TEST_CASE("rooms: none stands above itself", "[system][rooms]") {
  // Takes away, again and again, what uses only folders that are gone.
  std::map<std::string, std::set<std::string>> left = kMayInclude;
  for (std::size_t before = left.size() + 1; before != left.size();) {
    before = left.size();
    std::erase_if(left, [&](const auto& room) {
      return std::none_of(room.second.begin(), room.second.end(),
                          [&](const std::string& used) { return left.count(used) == 1; });
    });
  }
  CHECK(left.empty());
}
