// Formats the results of `test --coverage` and `test --mutants` as text and JSON.
#pragma once

#include <string>

#include <nlohmann/json.hpp>

#include "cardwright/coverage.hpp"
#include "tools/cli/arguments.h"

namespace cardwright::cli {

nlohmann::ordered_json json_of(const api::Coverage& coverage, const std::string& file);
// Lists the parts that no scenario reaches; `verbose` includes those of the base and of libraries.
std::string text_of(const api::Coverage& coverage, const std::string& file, bool verbose);

struct MutantArguments {
  double seconds = 60;
  std::uint64_t seed = 1, threads = 0;
};
void add_mutants(CLI::App& command, MutantArguments& arguments);
// Shows a progress bar; ends when all mutants are tried, the time limit is reached or Ctrl-C is pressed.
api::Mutation run_mutants(const api::Ruleset& rules, const std::string& filter, const MutantArguments& arguments);
bool has_survivors(const api::Mutation& mutation);
nlohmann::ordered_json json_of(const api::Mutation& mutation, const std::string& file);
// Lists the mutants that survived; `verbose` lists all.
std::string text_of(const api::Mutation& mutation, const std::string& file, bool verbose);

}   // namespace cardwright::cli
