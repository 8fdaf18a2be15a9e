// Creates reports: the results of many games of one ruleset, or a comparison of two, as one HTML page that works
// offline; and the same figures as data files for other programs.
//
//   report::Report report = report::report_of(statistics::compare(splash, house, {}));
//   report.sides = {{"splash", "Splash"}, {"house", "Splash at home"}};
//   write(path, report::as_html(report, report::bundle()));
//
// The output is deterministic: it does not depend on when, where or how fast it was created.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cardwright/cardwright.hpp"
#include "cardwright/statistics.hpp"
#include "cardwright/variants.hpp"

namespace cardwright::report {

// A game in the report.
struct Side {
  std::string name, title;   // "splash", "Splash"
  std::string changed;   // options that differ from their defaults: "self_target=off"; can be empty
  std::vector<std::pair<std::string, std::string>> options;   // all options
  std::string command;   // command that simulates this game: "cardwright simulate splash --players 5"
  std::vector<api::FailureCount> failures;   // runtime errors in the rules
  std::uint64_t failed = 0;   // number of games that a runtime error ended
  std::vector<std::string> without_effect;   // rules of the file that had no effect in random games
};

// Parameters and overall results of a comparison.
struct Compared {
  statistics::Stopped stopped = statistics::Stopped::exhausted;
  double margin = 0;
  std::size_t tested = 0, discoveries = 0;
  double correlation = 0;
  std::uint64_t games_saved = 0;
  std::vector<api::Difference> differences;   // between the two rulesets
};

// Number of races that their time limit ended, number of all races, and the place of the time limit in the rules
// ("race.rules:38").
struct TimedOut {
  std::uint64_t races = 0, of = 0;
  std::string place;
};

struct Report {
  std::vector<Side> sides;   // one side, or two in a comparison: the second is compared with the first
  int players = 0;
  std::string policy = "uniform";   // "sensible"; "a=bots:200, b=uniform"
  std::uint64_t seed = 1, first_game = 0;
  std::uint64_t games = 0;   // games played; in a comparison: pairs
  bool stopped = false;   // true if the user stopped the run before all games were played
  std::optional<std::uint64_t> digest;   // digest of the games; single simulations only
  std::uint64_t without_winner = 0;   // games without a winner; single simulations only
  std::optional<TimedOut> timed_out;   // games with real-time windows; single simulations only
  std::string command;   // command that reproduces the report
  statistics::Figures figures;
  std::optional<Compared> compared;   // comparisons only
};

// Creates a report from results. The caller must fill in sides, players, policy and command; `sides` already has one
// element (a simulation) or two (a comparison) that contain only the failures.
Report report_of(const api::Statistics& statistics);
Report report_of(const statistics::Comparison& comparison);

// Script and style sheet of the page. npm bundles them from tools/web/.
struct Bundle {
  std::string script, script_hash;   // "sha256-…", in the page's Content-Security-Policy
  std::string style;
};
// Returns the bundle of this build. Throws Error(caller) with build instructions if the bundle was not built.
Bundle bundle();

// Returns the complete page: tables that are readable without scripts, and one JSON object from which the script draws
// plots.
std::string as_html(const Report& report, const Bundle& bundle);
// Returns {"head": {…}, "verdicts": […], "tables": […]}. The tables have the format of statistics::as_json.
std::string as_json(const Report& report);
// Creates the folder with figures.json and one CSV file per table, named after its title. Throws Error(internal) if it
// cannot be written.
void write_data(const Report& report, const std::string& folder);

}   // namespace cardwright::report
