// `cardwright variants` lists the options of a game, their constraints, and the number of distinct games.
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cardwright/variants.hpp"
#include "tools/cli/arguments.h"
#include "tools/cli/terminal.h"

namespace cardwright::cli {

namespace {

using Json = nlohmann::ordered_json;

struct VariantsArguments : TableArguments {
  bool json = false;
};

std::vector<api::Combinations> all_combinations(const api::Ruleset& rules, int players) {
  std::vector<api::Combinations> out;
  for (int n = players ? players : rules.least_players(); n <= (players ? players : rules.most_players()); ++n)
    out.push_back(api::combinations(rules, n));
  return out;
}

// ---- JSON output

Json option(const api::RulesetOption& o) {
  Json out = {{"name", o.name}, {"label", o.label}, {"standard", o.standard}};
  if (o.values.empty()) {
    out["min"] = o.least;
    out["max"] = o.most;
  } else {
    out["values"] = Json::array();
    for (const api::OptionValue& value : o.values) out["values"].push_back(value.name);
  }
  return out;
}

Json as_json(const api::Ruleset& rules, const std::vector<api::Combinations>& counts) {
  Json out = {
      {"game", rules.name()},
      {"title", rules.title()},
      {"players", {{"min", rules.least_players()}, {"max", rules.most_players()}, {"usual", rules.usual_players()}}},
      {"options", Json::array()},
      {"presets", Json::array()},
      {"relations", Json::array()},
      {"combinations", Json::array()}};
  for (const api::RulesetOption& o : rules.options()) out["options"].push_back(option(o));
  for (const api::Preset& preset : api::presets(rules)) {
    Json settings = Json::object();
    for (const auto& [name, value] : preset.settings) settings[name] = value;
    out["presets"].push_back({{"title", preset.title}, {"options", std::move(settings)}});
  }
  for (const api::OptionRelation& r : api::relations(rules))
    out["relations"].push_back({{"kind", r.kind},
                                {"one", r.one},
                                {"other", r.other},
                                {"unless", r.unless},
                                {"why", r.why},
                                {"text", r.text()},
                                {"place", r.place}});
  for (const api::Combinations& c : counts)
    out["combinations"].push_back({{"players", c.players},
                                   {"legal", c.counted ? Json(c.legal) : Json(nullptr)},
                                   {"distinct", c.counted ? Json(c.distinct) : Json(nullptr)}});
  return out;
}

// ---- text output

void print_options(const api::Ruleset& rules) {
  fmt::print("\n{}\n", coloured(Colour::bold, "options"));
  std::size_t widest = 0;
  for (const api::RulesetOption& o : rules.options()) widest = std::max(widest, columns(o.name));
  for (const api::RulesetOption& o : rules.options()) {
    std::string values = o.values.empty() ? fmt::format("{}..{}, default {}", o.least, o.most, o.standard) : "";
    for (const api::OptionValue& v : o.values)
      values += (values.empty() ? "" : " | ") + (v.name == o.standard ? coloured(Colour::bold, v.name) + "*" : v.name);
    fmt::print("  {}  {}{}\n", padded(o.name, widest), values,
               o.label.empty() ? "" : "   " + coloured(Colour::dim, o.label));
  }
  fmt::print("  {}\n", coloured(Colour::dim, "* default"));
}

void print_presets(const std::vector<api::Preset>& presets) {
  if (presets.empty()) return;
  fmt::print("\n{}\n", coloured(Colour::bold, "presets"));
  for (const api::Preset& preset : presets) {
    std::string settings;
    for (const auto& [name, value] : preset.settings)
      settings += fmt::format("{}{}={}", settings.empty() ? "" : ", ", name, value);
    fmt::print("  \"{}\"  {}\n", preset.title, settings);
  }
}

void print_relations(const std::vector<api::OptionRelation>& relations) {
  if (relations.empty()) return;
  fmt::print("\n{}\n", coloured(Colour::bold, "constraints"));
  for (const api::OptionRelation& r : relations)
    fmt::print("  {}{}   {}\n", r.text(), r.why.empty() ? "" : ": " + r.why, coloured(Colour::dim, r.place));
}

// Prints the number of combinations for each number of players. Consecutive numbers of players with equal counts share
// a line.
void print_combinations(const std::vector<api::Combinations>& counts) {
  fmt::print("\n{}{:>13}{:>19}\n",
             padded(coloured(Colour::bold, "combinations"), 20 + coloured(Colour::bold, "").size()), "legal",
             "distinct games");
  for (std::size_t i = 0, end = 0; i < counts.size(); i = end) {
    const auto same = [&](const api::Combinations& c) {
      return c.counted == counts[i].counted && c.legal == counts[i].legal && c.distinct == counts[i].distinct;
    };
    for (end = i + 1; end < counts.size() && same(counts[end]);) ++end;
    const std::string who = end == i + 1 ? plural(static_cast<std::size_t>(counts[i].players), "player")
                                         : fmt::format("{} to {} players", counts[i].players, counts[end - 1].players);
    if (counts[i].counted)
      fmt::print("  {:<18}{:>13}{:>19}\n", who, with_commas(counts[i].legal), with_commas(counts[i].distinct));
    else
      fmt::print("  {:<18}{:>13}{:>19}\n", who, "too many", "too many");
  }
}

int variants(const VariantsArguments& arguments) {
  const api::Ruleset rules = arguments.load();
  const auto counts = all_combinations(rules, arguments.players);
  if (arguments.json) {
    fmt::print("{}\n", as_json(rules, counts).dump());
    return kFine;
  }
  const std::string seats = rules.least_players() == rules.most_players()
                                ? plural(static_cast<std::size_t>(rules.most_players()), "player")
                                : fmt::format("{} to {} players", rules.least_players(), rules.most_players());
  fmt::print("{} ({}), {}, usually {}\n", coloured(Colour::bold, rules.title()), rules.shown_as(), seats,
             rules.usual_players());
  if (rules.options().empty()) {
    fmt::print("it has no options\n");
    return kFine;
  }
  print_options(rules);
  print_presets(api::presets(rules));
  print_relations(api::relations(rules));
  print_combinations(counts);
  return kFine;
}

}   // namespace

void add_variants(CLI::App& app, Run& run) {
  auto* command = app.add_subcommand("variants", "list the options of a game and the number of distinct games");
  auto arguments = std::make_shared<VariantsArguments>();
  arguments->add_game(*command);
  command->add_option("--players", arguments->players, "count only for this number of players")
      ->check(CLI::Range(1, 16))
      ->type_name("N");
  command->add_flag("--json", arguments->json, "print the result as one JSON object");
  command->footer(
      "A combination is legal unless a `conflict` or `require` rejects it. Some legal combinations are the same\n"
      "game because of `implies` and `void`. `cardwright check GAME --all-variants` tests them all.");
  command->callback([&run, arguments] { run = [arguments] { return variants(*arguments); }; });
}

}   // namespace cardwright::cli
