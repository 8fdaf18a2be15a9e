// Loads the script and style sheet of report pages, which npm bundles from tools/web/.
#include <filesystem>

#include <fmt/format.h>

#include "cardwright/parts.hpp"
#include "cardwright/report.hpp"
#include "cardwright/tools.hpp"

namespace cardwright::report {

Bundle bundle() {
  const std::filesystem::path folder = api::pages_folder();
  if (folder.empty())
    throw api::Error(api::Blame::caller,
                     "this build has no web pages: run `./cardwright report` in a checkout, or `cmake --build BUILD "
                     "--target pages` (both need Node and npm)");
  Bundle out{api::read_whole((folder / "report.js").string()), api::read_whole((folder / "report.js.sha256").string()),
             api::read_whole((folder / "report.css").string())};
  while (out.script_hash.ends_with('\n')) out.script_hash.pop_back();
  return out;
}

}   // namespace cardwright::report
