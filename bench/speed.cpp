// bench_speed [--players N] [--seconds S] [--json FILE] [GAME]: the figures of docs/performance.md.
//
// One thread; the median of five runs of S seconds each, in time of this thread on the processor, so that other work on the machine
// counts little. Starting times are measured in processes of their own. A table goes to standard output, JSON to FILE.
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "api/game_data.h"
#include "cardwright/tools.hpp"
#include "runtime/ops/random.h"
#include "runtime/state.h"

extern char** environ;

namespace {

using namespace cardwright;
using api::EngineKind;

constexpr int kRuns = 5;

double now(clockid_t clock) {
  timespec t{};
  clock_gettime(clock, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}
double cpu() { return now(CLOCK_THREAD_CPUTIME_ID); }
double wall() { return now(CLOCK_MONOTONIC); }

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

struct Rate {
  double games = 0, decisions = 0, length = 0;         // per second, per second, decisions per game
};

// play(index) plays a game and says how many decisions it had. Runs first once for warmth.
Rate measure(double seconds, const std::function<std::int64_t(std::uint64_t)>& play) {
  std::vector<double> games, decisions, lengths;
  std::uint64_t index = 0;
  for (int i = 0; i < 50; ++i) play(index++);
  for (int run = 0; run < kRuns; ++run) {
    std::int64_t played = 0, made = 0;
    const double start = cpu();
    double spent = 0;
    do {
      for (int i = 0; i < 20; ++i) made += play(index++), ++played;
      spent = cpu() - start;
    } while (spent < seconds);
    games.push_back(static_cast<double>(played) / spent);
    decisions.push_back(static_cast<double>(made) / spent);
    lengths.push_back(static_cast<double>(made) / static_cast<double>(played));
  }
  return {median(games), median(decisions), median(lengths)};
}

Rate playouts(const api::Game& game, double seconds) {
  const Program& program = game.data()->program();
  const std::unique_ptr<Byte[]> bytes(new Byte[static_cast<std::size_t>(program.layout.size)]);
  return measure(seconds, [&](std::uint64_t index) -> std::int64_t {
    new_playout_state(program, bytes.get(), 1, index);
    cardwright::Game context = api::detail::fresh_context(*game.data());
    game.data()->engine->playout(context, bytes.get());
    return context.decisions;
  });
}

Rate steps(const api::Game& game, double seconds) {
  const Program& program = game.data()->program();
  const std::unique_ptr<Byte[]> bytes(new Byte[static_cast<std::size_t>(program.layout.size)]);
  Engine& engine = *game.data()->engine;
  return measure(seconds, [&](std::uint64_t index) -> std::int64_t {
    new_state(program, bytes.get(), 1, index);
    cardwright::Game context = api::detail::fresh_context(*game.data());
    while (engine.step(context, bytes.get()) == Status::pending)
      context.choice = draw_below(policy_stream(bytes.get(), program.layout, context.pending_player), context.pending_options);
    return context.decisions;
  });
}

// The same through the public interface, with the list of legal options.
Rate interface_steps(const api::Game& game, double seconds) {
  return measure(seconds, [&](std::uint64_t index) -> std::int64_t {
    api::State state = game.new_state(1, index);
    while (!state.is_over()) {
      if (state.legal().empty()) std::abort();
      state.apply(state.random_index());
    }
    return state.decisions();
  });
}

// Nanoseconds for one of very many.
template <class Work>
double nanoseconds(Work&& work) {
  constexpr int kTimes = 1'000'000;
  std::vector<double> runs;
  for (int run = 0; run < kRuns; ++run) {
    const double start = cpu();
    for (int i = 0; i < kTimes; ++i) work(i);
    runs.push_back((cpu() - start) / kTimes * 1e9);
  }
  return median(runs);
}

api::State in_the_middle(const api::Game& game) {
  api::State state = game.new_state(1, 3);
  for (int i = 0; i < 40 && !state.is_over(); ++i) state.apply(state.random_index());
  return state;
}

// Seconds that a command takes, or what it prints as a number.
double command(const std::vector<std::string>& words, bool reads_number) {
  int ends[2];
  if (pipe(ends) != 0) return -1;
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], 1);
  posix_spawn_file_actions_addclose(&actions, ends[0]);
  std::vector<char*> arguments;
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  const double start = wall();
  pid_t child = 0;
  const int failed = posix_spawn(&child, words[0].c_str(), &actions, nullptr, arguments.data(), environ);
  close(ends[1]);
  std::string out;
  char buffer[4096];
  for (ssize_t n; !failed && (n = read(ends[0], buffer, sizeof buffer)) > 0;) out.append(buffer, static_cast<std::size_t>(n));
  close(ends[0]);
  int status = 1;
  if (!failed) waitpid(child, &status, 0);
  posix_spawn_file_actions_destroy(&actions);
  if (failed || status != 0) return -1;
  return reads_number ? std::strtod(out.c_str(), nullptr) : wall() - start;
}
double median_command(const std::vector<std::string>& words, bool reads_number, int runs) {
  std::vector<double> times;
  for (int i = 0; i < runs; ++i) times.push_back(command(words, reads_number));
  return median(times);
}

