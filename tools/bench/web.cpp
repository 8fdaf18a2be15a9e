// bench_web [GAME …]: measures the decisions per second of uniformly random games in the interpreter, natively and as
// WebAssembly in Node, as in exported pages. Default: Splash, hearts and Kill Shot. Requires the target web_runtime.
// Natively compiled code and WebAssembly run alternately, on one core each; the rate is that of the fastest slice.
#include <cstdio>
#include <cstdlib>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "cardwright/cardwright.hpp"
#include "support/temporary_folder.h"
#include "tools/bench/measure.h"

namespace {

namespace api = cardwright::api;

constexpr int kRounds = 3;
constexpr double kSeconds = 2;   // seconds for each of the two programs in each round

// Returns the rate of the fastest slice.
double native_rate(const api::Game& game) {
  double best = 0;
  std::uint64_t games = 1;
  for (const double end = bench::now(CLOCK_MONOTONIC) + kSeconds; bench::now(CLOCK_MONOTONIC) < end;) {
    std::int64_t decisions = 0;
    const double start = bench::now(CLOCK_THREAD_CPUTIME_ID);
    for (std::uint64_t i = 0; i < games; ++i) {
      api::State state = game.new_state(1, i);
      state.playout();
      decisions += state.decisions();
    }
    const double spent = bench::now(CLOCK_THREAD_CPUTIME_ID) - start;
    if (spent < 0.02)
      games *= 2;
    else
      best = std::max(best, double(decisions) / spent);
  }
  return best;
}

double web_rate(const std::string& module, const std::string& file) {
  const std::string command =
      fmt::format("node '{}/tools/web/wasm/playouts.mjs' '{}' '{}' {}", CARDWRIGHT_ROOT, module, file, kSeconds);
  std::FILE* out = popen(command.c_str(), "r");
  char line[64] = "";
  const bool read = out && std::fgets(line, sizeof line, out);
  if (!out || pclose(out) != 0 || !read) throw std::runtime_error("node could not play " + file);
  return std::atof(line);
}

void show(const std::string& name, const std::string& module) {
  const api::Game game = api::Ruleset::load(name).compile();
  const cardwright::TemporaryFolder folder;
  const std::string file = folder.write("game", game.bytes());
  double native = 0, web = 0;
  for (int round = 0; round < kRounds; ++round) {
    native = std::max(native, native_rate(game));
    web = std::max(web, web_rate(module, file));
  }
  fmt::print("{}, {} players: {:.2f} million decisions per second natively, {:.2f} million as WebAssembly ({:.2f})\n",
             name, game.players(), native / 1e6, web / 1e6, web / native);
}

}   // namespace

int main(int count, char** words) {
  const auto module = std::filesystem::read_symlink("/proc/self/exe").parent_path() / "../lib/cardwright/table.wasm";
  if (!std::filesystem::exists(module)) {
    fmt::print(stderr, "bench_web: table.wasm not found; build the target web_runtime first\n");
    return 1;
  }
  std::vector<std::string> games(words + 1, words + count);
  if (games.empty()) games = {"splash", "hearts", "kill_shot"};
  try {
    for (const std::string& game : games) show(game, module);
  } catch (const std::exception& error) {
    fmt::print(stderr, "bench_web: {}\n", error.what());
    return 1;
  }
  return 0;
}
