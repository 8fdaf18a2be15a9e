// `cardwright merge`: the parts of a run, as if it had been played in one piece.
#include "cli/merge.h"

#include <fmt/format.h>

#include "cardwright/parts.hpp"
#include "cardwright/tools.hpp"
#include "cli/arguments.h"

namespace cardwright::cli {

namespace {

struct MergeArguments {
  std::vector<std::string> parts;
  std::string output;
  bool json = false;
};

int merge(const MergeArguments& arguments) {
  std::vector<std::string> texts;
  std::string command, first;
  for (const std::string& path : arguments.parts) {
    texts.push_back(api::read_whole(path));
    // what is wrong with a part is said with its name
    try {
      const std::string of = texts.size() == 1 ? api::part_head(texts[0]).command : std::string();
      if (texts.size() == 1) command = of, first = path;
    } catch (const api::Error& error) {
      throw api::Error(error.blame(), fmt::format("{}: {}", api::printable(path), error.what()));
    }
  }
  if (command == "compare") return show_comparison(texts, arguments.output, arguments.json);
  if (command == "skill") return show_skill(texts, arguments.output, arguments.json);
  return show_simulation(texts, arguments.output, arguments.json);
}

}  // namespace

void add_merge(CLI::App& app, Run& run) {
  auto* command = app.add_subcommand("merge", "put parts of a run together, as if it had been played in one piece");
  auto arguments = std::make_shared<MergeArguments>();
  command->add_option("PARTS", arguments->parts, "files that `-o` of simulate, compare or skill wrote")->required();
  command->add_option("-o,--output", arguments->output, "write the whole to this file, as one part")->type_name("FILE");
  command->add_flag("--json", arguments->json, "print one JSON object instead");
  command->footer(
      "The order of the parts makes no difference. Where games are missing it says which, and the exit code is 4;\n"
      "parts of different runs, or with the same games, are refused.");
  command->callback([&run, arguments] { run = [arguments] { return merge(*arguments); }; });
}

}  // namespace cardwright::cli