// Child: seconds from the text to the Model.
int time_model(const std::string& name, int players) {
  const double start = cpu();
  const api::Ruleset rules = api::Ruleset::load(name);
  Diagnostics diagnostics(rules.data()->sources);
  const auto model = sema::analyse(*rules.data()->parsed, api::detail::complete(*rules.data(), {players, {}}), diagnostics);
  std::printf("%.6f\n", model ? cpu() - start : -1.0);
  return 0;
}
// Child: seconds that the JIT takes for a form, until its first game has been played: by the clock, where its threads share
// the cores that are free, or of all processors together.
int time_jit(const std::string& name, int players, bool playout, clockid_t clock) {
  const api::Ruleset rules = api::Ruleset::load(name);
  const api::Game interp = rules.compile({players, {}}, EngineKind::interpreter);   // the Program is there
  const double start = now(clock);
  const api::Game game = rules.compile({players, {}}, EngineKind::jit);
  const Program& program = game.data()->program();
  const std::unique_ptr<Byte[]> bytes(new Byte[static_cast<std::size_t>(program.layout.size)]);
  if (playout) {
    new_playout_state(program, bytes.get(), 1, 0);
    cardwright::Game context = api::detail::fresh_context(*game.data());
    game.data()->engine->playout(context, bytes.get());
  } else {
    api::State state = game.new_state(1, 0);
    while (!state.is_over()) state.apply(state.random_index());
  }
  std::printf("%.6f\n", now(clock) - start);
  return 0;
}

struct Row {
  std::string what;
  double value;
  std::string unit;
  double aim;                    // 0: none
  bool least;                    // at least the aim, or at most
};

}  // namespace

