// `cardwright simulate` plays many random games and prints statistics.
#include <algorithm>
#include <cmath>
#include <optional>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "cardwright/cardwright.hpp"
#include "tools/cli/arguments.h"
#include "tools/cli/standard_figures.h"
#include "tools/cli/figures.h"
#include "tools/cli/measures.h"
#include "tools/cli/merge.h"
#include "tools/cli/run_arguments.h"
#include "tools/cli/terminal.h"

namespace cardwright::cli {

namespace {

using Json = nlohmann::ordered_json;

struct SimulateArguments : TableArguments {
  RunArguments run;
  bool json = false;
  std::string trace;

  FigureChoice choice() const { return {run.wants("actions"), run.wants("cards"), run.wants("pace")}; }
};

double per_second(std::uint64_t count, double seconds) { return seconds > 0 ? double(count) / seconds : 0; }
std::string digest_text(std::uint64_t digest) { return fmt::format("{:016x}", digest); }

// ---- JSON output

Json spread(const api::Spread& s) {
  const auto [low, high] = s.interval();
  const auto known = [&](double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); };
  Json histogram = Json::array();
  for (const api::Spread::Bin& bin : s.bins) histogram.push_back(Json::array({bin.from, bin.to, bin.games}));
  return {{"min", s.least},    {"mean", s.mean},      {"median", s.median},       {"max", s.most},
          {"low", known(low)}, {"high", known(high)}, {"deviation", s.deviation}, {"histogram", std::move(histogram)}};
}

Json failure(const api::FailureCount& f) {
  return {{"trap", f.failure.trap},    {"details", f.failure.details}, {"rule", f.failure.rule},
          {"place", f.failure.place},  {"stack", f.failure.stack},     {"count", f.count},
          {"first_game", f.first_game}};
}

Json race_json(const api::RaceStatistics& race) {
  Json actions = Json::array();
  for (const api::RaceCount& count : race.actions) {
    Json landed = Json::object(), late = Json::object();
    for (std::size_t seat = 0; seat < count.landed.size(); ++seat) {
      landed[api::Game::seat_name(static_cast<int>(seat))] = count.landed[seat];
      late[api::Game::seat_name(static_cast<int>(seat))] = count.late[seat];
    }
    actions.push_back({{"action", count.action}, {"landed", std::move(landed)}, {"late", std::move(late)}});
  }
  return {{"races", race.races},
          {"milliseconds_per_race", spread(race.per_race)},
          {"milliseconds_per_game", spread(race.per_game)},
          {"timed_out", race.timed_out},
          {"timed_out_at", race.guard.empty() ? Json(nullptr) : Json(race.guard)},
          {"actions", std::move(actions)}};
}

Json score_json(const api::ScoreMean& s) {
  const auto [low, high] = s.interval();
  const auto known = [](double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); };
  return {{"name", s.name},      {"games", s.games},         {"mean", s.mean}, {"low", known(low)},
          {"high", known(high)}, {"deviation", s.deviation}, {"min", s.least}, {"max", s.most}};
}

Json scores_json(const api::ScoreStatistics& scores) {
  Json out = {{"name", scores.name}, {"least_wins", scores.least_wins}, {"all", score_json(scores.all)}};
  for (const auto& [name, means] : {std::pair("seat", &scores.seats), std::pair("policy", &scores.policies)}) {
    if (means->empty()) continue;
    out[name] = Json::array();
    for (const api::ScoreMean& one : *means) out[name].push_back(score_json(one));
  }
  return out;
}

