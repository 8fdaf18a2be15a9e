// `cardwright compare` plays two games in pairs and reports, with confidence intervals, which figures differ. With
// `--against`, it compares two policies in one game.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cardwright/coverage.hpp"
#include "cardwright/statistics.hpp"
#include "cardwright/tools.hpp"
#include "tools/cli/compare_policies.h"
#include "tools/cli/figures.h"
#include "tools/cli/merge.h"
#include "tools/cli/run_arguments.h"
#include "tools/cli/terminal.h"
#include "tools/cli/two_games.h"

namespace cardwright::cli {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::uint64_t kMostPairs = 1'000'000, kUsualFixedPairs = 1'000;

struct CompareArguments {
  TwoGames games;
  statistics::CompareSettings settings;
  RunArguments run;
  std::string margin = "1%", until, require;
  std::string against, sprt;   // for a comparison of policies
  bool json = false;
};

// Parses "0.5%", "0.5 %" or "0.005".
double share_of(const std::string& option, const std::string& text) {
  char* end = nullptr;
  double value = std::strtod(text.c_str(), &end);
  while (*end == ' ') ++end;
  if (*end == '%') value /= 100, ++end;
  if (end == text.c_str() || *end != 0 || !(value > 0 && value < 1))
    throw api::Error(
        api::Blame::caller,
        fmt::format("invalid share `{} {}`: expected a value between 0 and 100 %, such as `0.5%`", option, text));
  return value;
}

// If OTHER is missing, compares GAME with itself under the options of --with, or house rules with their base.
void complete(CompareArguments& arguments) {
  TwoGames& games = arguments.games;
  if (!games.to.game.empty()) return;
  if (!games.to.with.empty() || !games.from.with.empty()) {
    games.to.game = games.from.game;
    return;
  }
  const auto base = games.from.load().base();
  if (!base)
    throw api::Error(
        api::Blame::caller,
        fmt::format("nothing to compare {} with: give another game or `--with OPTION`, since it does not extend a game",
                    games.from.game));
  games.to.game = games.from.game;
  games.from.game = base->path();
}

bool is_house_rule_of(const api::Ruleset& house, const api::Ruleset& game) {
  const auto base = house.base();
  std::error_code error;
  return base && std::filesystem::equivalent(base->path(), game.path(), error);
}

// Summarizes the results of the base game's scenarios under the house rules.
std::string rulings(const api::Ruleset& house) {
  std::size_t fates[4] = {};
  for (const api::BaseScenario& one : api::run_base_scenarios(house)) ++fates[static_cast<std::size_t>(one.fate)];
  return fmt::format("{} of the base unchanged, {} changed, {} skipped{}", plural(fates[0], "scenario"), fates[1],
                     fates[2], fates[3] ? fmt::format(", {} overridden by the house rules", fates[3]) : "");
}

// ---- verdicts as text

// Lists the rows with a verdict: the main rows, or also the others.
std::string names_of(const statistics::Figures& figures, statistics::Verdict verdict, bool others_too) {
  std::string out;
  for (const statistics::FigureTable& table : figures.tables) {
    std::string names;
    for (const statistics::Figure& row : table.rows)
      if (row.verdict == verdict && (row.is_main || others_too) && !is_idle(row))
        names += (names.empty() ? "" : ", ") + row.name;
    if (names.empty()) continue;
    out += fmt::format("{}{}{}", out.empty() ? "" : "; ", table.title == "length" ? "" : table.title + ": ", names);
  }
  return out;
}

std::string percent(double share) { return fmt::format("{:g} %", 100 * share); }

std::string reason(const CompareArguments& arguments, const statistics::Comparison& c) {
  switch (c.stopped) {
    case statistics::Stopped::decided: return "stopped when all main figures were decided";
    case statistics::Stopped::precise:
      return fmt::format("stopped at a precision of {}", percent(arguments.settings.until));
    case statistics::Stopped::exhausted:
      return c.fixed ? "the fixed number" : "stopped at the maximum; `--pairs N` plays more";
    case statistics::Stopped::interrupted: return "interrupted, so these verdicts are preliminary";
  }
  return {};
}

// Rounds up to two significant digits, because an estimate is not more precise.
std::uint64_t rounded(std::uint64_t number) {
  std::uint64_t unit = 1;
  while (number / unit >= 100) unit *= 10;
  return (number + unit - 1) / unit * unit;
}

void print_verdicts(const CompareArguments& arguments, const statistics::Comparison& c) {
  const std::size_t width = static_cast<std::size_t>(terminal_width());
  const auto line = [&](Colour colour, std::string_view what, statistics::Verdict verdict) {
    const std::string names = names_of(c.figures, verdict, verdict == statistics::Verdict::differs);
    if (names.empty()) return;
    fmt::print("  {}{}\n", coloured(colour, padded(what, 10)), wrapped(names, width > 14 ? width - 12 : 68, 12));
  };
  fmt::print("\n{} of games, {} ({})\n", plural(c.pairs, "pair"), reason(arguments, c), duration(c.seconds));
  const auto failed = [](std::string_view whose, std::uint64_t games, std::uint64_t of) {
    if (games)
      fmt::print("  {}\n", coloured(Colour::red, fmt::format("{} of {} games of {} ended with an error (below)",
                                                             with_commas(games), with_commas(of), whose)));
  };
  failed("GAME", c.figures.failed_a, c.pairs);
  failed("OTHER", c.figures.failed_b, c.pairs);
  line(Colour::yellow, "differs", statistics::Verdict::differs);
  line(Colour::green, "same", statistics::Verdict::same);
  line(Colour::plain, "open", statistics::Verdict::open);
  fmt::print(
      "{}\n",
      coloured(Colour::dim, wrapped(fmt::format("same: within {} ({} for lengths). {} rows tested, {} differ; the "
                                                "false discovery rate is at most 5 %{}.",
                                                percent(c.margin), percent(2 * c.margin), c.tested, c.discoveries,
                                                c.fixed ? " for this number of pairs" : ", including interim results"),
                                    width, 0)));
  if (c.needed == 0) return;
  const std::string goal = arguments.settings.until > 0
                               ? fmt::format("a precision of {}", percent(arguments.settings.until))
                               : std::string("a decision of all main figures");
  fmt::print("{}\n", coloured(Colour::dim, wrapped(fmt::format("estimate: {} needs about {} pairs", goal,
                                                               with_commas(rounded(c.needed))),
                                                   width, 0)));
}

void print_failures(std::string_view side, const std::vector<api::FailureCount>& failures, std::uint64_t seed) {
  for (const api::FailureCount& f : failures)
    fmt::print("{}\n      first in game {}: --seed {} --first-game {} --games 1 --trace FILE\n",
               coloured(Colour::red, fmt::format("errors of {}: {} times: {}", side, f.count, f.failure.text())),
               f.first_game, seed, f.first_game);
}

void print_pairs(const statistics::Comparison& c) {
  if (c.games_saved == 0) return;
  fmt::print("{}\n",
             coloured(Colour::dim, fmt::format("same deals on both sides: correlation r = {:.2f}, which saved {} games",
                                               c.correlation, with_commas(c.games_saved))));
}

Json side_json(const api::Ruleset& rules, const api::Game& game) {
  Json options = Json::object();
  for (const auto& [name, value] : game.options()) options[name] = value;
  return {
      {"game", rules.name()}, {"title", rules.title()}, {"players", game.players()}, {"options", std::move(options)}};
}

Json as_json(const CompareArguments& arguments, const api::Game& a, const Json& from, const Json& to,
             std::size_t differences, const std::vector<std::string>& without_effect, const statistics::Comparison& c) {
  Json out = {{"from", from},
              {"to", to},
              {"differences", differences},
              {"policy", arguments.run.policy_json(a)},
              {"seed", arguments.run.settings.seed},
              {"pairs", c.pairs},
              {"analyses", c.analyses},
              {"stopped", statistics::name_of(c.stopped)},
              {"margin", c.margin},
              {"fixed", c.fixed},
              {"needed", c.needed ? Json(c.needed) : Json(nullptr)},
              {"until", arguments.settings.until > 0 ? Json(arguments.settings.until) : Json(nullptr)},
              {"tested", c.tested},
              {"discoveries", c.discoveries},
              {"correlation", c.correlation},
              {"games_saved", c.games_saved},
              {"errors",
               {{"from", Json::parse(statistics::as_json(c.failures_a))},
                {"to", Json::parse(statistics::as_json(c.failures_b))}}}};
  out.update(Json::parse(statistics::as_json(c.figures)));
  out["without_effect"] = without_effect;
  out["machine"] = {{"engine", api::name_of(a.engine())}, {"seconds", c.seconds}};
  return out;
}

// Returns false if `--require same` is given and some main row has another verdict.
bool is_met(const CompareArguments& arguments, const statistics::Comparison& c) {
  if (arguments.require.empty()) return true;
  for (const statistics::FigureTable& table : c.figures.tables)
    for (const statistics::Figure& row : table.rows)
      if (row.is_main && row.verdict != statistics::Verdict::same && row.a.games > 0) return false;
  return true;
}

int print(const CompareArguments& arguments, const api::Ruleset& from, const api::Ruleset& to, const api::Game& a,
          const api::Game& b, const statistics::Comparison& c, int code) {
  const TwoGames& games = arguments.games;
  const auto differences = api::diff(from, games.from.configuration(), to, games.to.configuration());
  const std::vector<std::string> without_effect = api::rules_without_effect(to, games.to.configuration());
  if (arguments.json) {
    const auto json =
        as_json(arguments, a, side_json(from, a), side_json(to, b), differences.size(), without_effect, c);
    fmt::print("{}\n", json.dump());
    return is_met(arguments, c) ? code : kAuthorErred;
  }
  print_differences(games, from, to, differences);
  if (is_house_rule_of(to, from)) fmt::print("{}\n", rulings(to));
  print_verdicts(arguments, c);
  print_figures(c.figures);
  fmt::print("\n");
  print_failures("GAME", c.failures_a, arguments.run.settings.seed);
  print_failures("OTHER", c.failures_b, arguments.run.settings.seed);
  print_pairs(c);
  print_without_effect(without_effect);
  if (is_met(arguments, c)) return code;
  fmt::print("{}\n", coloured(Colour::red, "`--require same` failed"));
  return kAuthorErred;
}

int compare(CompareArguments arguments) {
  complete(arguments);
  TwoGames& games = arguments.games;
  statistics::CompareSettings& settings = arguments.settings;
  settings.margin = share_of("--margin", arguments.margin);
  if (!arguments.until.empty()) settings.until = share_of("--until", arguments.until);
  games.to.measures_file = games.from.measures_file;
  const api::Ruleset from = games.from.load(), to = games.to.load();
  need_own_measures(games.from.measures, {&from, &to});
  games.choose_players(from, to);
  arguments.run.ask_for_figures(games.from.measures);
  games.play_alike(arguments.run.policies);
  const api::Game a = games.from.compile(from), b = games.to.compile(to);
  arguments.run.complete(a);
  settings.play = arguments.run.settings;
  settings.stop = interrupt_flag();
  catch_signals();
  ProgressBar bar(settings.pairs, "pairs");
  settings.progress = [&bar](const statistics::CompareProgress& p) {
    bar.expect(p.estimate ? std::max(p.estimate, p.pairs) : p.most);
    bar.show(p.pairs, p.rows ? fmt::format("{} of {} undecided", p.open, p.rows) : "");
  };
  if (arguments.run.only_check) {
    statistics::ComparisonPart::check(a, b, settings);
    return arguments.run.check_games(settings.pairs), kFine;
  }
  statistics::ComparisonPart part(a, b, settings);
  if (const auto begun = arguments.run.begun()) part.add(statistics::ComparisonPart::read(a, b, *begun));
  const int code = play_part(part, arguments.run, settings, settings.pairs);
  bar.clear();
  return print(arguments, from, to, a, b, part.comparison(), code);
}

// Options that need figures or parts, which a comparison of policies does not have.
constexpr const char* kOnlyForGames[] = {"OTHER",   "--from-with", "--margin",   "--until",       "--require",
                                         "--fixed", "--measure",   "--measures", "--figures",     "--shard",
                                         "-o",      "--resume",    "--speed",    "--time-factor", "--first-game"};

// Compares the two policies of `--policy` and `--against` in GAME.
int compare_policies(const CompareArguments& arguments, bool pairs_are_given) {
  TableArguments game = arguments.games.from;
  game.with = arguments.games.to.with;
  PolicyArguments policies;
  if (!arguments.run.policies.empty()) policies.first = arguments.run.policies[0];
  policies.second = arguments.against;
  policies.pairs = pairs_are_given ? arguments.settings.pairs : kUsualPolicyPairs;
  policies.seed = arguments.run.settings.seed;
  policies.threads = arguments.run.threads;
  policies.sprt = arguments.sprt;
  policies.json = arguments.json;
  return compare_policies(std::move(game), policies);
}

void check_arguments(const CLI::App& command, const CompareArguments& arguments) {
  need_text(command, "OTHER", arguments.games.to.game, "game");
  need_text(command, "--against", arguments.against, "policy");
  need_text(command, "--sprt", arguments.sprt, "two hypotheses");
  if (arguments.against.empty()) {
    if (!arguments.sprt.empty()) throw CLI::ValidationError("--sprt", "needs --against");
    if (arguments.settings.fixed && !arguments.until.empty())
      throw CLI::ValidationError("--fixed", "cannot be combined with --until, because the number of pairs is fixed");
    return;
  }
  for (const char* name : kOnlyForGames)
    if (command.count(name) > 0) throw CLI::ValidationError(name, "cannot be combined with --against");
  if (arguments.run.policies.size() > 1)
    throw CLI::ValidationError("--policy", "can be given only once with --against");
  if (arguments.settings.pairs > kMostPolicyPairs)
    throw CLI::ValidationError("--pairs", "exceeds the limit of 2^61 pairs");
}

}   // namespace

