// What commands take that play many games: which, how they are played, and in what parts.
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

inline constexpr int kIncomplete = 4;   // exit code: some of the games asked for were not played

struct RunArguments {
  api::SimulateSettings settings;
  std::uint64_t threads = 0, time_factor = 1;
  std::vector<std::string> policies;   // "sensible", "a=bots:200"
  std::vector<std::string> speeds;   // "a=2"
  std::string shard, output;
  bool resume = false;

  // --seed, --first-game, --threads, --policy, --speed, --time-factor
  void add_play(CLI::App& command, const std::string& of, bool policies_too = true);
  void add_parts(CLI::App& command);   // --shard, -o, --resume
  void add_figures(CLI::App& command);   // --figures
  bool wants(std::string_view figure) const;   // "actions", "cards", …
  void ask_for_figures(std::vector<std::string>& measures) const;   // of the Configuration
  // Checks what is about this game, and puts it into the settings.
  void complete(const api::Game& game);
  // What a part was played with.
  void take(const api::SimulateSettings& played);
  // ", policy sensible, speed a=2", where that is not the standard.
  std::string how_played() const;
  nlohmann::ordered_json policy_json(const api::Game& game) const;
  // Which of so many games are to be played: the shard's, or all.
  api::GameRange range(std::uint64_t games) const;
  // A part was asked for, not only what it comes to.
  bool writes_part() const { return !output.empty(); }
  // What lies there, to go on with; nothing without --resume, or where there is no file yet.
  std::optional<std::string> begun() const;
};

// Plays what is asked for of a part, keeping it on disk where it is to be written, and says on standard error if some
// of it was not played. Gives the exit code.
template <class Part, class Settings>
int play_part(Part& part, const RunArguments& arguments, const Settings& settings, std::uint64_t games);

// Writes a merged part, if `output` says where, and says what is missing of it; gives the exit code.
template <class Part>
int written(const Part& part, const std::string& output, std::uint64_t games);

// "2 of 100,000 games are missing: …", with what fills the gaps.
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
    checkpoint = {save, 60, &checkpoint_flag()};
    save();   // so that a place that can't be written to is known at once
  }
  part.play(range, settings, checkpoint);
  if (!arguments.writes_part()) return kFine;
  checkpoint.save();
  const auto missing = part.missing(range);
  if (missing.empty()) return kFine;
  fmt::print(stderr, "cardwright: {}; `--resume` goes on\n", missing_text(missing, range.to - range.from));
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