Json as_json(const SimulateArguments& arguments, const api::Game& game, const api::Statistics& s) {
  Json options = Json::object();
  for (const auto& [name, value] : game.options()) options[name] = value;
  Json errors = Json::array();
  for (const auto& f : s.failures) errors.push_back(failure(f));
  Json wins = Json::object();
  for (const auto& group : s.groups) {
    Json shares = Json::array();
    for (const auto& one : group.shares) shares.push_back(share_json(one));
    wins[group.name] = std::move(shares);
  }
  Json out = {{"game", game.name()},
              {"title", game.title()},
              {"players", game.players()},
              {"options", std::move(options)},
              {"policy", arguments.run.policy_json(game)},
              {"seed", s.seed},
              {"first_game", s.first_game},
              {"games", s.games},
              {"decisions", s.decisions},
              {"errors", std::move(errors)},
              {"digest", digest_text(s.digest)},
              {"stopped", s.stopped},
              {"length_in_decisions", spread(s.lengths)}};
  out["length_in_turns"] = s.has_turns ? spread(s.turns) : Json(nullptr);
  out["asked_per_game"] = s.asked_sample ? Json(s.asked_per_game) : Json(nullptr);
  out["asked_games"] = s.asked_sample;
  out["without_winner"] = s.without_winner;
  out["endings"] = Json::array();
  for (const auto& ending : s.endings)
    out["endings"].push_back({{"ending", ending.text},
                              {"place", ending.place.empty() ? Json(nullptr) : Json(ending.place)},
                              {"games", ending.games},
                              {"low", ending.interval().first},
                              {"high", ending.interval().second}});
  out["wins"] = std::move(wins);
  if (s.scores) out["scores"] = scores_json(*s.scores);
  if (!s.measures.empty()) out["measures"] = Json::array();
  for (const api::MeasureTable& table : s.measures) out["measures"].push_back(measure_json(table));
  if (s.figures) out["figures"] = figures_json(*s.figures, arguments.choice());
  if (s.tension) out["figures"]["tension"] = tension_json(*s.tension);
  if (s.race) {
    out["race"] = race_json(*s.race);
    out["race"]["speeds"] = Json::object();
    for (int seat = 0; seat < game.players(); ++seat) {
      const auto& speeds = arguments.run.settings.speeds;
      out["race"]["speeds"][api::Game::seat_name(seat)] = speeds.empty() ? 1.0 : speeds[static_cast<std::size_t>(seat)];
    }
    out["race"]["time_factor"] = arguments.run.settings.time_factor;
  }
  // These values depend on the machine and the time of the run.
  out["machine"] = {{"engine", api::name_of(game.engine())},
                    {"threads", s.threads},
                    {"seconds", s.seconds},
                    {"compile_seconds", s.compile_seconds},
                    {"compiled_games", s.compiled_games},
                    {"games_per_second", per_second(s.games, s.seconds)},
                    {"decisions_per_second", per_second(s.decisions, s.seconds)}};
  return out;
}

// ---- text output

// Prints the mean with as many digits as its interval justifies.
std::string mean_text(double mean, double half) {
  if (!std::isfinite(half) || half <= 0) return fmt::format("{:.1f}", mean);
  const int digits = std::clamp(1 - static_cast<int>(std::floor(std::log10(half))), 0, 4);
  return fmt::format("{:.{}f} ± {:.{}f}", mean, digits, half, digits);
}
std::string mean_text(const api::Spread& s) { return mean_text(s.mean, s.mean - s.interval().first); }

void print_spread(const char* what, const api::Spread& s) {
  fmt::print("  {:<12}{:>10}{}{:>10}{:>10}{:>12}\n", what, with_commas(s.least), padded_left(mean_text(s), 20),
             fmt::format("{:.1f}", s.deviation), with_commas(s.median), with_commas(s.most));
  if (s.bins.size() < 2) return;
  const Sparkline line = sparkline(s.bins, static_cast<std::size_t>(std::clamp(terminal_width() - 34, 20, 60)));
  fmt::print("  {:>12}{:>10} {} {}\n", "", line.low, line.signs, line.high);
}

void print_spread_head(const char* what) {
  fmt::print("\n{:<14}{:>10}{:>20}{:>10}{:>10}{:>12}\n", what, "min", "mean (95 %)", "deviation", "median", "max");
}

void print_group(const api::ShareGroup& group) {
  std::size_t widest = 12;
  for (const auto& s : group.shares) widest = std::max(widest, columns(s.name) + 2);
  fmt::print("\n{}{:>12}{:>12}   95 % interval\n",
             padded(coloured(Colour::bold, "wins by " + group.name), widest + 2 + (coloured(Colour::bold, "").size())),
             "games", "wins");
  for (const auto& s : group.shares) {
    const auto [low, high] = s.interval();
    fmt::print("  {}{:>12}{:>10.2f} %   {:.2f} to {:.2f} %\n", padded(s.name, widest), with_commas(s.games),
               100 * s.rate(), 100 * low, 100 * high);
  }
}

