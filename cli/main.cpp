// The command `cardwright`: reads the arguments, runs one command, and turns what went wrong into one message and a
// code: 1 the rules are wrong, 2 the arguments are, 3 we failed. Knows nothing but include/cardwright.
#include <cstdio>
#include <exception>
#include <system_error>

#include <fmt/format.h>
#include <unistd.h>

#include "cardwright/tools.hpp"
#include "cli/arguments.h"

namespace {

using namespace cardwright;

int code_of(api::Blame blame) {
  switch (blame) {
    case api::Blame::caller: return cli::kWrongArguments;
    case api::Blame::author: return cli::kAuthorErred;
    case api::Blame::us: return cli::kWeFailed;
  }
  return cli::kWeFailed;
}

int run_guarded(const cli::Run& run) {
  try {
    const int code = run();
    if (std::fflush(stdout) != 0) {
      fmt::print(stderr, "cardwright: can't write to standard output\n");
      return cli::kWeFailed;
    }
    return code;
  } catch (const api::Error& error) {
    std::fflush(stdout);
    if (!error.report().text.empty()) fmt::print(stderr, "{}", error.report().text);
    fmt::print(stderr, "cardwright: {}\n", error.what());
    return code_of(error.blame());
  } catch (const std::system_error&) {                     // what fmt throws
    fmt::print(stderr, "cardwright: can't write to standard output\n");
    return cli::kWeFailed;
  } catch (const std::exception& error) {
    std::fflush(stdout);
    fmt::print(stderr, "cardwright: internal error: {}\n", error.what());
    return cli::kWeFailed;
  }
}

// CLI11's own words where they are good enough, on one line, and where to read on.
int wrong_arguments(const CLI::App& app, const CLI::ParseError& error) {
  std::string where = "cardwright";
  for (const CLI::App* command : app.get_subcommands()) where += " " + command->get_name();
  fmt::print(stderr, "cardwright: {}\n(see {} --help)\n", error.what(), where);
  return cli::kWrongArguments;
}

// CLI11 would only say that a command is missing.
int unknown_word(const CLI::App& app, const std::string& word) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) names.push_back(command->get_name());
  const std::string guess = api::guess(word, names);
  fmt::print(stderr, "cardwright: there is no {} `{}`{}\n(see cardwright --help)\n", word.starts_with('-') ? "option" : "command", word,
             guess.empty() ? "" : "; " + guess);
  return cli::kWrongArguments;
}

bool is_known(const CLI::App& app, const std::string& word) {
  if (word == "--version" || word == "--help" || word == "-h") return true;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
    if (command->get_name() == word) return true;
  return false;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{"Cardwright: rules of card games, compiled and played.\n"
               "GAME is a .rules file or the name of a bundled game.",
               "cardwright"};
  app.set_version_flag("--version", "cardwright " + std::string(api::version()), "print the version and end");
  app.set_help_flag("-h,--help", "print this help and end");
  app.require_subcommand(1);
  app.failure_message(CLI::FailureMessage::simple);
  app.footer("Exit code: 0 fine, 1 the rules are wrong, 2 the arguments are wrong, 3 Cardwright failed.");

  cli::Run run;
  cli::add_simulate(app, run);
  cli::add_play(app, run);
  cli::add_list(app, run);
  cli::add_check(app, run);
  cli::add_variants(app, run);
  cli::add_diff(app, run);
  cli::add_test(app, run);
  cli::add_print(app, run);
  cli::add_explain(app, run);
  cli::add_duel(app, run);
  cli::add_selftest(app, run);

  if (argc == 1) {
    fmt::print("{}", app.help());
    return cli::kWrongArguments;
  }
  if (!is_known(app, argv[1])) return unknown_word(app, argv[1]);
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    for (const CLI::App* command : app.get_subcommands()) {
      fmt::print("{}", command->help("cardwright"));
      return cli::kFine;
    }
    fmt::print("{}", app.help());
    return cli::kFine;
  } catch (const CLI::CallForVersion& version) {
    fmt::print("{}\n", version.what());
    return cli::kFine;
  } catch (const CLI::ParseError& error) {
    return wrong_arguments(app, error);
  }
  api::never_wait_for_compilers();
  const int code = run_guarded(run);
  // Everything is written: nobody waits for a compiler whose code is no longer wanted.
  if (api::compiles_in_background()) {
    std::fflush(stderr);
    _exit(code);
  }
  return code;
}
