// `cardwright cluster script` prints a script that plays a run as the tasks of a Slurm job array, and then merges their
// results.
#include <algorithm>
#include <cctype>
#include <cstring>
#include <filesystem>

#include <fmt/format.h>

#include "cardwright/cardwright.hpp"
#include "tools/cli/arguments.h"

namespace cardwright::cli {

namespace {

constexpr std::uint64_t kMostTasks = 100'000;

struct ClusterArguments {
  std::uint64_t tasks = 64, at_once = 0, cpus = 8, minutes = 120;
  std::string folder = "parts";
  std::vector<std::string> words;   // the words of the command
};

// Quotes a word for the shell.
std::string for_shell(const std::string& word) {
  const auto plain = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || std::strchr("%+,-./:=@_", c); };
  if (!word.empty() && std::all_of(word.begin(), word.end(), plain)) return word;
  std::string out = "'";
  for (const char c : word) out += c == '\'' ? "'\\''" : std::string(1, c);
  return out + "'";
}

// Validates the command before thousands of tasks run it.
void check(const ClusterArguments& arguments) {
  CLI::App app;
  Run run;
  add_simulate(app, run);
  add_compare(app, run);
  add_skill(app, run);
  for (const char* reserved : {"--shard", "-o", "--output", "--resume", "--threads", "--trace", "--json"})
    for (const std::string& word : arguments.words)
      if (word == reserved || word.starts_with(std::string(reserved) + "="))
        throw api::Error(api::Blame::caller,
                         fmt::format("`{}` cannot be given: the script sets it for each task", reserved));
  std::vector<std::string> words(arguments.words.rbegin(), arguments.words.rend());   // CLI11 expects reverse order
  const std::string shard = fmt::format("1/{}", arguments.tasks);
  words.insert(words.begin(), {"part.json", "-o", shard, "--shard", "--only-check"});
  try {
    app.parse(words);
  } catch (const CLI::ParseError& error) {
    throw api::Error(api::Blame::caller, fmt::format("invalid command for the tasks: {}", error.what()));
  }
  run();   // with --only-check, it validates everything that a task validates before its first game
}

int script(ClusterArguments arguments) {
  if (arguments.words.empty())
    throw api::Error(api::Blame::caller, "missing command for the tasks, such as `simulate splash --games 1e9`");
  const std::string& first = arguments.words[0];
  if (first != "simulate" && first != "compare" && first != "skill")
    arguments.words.insert(arguments.words.begin(), "simulate");
  check(arguments);
  std::string command;
  for (const std::string& word : arguments.words) command += " " + for_shell(word);
  const std::string program = for_shell(std::filesystem::read_symlink("/proc/self/exe").string());
  const std::string folder = for_shell(arguments.folder);
  fmt::print(
      R"(#!/bin/bash
# Runs{command}
# as {tasks} tasks of a Slurm job array, and merges their results. Submit it with: bash THIS_FILE
# A task that is killed and requeued resumes from its last checkpoint in {folder}/, at most one minute old.
set -eu
mkdir -p {folder}
job=$(sbatch --parsable <<'TASK'
#!/bin/bash
#SBATCH --job-name=cardwright
#SBATCH --array=0-{last}{limit}
#SBATCH --cpus-per-task={cpus}
#SBATCH --time={minutes}
#SBATCH --requeue
#SBATCH --open-mode=append
#SBATCH --signal=B:USR1@120
#SBATCH --output={folder}/%a.log
exec {program}{command} \
  --threads "$SLURM_CPUS_PER_TASK" --shard auto --resume -o {folder}/"$SLURM_ARRAY_TASK_ID".json
TASK
)
sbatch --dependency=afterany:"$job" <<'MERGE'
#!/bin/bash
#SBATCH --job-name=cardwright-merge
#SBATCH --output={folder}/merged.txt
# if a task did not finish, prints the missing games and the options that play them
exec {program} merge {folder}/[0-9]*.json -o {folder}/whole.part
MERGE
)",
      fmt::arg("command", command), fmt::arg("tasks", arguments.tasks), fmt::arg("last", arguments.tasks - 1),
      fmt::arg("limit", arguments.at_once ? fmt::format("%{}", arguments.at_once) : ""),
      fmt::arg("cpus", arguments.cpus), fmt::arg("minutes", arguments.minutes), fmt::arg("folder", folder),
      fmt::arg("program", program));
  return kFine;
}

}   // namespace

void add_cluster(CLI::App& app, Run& run) {
  auto* cluster = app.add_subcommand("cluster", "play a run on a cluster");
  cluster->require_subcommand(1);
  auto* command = cluster->add_subcommand("script",
                                          "print a script that plays a run as a Slurm job array; the command to run "
                                          "follows the options, such as `simulate splash --games 1e12`");
  auto arguments = std::make_shared<ClusterArguments>();
  add_number(*command, "--tasks", arguments->tasks, "number of parts")->check(CLI::Range(std::uint64_t{1}, kMostTasks));
  add_number(*command, "--at-once", arguments->at_once,
             "maximum number of tasks that run at the same time; 0: no limit");
  add_number(*command, "--cpus", arguments->cpus, "processors per task")->check(CLI::Range(1, 1024));
  add_number(*command, "--minutes", arguments->minutes, "time limit of a task")->check(CLI::Range(1, 100'000));
  command->add_option("--folder", arguments->folder, "folder for the parts, on a file system that all machines share")
      ->type_name("DIR")
      ->capture_default_str();
  command->allow_extras();
  command->footer("For example: cardwright cluster script splash --games 1e12 --tasks 256 > run.sh; bash run.sh");
  command->callback([&run, arguments, command] {
    arguments->words = command->remaining();   // the unparsed words are the command, in their order
    run = [arguments] { return script(*arguments); };
  });
}

}   // namespace cardwright::cli
