// `cardwright selftest` checks that the bundled games compile and that both engines play them identically. In a
// checkout, the launcher runs all tests instead.
#include <fmt/format.h>

#include "cardwright/tools.hpp"
#include "tools/cli/arguments.h"

namespace cardwright::cli {

namespace {

bool plays_alike(const std::string& name) {
  const api::Ruleset rules = api::Ruleset::load(name);
  api::SimulateSettings settings;
  settings.games = 200;
  const std::uint64_t digest = api::simulate(rules.compile(), settings).digest;
  if (!api::jit_is_available()) return true;
  return api::simulate(rules.compile({}, api::EngineKind::jit), settings).digest == digest;
}

int selftest() {
  fmt::print("quick check of the bundled games; `./cardwright selftest` in a checkout runs all tests\n");
  int passed = 0, failed = 0;
  for (const std::string& name : api::bundled_games()) {
    const bool fine = plays_alike(name);
    ++(fine ? passed : failed);
    fmt::print("{}  {}\n", fine ? "ok    " : "FAILED", name);
  }
  fmt::print("{} passed, {} failed\n", passed, failed);
  return failed ? kWeFailed : kFine;
}

}   // namespace

void add_selftest(CLI::App& app, Run& run) {
  auto* command = app.add_subcommand(
      "selftest", "check that this build works (in a checkout, ./cardwright selftest runs all tests)");
  command->callback([&run] { run = selftest; });
}

}   // namespace cardwright::cli
