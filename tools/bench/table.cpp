// bench_table: measures the speed of all bundled games on every engine and in every form, and their sizes.
//
//   bench_table [GAME …] [--json FILE] [--form F] [--seconds S] [--runs N]      --form F: only this form; repeatable
//   bench_table --compare OLD NEW              compares two result files; exit code 1 for a loss of more than 5 %
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <map>
#include <stdexcept>

#include <fmt/format.h>
#include <unistd.h>

#include "simulation/counted_playouts.h"
#include "tools/bench/handwritten/references.h"
#include "tools/bench/measure.h"
#include "tools/bench/results.h"
#include "tools/bench/starting.h"
#include "tools/bench/uct.h"
#include "cardwright/tools.hpp"
#include "api/game/game_data.h"

namespace bench {

double reference_rate() {
  const double start = now(CLOCK_THREAD_CPUTIME_ID);
  const handwritten::Played played = handwritten::kCrazyEights2.play(1, 0, 4'000);
  return static_cast<double>(played.decisions) / (now(CLOCK_THREAD_CPUTIME_ID) - start);
}

namespace {

using namespace cardwright;
using api::EngineKind;

constexpr const char* kSearched[] = {"connect_four", "breakthrough"};   // games with perfect information
constexpr std::uint64_t kSimulations = 10'000;
constexpr double kUctConstant = 2;

struct Wishes {
  Settings settings;
  std::string json;
  std::vector<std::string> games, forms;   // all if empty
};

// ---- one row

std::int64_t stepwise(api::State state, bool listed) {
  while (!state.is_over()) {
    if (listed && state.legal().empty()) std::abort();
    state.apply(state.random_index());
  }
  return state.decisions();
}

// Measures play as in a search: from copies of positions with a sampled world, without knowledge.
Rate measure_searching(const api::Game& game, const Settings& settings) {
  std::vector<api::State> openings;
  for (std::uint64_t i = 0; i < 64; ++i) {
    openings.push_back(game.new_state(1, i));
    openings.back().drop_knowledge();
  }
  return measure(settings, [&](std::uint64_t index) {
    api::State state = openings[index % openings.size()];
    state.reseed(index);
    return stepwise(std::move(state), false);
  });
}

// Measures playouts with the statistics of `simulate`.
Rate measure_counted(const api::Game& game, const Settings& settings) {
  const api::SimulateSettings usual;
  api::CountedPlayouts playouts(*game.data(), usual);
  return measure(settings, [&](std::uint64_t index) {
    playouts.play(index);
    return playouts.decisions();
  });
}

Rate measure_form(const api::Game& game, const std::string& form, const Settings& settings) {
  if (form == "search") return measure_searching(game, settings);
  if (form == "counted") return measure_counted(game, settings);
  if (form != "playout")
    return measure(settings, [&](std::uint64_t index) { return stepwise(game.new_state(1, index), form == "listed"); });
  const api::SimulateSettings usual;
  api::detail::Playouts playouts(*game.data(), usual);
  return measure(settings, [&](std::uint64_t index) {
    playouts.play(index);
    return playouts.decisions();
  });
}

Rate measure_search(const api::Game& game, const Settings& settings) {
  const api::State opening = game.new_state(1, 0);
  return measure(
      settings, [&](std::uint64_t index) { return uct(opening, kSimulations, kUctConstant, index).simulations; }, 1);
}

Rate measure_hand(const handwritten::Reference& reference, const Settings& settings) {
  return measure(settings, [&](std::uint64_t index) { return reference.play(1, index, 1).decisions; });
}

double clone_ns(const api::Game& game) {
  api::State from = game.new_state(1, 3);
  for (int i = 0; i < 40 && !from.is_over(); ++i) from.apply(from.random_index());
  api::State to = from;
  constexpr int kTimes = 200'000;
  std::vector<double> times;
  for (int run = 0; run < 5; ++run) {
    const double start = now(CLOCK_THREAD_CPUTIME_ID);
    for (int i = 0; i < kTimes; ++i) {
      to = from;
      asm volatile("" ::: "memory");
    }
    times.push_back((now(CLOCK_THREAD_CPUTIME_ID) - start) / kTimes * 1e9);
  }
  return median(times);
}

// ---- a game

class Table {
 public:
  Table(const Wishes& wishes, Results& results) : wishes_(wishes), results_(results) {}

  void add_game(const std::string& name, int players) {
    const api::Ruleset rules = api::Ruleset::load(name);
    const handwritten::Reference* hand = by_hand(name, players);
    if (hand != nullptr) add(name, players, "hand", "playout", measure_hand(*hand, wishes_.settings));
    const double hand_ratio = hand != nullptr ? results_.speeds.back().to_reference : 0;
    for (const EngineKind engine : {EngineKind::interpreter, EngineKind::jit}) {
      if (engine == EngineKind::jit && !api::jit_is_available()) continue;
      const api::Game game = rules.compile({players, {}}, engine);
      for (const char* form : {"playout", "counted", "stepwise", "search", "listed"})
        if (is_wanted(form))
          add(name, players, std::string(name_of(engine)), form, measure_form(game, form, wishes_.settings),
              form[0] == 'p' ? hand_ratio : 0);
      if (is_searched(name) && is_wanted("uct"))
        add(name, players, std::string(name_of(engine)), "uct", measure_search(game, wishes_.settings));
      if (engine == EngineKind::interpreter && wishes_.forms.empty()) add_weight(game);
    }
  }

 private:
  static const handwritten::Reference* by_hand(const std::string& name, int players) {
    for (const handwritten::Reference* reference : handwritten::kReferences)
      if (name == reference->game && players == reference->players) return reference;
    return nullptr;
  }
  bool is_wanted(const std::string& form) const {
    return wishes_.forms.empty() || std::find(wishes_.forms.begin(), wishes_.forms.end(), form) != wishes_.forms.end();
  }
  static bool is_searched(const std::string& name) {
    return std::find(std::begin(kSearched), std::end(kSearched), name) != std::end(kSearched);
  }

  void add(const std::string& game, int players, const std::string& engine, const std::string& form, const Rate& rate,
           double hand_ratio = 0) {
    Speed speed{game,
                players,
                engine,
                form,
                rate.per_second,
                rate.games_per_second,
                rate.to_reference,
                {},
                rate.mean_per_second,
                rate.mean_length};
    if (hand_ratio > 0) speed.to_hand = rate.to_reference / hand_ratio;
    const double each = 1e9 / rate.per_second;
    fmt::print("| {} | {} | {} | {} | {:.0f} | {:.3f} M | {:.3f} M | {:.4g} | {} | {} |\n", game, players, engine, form,
               rate.games_per_second, rate.per_second / 1e6, rate.mean_per_second / 1e6, rate.mean_length,
               each < 100 ? fmt::format("{:.1f}", each) : fmt::format("{:.0f}", each),
               speed.to_hand ? fmt::format("{:.2f}", *speed.to_hand) : "");
    std::fflush(stdout);
    results_.speeds.push_back(speed);
  }

  void add_weight(const api::Game& game) {
    const Layout& l = game.data()->program().layout;
    const Starting starting =
        measure_starting(game.name(), game.players(), api::jit_is_available(), wishes_.settings.runs);
    results_.weights.push_back(
        {game.name(), game.players(), 1e3 * starting.program.seconds, 1e3 * starting.playout.seconds,
         1e3 * starting.playout_clock, 1e3 * starting.stepwise.seconds, starting.program.of_reference,
         starting.playout.of_reference, starting.stepwise.of_reference, static_cast<double>(l.size),
         static_cast<double>(l.live_end), static_cast<double>(l.rules_end), clone_ns(game)});
  }

  const Wishes& wishes_;
  Results& results_;
};

// ---- all games

std::string processor() {
  std::ifstream in("/proc/cpuinfo");
  for (std::string line; std::getline(in, line);)
    if (line.starts_with("model name")) return line.substr(line.find(':') + 2);
  return "unknown";
}

std::string beside_me(const std::string& program) {
  char self[4096] = "";
  if (readlink("/proc/self/exe", self, sizeof self - 1) < 0) return program;
  const std::string me = self;
  return me.substr(0, me.rfind('/') + 1) + program;
}

void print_weights(const Results& results) {
  fmt::print(
      "\n| game | players | text to Program, ms | JIT playout, ms (by the clock) | JIT stepwise, ms | State, B | for a "
      "playout | rules state | clone, ns |\n"
      "|---|---:|---:|---:|---:|---:|---:|---:|---:|\n");
  for (const Weight& w : results.weights)
    fmt::print("| {} | {} | {:.0f} | {:.0f} ({:.0f}) | {:.0f} | {:.0f} | {:.0f} | {:.0f} | {:.0f} |\n", w.game,
               w.players, w.program_ms, w.playout_ms, w.playout_clock_ms, w.stepwise_ms, w.state_bytes, w.playout_bytes,
               w.rules_bytes, w.clone_ns);
  fmt::print(
      "\n`cardwright --version` takes {:.0f} ms. The reference, handwritten crazy eights for 2: {:.1f} M "
      "decisions/s.\n",
      results.start_ms, results.reference / 1e6);
  fmt::print("A random number takes {:.1f} ns, and {:.1f} ns more if a branch that depends on it is mispredicted.\n",
             results.random_ns, results.wrongly_foreseen_ns);
}

// Returns the usual number of players, and those that a handwritten game supports.
std::vector<int> players_of(const std::string& name) {
  std::vector<int> players = {api::Ruleset::load(name).usual_players()};
  for (const handwritten::Reference* reference : handwritten::kReferences)
    if (name == reference->game && reference->players != players[0]) players.push_back(reference->players);
  return players;
}

Results measure_all(const Wishes& wishes) {
  Results results;
  results.version = api::version();
  results.processor = processor();
  results.runs = wishes.settings.runs;
  results.seconds = wishes.settings.seconds;
  fmt::print(
      "{}; one thread, median of {} runs of {} s\n\n| game | players | engine | form | games/s | decisions/s | mean | "
      "per "
      "game | ns each | of by hand |\n"
      "|---|---:|---|---|---:|---:|---:|---:|---:|---:|\n",
      results.processor, results.runs, results.seconds);
  results.reference = measure(wishes.settings, [](std::uint64_t index) {
                        return handwritten::kCrazyEights2.play(1, index, 1).decisions;
                      }).per_second;
  Table table(wishes, results);
  for (const std::string& name : wishes.games)
    for (const int players : players_of(name)) table.add_game(name, players);
  const handwritten::Limits limits = handwritten::measure_limits();
  results.random_ns = limits.random;
  results.wrongly_foreseen_ns = limits.mispredicted_branches;
  results.start_ms = 1e3 * measure_command({beside_me("cardwright"), "--version"}, 11);
  print_weights(results);
  return results;
}

constexpr const char* kUsage =
    "bench_table [GAME …] [--json FILE] [--form F] [--seconds S] [--runs N]\nbench_table --compare OLD NEW\n";

[[noreturn]] void wrong_arguments(const std::string& why) {
  std::fprintf(stderr, "%s\n%s", why.c_str(), kUsage);
  std::exit(2);
}

Wishes read_arguments(int argc, char** argv) {
  Wishes wishes;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (!word.starts_with("-")) {
      wishes.games.push_back(word);
      continue;
    }
    if (word == "--help" || word == "-h") {
      std::fputs(kUsage, stdout);
      std::exit(0);
    }
    if (i + 1 == argc) wrong_arguments(word + " needs a value");
    if (word == "--json")
      wishes.json = argv[++i];
    else if (word == "--seconds")
      wishes.settings.seconds = std::atof(argv[++i]);
    else if (word == "--form")
      wishes.forms.push_back(argv[++i]);
    else if (word == "--runs")
      wishes.settings.runs = std::atoi(argv[++i]);
    else
      wrong_arguments("unknown argument: " + word);
  }
  if (wishes.settings.seconds <= 0 || wishes.settings.runs < 1)
    wrong_arguments("--seconds must be more than 0, and --runs at least 1");
  if (wishes.games.empty()) wishes.games = api::bundled_games();
  return wishes;
}

int run(int argc, char** argv) {
  if (argc == 5 && std::strcmp(argv[1], "--child") == 0) return run_child(argv[2], argv[4], std::atoi(argv[3]));
  if (argc > 1 && std::strcmp(argv[1], "--compare") == 0) {
    if (argc != 4) wrong_arguments("--compare takes two files");
    const Difference difference = compare(read_results(argv[2]), read_results(argv[3]));
    fmt::print("{}", difference.text);
    return difference.losses > 0 ? 1 : 0;
  }
  const Wishes wishes = read_arguments(argc, argv);
  const Results results = measure_all(wishes);
  if (!wishes.json.empty()) write_results(results, wishes.json);
  return 0;
}

}   // namespace

}   // namespace bench

int main(int argc, char** argv) try {
  // A cache would hide the compile time; "Start-up" in docs/explanation/performance.md explains this.
  setenv("CARDWRIGHT_CACHE", "off", 1);
  return bench::run(argc, argv);
} catch (const cardwright::api::Error& error) {
  std::fprintf(stderr, "%s\n%s", error.what(), error.report().text.c_str());
  return 2;
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 2;
}
