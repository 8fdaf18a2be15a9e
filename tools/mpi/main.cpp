// cardwright-mpi: runs a simulation or comparison on the ranks of an Open MPI job. All ranks take blocks of games from
// one counter, and rank 0 adds up the results. The failure of one rank ends the job; on unreliable machines, use a
// Slurm job array instead (`cardwright cluster script`).
#include <mpi.h>

#include <algorithm>
#include <memory>
#include <numeric>

#include "cardwright/statistics.hpp"
#include "tools/cli/run_arguments.h"
#include "tools/cli/two_games.h"

namespace {

using namespace cardwright;

struct Arguments {
  cli::TwoGames games;
  cli::RunArguments run;
  std::uint64_t most = 1'000'000;   // maximum number of games or pairs
  std::uint64_t block = 0;
};

// The counter of games that no rank has taken yet; stored at rank 0.
class Counter {
 public:
  explicit Counter(int rank) {
    MPI_Win_allocate(rank == 0 ? sizeof(std::uint64_t) : 0, sizeof(std::uint64_t), MPI_INFO_NULL, MPI_COMM_WORLD,
                     &next_, &window_);
    if (rank == 0) *next_ = 0;
    MPI_Barrier(MPI_COMM_WORLD);
  }
  ~Counter() { MPI_Win_free(&window_); }
  std::uint64_t take(std::uint64_t games) {
    std::uint64_t before = 0;
    MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, window_);
    MPI_Fetch_and_op(&games, &before, MPI_UINT64_T, 0, 0, MPI_SUM, window_);
    MPI_Win_unlock(0, window_);
    return before;
  }

 private:
  std::uint64_t* next_ = nullptr;
  MPI_Win window_{};
};

// Collects the text of each rank at rank 0.
std::vector<std::string> gathered(const std::string& mine, int rank, int ranks) {
  int size = static_cast<int>(mine.size());
  std::vector<int> sizes(static_cast<std::size_t>(ranks)), places(sizes.size());
  MPI_Gather(&size, 1, MPI_INT, sizes.data(), 1, MPI_INT, 0, MPI_COMM_WORLD);
  std::exclusive_scan(sizes.begin(), sizes.end(), places.begin(), 0);
  std::string all(rank == 0 ? static_cast<std::size_t>(std::accumulate(sizes.begin(), sizes.end(), 0)) : 0, '\0');
  MPI_Gatherv(mine.data(), size, MPI_CHAR, all.data(), sizes.data(), places.data(), MPI_CHAR, 0, MPI_COMM_WORLD);
  std::vector<std::string> out;
  for (int i = 0; rank == 0 && i < ranks; ++i)
    out.push_back(all.substr(static_cast<std::size_t>(places[static_cast<std::size_t>(i)]),
                             static_cast<std::size_t>(sizes[static_cast<std::size_t>(i)])));
  return out;
}

template <class Part, class Settings, class Read>
void play(Part part, const Settings& settings, const Arguments& arguments, const Read& read) {
  int rank = 0, ranks = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  // Blocks are small enough that all ranks end at about the same time.
  const std::uint64_t block =
      arguments.block
          ? arguments.block
          : std::clamp<std::uint64_t>(arguments.most / (static_cast<std::uint64_t>(ranks) * 64), 64, 1 << 20);
  {
    Counter counter(rank);
    for (std::uint64_t from; (from = counter.take(block)) < arguments.most;)
      part.play({from, std::min(arguments.most, from + block)}, settings);
  }
  const std::vector<std::string> parts = gathered(part.text(), rank, ranks);
  if (rank != 0) return;
  Part all = read(parts[0]);
  for (std::size_t i = 1; i < parts.size(); ++i) all.add(read(parts[i]));
  api::write_whole(arguments.run.output, all.text());
  fmt::print("{} ranks have finished; `cardwright merge {}` prints the result\n", ranks, arguments.run.output);
}

void simulate(Arguments& arguments) {
  arguments.games.from.policies = api::policies_named(arguments.run.policies);
  arguments.run.ask_for_figures(arguments.games.from.measures);
  const api::Game game = arguments.games.from.compile(arguments.games.from.load());
  arguments.run.settings.games = arguments.most;
  arguments.run.complete(game);
  play(api::SimulationPart(game, arguments.run.settings), arguments.run.settings, arguments,
       [&](const std::string& text) { return api::SimulationPart::read(game, text); });
}

void compare(Arguments& arguments) {
  cli::TwoGames& games = arguments.games;
  if (games.to.game.empty()) games.to.game = games.from.game;
  games.to.measures_file = games.from.measures_file;
  const api::Ruleset from = games.from.load(), to = games.to.load();
  games.choose_players(from, to);
  arguments.run.ask_for_figures(games.from.measures);
  games.play_alike(arguments.run.policies);
  const api::Game a = games.from.compile(from), b = games.to.compile(to);
  arguments.run.complete(a);
  statistics::CompareSettings settings;
  settings.pairs = arguments.most;
  settings.play = arguments.run.settings;
  settings.stop = arguments.run.settings.stop;
  play(statistics::ComparisonPart(a, b, settings), settings, arguments,
       [&](const std::string& text) { return statistics::ComparisonPart::read(a, b, text); });
}

int run(int argc, char** argv) {
  CLI::App app{
      "Runs a simulation or a comparison on the ranks of an MPI job: mpirun -n 64 cardwright-mpi simulate GAME -o "
      "FILE"};
  app.require_subcommand(1);
  const auto add = [&](const char* name, const char* what, const char* of, void (*play)(Arguments&)) {
    auto* command = app.add_subcommand(name, what);
    auto arguments = std::make_shared<Arguments>();
    if (play == compare)
      arguments->games.add(*command, "GAME itself, with other options");
    else
      arguments->games.from.add_game(*command), arguments->games.from.add_table(*command);
    arguments->games.from.add_measures(*command);
    arguments->run.add_figures(*command);
    arguments->games.from.add_engine(*command);
    arguments->run.add_play(*command, of);
    arguments->run.threads = 1;
    cli::add_number(*command, std::string("--") + of + "s", arguments->most, std::string("number of ") + of + "s");
    cli::add_number(*command, "--block", arguments->block,
                    std::string("number of ") + of + "s that a rank plays at a time", "chosen automatically");
    command->add_option("-o,--output", arguments->run.output, "the file for the result")->required();
    command->callback([arguments, play] { play(*arguments); });
  };
  add("simulate", "play many games", "game", simulate);
  add("compare", "play pairs of games of two rulesets", "pair", compare);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error);
  } catch (const std::exception& error) {
    fmt::print(stderr, "cardwright-mpi: {}\n", error.what());
    MPI_Abort(MPI_COMM_WORLD, cli::kWrongArguments);
  }
  return 0;
}

}   // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int code = run(argc, argv);
  MPI_Finalize();
  return code;
}
