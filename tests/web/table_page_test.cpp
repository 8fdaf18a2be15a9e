// The table's page: its tests (web/table/tests) run by Node, with a browser where there is one.
#include <catch2/catch.hpp>

#include <filesystem>

#include <fmt/format.h>

#include "cardwright/tools.hpp"
#include "tests/cli/run.h"

using namespace cardwright;
using namespace cardwright::test;

TEST_CASE("table page: what was told is drawn, and can be played by clicks and keys", "[web][browser]") {
  const std::string pages = api::pages_folder();
  const std::string work = pages + "/../../../web";
  if (pages.empty() || !std::filesystem::exists(work + "/node_modules")) {
    WARN("skipped: the scripts of pages are not built (target pages, takes Node and npm)");
    return;
  }
  const TemporaryFolder folder;
  const std::string log = folder.path + "/log";
  const std::string command =
      fmt::format("cd '{0}' && node test.js out/tests '{1}' >'{2}' 2>&1 </dev/null", work, pages, log);
  const int code = std::system(command.c_str());
  INFO(slurp(log));
  CHECK(code == 0);
}