int main(int argc, char** argv) try {
  std::string name = "splash", json_file, child;
  int players = 5;
  double seconds = 1;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "--players" && i + 1 < argc) players = std::atoi(argv[++i]);
    else if (word == "--seconds" && i + 1 < argc) seconds = std::atof(argv[++i]);
    else if (word == "--json" && i + 1 < argc) json_file = argv[++i];
    else if (word == "--child" && i + 1 < argc) child = argv[++i];
    else name = word;
  }
  if (child == "model") return time_model(name, players);
  if (child == "playout" || child == "step") return time_jit(name, players, child == "playout", CLOCK_MONOTONIC);
  if (child == "playout work" || child == "step work") return time_jit(name, players, child == "playout work", CLOCK_PROCESS_CPUTIME_ID);

  char self[4096] = "";
  if (readlink("/proc/self/exe", self, sizeof self - 1) < 0) return 2;
  const std::string me = self, command_path = me.substr(0, me.rfind('/')) + "/cardwright";
  const auto as_child = [&](const char* what) {
    return median_command({me, "--child", what, "--players", std::to_string(players), name}, true, kRuns);
  };

  const api::Ruleset rules = api::Ruleset::load(name);
  std::vector<Row> rows;
  const auto add_rate = [&](const std::string& what, const Rate& rate, double aim) {
    rows.push_back({what + ", decisions", rate.decisions, "/s", aim, true});
    rows.push_back({what + ", games", rate.games, "/s", 0, true});
  };
  const api::Game interp = rules.compile({players, {}}, EngineKind::interpreter);
  const Rate interp_playout = playouts(interp, seconds);
  rows.push_back({"decisions per game", interp_playout.length, "", 0, true});
  add_rate("interpreter, playout", interp_playout, 600'000);
  add_rate("interpreter, stepwise", steps(interp, seconds), 0);
  if (api::jit_is_available()) {
    const api::Game jit = rules.compile({players, {}}, EngineKind::jit);
    const Rate fast = playouts(jit, seconds), stepwise = steps(jit, seconds);
    add_rate("JIT, playout", fast, 6'000'000);
    add_rate("JIT, stepwise", stepwise, 0);
    add_rate("JIT, through the interface with lists", interface_steps(jit, seconds), 0);
    rows.push_back({"JIT, playout / stepwise", fast.decisions / stepwise.decisions, "x", 1.5, true});
    rows.push_back({"JIT compiles the playout form", as_child("playout") * 1e3, "ms", 600, false});
    rows.push_back({"  of all processors together", as_child("playout work") * 1e3, "ms", 0, false});
    rows.push_back({"JIT compiles what one game needs, stepwise", as_child("step work") * 1e3, "ms", 0, false});
  }
  rows.push_back({"text to Model, fresh process", as_child("model") * 1e3, "ms", 120, false});
  rows.push_back({"cardwright --version", median_command({command_path, "--version"}, false, 11) * 1e3, "ms", 200, false});
  const std::string launcher = std::string(CARDWRIGHT_ROOT) + "/cardwright";
  if (std::getenv("CARDWRIGHT_BENCH_LAUNCHER"))
    rows.push_back({"./cardwright --version, nothing to build", median_command({launcher, "--version"}, false, 11) * 1e3, "ms", 200, false});

  const api::State state = in_the_middle(interp);
  const Layout& layout = interp.data()->program().layout;
  rows.push_back({"State, all of it", static_cast<double>(layout.size), "B", 1024, false});
  rows.push_back({"State, what a playout needs", static_cast<double>(layout.live_end), "B", 0, false});
  rows.push_back({"State, rules state alone", static_cast<double>(layout.rules_end), "B", 0, false});
  cardwright::State from(interp.data()->program()), to(from);
  std::memcpy(from.bytes(), state.bytes().data(), static_cast<std::size_t>(layout.size));
  std::uint64_t keep = 0;
  rows.push_back({"clone of a State", nanoseconds([&](int i) {
                    from.bytes()[layout.decisions] = static_cast<Byte>(i);
                    to = from;
                    keep += to.bytes()[layout.decisions];
                    asm volatile("" ::: "memory");
                  }), "ns", 40, false});
  rows.push_back({"copy of an api::State", nanoseconds([&](int) {
                    const api::State copy = state;
                    keep += copy.bytes()[0];
                    asm volatile("" ::: "memory");
                  }), "ns", 40, false});
  rows.push_back({"hash of the rules state", nanoseconds([&](int) { keep += state.hash(); }), "ns", 0, false});

  nlohmann::ordered_json json = {{"game", name}, {"players", players}, {"runs", kRuns}, {"seconds_per_run", seconds}, {"figures", nlohmann::ordered_json::array()}};
  fmt::print("{}, {} players, one thread, median of {} runs\n\n| | | aim |\n|---|---:|---|\n", rules.title(), players, kRuns);
  for (const Row& row : rows) {
    const bool met = row.aim == 0 || (row.least ? row.value >= row.aim : row.value <= row.aim);
    const std::string value = row.value >= 1000 ? fmt::format("{:.0f}", row.value) : fmt::format("{:.4g}", row.value);
    const std::string aim = row.aim == 0 ? "" : fmt::format("{} {:.7g}{}", row.least ? "≥" : "≤", row.aim, met ? "" : ", not met");
    fmt::print("| {} | {} {} | {} |\n", row.what, value, row.unit, aim);
    json["figures"].push_back({{"what", row.what}, {"value", row.value}, {"unit", row.unit}, {"aim", row.aim}, {"met", met}});
  }
  if (keep == 42) std::puts("");                       // what was measured must not be dropped
  if (!json_file.empty())
    if (FILE* file = std::fopen(json_file.c_str(), "w")) {
      fmt::print(file, "{}\n", json.dump(2));
      std::fclose(file);
    }
} catch (const api::Error& error) {
  std::fprintf(stderr, "%s\n%s", error.what(), error.report().text.c_str());
  return 2;
}
