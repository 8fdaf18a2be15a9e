// `cardwright merge` combines the parts of a run into the result of the complete run.
#include "tools/cli/merge.h"

#include <fmt/format.h>

#include "cardwright/parts.hpp"
#include "cardwright/tools.hpp"
#include "tools/cli/arguments.h"

namespace cardwright::cli {

namespace {

struct MergeArguments {
  std::vector<std::string> parts;
  std::string output;
  bool json = false;
};

// Compares the settings of all parts before any game is compiled, because a part of another run can't be read with the
// game of the first one.
void need_one_run(const std::vector<PartText>& parts) {
  const api::PartHead first = read_named(parts[0], api::part_head);
  for (const PartText& part : parts)
    if (const std::string how = api::difference_of_runs(first, read_named(part, api::part_head)); !how.empty())
      throw api::Error(api::Blame::caller, fmt::format("{} does not belong to the same run as {}: {}",
                                                       api::printable(part.path), api::printable(parts[0].path), how));
}

int merge(const MergeArguments& arguments) {
  std::vector<PartText> parts;
  for (const std::string& path : arguments.parts) parts.push_back({path, api::read_whole(path)});
  need_one_run(parts);
  const std::string command = read_named(parts[0], api::part_head).command;
  if (command == "compare") return show_comparison(parts, arguments.output, arguments.json);
  if (command == "skill") return show_skill(parts, arguments.output, arguments.json);
  return show_simulation(parts, arguments.output, arguments.json);
}

}   // namespace

void add_merge(CLI::App& app, Run& run) {
  auto* command = app.add_subcommand("merge", "combine the parts of a run into one result");
  auto arguments = std::make_shared<MergeArguments>();
  command->add_option("PARTS", arguments->parts, "files written by `-o` of simulate, compare or skill")->required();
  command->add_option("-o,--output", arguments->output, "write the merged result to this file, as one part")
      ->type_name("FILE");
  command->add_flag("--json", arguments->json, "print the result as one JSON object");
  command->footer(
      "The order of the parts does not matter. If games are missing, they are listed and the exit code is 4.\nParts of "
      "different runs, or parts with the same games, are rejected.");
  command->callback([&run, arguments] { run = [arguments] { return merge(*arguments); }; });
}

}   // namespace cardwright::cli