std::string signed_with_commas(std::int64_t number) {
  if (number >= 0) return with_commas(static_cast<std::uint64_t>(number));
  return "-" + with_commas(~static_cast<std::uint64_t>(number) + 1);
}

void print_scores(const api::ScoreStatistics& scores, std::uint64_t games) {
  std::size_t widest = 14;
  for (const auto& one : scores.policies) widest = std::max(widest, columns(one.name) + 2);
  fmt::print("\n{}{:>10}{:>20}{:>11}{:>12}{}\n",
             padded(coloured(Colour::bold, "scores"), widest + 2 + (coloured(Colour::bold, "").size())), "min",
             "mean (95 %)", "deviation", "max",
             coloured(Colour::dim,
                      fmt::format("   {}{}{}", scores.name, scores.least_wins ? ", the least wins" : "",
                                  scores.all.games < games ? fmt::format(", of {} games", with_commas(scores.all.games))
                                                           : "")));
  const auto line = [&](const api::ScoreMean& s) {
    fmt::print("  {}{:>10}{}{:>11}{:>12}\n", padded(s.name, widest), signed_with_commas(s.least),
               padded_left(mean_text(s.mean, s.mean - s.interval().first), 20), fmt::format("{:.1f}", s.deviation),
               signed_with_commas(s.most));
  };
  line(scores.all);
  for (const auto* some : {&scores.seats, &scores.policies})
    for (const api::ScoreMean& one : *some) line(one);
}

void print_endings(const api::Statistics& s) {
  if (s.endings.empty()) return;
  fmt::print("\n{}\n", coloured(Colour::bold, "endings"));
  for (const auto& ending : s.endings)
    fmt::print("  {:>6.2f} %  ± {:.2f}  {}{}\n", 100.0 * double(ending.games) / double(s.games),
               50 * (ending.interval().second - ending.interval().first), ending.text,
               ending.place.empty() ? "" : coloured(Colour::dim, fmt::format(" ({})", ending.place)));
}

std::uint64_t total(const std::vector<std::uint64_t>& counts) {
  std::uint64_t sum = 0;
  for (const std::uint64_t count : counts) sum += count;
  return sum;
}

// Reports races that only the time limit ended, with a hint if they are frequent.
void print_timed_out(const api::RaceStatistics& race, bool sensible) {
  if (race.timed_out == 0) return;
  fmt::print("  {} of them ({:.1f} %) ended only at the time limit ({})\n", with_commas(race.timed_out),
             100 * double(race.timed_out) / double(race.races), race.guard);
  if (race.timed_out * 2 <= race.races) return;
  const char* way_out =
      sensible ? "even sensible play seldom finishes them: add `sensible if` to actions that no real player would take"
               : "uniformly random players often wait or act pointlessly; try `--policy sensible`";
  fmt::print("  {}\n", coloured(Colour::yellow, way_out));
}

// Prints the durations of races and, for each action and seat, how often the action took effect or was late.
void print_race(const api::RaceStatistics& race, std::uint64_t games, double seconds, bool sensible) {
  print_spread_head("milliseconds");
  print_spread("per race", race.per_race);
  print_spread("per game", race.per_game);
  std::uint64_t all = 0;
  for (const api::RaceCount& count : race.actions) all += total(count.landed);
  fmt::print("  {:.1f} races per game, {:.1f} actions landed per game, {} per second\n",
             double(race.races) / double(games), double(all) / double(games),
             with_commas(static_cast<std::uint64_t>(per_second(all, seconds))));
  print_timed_out(race, sensible);
  fmt::print("\n{}", padded(coloured(Colour::bold, "landed per game (late)"), 22 + coloured(Colour::bold, "").size()));
  for (std::size_t seat = 0; !race.actions.empty() && seat < race.actions[0].landed.size(); ++seat)
    fmt::print("{:>16}", api::Game::seat_name(static_cast<int>(seat)));
  fmt::print("\n");
  for (const api::RaceCount& count : race.actions) {
    if (total(count.landed) + total(count.late) == 0) continue;
    fmt::print("  {}", padded(count.action, 20));
    for (std::size_t seat = 0; seat < count.landed.size(); ++seat)
      fmt::print("{:>16}", fmt::format("{:.2f} ({:.2f})", double(count.landed[seat]) / double(games),
                                       double(count.late[seat]) / double(games)));
    fmt::print("\n");
  }
}

