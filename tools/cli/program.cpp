// Runs a command of a program: parses the arguments, and turns exceptions into an error message and an exit code.
#include "tools/cli/program.h"

#include <fcntl.h>

#include <csignal>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <system_error>

#include <fmt/format.h>
#include <unistd.h>

#include "cardwright/tools.hpp"

namespace cardwright::cli {

// Uses fputs because fmt throws if standard error is closed.
int complain(int code, const std::string& message) {
  std::fflush(stdout);
  std::fputs(("cardwright: " + message + "\n").c_str(), stderr);
  return code;
}

namespace {

int code_of(api::Blame blame) {
  switch (blame) {
    case api::Blame::caller: return kWrongArguments;
    case api::Blame::author: return kAuthorErred;
    case api::Blame::internal: return kWeFailed;
  }
  return kWeFailed;
}

// Returns `code`, or an error code if standard output could not be flushed.
int ended_with(int code) {
  const bool flushed = std::fflush(stdout) == 0;
  return flushed && !std::ferror(stdout) ? code : complain(kWeFailed, "can't write to standard output");
}

int run_guarded(const Run& run) {
  try {
    return ended_with(run());
  } catch (const api::Error& error) {
    std::fflush(stdout);
    std::fputs(error.report().text.c_str(), stderr);
    return complain(code_of(error.blame()), error.what());
  } catch (const std::filesystem::filesystem_error& error) {
    return complain(kWeFailed, api::printable(error.what()));
  } catch (const std::system_error&) {   // thrown by fmt
    return complain(kWeFailed, "can't write to standard output");
  } catch (const std::exception& error) {
    return complain(kWeFailed, fmt::format("internal error: {}", api::printable(error.what())));
  }
}

// Opens closed standard descriptors. Otherwise, the next opened file would get the number of a closed descriptor, and
// all output to that descriptor would be written to the file.
void open_standard_streams() {
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (fcntl(descriptor, F_GETFD) < 0) open("/dev/null", descriptor == STDOUT_FILENO ? O_RDONLY : O_WRONLY);
}

// Prints CLI11's message on one line, and the command whose help explains the arguments.
int wrong_arguments(const CLI::App& app, const CLI::ParseError& error) {
  std::string where = "cardwright";
  for (const CLI::App* command : app.get_subcommands()) where += " " + command->get_name();
  return complain(kWrongArguments, fmt::format("{}\n(see {} --help)", api::printable(error.what()), where));
}

// Reports an unknown command or option by name; CLI11 would only report a missing command.
int unknown_word(const CLI::App& app, const std::string& word) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
    names.push_back(command->get_name());
  const std::string guess = api::guess(word, names);
  return complain(kWrongArguments, fmt::format("unknown {} `{}`{}\n(see cardwright --help)",
                                               word.starts_with('-') ? "option" : "command", api::printable(word),
                                               guess.empty() ? "" : "; " + guess));
}

bool is_known(const CLI::App& app, const std::string& word) {
  if (word == "--version" || word == "--help" || word == "-h") return true;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
    if (command->get_name() == word) return true;
  return false;
}

}   // namespace

int run_program(int argc, char** argv, const std::function<void(CLI::App& app, Run& run)>& add_commands) {
  open_standard_streams();
  std::signal(SIGPIPE, SIG_IGN);   // a closed pipe is reported once, as a write error
  CLI::App app{
      "Cardwright: a language, compiler and runtime for the rules of card games.\n"
      "GAME is a .rules file or the name of a bundled game.",
      "cardwright"};
  app.set_version_flag("--version", "cardwright " + std::string(api::version()), "print the version and exit");
  app.set_help_flag("-h,--help", "print this help and exit");
  app.require_subcommand(1);
  app.failure_message(CLI::FailureMessage::simple);
  app.footer(
      "Exit codes: 0 success, 1 error in the rules, 2 invalid arguments, 3 internal error or I/O error,\n4 some of the "
      "requested games were not played (parts of a run).");

  Run run;
  add_commands(app, run);

  const auto show = [](const std::string& text, int code) {
    return run_guarded([&] {
      fmt::print("{}", text);
      return code;
    });
  };
  if (argc == 1) return show(app.help(), kWrongArguments);
  if (!is_known(app, argv[1])) return unknown_word(app, argv[1]);
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    for (const CLI::App* command : app.get_subcommands()) return show(command->help("cardwright"), kFine);
    return show(app.help(), kFine);
  } catch (const CLI::CallForVersion& version) {
    return show(fmt::format("{}\n", version.what()), kFine);
  } catch (const CLI::ParseError& error) {
    return wrong_arguments(app, error);
  }
  api::never_wait_for_compilers();
  const int code = run_guarded(run);
  // All output is written, so exit without waiting for background compilations.
  if (api::compiles_in_background()) {
    std::fflush(stderr);
    _exit(code);
  }
  return code;
}

}   // namespace cardwright::cli
