// Defines command-line arguments that several commands share: the game, its players and options, and the engine.
#pragma once

#include <functional>
#include <initializer_list>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "cardwright/cardwright.hpp"

namespace cardwright::cli {

inline constexpr int kFine = 0, kAuthorErred = 1, kWrongArguments = 2, kWeFailed = 3;

// The action of the chosen command; set during parsing, called afterwards.
using Run = std::function<int()>;

struct TableArguments {
  std::string game;
  int players = 0;
  std::vector<std::string> with;
  std::string engine = "auto";
  bool plain = false;
  std::string measures_file;
  std::vector<std::string> measures;   // requested measures
  std::vector<std::string> policies;   // values of Configuration::policies that the run will use

  void add_game(CLI::App& command);   // GAME
  void add_table(CLI::App& command);   // --players, --with
  void add_measures_file(CLI::App& command);   // --measures
  void add_measures(CLI::App& command);   // --measure, --measures
  void add_engine(CLI::App& command, std::string standard = "auto");   // --engine, --plain

  api::Ruleset load() const;
  api::Configuration configuration() const;
  // Compiles for the chosen engine. If no JIT is available, prints a note to standard error and uses the interpreter.
  api::Game compile(const api::Ruleset& rules) const;
};

// Throws Error(caller) for `--measure own` if the games declare no measures of their own, apart from those in
// Cardwright's libraries.
void need_own_measures(const std::vector<std::string>& asked, std::initializer_list<const api::Ruleset*> games);

// Returns the options that differ from their defaults, such as "chips=normal, snorkel=icon20"; empty if there are none.
std::string changed_options(const api::Ruleset& rules, const api::Game& game);

// Adds --plain, which disables the compiler's optimizations.
void add_plain(CLI::App& command, bool& plain);

// Adds --policy: `--policy P` for all seats, `--policy a=P` for one seat; cardwright/policies.hpp parses the values.
void add_policies(CLI::App& command, std::vector<std::string>& given);
// Adds a number option. It rejects input that CLI11 would silently truncate: signs, blanks, and too many digits. The
// help shows `standard` as the default, or the current `value` if `standard` is empty.
CLI::Option* add_number(CLI::App& command, const std::string& name, std::uint64_t& value, const std::string& help,
                        const std::string& standard = {});
// Quotes a word for the shell if necessary.
std::string shell_word(const std::string& word);
// Rejects an option or argument with an empty value.
void need_text(const CLI::App& command, const std::string& name, const std::string& value, const std::string& what);
inline constexpr std::uint64_t kMostMilliseconds = 86'400'000;   // limit of the thinking time: one day
inline constexpr std::uint64_t kMostIterations = 1'000'000'000;   // limit of iterations for each decision

void add_check(CLI::App& app, Run& run);
void add_list(CLI::App& app, Run& run);
void add_variants(CLI::App& app, Run& run);
void add_diff(CLI::App& app, Run& run);
void add_compare(CLI::App& app, Run& run);
void add_merge(CLI::App& app, Run& run);
void add_skill(CLI::App& app, Run& run);
void add_cluster(CLI::App& app, Run& run);
void add_simulate(CLI::App& app, Run& run);
void add_play(CLI::App& app, Run& run);
void add_test(CLI::App& app, Run& run);
void add_print(CLI::App& app, Run& run);
void add_explain(CLI::App& app, Run& run);
void add_selftest(CLI::App& app, Run& run);

}   // namespace cardwright::cli
