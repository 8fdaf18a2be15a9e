// `cardwright check`: what is wrong with rules, for every table or for one; `cardwright explain`: a message at length.
#include <fmt/format.h>

#include "cardwright/tools.hpp"
#include "cli/arguments.h"
#include "cli/terminal.h"

namespace cardwright::cli {

namespace {

struct CheckArguments : TableArguments {
  std::string format = "text";
  bool options = false;
};

std::string plural(std::size_t n, const std::string& what) { return fmt::format("{} {}{}", n, what, n == 1 ? "" : "s"); }

void list_options(const api::Ruleset& rules) {
  if (rules.options().empty()) fmt::print("{} has no options\n", rules.title());
  for (const api::RulesetOption& option : rules.options()) {
    fmt::print("{}{}\n", coloured(Colour::bold, option.name), option.label.empty() ? "" : "  " + option.label);
    if (option.values.empty()) fmt::print("    a number (standard {})\n", option.standard);
    for (const api::OptionValue& value : option.values)
      fmt::print("    {}{}{}\n", value.name, value.name == option.standard ? "  (standard)" : "",
                 value.label.empty() || value.label == value.name ? "" : "  " + value.label);
  }
}

int print_report(const api::Report& report, const CheckArguments& arguments, const api::Ruleset* rules) {
  if (arguments.format == "json") {
    fmt::print("{}\n", report.json);
    return report.errors ? kAuthorErred : kFine;
  }
  fmt::print("{}", report.text);
  if (report.errors) {
    fmt::print("{}{}\n", plural(report.errors, "error"), report.warnings ? ", " + plural(report.warnings, "warning") : "");
    return kAuthorErred;
  }
  if (!rules) return kFine;
  const std::string seats = rules->least_players() == rules->most_players()
                                ? fmt::format("{} players", rules->most_players())
                                : fmt::format("{} to {} players", rules->least_players(), rules->most_players());
  const std::string found = report.warnings ? plural(report.warnings, "warning") : coloured(Colour::green, "fine");
  fmt::print("{} ({}): {}, {}\n", rules->title(), rules->path(), seats, found);
  return kFine;
}

int check(const CheckArguments& arguments) {
  try {
    const api::Ruleset rules = arguments.load();
    if (arguments.options) {
      list_options(rules);
      return kFine;
    }
    const bool one = arguments.players != 0 || !arguments.with.empty();
    return print_report(one ? rules.check(arguments.configuration()) : rules.check(), arguments, &rules);
  } catch (const api::Error& error) {
    if (error.blame() != api::Blame::author) throw;
    return print_report(error.report(), arguments, nullptr);
  }
}

}  // namespace

void add_check(CLI::App& app, Run& run) {
  auto* command = app.add_subcommand("check", "say what is wrong with rules");
  auto arguments = std::make_shared<CheckArguments>();
  arguments->add_game(*command);
  command->add_option("--format", arguments->format, "text, or json: an array of messages for tools")
      ->check(CLI::IsMember({"text", "json"}))
      ->type_name("FORMAT")
      ->capture_default_str();
  arguments->add_table(*command);
  command->add_flag("--options", arguments->options, "list the options of the game and their values instead");
  command->footer("Without --players and --with, every number of players and every option is looked at.\n"
                  "Exit code: 0 no errors (maybe warnings), 1 errors.");
  command->callback([&run, arguments] { run = [arguments] { return check(*arguments); }; });
}

void add_explain(CLI::App& app, Run& run) {
  auto* command = app.add_subcommand("explain", "explain a message's code, such as E0301");
  auto code = std::make_shared<std::string>();
  command->add_option("CODE", *code, "the code; without it, all codes are listed");
  command->callback([&run, code] {
    run = [code] {
      if (code->empty()) fmt::print("{}", api::list_codes());
      else fmt::print("{}\n", api::explain(*code));
      return kFine;
    };
  });
}

}  // namespace cardwright::cli
