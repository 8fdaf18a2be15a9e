// Lists the commands of the program `cardwright-web`: those that need the table server or the generator of pages. The
// program `cardwright` lists them and starts `cardwright-web`, which `./cardwright` builds when one of them is first
// used.
#pragma once

#include "tools/cli/arguments.h"

namespace cardwright::cli {

struct WebCommand {
  const char* name;
  const char* help;
};

// The case statement at the end of `./cardwright` also lists these commands; tests/cli/arguments_test.cpp compares
// both.
inline constexpr WebCommand kServe{"serve", "host tables in the browser, and print their links"},
    kExport{"export", "write a game as one HTML page that plays it offline"},
    kReport{"report", "play many games of one or two rulesets and write an HTML report"};

// These functions are defined only in cardwright-web.
void add_serve(CLI::App& app, Run& run);
void add_export(CLI::App& app, Run& run);
void add_report(CLI::App& app, Run& run);

}   // namespace cardwright::cli
