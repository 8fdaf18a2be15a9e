// What several commands take: the game, its players and options, the engine.
#pragma once

#include <functional>
#include <initializer_list>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "cardwright/cardwright.hpp"

namespace cardwright::cli {

inline constexpr int kFine = 0, kAuthorErred = 1, kWrongArguments = 2, kWeFailed = 3;

// What the chosen command does; set while the arguments are parsed, run afterwards.
using Run = std::function<int()>;

struct TableArguments {
  std::string game;
  int players = 0;
  std::vector<std::string> with;
  std::string engine = "auto";
  bool plain = false;
  std::string measures_file;
  std::vector<std::string> measures;   // that are asked for
  std::vector<std::string> policies;   // that somebody will play by: Configuration::policies

  void add_game(CLI::App& command);   // GAME
  void add_table(CLI::App& command);   // --players, --with
  void add_measures_file(CLI::App& command);   // --measures
  void add_measures(CLI::App& command);   // --measure, --measures
  void add_engine(CLI::App& command, std::string standard = "auto");   // --engine, --plain

  api::Ruleset load() const;
  api::Configuration configuration() const;
  // Compiles for the engine; where there is no JIT, says so on standard error and takes the interpreter.
  api::Game compile(const api::Ruleset& rules) const;
};

// Refuses `--measure own` if none of the games declares a measure in a file of its author. Throws Error(caller).
void need_own_measures(const std::vector<std::string>& asked, std::initializer_list<const api::Ruleset*> games);

// "on, snorkel=icon20": the options that are not at their standard value; empty if all are.
std::string changed_options(const api::Ruleset& rules, const api::Game& game);

// "--plain": without the compiler's short cuts.
void add_plain(CLI::App& command, bool& plain);

// --policy P for everybody, --policy a=P for a seat: cardwright/policies.hpp reads them.
void add_policies(CLI::App& command, std::vector<std::string>& given);
// A number option that refuses what CLI11 would cut off: signs, blanks, too many digits.
// `standard`: what it is where nobody says; empty: what `value` is.
CLI::Option* add_number(CLI::App& command, const std::string& name, std::uint64_t& value, const std::string& help,
                        const std::string& standard = {});
// Of an option or argument that was given, but as ''.
void need_text(const CLI::App& command, const std::string& name, const std::string& value, const std::string& what);
inline constexpr std::uint64_t kMostMilliseconds = 86'400'000;   // of thinking: a day
inline constexpr std::uint64_t kMostIterations = 1'000'000'000;   // likewise

void add_check(CLI::App& app, Run& run);
void add_list(CLI::App& app, Run& run);
void add_variants(CLI::App& app, Run& run);
void add_diff(CLI::App& app, Run& run);
void add_compare(CLI::App& app, Run& run);
void add_report(CLI::App& app, Run& run);
void add_merge(CLI::App& app, Run& run);
void add_skill(CLI::App& app, Run& run);
void add_cluster(CLI::App& app, Run& run);
void add_simulate(CLI::App& app, Run& run);
void add_play(CLI::App& app, Run& run);
void add_serve(CLI::App& app, Run& run);
void add_export(CLI::App& app, Run& run);
void add_test(CLI::App& app, Run& run);
void add_print(CLI::App& app, Run& run);
void add_explain(CLI::App& app, Run& run);
void add_duel(CLI::App& app, Run& run);
void add_selftest(CLI::App& app, Run& run);

}   // namespace cardwright::cli
