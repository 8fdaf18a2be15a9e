// Tests the table's page with Node and a browser: by itself (tools/web/table/tests), and played by clicks and keys with
// `cardwright serve` and `export` as processes (tools/web/browser). Also checks the scripts with ESLint and Prettier.
#include <catch2/catch.hpp>

#include <filesystem>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cardwright/cardwright.hpp"
#include "cardwright/export.hpp"
#include "cardwright/tools.hpp"
#include "tests/support/checkout.h"
#include "tests/support/command.h"

using namespace cardwright;
using namespace cardwright::test;

namespace {

// Replays a game from the journal of an exported page in a native State, and returns the hash of the final state.
std::string natively(const nlohmann::json& played) {
  constexpr int kChoose = 0, kReseed = 4, kBegin = 6;
  const api::Game game = api::Ruleset::load("hearts").compile();
  api::State state = game.new_state(played["settings"]["seed"].get<std::uint64_t>());
  for (const nlohmann::json& entry : played["journal"]) {
    if (entry["kind"] == kBegin || entry["kind"] == kReseed) continue;   // the initial seed
    REQUIRE(entry["kind"] == kChoose);
    const int seat = entry["seat"].get<int>();
    REQUIRE((state.actor() == seat || state.ask_first(seat)));
    state.apply_id(entry["id"].get<std::int64_t>());
  }
  CHECK(state.is_over());
  return fmt::format("{:016x}", state.hash());
}

// Runs a command in the folder where the target `pages` builds the scripts, and returns its output if it fails.
std::string failure_of(const std::string& command, const std::string& log) {
  const std::string work = api::pages_folder() + "/../../../web";
  if (api::pages_folder().empty() || !std::filesystem::exists(work + "/node_modules")) {
    WARN("skipped: the scripts of pages are not built (target pages, requires Node and npm)");
    return "";
  }
  const std::string line = fmt::format("cd '{}' && {} >'{}' 2>&1 </dev/null", work, command, log);
  return std::system(line.c_str()) == 0 ? "" : slurp(log);
}

// Runs the bundled tests of one kind with Node, and returns their output if one fails.
std::string failed(const std::string& which, const std::string& environment, const std::string& log) {
  return failure_of(fmt::format("{} node test.js out/{} '{}' {}", environment, which, api::pages_folder(),
                                which == "browser" ? which : ""),
                    log);
}

}   // namespace

TEST_CASE("table page: messages are drawn, and the page can be played by clicks and keys", "[web][browser]") {
  const TemporaryFolder folder;
  CHECK(failed("tests", "", folder.path() + "/log") == "");
}

TEST_CASE("browser: tables and an exported page can be played by clicks and keys", "[web][browser][whole]") {
  const TemporaryFolder folder;
  const std::string played = folder.path() + "/played.json";
  const std::string environment =
      fmt::format("CARDWRIGHT='{}' RULESETS='{}/rulesets' PLAYED='{}'", program(), checkout(), played);
  CHECK(failed("browser", environment, folder.path() + "/log") == "");
  if (!std::filesystem::exists(played)) {
    WARN("skipped: no exported page was played (takes Chromium and the target web_runtime)");
    return;
  }
  const nlohmann::json kept = nlohmann::json::parse(slurp(played));
  CHECK(kept["hash"] == natively(kept["game"]));
}
