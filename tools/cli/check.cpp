// `cardwright check` reports errors and warnings in rules, for all tables or for one. `cardwright explain` describes a
// message code in detail.
#include <atomic>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cardwright/tools.hpp"
#include "cardwright/variants.hpp"
#include "tools/cli/arguments.h"
#include "tools/cli/terminal.h"

namespace cardwright::cli {

namespace {

struct CheckArguments : TableArguments {
  std::string format = "text";
  bool json = false, all_variants = false;
  std::uint64_t games = 10, seed = 1, threads = 0, most = api::TrySettings{}.most;
};

int print_report(const api::Report& report, const CheckArguments& arguments, const api::Ruleset* rules) {
  if (arguments.format == "json") {
    fmt::print("{}\n", report.json);
    return report.errors || report.unplayable ? kAuthorErred : kFine;
  }
  fmt::print("{}", report.text);
  if (report.errors) {
    fmt::print("{}{}\n", plural(report.errors, "error"),
               report.warnings ? ", " + plural(report.warnings, "warning") : "");
    return kAuthorErred;
  }
  if (!rules) return kFine;
  const std::string seats = rules->least_players() == rules->most_players()
                                ? plural(static_cast<std::size_t>(rules->most_players()), "player")
                                : fmt::format("{} to {} players", rules->least_players(), rules->most_players());
  const std::string found = report.unplayable ? coloured(Colour::red, "every random game at some table fails")
                            : report.warnings ? plural(report.warnings, "warning")
                                              : coloured(Colour::green, "fine");
  fmt::print("{} ({}): {}, {}; random games were played at {}\n", rules->title(), rules->shown_as(), seats, found,
             plural(report.tables, "table"));
  for (const std::string& table : report.not_played)
    fmt::print("{}\n", coloured(Colour::yellow, "not all random games were played with " + table));
  print_without_effect(report.without_effect);
  return report.unplayable ? kAuthorErred : kFine;
}

// ---- all variants

std::string reproduce(const CheckArguments& arguments, const api::TryFailure& failure) {
  const std::string table = api::as_arguments(failure.configuration);
  const std::string game = api::printable(arguments.game);
  if (!failure.failure) return fmt::format("cardwright check {} {}", game, table);
  return fmt::format("cardwright simulate {} {} --seed {} --first-game {} --games 1 --engine interp", game, table,
                     arguments.seed, failure.game);
}

nlohmann::ordered_json as_json(const CheckArguments& arguments, const api::Ruleset& rules, const api::Tried& tried) {
  using Json = nlohmann::ordered_json;
  Json out = {{"game", rules.name()},     {"title", rules.title()},     {"combinations", Json::array()},
              {"tables", tried.tables},   {"left_out", tried.left_out}, {"games", tried.games},
              {"seconds", tried.seconds}, {"stopped", tried.stopped},   {"failures", Json::array()}};
  for (const api::Combinations& c : tried.combinations)
    out["combinations"].push_back({{"players", c.players}, {"legal", c.legal}, {"distinct", c.distinct}});
  for (const api::TryFailure& f : tried.failures) {
    Json options = Json::object();
    for (const auto& [name, value] : f.configuration.options) options[name] = value;
    Json one = {{"players", f.configuration.players}, {"options", std::move(options)}};
    if (f.failure)
      one["error"] = {{"trap", f.failure->trap},
                      {"details", f.failure->details},
                      {"rule", f.failure->rule},
                      {"place", f.failure->place},
                      {"stack", f.failure->stack}},
      one["in_game"] = f.game;
    else
      one["messages"] = Json::parse(f.report.json);
    one["reproduce"] = reproduce(arguments, f);
    out["failures"].push_back(std::move(one));
  }
  return out;
}

void print_tried(const CheckArguments& arguments, const api::Ruleset& rules, const api::Tried& tried) {
  for (const api::TryFailure& f : tried.failures) {
    fmt::print("{} with {}\n", coloured(Colour::red, "FAILED"), api::as_arguments(f.configuration));
    if (f.failure) {
      fmt::print("  game {}: {}\n", f.game, f.failure->text());
      for (const std::string& level : f.failure->stack) fmt::print("      in {}\n", level);
    } else {
      fmt::print("{}", f.report.text);
    }
    fmt::print("  again: {}\n", reproduce(arguments, f));
  }
  std::uint64_t legal = 0;
  for (const api::Combinations& c : tried.combinations) legal += c.legal;
  fmt::print(
      "{}: {} legal combinations of players and options make {} different games; {} of each{}: {} in {:.1f} s, {}\n",
      rules.title(), with_commas(legal), with_commas(tried.tables), plural(arguments.games, "game"),
      tried.stopped ? " (stopped early)" : "", plural(tried.games, "game"), tried.seconds,
      tried.failures.empty() ? coloured(Colour::green, tried.left_out ? "none of these failed" : "all fine")
                             : coloured(Colour::red, fmt::format("{} failed", with_commas(tried.failures.size()))));
}

// Reports the tables that were skipped because of `--most`.
void print_left_out(const api::Tried& tried) {
  if (tried.left_out == 0) return;
  fmt::print("{} of these games were checked, evenly spread, and {} were skipped: `--most {}` checks all of them\n",
             with_commas(tried.tables - tried.left_out), with_commas(tried.left_out), tried.tables);
}

int check_variants(const CheckArguments& arguments, const api::Ruleset& rules) {
  if (!arguments.with.empty())
    throw api::Error(api::Blame::caller, "--with cannot be combined with --all-variants, which tries every option");
  catch_signals();
  api::TrySettings settings{.players = arguments.players,
                            .games = arguments.games,
                            .seed = arguments.seed,
                            .threads = static_cast<int>(arguments.threads),
                            .most = arguments.most,
                            .progress = {},
                            .stop = static_cast<const std::atomic<bool>*>(interrupt_flag())};
  std::optional<ProgressBar> bar;
  settings.progress = [&bar](std::uint64_t done, std::uint64_t total) {
    if (!bar) bar.emplace(total, "variants");
    bar->show(done);
  };
  const api::Tried tried = api::try_variants(rules, settings);
  bar.reset();
  if (arguments.json)
    fmt::print("{}\n", as_json(arguments, rules, tried).dump());
  else
    print_tried(arguments, rules, tried), print_left_out(tried);
  return tried.failures.empty() ? kFine : kAuthorErred;
}

int check(const CheckArguments& arguments) {
  try {
    const api::Ruleset rules = arguments.load();
    if (arguments.all_variants) {
      const api::Report report = rules.check();
      if (report.errors) return print_report(report, arguments, nullptr);
      return check_variants(arguments, rules);
    }
    const bool one = arguments.players != 0 || !arguments.with.empty();
    return print_report(one ? rules.check(arguments.configuration()) : rules.check(), arguments, &rules);
  } catch (const api::Error& error) {
    if (error.blame() != api::Blame::author) throw;
    return print_report(error.report(), arguments, nullptr);
  }
}

}   // namespace

void add_check(CLI::App& app, Run& run) {
  auto* command = app.add_subcommand("check", "find errors in rules");
  auto arguments = std::make_shared<CheckArguments>();
  arguments->add_game(*command);
  command->add_option("--format", arguments->format, "text, or json: an array of messages for tools")
      ->check(CLI::IsMember({"text", "json"}))
      ->type_name("FORMAT")
      ->capture_default_str();
  command->add_flag("--json", arguments->json, "same as --format json; with --all-variants, one object");
  arguments->add_table(*command);
  arguments->add_measures_file(*command);
  command->add_flag("--all-variants", arguments->all_variants,
                    "also compile every legal combination of options and players, and play games of each");
  add_number(*command, "--games", arguments->games, "number of games of each variant");
  add_number(*command, "--most", arguments->most,
             "maximum number of variants to check; if there are more, an evenly spread selection is checked");
  add_number(*command, "--seed", arguments->seed, "seed of the games");
  add_number(*command, "--threads", arguments->threads, "number of threads for the variants; 0: one per core")
      ->check(CLI::Range(0, 1024));
  command->footer(
      "Without --players and --with, every number of players and every option is checked, but not every "
      "combination.\nExit codes: 0 no errors (there can be warnings), 1 errors, or a rule that fails in every random "
      "game.");
  command->callback([&run, arguments] {
    run = [arguments] {
      if (arguments->json) arguments->format = "json";
      arguments->json = arguments->format == "json";
      return check(*arguments);
    };
  });
}

void add_explain(CLI::App& app, Run& run) {
  auto* command = app.add_subcommand("explain", "explain a message's code, such as E0301");
  auto code = std::make_shared<std::string>();
  command->add_option("CODE", *code, "the message code; if omitted, all codes are listed");
  command->callback([&run, code, command] {
    need_text(*command, "CODE", *code, "code");
    run = [code] {
      if (code->empty())
        fmt::print("{}", api::list_codes());
      else
        fmt::print("{}\n", api::explain(*code));
      return kFine;
    };
  });
}

}   // namespace cardwright::cli
