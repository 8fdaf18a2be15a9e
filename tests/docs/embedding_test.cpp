// Tests docs/howto/use_the_library.md: its program builds against an installed Cardwright with only the CMake package,
// and plays.
#include <catch2/catch.hpp>

#include <cstdlib>
#include <filesystem>
#include <regex>
#include <sstream>

#include "tests/support/files.h"

using namespace cardwright::test;

namespace {

// Creates the files shown on the page, each in the block after `<!-- file: NAME -->`.
int write_files(const std::string& page, const TemporaryFolder& folder) {
  const std::regex file("<!-- file: (\\S+) -->\n```[a-z]+\n([^`]*)```");
  int written = 0;
  for (std::sregex_iterator found(page.begin(), page.end(), file), end; found != end; ++found, ++written)
    folder.write((*found)[1], (*found)[2]);
  return written;
}

// Returns the output, followed by the exit code if it is not 0.
std::string output_of(const std::string& command, const TemporaryFolder& folder) {
  const std::string out = folder.path() + "/out";
  const int status = std::system((command + " >" + out + " 2>&1 </dev/null").c_str());
  return text_of(out) + (status == 0 ? "" : "status " + std::to_string(status));
}

}   // namespace

TEST_CASE("embedding: the shown program builds against an installed tree, which may be moved", "[docs][embedding]") {
  const TemporaryFolder folder;
  REQUIRE(write_files(text_of(checkout("docs/howto/use_the_library.md")), folder) == 2);
  const std::filesystem::path build = std::filesystem::read_symlink("/proc/self/exe").parent_path().parent_path();
  const std::string first = folder.path() + "/first", moved = folder.path() + "/moved", own = folder.path() + "/build";

  const std::string installed = output_of("cmake --install " + build.string() + " --prefix " + first, folder);
  INFO(installed);
  REQUIRE(std::filesystem::exists(first + "/lib/libcardwright.so"));
  std::filesystem::rename(first, moved);

  INFO(output_of("cmake -S " + folder.path() + " -B " + own + " -DCMAKE_BUILD_TYPE=Debug -DCMAKE_PREFIX_PATH=" + moved +
                     " && cmake --build " + own,
                 folder));
  REQUIRE(std::filesystem::exists(own + "/deal"));
  const std::string played = output_of(own + "/deal", folder);
  INFO(played);
  CHECK(std::regex_search(played,
                          std::regex("[abcd] wins after [0-9]+ decisions\n20000 games, [0-9.]+ decisions each\n$")));

  const std::string refused = output_of(own + "/deal no_such_game", folder);
  INFO(refused);
  CHECK(refused.find("unknown game `no_such_game`") != std::string::npos);

  // The program loads everything from the new location, and nothing from the build tree.
  const std::string opened = output_of("env LD_DEBUG=files " + own + "/deal splash", folder);
  CHECK(opened.find(moved + "/lib/cardwright/cardwright_jit.so") != std::string::npos);
  CHECK(opened.find(build.string()) == std::string::npos);
  CHECK(output_of(moved + "/bin/cardwright simulate kuhn_poker --games 100", folder).find("status") ==
        std::string::npos);
}

TEST_CASE("embedding: the library exports only its interface", "[docs][embedding]") {
  const TemporaryFolder folder;
  const std::filesystem::path build = std::filesystem::read_symlink("/proc/self/exe").parent_path().parent_path();
  const std::string symbols =
      output_of("nm --demangle --dynamic --defined-only " + build.string() + "/lib/libcardwright.so", folder);
  std::istringstream lines(symbols);
  int shown = 0;
  for (std::string line; std::getline(lines, line); ++shown) {
    INFO(line);
    const auto is_of = [&](const char* space) { return line.find(space) != std::string::npos; };
    CHECK((is_of("cardwright::api::") || is_of("cardwright::statistics::") || is_of("cardwright::report::")));
    CHECK_FALSE((is_of("::Looking") || is_of("::BoundedMean") || is_of("report::digits_for")));
  }
  CHECK(shown > 100);
}