int show_comparison(const std::vector<PartText>& parts, const std::string& output, bool json) {
  const api::PartHead head = read_named(parts[0], api::part_head);
  CompareArguments arguments;
  arguments.json = json;
  const auto side = [](TableArguments& table, const api::PartHead::Table& of) {
    table.game = of.rules;
    table.measures_file = of.measures;
    table.measures = of.configuration.measures;
    table.policies = of.configuration.policies;
    table.players = of.configuration.players;
    for (const auto& [name, value] : of.configuration.options) table.with.push_back(name + "=" + value);
  };
  side(arguments.games.from, head.games.at(0));
  side(arguments.games.to, head.games.at(1));
  const api::Ruleset from = arguments.games.from.load(), to = arguments.games.to.load();
  const api::Game a = from.compile(head.games[0].configuration), b = to.compile(head.games[1].configuration);
  const statistics::ComparisonPart all =
      added_up(parts, [&](const std::string& text) { return statistics::ComparisonPart::read(a, b, text); });
  arguments.settings = all.settings();
  arguments.run.take(all.settings().play);
  const int code = written(all, output, all.settings().pairs);
  return print(arguments, from, to, a, b, all.comparison(), code);
}

void add_compare(CLI::App& app, Run& run) {
  auto* command = app.add_subcommand("compare", "compare two games or two policies, with confidence intervals");
  auto arguments = std::make_shared<CompareArguments>();
  arguments->games.add(*command, "GAME itself, with other options; for a house rule, the game that it extends");
  arguments->settings.pairs = kMostPairs;
  add_number(*command, "--pairs", arguments->settings.pairs, "maximum number of pairs of games",
             fmt::format("{}; with --fixed {}; with --against {}", kMostPairs, kUsualFixedPairs, kUsualPolicyPairs));
  command
      ->add_option("--against", arguments->against,
                   "compare the policy of --policy with this policy, in GAME with the options of --with: half of the "
                   "seats use each, and each deal is played twice with the seats exchanged. Both policies can be "
                   "bots with a time for each decision, such as bots:0.2s or flat:0.2s")
      ->type_name("POLICY");
  command
      ->add_option("--sprt", arguments->sprt,
                   "with --against: stop as soon as a sequential test decides between two differences in normalized "
                   "Elo, such as 0,10; each is wrongly rejected in at most 5 % of tests")
      ->type_name("N0,N1");
  command
      ->add_option(
          "--margin", arguments->margin,
          "shares count as the same if they differ by less than this, lengths if they differ by less than twice this")
      ->type_name("SHARE")
      ->capture_default_str();
  command
      ->add_option(
          "--until", arguments->until,
          "continue until all main figures are known to ± this share, even if all verdicts are decided earlier")
      ->type_name("SHARE");
  command->add_flag("--fixed", arguments->settings.fixed,
                    "play exactly --pairs pairs, and compute intervals for this fixed number: for small runs, they are "
                    "much narrower than intervals that are valid at any time. The verdicts then are not valid if you "
                    "repeat the run with more pairs until you like the result");
  command->add_option("--require", arguments->require, "exit with code 1 unless all main figures are the same")
      ->check(CLI::IsMember({"same"}))
      ->type_name("same");
  arguments->games.from.add_measures(*command);
  arguments->run.add_figures(*command);
  arguments->games.from.add_engine(*command);
  arguments->run.add_play(*command, "pair");
  arguments->run.add_parts(*command);
  command->add_flag("--json", arguments->json, "print the result as one JSON object");
  command->footer(
      "Both games play the same deals, and the run ends when all verdicts are decided. The same seed gives the "
      "same\nresult on every machine, for any number of threads, except for bots with a time. Examples:\n"
      "  cardwright compare splash --with self_target=off\n"
      "  cardwright compare connect_four --policy bots:200 --against uniform --pairs 10");
  command->callback([&run, arguments, command] {
    check_arguments(*command, *arguments);
    if (arguments->settings.fixed && command->count("--pairs") == 0) arguments->settings.pairs = kUsualFixedPairs;
    run = [arguments, pairs_are_given = command->count("--pairs") > 0] {
      return arguments->against.empty() ? compare(*arguments) : compare_policies(*arguments, pairs_are_given);
    };
  });
}

}   // namespace cardwright::cli
