// `cardwright skill` estimates how much skill and how much the deal decide a game.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cardwright/skill.hpp"
#include "tools/cli/arguments.h"
#include "tools/cli/merge.h"
#include "tools/cli/run_arguments.h"
#include "tools/cli/terminal.h"

namespace cardwright::cli {

namespace {

using Json = nlohmann::ordered_json;

struct SkillArguments : TableArguments {
  RunArguments run;
  statistics::SkillSettings settings;
  std::vector<std::string> ladder;
  bool json = false;
};

Json estimate(const statistics::Estimate& e) {
  return {{"value", e.value},
          {"interval", e.interval ? Json::array({e.interval->low, e.interval->high}) : Json(nullptr)}};
}

Json as_json(const SkillArguments& arguments, const api::Game& game, const statistics::Skill& skill) {
  Json options = Json::object(), rungs = Json::array(), deals = Json::array();
  for (const auto& [name, value] : game.options()) options[name] = value;
  for (const statistics::Rung& rung : skill.rungs)
    rungs.push_back({{"stronger", api::text_of(rung.stronger)},
                     {"weaker", api::text_of(rung.weaker)},
                     {"edge", estimate(rung.edge)},
                     {"score", rung.score ? estimate(*rung.score) : Json(nullptr)},
                     {"deals", rung.deals},
                     {"games", rung.games},
                     {"precise", rung.precise}});
  for (const statistics::DealShare& one : skill.deal_shares)
    deals.push_back({{"policy", api::text_of(one.policy)},
                     {"share", estimate(one.share)},
                     {"score", one.score ? estimate(*one.score) : Json(nullptr)},
                     {"deals", one.deals}});
  return {{"game", game.name()},
          {"title", game.title()},
          {"players", game.players()},
          {"options", std::move(options)},
          {"seed", arguments.run.settings.seed},
          {"precision", arguments.settings.precision},
          {"rungs", std::move(rungs)},
          {"deal_share", std::move(deals)},
          {"score", skill.score_name.empty() ? Json(nullptr) : Json(skill.score_name)},
          {"whole", skill.whole},
          {"machine", {{"engine", api::name_of(game.engine())}, {"seconds", skill.seconds}}}};
}

std::string interval(const statistics::Estimate& e, double factor) {
  return e.interval ? fmt::format("{:.1f} to {:.1f}", factor * e.interval->low, factor * e.interval->high) : "unknown";
}

// Prints the differences in scores, which can show skill that the wins don't show.
void print_score_edges(const statistics::Skill& skill) {
  fmt::print("\n{:<36}{:>10}   {:<18}{:>8}\n", "edge in the " + skill.score_name, "per game", "95 %", "deals");
  for (const statistics::Rung& rung : skill.rungs)
    if (rung.score && rung.score->games > 0)
      fmt::print("  {}{:>10}   {:<18}{:>8}\n",
                 padded(api::text_of(rung.stronger) + " over " + api::text_of(rung.weaker), 34),
                 fmt::format("{:.2f}", rung.score->value),
                 rung.score->interval && std::isfinite(rung.score->interval->half())
                     ? fmt::format("{:.2f} to {:.2f}", rung.score->interval->low, rung.score->interval->high)
                     : "unknown",
                 rung.score->games);
}

void print_skill(const api::Game& game, const statistics::Skill& skill) {
  fmt::print("{}, {}\n\n", coloured(Colour::bold, game.title()),
             plural(static_cast<std::size_t>(game.players()), "player"));
  fmt::print("{:<36}{:>10}   {:<18}{:>8}{:>10}\n", "edge", "points", "95 %", "deals", "games");
  for (const statistics::Rung& rung : skill.rungs)
    fmt::print("  {}{:>10}   {:<18}{:>8}{:>10}{}\n",
               padded(api::text_of(rung.stronger) + " over " + api::text_of(rung.weaker), 34),
               rung.deals ? fmt::format("{:.1f}", 100 * rung.edge.value) : "-", interval(rung.edge, 100), rung.deals,
               with_commas(rung.games), rung.precise || rung.deals == 0 ? "" : coloured(Colour::dim, " (not precise)"));
  if (!skill.score_name.empty()) print_score_edges(skill);
  fmt::print("\n{:<36}{:>10}   {:<18}{:>8}\n", "share of the deal", "%", "95 %", "deals");
  for (const statistics::DealShare& one : skill.deal_shares)
    fmt::print("  {}{:>10}   {:<18}{:>8}\n", padded("all " + api::text_of(one.policy), 34),
               one.deals > 1 ? fmt::format("{:.1f}", 100 * one.share.value) : "-", interval(one.share, 100), one.deals);
  for (const statistics::DealShare& one : skill.deal_shares)
    if (one.score)
      fmt::print("  {}{:>10}   {:<18}{:>8}\n",
                 padded(fmt::format("all {}, of the {}", api::text_of(one.policy), skill.score_name), 34),
                 one.score->games > 1 ? fmt::format("{:.1f}", 100 * one.score->value) : "-", interval(*one.score, 100),
                 one.deals);
  fmt::print(
      "\n{}\n",
      coloured(
          Colour::dim,
          wrapped(
              "Edge: 0 means luck, 100 means that the stronger policy always wins. One player uses the stronger "
              "policy and all others the weaker one, in every seat in turn, on the same deals. Share of the deal: "
              "the part of the result that cards and dice decide, whatever the players choose. Bots are not perfect "
              "players and may not find an existing edge, so these values are lower bounds for skill.",
              static_cast<std::size_t>(terminal_width()), 0)));
}

int print(const SkillArguments& arguments, const api::Game& game, const statistics::Skill& skill, int code) {
  if (arguments.json)
    fmt::print("{}\n", as_json(arguments, game, skill).dump());
  else
    print_skill(game, skill);
  return code;
}

int skill(SkillArguments arguments) {
  std::vector<std::string> rungs{"a=bots:1"};   // each rung has seats with different policies
  for (const std::string& policy : arguments.ladder) rungs.push_back("a=" + policy);
  arguments.policies = api::policies_named(rungs);
  const api::Game game = arguments.compile(arguments.load());
  statistics::SkillSettings& settings = arguments.settings;
  if (!arguments.ladder.empty()) settings.ladder.clear();
  for (const std::string& policy : arguments.ladder) settings.ladder.push_back(api::policy_from(policy));
  arguments.run.complete(game);
  settings.play = arguments.run.settings;
  settings.play.policies.clear();
  settings.stop = interrupt_flag();
  catch_signals();
  ProgressBar bar(std::max(settings.deals, settings.shared_deals), "deals");
  settings.progress = [&](std::size_t rung, std::size_t rungs, std::uint64_t deals) {
    bar.show(deals, fmt::format("rung {} of {}", rung + 1, rungs));
  };
  statistics::SkillPart part(game, settings);
  if (arguments.run.only_check) return arguments.run.check_games(part.deals()), kFine;
  if (const auto begun = arguments.run.begun()) part.add(statistics::SkillPart::read(game, *begun));
  const int code = play_part(part, arguments.run, settings, part.deals());
  bar.clear();
  return print(arguments, game, part.skill(), code);
}

}   // namespace

int show_skill(const std::vector<PartText>& parts, const std::string& output, bool json) {
  const api::PartHead head = read_named(parts[0], api::part_head);
  const api::Game game =
      api::Ruleset::load(head.games[0].rules, head.games[0].measures).compile(head.games[0].configuration);
  const statistics::SkillPart all =
      added_up(parts, [&](const std::string& text) { return statistics::SkillPart::read(game, text); });
  SkillArguments arguments;
  arguments.json = json;
  arguments.settings = all.settings();
  arguments.run.settings = all.settings().play;
  return print(arguments, game, all.skill(), written(all, output, all.deals()));
}

void add_skill(CLI::App& app, Run& run) {
  auto* command = app.add_subcommand("skill", "estimate how much skill and how much the deal decide a game");
  auto arguments = std::make_shared<SkillArguments>();
  arguments->add_game(*command);
  arguments->add_table(*command);
  command
      ->add_option("--ladder", arguments->ladder,
                   "policies from the weakest to the strongest, each compared with the previous one (default: uniform "
                   "bots:50 bots:500 bots:5000)")
      ->type_name("POLICY…");
  command->add_option("--until", arguments->settings.precision, "required precision of an edge: ± this share of 1")
      ->check(CLI::Range(0.001, 0.999))
      ->type_name("EDGE")
      ->capture_default_str();
  add_number(*command, "--deals", arguments->settings.deals,
             "maximum number of deals for a rung; each is played once for each seat")
      ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1} << 40));
  add_number(*command, "--shared-deals", arguments->settings.shared_deals,
             "number of deals that are replayed to estimate their influence");
  add_number(*command, "--replays", arguments->settings.replays, "number of replays of each of these deals")
      ->check(CLI::Range(2, 100'000));
  arguments->add_engine(*command);
  arguments->run.add_play(*command, "deal", false);
  arguments->run.add_parts(*command);
  command->add_flag("--json", arguments->json, "print the result as one JSON object");
  command->footer(
      "The same seed gives the same result on every machine, for any number of threads. Ctrl-C stops the run and "
      "prints\nthe results so far. Example: cardwright skill connect_four --ladder uniform bots:100 bots:1000");
  command->callback([&run, arguments] { run = [arguments] { return skill(*arguments); }; });
}

}   // namespace cardwright::cli
