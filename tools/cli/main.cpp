// Implements the `cardwright` command. It uses only the public headers in include/cardwright.
#include <filesystem>
#include <string_view>

#include <fmt/format.h>
#include <unistd.h>

#include "cardwright/tools.hpp"
#include "tools/cli/compare_policies.h"
#include "tools/cli/program.h"
#include "tools/cli/web/commands.h"

namespace {

using namespace cardwright;

// Replaces this process with `cardwright-web`, which is in the same folder. Returns only by throwing an exception.
int run_web_program(char** argv) {
  const std::filesystem::path program =
      std::filesystem::read_symlink("/proc/self/exe").parent_path() / "cardwright-web";
  execv(program.c_str(), argv);
  throw api::Error(api::Blame::internal,
                   fmt::format("missing program {}: run `./cardwright {}` in a checkout, or `cmake --build BUILD "
                               "--target cardwright-web`",
                               program.string(), argv[1]));
}

// Adds a command that `cardwright-web` implements. Only its name and description are known here.
void add_web_command(CLI::App& app, cli::Run& run, const cli::WebCommand& about, char** argv) {
  CLI::App* command = app.add_subcommand(about.name, about.help);
  command->set_help_flag();
  command->prefix_command();
  command->footer(fmt::format("`cardwright {} --help` lists the arguments.", about.name));
  command->callback([&run, argv] { run = [argv] { return run_web_program(argv); }; });
}

void add_commands(CLI::App& app, cli::Run& run, char** argv) {
  cli::add_simulate(app, run);
  cli::add_play(app, run);
  add_web_command(app, run, cli::kServe, argv);
  add_web_command(app, run, cli::kExport, argv);
  cli::add_list(app, run);
  cli::add_check(app, run);
  cli::add_variants(app, run);
  cli::add_diff(app, run);
  cli::add_compare(app, run);
  cli::add_skill(app, run);
  add_web_command(app, run, cli::kReport, argv);
  cli::add_merge(app, run);
  cli::add_cluster(app, run);
  cli::add_test(app, run);
  cli::add_print(app, run);
  cli::add_explain(app, run);
  cli::add_selftest(app, run);
}

}   // namespace

int main(int argc, char** argv) {
  if (argc > 1 && std::string_view(argv[1]) == "duel")
    return cli::complain(cli::kWrongArguments,
                         fmt::format("`duel` is now part of `compare`; run\n  {}",
                                     api::printable(cli::replacement_of_duel({argv + 2, argv + argc}))));
  return cli::run_program(argc, argv, [argv](CLI::App& app, cli::Run& run) { add_commands(app, run, argv); });
}
