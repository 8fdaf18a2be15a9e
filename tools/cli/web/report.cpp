// `cardwright report` plays many games of a ruleset, or of two, and writes an HTML page with the figures.
#include <algorithm>
#include <filesystem>
#include <optional>

#include <fmt/format.h>

#include "cardwright/coverage.hpp"
#include "cardwright/report.hpp"
#include "cardwright/tools.hpp"
#include "tools/cli/run_arguments.h"
#include "tools/cli/terminal.h"
#include "tools/cli/two_games.h"
#include "tools/cli/web/commands.h"

namespace cardwright::cli {

namespace {

struct ReportArguments {
  TwoGames games;
  RunArguments run;
  std::uint64_t most = 0;   // maximum number of games or pairs; 0: the default
  std::string output = "report.html", data;
  bool quick = false;   // skips the slow figures

  bool two() const { return !games.to.game.empty(); }
};

std::string with_option(const std::string& option, const std::string& value) {
  return (option.empty() ? "" : " " + option) + " " + shell_word(value);
}

// Returns the options for policies and speeds that differ from their defaults.
std::string play_options(const RunArguments& run) {
  std::string out;
  for (const std::string& policy : run.policies) out += with_option("--policy", policy);
  for (const std::string& speed : run.speeds) out += with_option("--speed", speed);
  if (run.time_factor != 1) out += with_option("--time-factor", std::to_string(run.time_factor));
  return out;
}

std::string game_options(const TableArguments& table, const std::string& with) {
  std::string out;
  for (const std::string& option : table.with) out += with_option(with, option);
  return out;
}

// Returns the command that produces the same page, without the output path.
std::string command_of(const ReportArguments& arguments) {
  const TwoGames& games = arguments.games;
  std::string out = "cardwright report" + with_option("", games.from.game);
  if (arguments.two()) out += with_option("", games.to.game);
  out += with_option("--players", std::to_string(games.from.players)) +
         game_options(games.from, arguments.two() ? "--from-with" : "--with") + game_options(games.to, "--with") +
         play_options(arguments.run) + with_option("--seed", std::to_string(arguments.run.settings.seed));
  if (arguments.run.settings.first_game)
    out += with_option("--first-game", std::to_string(arguments.run.settings.first_game));
  for (const std::string& measure : games.from.measures) out += with_option("--measure", measure);
  if (!games.from.measures_file.empty()) out += with_option("--measures", games.from.measures_file);
  if (arguments.quick) out += " --quick";
  if (arguments.most) out += with_option("--games", std::to_string(arguments.most));
  return out;
}

void fill(report::Side& side, const api::Ruleset& rules, const api::Game& game, const TableArguments& table,
          const RunArguments& run) {
  side.command = "cardwright simulate" + with_option("", table.game) +
                 with_option("--players", std::to_string(game.players())) + game_options(table, "--with") +
                 play_options(run);
  side.name = rules.name();
  side.title = rules.title();
  side.changed = changed_options(rules, game);
  side.options = game.options();
  side.without_effect = api::rules_without_effect(rules, table.configuration());
}

// Formats the policies of the seats: "uniform", "bots:200", "a=bots:200, b=uniform".
std::string policy_text(const RunArguments& run, const api::Game& game) {
  const nlohmann::ordered_json json = run.policy_json(game);
  if (json.is_string()) return json.get<std::string>();
  std::string out;
  for (const auto& [seat, policy] : json.items())
    out += fmt::format("{}{}={}", out.empty() ? "" : ", ", seat, policy.get<std::string>());
  return out;
}

// Checks the output path before any game is played.
void need_place(const std::string& path) {
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  std::error_code none;
  if (std::filesystem::is_directory(path, none))
    throw api::Error(api::Blame::caller, fmt::format("`-o {}` is a folder; give a file name", path));
  if (!folder.empty() && !std::filesystem::is_directory(folder, none))
    throw api::Error(api::Blame::caller, fmt::format("unknown output folder `{}`", folder.string()));
}

// Returns true if tension is measured, which requires uniform play at the speed of the rules.
bool has_tension(const ReportArguments& arguments) {
  const RunArguments& run = arguments.run;
  return !arguments.quick && run.policies.empty() && run.speeds.empty() && run.time_factor == 1;
}

// Requests all figures and measures of one game.
void ask_for_figures(ReportArguments& arguments, const api::Ruleset& rules) {
  std::vector<std::string>& measures = arguments.games.from.measures;
  const auto is_own = [](const api::RulesetMeasure& measure) { return measure.own; };
  if (measures.empty() && std::any_of(rules.measures().begin(), rules.measures().end(), is_own))
    measures.push_back("own");
  measures.push_back(api::kFigures);
  measures.push_back(api::kTurnOrder);
}

report::Report one_game(ReportArguments& arguments, const api::Ruleset& rules, const api::Game& game) {
  api::SimulateSettings& settings = arguments.run.settings;
  if (arguments.most) settings.games = arguments.most;
  ProgressBar bar(settings.games);
  settings.progress = [&bar](std::uint64_t done) { bar.show(done); };
  std::optional<ProgressBar> analysis_bar;
  settings.on_tension_progress = [&](std::uint64_t done, std::uint64_t all) {
    bar.clear();
    if (!analysis_bar) analysis_bar.emplace(all, "games analysed");
    analysis_bar->show(done);
  };
  if (has_tension(arguments)) settings.figures.push_back("tension");
  report::Report report = report::report_of(api::simulate(game, settings));
  bar.clear();
  analysis_bar.reset();
  fill(report.sides[0], rules, game, arguments.games.from, arguments.run);
  report.examples = report::example_games(game, settings);
  return report;
}

report::Report two_games(ReportArguments& arguments, const api::Ruleset& from, const api::Ruleset& to,
                         const api::Game& a, const api::Game& b) {
  statistics::CompareSettings settings;
  if (arguments.most) settings.pairs = arguments.most;
  settings.play = arguments.run.settings;
  settings.play.figures = {"actions", "cards", "pace", "fairness"};
  if (has_tension(arguments)) settings.play.figures.push_back("tension");
  settings.stop = interrupt_flag();
  ProgressBar bar(settings.pairs, "pairs");
  settings.progress = [&bar](const statistics::CompareProgress& p) {
    bar.expect(p.estimate ? std::max(p.estimate, p.pairs) : p.most);
    bar.show(p.pairs, p.rows ? fmt::format("{} of {} undecided", p.open, p.rows) : "");
  };
  report::Report report = report::report_of(statistics::compare(a, b, settings));
  bar.clear();
  fill(report.sides[0], from, a, arguments.games.from, arguments.run);
  fill(report.sides[1], to, b, arguments.games.to, arguments.run);
  report.compared->differences =
      api::diff(from, arguments.games.from.configuration(), to, arguments.games.to.configuration());
  report.seed = settings.play.seed;
  report.first_game = settings.play.first_game;
  return report;
}

report::Report made(ReportArguments& arguments) {
  TwoGames& games = arguments.games;
  if (!arguments.two()) {
    games.from.with.insert(games.from.with.end(), games.to.with.begin(), games.to.with.end());
    games.to.with.clear();
    const api::Ruleset rules = games.from.load();
    const std::vector<std::string> requested = games.from.measures;
    need_own_measures(requested, {&rules});
    ask_for_figures(arguments, rules);
    games.from.policies = api::policies_named(arguments.run.policies);
    const api::Game game = games.from.compile(rules);
    games.from.players = game.players();
    arguments.run.complete(game);
    report::Report report = one_game(arguments, rules, game);
    games.from.measures = requested;   // as given on the command line, without the measures added above
    report.policy = policy_text(arguments.run, game);
    return report;
  }
  games.to.measures_file = games.from.measures_file;
  const api::Ruleset from = games.from.load(), to = games.to.load();
  games.choose_players(from, to);
  const std::vector<std::string> requested = games.from.measures;
  need_own_measures(requested, {&from, &to});
  games.from.measures.push_back(api::kFigures);
  games.play_alike(arguments.run.policies);
  const api::Game a = games.from.compile(from), b = games.to.compile(to);
  arguments.run.complete(a);
  report::Report report = two_games(arguments, from, to, a, b);
  games.from.measures = requested;
  report.policy = policy_text(arguments.run, a);
  return report;
}

int report(ReportArguments arguments) {
  if (!arguments.two() && !arguments.games.from.with.empty()) arguments.games.to.game = arguments.games.from.game;
  const report::Bundle bundle = report::bundle();
  need_place(arguments.output);
  catch_signals();
  report::Report report = made(arguments);
  report.players = arguments.games.from.players;
  report.command = command_of(arguments);
  api::write_whole(arguments.output, report::as_html(report, bundle));
  fmt::print("{}: {} of {}{}\n", arguments.output,
             plural(static_cast<std::size_t>(report.games), report.compared ? "pair" : "game"), report.sides[0].title,
             report.stopped ? "; stopped early" : "");
  if (arguments.data.empty()) return kFine;
  report::write_data(report, arguments.data);
  fmt::print("{}: figures.json, and a CSV file for each table\n", arguments.data);
  return kFine;
}

}   // namespace

void add_report(CLI::App& app, Run& run) {
  auto* command = app.add_subcommand(kReport.name, kReport.help);
  auto arguments = std::make_shared<ReportArguments>();
  arguments->games.add(*command, "none, the report covers GAME alone; with `--from-with`, GAME itself");
  add_number(*command, "--games", arguments->most, "number of games, or maximum number of pairs of two games",
             "100000 games, 1000000 pairs")
      ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1} << 62));
  arguments->games.from.add_measures(*command);
  command->add_flag("--quick", arguments->quick, "skip the tension figures, which take most of the time");
  arguments->games.from.add_engine(*command);
  arguments->run.add_play(*command, "game");
  command->add_option("-o,--output", arguments->output, "the HTML file to write; it works offline")
      ->type_name("FILE")
      ->capture_default_str();
  command
      ->add_option("--data", arguments->data,
                   "also write the figures to this folder: figures.json, and a CSV file for each table")
      ->type_name("DIR");
  command->footer(
      "`--with` applies to GAME, or to OTHER if two games are compared. Examples:\n"
      "cardwright report splash --with reward=optional; cardwright report splash splash --with self_target=off");
  command->callback([&run, arguments, command] {
    need_text(*command, "OTHER", arguments->games.to.game, "game");
    need_text(*command, "-o", arguments->output, "file");
    need_text(*command, "--data", arguments->data, "folder");
    run = [arguments] { return report(*arguments); };
  });
}

}   // namespace cardwright::cli
