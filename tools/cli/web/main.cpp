// Implements the `cardwright-web` command, which `cardwright` starts for serve, export and report.
#include "tools/cli/program.h"
#include "tools/cli/web/commands.h"

namespace {

using namespace cardwright;

void add_commands(CLI::App& app, cli::Run& run) {
  cli::add_serve(app, run);
  cli::add_export(app, run);
  cli::add_report(app, run);
}

}   // namespace

int main(int argc, char** argv) { return cli::run_program(argc, argv, add_commands); }