void print_failures(const SimulateArguments& arguments, const api::Statistics& s) {
  if (s.failures.empty()) return;
  fmt::print("\n{}\n", coloured(Colour::red, fmt::format("errors: {} of {} games ended with a runtime error",
                                                         with_commas(s.failed), with_commas(s.games))));
  for (const auto& f : s.failures) {
    fmt::print("  {} times: {}\n", with_commas(f.count), f.failure.text());
    for (const std::string& level : f.failure.stack) fmt::print("      in {}\n", level);
    fmt::print("      first in game {}: --seed {} --first-game {} --games 1 --trace FILE\n", f.first_game,
               arguments.run.settings.seed, f.first_game);
  }
}

bool all_sensible(const SimulateArguments& arguments) {
  const auto& policies = arguments.run.settings.policies;
  return !policies.empty() && std::all_of(policies.begin(), policies.end(), [](const api::PlayerPolicy& one) {
    return one.kind == api::PlayerPolicy::Kind::sensible;
  });
}

void print_statistics(const SimulateArguments& arguments, const api::Ruleset& rules, const api::Game& game,
                      const api::Statistics& s) {
  const std::string changed = changed_options(rules, game);
  const std::string machine = fmt::format("engine {}, {}, ", api::name_of(game.engine()),
                                          plural(static_cast<std::size_t>(s.threads), "thread"));
  fmt::print("{}, {}{}{}; {}seed {}{}\n", coloured(Colour::bold, game.title()),
             plural(static_cast<std::size_t>(game.players()), "player"), changed.empty() ? "" : ", " + changed,
             arguments.run.how_played(), s.seconds > 0 ? machine : "", s.seed,
             s.first_game ? fmt::format(", from game {}", s.first_game) : "");
  if (s.stopped) fmt::print("{}\n", coloured(Colour::yellow, "stopped early; results so far"));
  fmt::print("\n  games     {:>16}", with_commas(s.games));
  if (s.seconds > 0)
    fmt::print("   {:>12} per second", with_commas(static_cast<std::uint64_t>(per_second(s.games, s.seconds))));
  fmt::print("\n  decisions {:>16}", with_commas(s.decisions));
  if (s.seconds > 0)
    fmt::print("   {:>12} per second\n  seconds   {:>16.2f}   {:>12.2f} more for compilation",
               with_commas(static_cast<std::uint64_t>(per_second(s.decisions, s.seconds))), s.seconds,
               s.compile_seconds);
  fmt::print("\n");
  if (s.games == 0) return;
  print_spread_head("length");
  if (s.has_turns) print_spread("turns", s.turns);
  print_spread("decisions", s.lengths);
  if (s.asked_sample)
    fmt::print("  of these with more than one option{}: {:.1f} per game (measured in the first {} games)\n",
               arguments.run.policies.empty() ? "" : " that the policy allows", s.asked_per_game, s.asked_sample);
  if (s.failed)
    fmt::print(
        "\n{}\n",
        coloured(Colour::red, fmt::format("{} of {} games ended with an error (below); these statistics exclude them",
                                          with_commas(s.failed), with_commas(s.games))));
  print_endings(s);
  if (s.race) print_race(*s.race, s.games, s.seconds, all_sensible(arguments));
  for (const auto& group : s.groups) print_group(group);
  if (s.scores) print_scores(*s.scores, s.games - s.failed);
  if (s.without_winner)
    fmt::print("\n  {} games without a winner ({:.2f} %)\n", with_commas(s.without_winner),
               100.0 * double(s.without_winner) / double(s.games));
  for (const api::MeasureTable& table : s.measures) print_table(table);
  if (s.figures) print_figures(*s.figures, arguments.choice(), arguments.run.policies.empty());
  if (s.tension) print_tension(*s.tension);
  print_failures(arguments, s);
  fmt::print("\n  digest    {}\n", digest_text(s.digest));
}

