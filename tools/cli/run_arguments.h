// Defines command-line arguments of the commands that play many games: the games to play, how to play them, and the
// parts of a split run.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cardwright/parts.hpp"
#include "tools/cli/arguments.h"
#include "tools/cli/terminal.h"

namespace cardwright::cli {

inline constexpr int kIncomplete = 4;   // exit code: some of the requested games were not played

// A run that is killed loses at most a minute: this time, and the time that the last games and the file take.
inline constexpr double kSecondsBetweenSaves = 45;

struct RunArguments {
  api::SimulateSettings settings;
  std::uint64_t threads = 0, time_factor = 1;
  std::vector<std::string> policies;   // "sensible", "a=bots:200"
  std::vector<std::string> speeds;   // "a=2"
  std::string shard, output;
  bool resume = false;

  // Adds --seed, --first-game, --threads, --policy, --speed and --time-factor.
  void add_play(CLI::App& command, const std::string& of, bool policies_too = true);
  bool only_check = false;   // validate the arguments, but don't play; for `cluster script`
  void add_parts(CLI::App& command);   // --shard, -o, --resume
  void add_figures(CLI::App& command);   // --figures
  bool wants(std::string_view figure) const;   // "actions", "cards", …
  void ask_for_figures(std::vector<std::string>& measures) const;   // adds to Configuration::measures
  // Validates the arguments that depend on the game, and stores them in the settings.
  void complete(const api::Game& game);
  // Restores the arguments with which a part was played.
  void take(const api::SimulateSettings& played);
  // Describes the arguments that differ from their defaults: ", policy sensible, speed a=2".
  std::string how_played() const;
  nlohmann::ordered_json policy_json(const api::Game& game) const;
  // Returns the range of games that this process plays in a run of `games` games: the games of its shard, or all games.
  api::GameRange range(std::uint64_t games) const;
  // With `only_check`: throws Error(caller) if a run of `games` games has nothing to play.
  void check_games(std::uint64_t games) const;
  // Returns true if the part is written to a file, instead of only printing its results.
  bool writes_part() const { return !output.empty(); }
  // Returns the contents of the output file, from which the run resumes; nullopt without --resume or if the file does
  // not exist yet.
  std::optional<std::string> begun() const;
};

// Plays the requested games of a part, saves checkpoints if the part is written to a file, and reports missing games on
// standard error. Returns the exit code.
template <class Part, class Settings>
int play_part(Part& part, const RunArguments& arguments, const Settings& settings, std::uint64_t games);

// Writes a merged part to `output` unless that is empty, and reports missing games. Returns the exit code.
template <class Part>
int written(const Part& part, const std::string& output, std::uint64_t games);

// Returns "2 of 100,000 are missing (--shard 5..6)", with the command-line options that play the missing games.
std::string missing_text(const std::vector<api::GameRange>& missing, std::uint64_t of);

template <class Part, class Settings>
int play_part(Part& part, const RunArguments& arguments, const Settings& settings, std::uint64_t games) {
  const api::GameRange range = arguments.range(games);
  api::Checkpoint checkpoint;
  if (arguments.writes_part()) {
    const auto save = [&] {
      checkpoint_flag() = false;
      api::write_whole(arguments.output, part.text());
    };
    checkpoint = {save, kSecondsBetweenSaves, &checkpoint_flag()};
    save();   // reports an unwritable path before any game is played
  }
  part.play(range, settings, checkpoint);
  if (!arguments.writes_part()) return kFine;
  checkpoint.save();
  const auto missing = part.missing(range);
  if (missing.empty()) return kFine;
  fmt::print(stderr, "cardwright: {}; `--resume` continues the run\n", missing_text(missing, range.to - range.from));
  return kIncomplete;
}

template <class Part>
int written(const Part& part, const std::string& output, std::uint64_t games) {
  if (!output.empty()) api::write_whole(output, part.text());
  const auto missing = part.missing({0, games});
  if (missing.empty()) return kFine;
  fmt::print(stderr, "cardwright: {}\n", missing_text(missing, games));
  return kIncomplete;
}

}   // namespace cardwright::cli
