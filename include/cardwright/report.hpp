// A report: what many games say of a ruleset, or of two that are held against each other, as one page of HTML that
// needs no network; and the same figures as files for other programs.
//
//   report::Report report = report::report_of(statistics::compare(splash, house, {}));
//   report.sides = {{"splash", "Splash"}, {"house", "Splash at home"}};
//   write(path, report::as_html(report, report::bundle()));
//
// Nothing in it depends on when, where and how fast it was made.
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

// A game of which the report tells.
struct Side {
  std::string name, title;   // "splash", "Splash"
  std::string changed;   // options that are not at their standard: "self_target=off"; empty: none
  std::vector<std::pair<std::string, std::string>> options;   // all
  std::string command;   // what plays it: "cardwright simulate splash --players 5"
  std::vector<api::FailureCount> failures;   // rules that went wrong
  std::uint64_t failed = 0;   // games that ended so
  std::vector<std::string> without_effect;   // rules of the file that took no effect in random games
};

// How two games were compared.
struct Compared {
  statistics::Stopped stopped = statistics::Stopped::exhausted;
  double margin = 0;
  std::size_t tested = 0, discoveries = 0;
  double correlation = 0;
  std::uint64_t games_saved = 0;
  std::vector<api::Difference> differences;   // of their rules
};

// Races that only the clock ended, of how many, and where the rules say so ("race.rules:38").
struct TimedOut {
  std::uint64_t races = 0, of = 0;
  std::string place;
};

struct Report {
  std::vector<Side> sides;   // one; or two, the second held against the first
  int players = 0;
  std::string policy = "uniform";   // "sensible"; "a=bots:200, b=uniform"
  std::uint64_t seed = 1, first_game = 0;
  std::uint64_t games = 0;   // that were played; of two: pairs
  bool stopped = false;   // by the user, before all were played
  std::optional<std::uint64_t> digest;   // of the games played, where one game was played alone
  std::uint64_t without_winner = 0;   // likewise: games that nobody won
  std::optional<TimedOut> timed_out;   // likewise: of games in real time
  std::string command;   // what makes it again
  statistics::Figures figures;
  std::optional<Compared> compared;   // of two
};

// Figures, and what else they know: sides, players, policy and command remain to be filled in (of a simulation the
// failures are in `sides`, which has one game then, of a comparison two).
Report report_of(const api::Statistics& statistics);
Report report_of(const statistics::Comparison& comparison);

// What the page is made with: `npm` bundles it from web/ when it is first asked for.
struct Bundle {
  std::string script, script_hash;   // "sha256-…", in the page's Content-Security-Policy
  std::string style;
};
// That of this build. Throws Error(caller) where it was not built, and says how it is.
Bundle bundle();

// The whole page: tables that can be read without scripts, and one JSON object from which the script draws its plots.
std::string as_html(const Report& report, const Bundle& bundle);
// {"head": {…}, "verdicts": […], "tables": […]}; tables as statistics::as_json writes them.
std::string as_json(const Report& report);
// Makes the folder with figures.json, and a CSV for each table, named after its title. Throws Error(us) where it can't
// be written.
void write_data(const Report& report, const std::string& folder);

}   // namespace cardwright::report
