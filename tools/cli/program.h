// The main function of `cardwright` and `cardwright-web`.
#pragma once

#include <functional>
#include <string>

#include "tools/cli/arguments.h"

namespace cardwright::cli {

// Parses the arguments, runs one of the added commands and returns the exit code.
int run_program(int argc, char** argv, const std::function<void(CLI::App& app, Run& run)>& add_commands);

// Writes the message to standard error and returns the exit code.
int complain(int code, const std::string& message);

}   // namespace cardwright::cli