int print(const SimulateArguments& arguments, const api::Ruleset& rules, const api::Game& game,
          const api::Statistics& s, int code) {
  if (arguments.json)
    fmt::print("{}\n", as_json(arguments, game, s).dump());
  else
    print_statistics(arguments, rules, game, s);
  return code;
}

int simulate(SimulateArguments arguments) {
  const api::Ruleset rules = arguments.load();
  need_own_measures(arguments.measures, {&rules});
  arguments.policies = api::policies_named(arguments.run.policies);
  arguments.run.ask_for_figures(arguments.measures);
  const api::Game game = arguments.compile(rules);
  arguments.run.complete(game);
  api::SimulateSettings& settings = arguments.run.settings;
  catch_signals();
  const api::GameRange range = arguments.run.range(settings.games);
  ProgressBar bar(range.to - range.from);
  settings.progress = [&bar](std::uint64_t done) { bar.show(done); };
  std::optional<ProgressBar> analysis_bar;
  settings.on_tension_progress = [&](std::uint64_t done, std::uint64_t all) {
    bar.clear();
    if (!analysis_bar) analysis_bar.emplace(all, "games analysed");
    analysis_bar->show(done);
  };
  if (!arguments.trace.empty()) {
    const api::Statistics s = api::trace(game, settings, arguments.trace);
    bar.clear();
    return print(arguments, rules, game, s, kFine);
  }
  api::SimulationPart part(game, settings);
  if (arguments.run.only_check) return arguments.run.check_games(settings.games), kFine;
  if (const auto begun = arguments.run.begun()) {
    api::SimulationPart before = api::SimulationPart::read(game, *begun);
    part.add(before);
  }
  const int code = play_part(part, arguments.run, settings, settings.games);
  bar.clear();
  analysis_bar.reset();
  return print(arguments, rules, game, part.statistics(), code);
}

}   // namespace

int show_simulation(const std::vector<PartText>& parts, const std::string& output, bool json) {
  const api::PartHead head = read_named(parts[0], api::part_head);
  SimulateArguments arguments;
  arguments.game = head.games[0].rules;
  arguments.measures_file = head.games[0].measures;
  arguments.json = json;
  const api::Ruleset rules = arguments.load();
  const api::Game game = rules.compile(head.games[0].configuration);
  const api::SimulationPart all =
      added_up(parts, [&](const std::string& text) { return api::SimulationPart::read(game, text); });
  arguments.run.take(all.settings());
  const int code = written(all, output, all.settings().games);
  return print(arguments, rules, game, all.statistics(), code);
}

void add_simulate(CLI::App& app, Run& run) {
  auto* command = app.add_subcommand("simulate", "play many random games and print statistics");
  auto arguments = std::make_shared<SimulateArguments>();
  arguments->add_game(*command);
  arguments->add_table(*command);
  arguments->add_measures(*command);
  arguments->run.add_figures(*command);
  add_number(*command, "--games", arguments->run.settings.games, "number of games");
  arguments->add_engine(*command);
  arguments->run.add_play(*command, "game");
  arguments->run.add_parts(*command);
  command->add_flag("--json", arguments->json, "print the result as one JSON object");
  command
      ->add_option("--trace", arguments->trace,
                   "write every decision with its options, the choice and the full state to this file, as JSON lines "
                   "(slower, one thread)")
      ->type_name("FILE");
  command->footer(
      "Ctrl-C stops the run and prints the statistics so far. The digest identifies the played games; it does "
      "not\ndepend on the engine or the number of threads.");
  command->callback([&run, arguments, command] {
    need_text(*command, "--trace", arguments->trace, "file");
    need_text(*command, "-o", arguments->run.output, "file");
    need_text(*command, "--shard", arguments->run.shard, "part");
    if (!arguments->trace.empty() && !arguments->run.output.empty())
      throw CLI::ValidationError("--trace", "cannot be combined with -o");
    run = [arguments] { return simulate(*arguments); };
  });
}

}   // namespace cardwright::cli
